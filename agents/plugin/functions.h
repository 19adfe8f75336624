/* Counts by the functions of the guest's program.
 *
 * The table that is handed over has a line for each: "START END NAME", addresses in hexadecimal without 0x,
 * END behind the last byte, sorted and without overlaps; a name may come again, has no blank and nothing that
 * JSON would write otherwise. What belongs to none of them counts as "?". */
#ifndef BM_PLUGIN_FUNCTIONS_H
#define BM_PLUGIN_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* False where it cannot be read, or is no such table. */
bool functions_read(const char *file);
bool functions_given(void);
/* What an instruction at that address adds to. */
uint64_t *functions_counter(uint64_t address);
/* Of all of them. */
uint64_t functions_total(void);

/* A region begins; and has ended: writes what each function took of it (schema/wire.md). Nothing where none
 * were given. */
void functions_begin(void);
void functions_write(unsigned region);

#endif
