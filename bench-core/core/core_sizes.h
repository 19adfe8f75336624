/* How much room bench-core takes. CORE_SMALL is for targets without an operating system, whose memory is all
 * there is.
 */
#ifndef CORE_SIZES_H
#define CORE_SIZES_H

#ifdef CORE_SMALL
#ifndef CORE_STACK_SIZE
#define CORE_STACK_SIZE 32768u /* of the work */
#endif
#define CORE_LINE_MAX	   4096u /* a line of output; wire.h says how long it may be */
#define CORE_HEAP_BLOCKS   256u	 /* blocks of heap that can be followed at once; a power of two */
#define EXPECTED_BLOCK_MAX 16384u
#else
#define CORE_STACK_SIZE	   (4u << 20)
#define CORE_LINE_MAX	   65536u
#define CORE_HEAP_BLOCKS   4096u
#define EXPECTED_BLOCK_MAX 8388608u
#endif

/* Variables that stay as they are where port_apart_begin() puts all others back (port_mps2.c); not
 * initialised. */
#ifdef CORE_MPS2
#define CORE_KEPT __attribute__((section(".bss.core_kept")))
#else
#define CORE_KEPT
#endif

/* Without a system nobody sees to it that a line comes through as it was written: it carries a check. */
#if defined(__unix__) || defined(__APPLE__)
#define CORE_CHECKED false
#else
#define CORE_CHECKED true
#endif

#endif
