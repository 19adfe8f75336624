/* A Cortex-M of Arm's MPS2 boards, as mps2.ld lays it out, that speaks to whoever runs it by semihosting: its
 * start, its arguments, and what it takes of flash and memory. The C library does the rest (newlib's rdimon).
 */
#ifdef CORE_MPS2

#include "core_sizes.h"
#include "port.h"
#include "stack_paint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64
#define LINE_MAX      8192

/* Of mps2.ld: only their addresses mean anything. */
extern char link_stacks[], link_kept[], link_kept_end[], link_main_stack[], link_data[], link_data_end[],
	link_data_load[], link_bss[], link_bss_end[];
extern char link_heap_end[], link_copy[], link_flash_end[];
extern char link_library_text[], link_library_text_end[], link_library_rodata[], link_library_rodata_end[];
extern char link_library_data[], link_library_data_end[], link_library_bss[], link_library_bss_end[];

/* Of newlib's rdimon: opens the standard streams. */
void initialise_monitor_handles(void);

int main(int argc, char **argv);
void port_reset(void);

/* Of Arm's semihosting. */
#define SYS_WRITE0	  0x04
#define SYS_GET_CMDLINE	  0x15
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT  0x20026

/* What whoever runs it takes for a signal: there is none here. */
#define STATUS_OF_FAULT 139

static int semihost(int operation, void *block)
{
	register int r0 __asm__("r0") = operation;
	register void *r1 __asm__("r1") = block;

	__asm__ __volatile__("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static CORE_KEPT size_t heap_most; /* bytes */

/* In the place of the C library's, which takes the stack for the end of the heap. */
void *_sbrk(ptrdiff_t increment);
void *_sbrk(ptrdiff_t increment)
{
	static char *heap = link_bss_end;
	char *before = heap;

	if (increment > link_heap_end - heap || increment < link_bss_end - heap) {
		errno = ENOMEM;
		return (void *)-1;
	}
	heap += increment;
	if ((size_t)(heap - link_bss_end) > heap_most)
		heap_most = (size_t)(heap - link_bss_end);
	return before;
}

/* Words are separated by spaces; behind a backslash stands a character of a word. In place. */
static int split(char **argv, char *line)
{
	char *from = line, *to = line;
	int argc = 0;

	while (argc < ARGUMENTS_MAX) {
		while (*from == ' ')
			from++;
		if (*from == 0)
			break;
		argv[argc++] = to;
		while (*from != 0 && *from != ' ') {
			if (*from == '\\' && from[1] != 0)
				from++;
			*to++ = *from++;
		}
		from += *from == ' ';
		*to++ = 0;
	}
	argv[argc] = NULL;
	return argc;
}

static int arguments(char **argv)
{
	static char line[LINE_MAX];
	struct {
		char *text;
		int size;
	} block = {line, sizeof(line)};

	if (semihost(SYS_GET_CMDLINE, &block) != 0)
		return 0;
	return split(argv, line);
}

/* Of ARMv7-M: the memory protection unit. */
#define MPU_TYPE ((volatile uint32_t *)0xe000ed90u)
#define MPU_CTRL ((volatile uint32_t *)0xe000ed94u)
#define MPU_RNR	 ((volatile uint32_t *)0xe000ed98u)
#define MPU_RBAR ((volatile uint32_t *)0xe000ed9cu)
#define MPU_RASR ((volatile uint32_t *)0xe000eda0u)

/* Nobody may touch the 32 KiB below the stacks: one that overflows would write into a mirror of the program.
 */
static void guard_stack(void)
{
	if ((*MPU_TYPE >> 8 & 0xff) == 0)
		return;
	*MPU_RNR = 0;
	*MPU_RBAR = (uint32_t)link_stacks - 32768;
	*MPU_RASR = 1u << 28 | 14u << 1 | 1u;
	*MPU_CTRL = 4u | 1u;
	__asm__ __volatile__("dsb\n\tisb" : : : "memory");
}

__attribute__((noreturn)) void port_reset(void)
{
	static char *argv[ARGUMENTS_MAX + 1];
	int argc;

	memcpy(link_data, link_data_load, (size_t)(link_data_end - link_data));
	memset(link_bss, 0, (size_t)(link_bss_end - link_bss));
	memset(link_kept, 0, (size_t)(link_kept_end - link_kept));
	guard_stack();
	initialise_monitor_handles();
	argc = arguments(argv);
	exit(main(argc, argv));
}

/* Semihosting's clock is the host's, in steps of 10 ms: it tells nothing of this machine. */
uint64_t port_clock(void)
{
	return 0;
}

const char *port_clock_name(void)
{
	return "none";
}

uint64_t port_clock_resolution(void)
{
	return 0;
}

/* What the processor pushed. */
struct frame {
	uint32_t r[5], lr, pc, psr;
};

/* The C library may be in the middle of something. */
__attribute__((used, noreturn)) static void report_fault(const struct frame *frame)
{
	static char text[] =
		"bench-core: a fault of the processor, or its stack is too small, at 0x........\n";
	static int status[] = {APPLICATION_EXIT, STATUS_OF_FAULT};
	char *digit = strchr(text, '.');
	bool there = (uintptr_t)frame >= (uintptr_t)link_stacks && (uintptr_t)frame < (uintptr_t)link_data;

	if (!there)
		*digit = 0;
	for (int shift = 28; there && shift >= 0; shift -= 4)
		*digit++ = "0123456789abcdef"[frame->pc >> shift & 15];
	semihost(SYS_WRITE0, text);
	semihost(SYS_EXIT_EXTENDED, status);
	for (;;)
		;
}

/* The stack that it happened on may be at its end. */
__attribute__((naked)) static void fault(void)
{
	__asm__ __volatile__("mrs r0, msp\n\tldr sp, =link_main_stack\n\tb report_fault");
}

__attribute__((section(".vectors"), used)) static const struct {
	void *stack;
	void (*handlers[15])(void);
} vectors = {link_main_stack, {port_reset, fault, fault, fault, fault, fault}};

/* There are no processes; but memory can be put back as it was, all but the stack. */
bool port_apart_begin(struct port_child *ret, uint64_t (*function)(void *), void *argument)
{
	char *heap = _sbrk(0);
	size_t size = (size_t)(heap - link_data);

	memcpy(link_copy, link_data, size);
	ret->told = function(argument);
	memset(heap, 0, (size_t)((char *)_sbrk(0) - heap));
	memcpy(link_data, link_copy, size);
	return true;
}

static size_t size(const char *begin, const char *end)
{
	return (size_t)(end - begin);
}

bool port_footprint(struct port_footprint *ret)
{
	ret->flash = size((const char *)&vectors, link_flash_end);
	ret->ram = size(link_data, link_data_end) + size(link_bss, link_bss_end) +
		   size(link_kept, link_kept_end) + heap_most + stack_deepest();
	ret->library_variables =
		size(link_library_data, link_library_data_end) + size(link_library_bss, link_library_bss_end);
	ret->library_flash = size(link_library_text, link_library_text_end) +
			     size(link_library_rodata, link_library_rodata_end) +
			     size(link_library_data, link_library_data_end);
	return true;
}

#else

/* See port_posix.c and port_bare.c. */
typedef int no_mps2;

#endif
