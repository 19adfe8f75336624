/* The library in small that is built under faults. */
#ifndef TINY_FAULTS_H
#define TINY_FAULTS_H

const char *tiny_config(void);
int tiny_answer(int question);

#endif
