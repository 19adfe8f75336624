/* Numbers as text, with a decimal point in every locale. */
#ifndef BM_DECIMAL_H
#define BM_DECIMAL_H

/* Room for any double, with its NUL. */
#define DECIMAL_SIZE 32

/* The shortest decimal of 15 to 17 digits that reads back as the same finite number. */
void decimal_shortest(char ret[DECIMAL_SIZE], double number);

#endif
