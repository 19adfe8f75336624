/* What the C library of C99 lacks. One implementation per kind of system: port_posix.c, port_bare.c. */
#ifndef CORE_PORT_H
#define CORE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once, first: a closed standard output must give an error, not a signal. */
void port_start(void);

/* A monotonic clock in nanoseconds; its name; the smallest step seen between two readings, in nanoseconds
 * (0: there is no clock). */
uint64_t port_clock(void);
const char *port_clock_name(void);
uint64_t port_clock_resolution(void);

/* Runs the function on an own page-aligned stack of 4 MiB, so that what it does depends on neither
 * environment nor arguments. Returns what it returns, or -1 where the stack cannot be entered. */
int port_on_stack(int (*function)(void *), void *argument);

/* Marks what is free of that stack. */
void port_stack_paint(void);
/* How many bytes of stack the functions needed that the same caller has called since, the deepest of them; up
 * to PORT_STACK_LEAST, which are not told apart, are as many. False: the caller is not on that stack, or it
 * is not known where the stack ends. */
bool port_stack_used(size_t *ret);
#define PORT_STACK_LEAST 512

/* Shows a marker of wire.h to the emulator's plugin; nothing else comes of it. */
void port_marker(unsigned marker);

/* Calls the probe in a child process. True: it returned true there; false: it returned false, or died. */
bool port_survives(bool (*probe)(void));

/* A function's call in a child process, so that whatever it does to memory is gone afterwards; in place where
 * a system has no processes. What the child prints is held until its end is asked for. */
struct port_child {
	uint64_t told; /* what the function returned, where it was called in place */
	long process;
	int output, word; /* what it prints, and what the function returns */
	int signal;	  /* which it died of, at its end; 0: none */
};
/* How many calls are worth having under way at a time: one for each processor. */
#define PORT_APART_MAX 8
unsigned port_apart_room(void);
/* Begins one. Nothing may be buffered in stdio. False: there is no child. */
bool port_apart_begin(struct port_child *ret, uint64_t (*function)(void *), void *argument);
/* Prints what it has printed, up to its end. *ret: what the function returned. False: it ended without
 * returning, or what it printed could not be written. */
bool port_apart_end(struct port_child *child, uint64_t *ret);
/* Ends one that is not needed any more. */
void port_apart_drop(struct port_child *child);
/* Dies of a signal that a child has died of: whoever waits for this process shall see it. */
void port_die_of(int number);

/* What the program takes, in bytes, as far as it has run. */
struct port_footprint {
	size_t flash;		  /* code, constants, and what variables begin with */
	size_t ram;		  /* variables, heap and stack at their most */
	size_t library_flash;	  /* of it what was linked of the library's archive; 0: there is none */
	size_t library_variables; /* and of that archive's variables */
};
/* False: it is not known here. */
bool port_footprint(struct port_footprint *ret);

/* Bytes of a page of memory; 0: there are none, or it is not known. */
size_t port_page_size(void);

/* Bytes of memory that programs may still have; 0: unknown. */
uint64_t port_memory_free(void);

/* Names of CPU features found that a crypto library could use. Returns how many of at most `room`. */
size_t port_cpu_features(const char **names, size_t room);

#endif
