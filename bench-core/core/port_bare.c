/* Targets without an operating system: what C99's own library has, and a stack of our own where we know how
 * to enter one. A board with a better clock than clock() defines port_clock(), port_clock_name() and
 * port_clock_resolution() itself; one whose library cannot write defines its system calls. */
#if !defined(__unix__) && !defined(__APPLE__)

#include "port.h"

#include "core_sizes.h"
#include "stack_paint.h"
#include "wire.h"

#include <time.h>

#define WEAK __attribute__((weak))

void port_start(void)
{
}

WEAK uint64_t port_clock(void)
{
	clock_t now = clock();

	return now == (clock_t)-1 ? 0 : (uint64_t)now * (1000000000u / (unsigned)CLOCKS_PER_SEC);
}

WEAK const char *port_clock_name(void)
{
	return clock() == (clock_t)-1 ? "none" : "clock()";
}

size_t port_page_size(void)
{
	return 0;
}

uint64_t port_memory_free(void)
{
	return 0;
}

/* A step may take a hundredth of a second. */
WEAK uint64_t port_clock_resolution(void)
{
	uint64_t least = 0, before = port_clock();

	for (long i = 0, steps = 0; i < 10000000 && steps < 3 && clock() != (clock_t)-1; i++) {
		uint64_t now = port_clock();
		if (now == before)
			continue;
		steps++;
		if (now > before && (least == 0 || now - before < least))
			least = now - before;
		before = now;
	}
	return least;
}

#if defined(__arm__) || defined(__riscv)

static uintptr_t stack[CORE_STACK_SIZE / sizeof(uintptr_t)]
	__attribute__((aligned(16), section(".bss.core_stack")));

/* Keeps the present stack in a register that the function gives back as it was. */
int port_on_stack(int (*function)(void *), void *argument)
{
	uintptr_t *top = stack + sizeof(stack) / sizeof(stack[0]);
	int result;

	stack_is(stack, 0, sizeof(stack) / sizeof(stack[0]));
	stack_fill();
#if defined(__arm__)
	__asm__ __volatile__("mov r4, sp\n\tmov sp, %1\n\tmov r0, %3\n\tblx %2\n\tmov sp, r4\n\tmov %0, r0"
			     : "=r"(result)
			     : "r"(top), "r"(function), "r"(argument)
			     : "r0", "r1", "r2", "r3", "r4", "r12", "lr", "memory", "cc");
#else
	__asm__ __volatile__("mv s1, sp\n\tmv sp, %1\n\tmv a0, %3\n\tjalr %2\n\tmv sp, s1\n\tmv %0, a0"
			     : "=r"(result)
			     : "r"(top), "r"(function), "r"(argument)
			     : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4",
			     "t5", "t6", "s1", "ra", "memory");
#endif
	return result;
}

#else

int port_on_stack(int (*function)(void *), void *argument)
{
	return function(argument);
}

#endif

/* An emulator's plugin sees these functions run, by their names: the bits of a region's number, the lowest
 * first, then its begin. What is between begin and end is counted. */
#define MARK(name, number)                                                                                   \
	void name(void);                                                                                     \
	__attribute__((noinline)) void name(void)                                                            \
	{                                                                                                    \
		__asm__ __volatile__("" : : "i"(number) : "memory");                                         \
	}
/* The numbers keep compilers from making one of them all. */
MARK(bench_marker_0, 0)
MARK(bench_marker_1, 1)
MARK(bench_marker_begin, 2)
MARK(bench_marker_end, 3)

void port_marker(unsigned marker)
{
	unsigned region = marker >> 1;

	if (marker == WIRE_MARKER_END(region)) {
		bench_marker_end();
		return;
	}
	for (unsigned bit = 1; bit <= WIRE_REGION_MAX; bit <<= 1) {
		if (region & bit)
			bench_marker_1();
		else
			bench_marker_0();
	}
	bench_marker_begin();
}

/* Nothing catches a forbidden instruction here. What a microcontroller of Arm has is no instruction, and the
 * privileged mode of RISC-V may read its cycles, which come first. */
bool port_survives(bool (*probe)(void))
{
#if defined(__riscv)
	return probe();
#elif defined(__ARM_ARCH_PROFILE)
	return __ARM_ARCH_PROFILE == 'M' && probe();
#else
	(void)probe;
	return false;
#endif
}

WEAK bool port_footprint(struct port_footprint *ret)
{
	(void)ret;
	return false;
}

WEAK bool port_apart_begin(struct port_child *ret, uint64_t (*function)(void *), void *argument)
{
	ret->told = function(argument);
	return true;
}

unsigned port_apart_room(void)
{
	return 1;
}

bool port_apart_end(struct port_child *child, uint64_t *ret)
{
	*ret = child->told;
	child->signal = 0;
	return true;
}

void port_apart_drop(struct port_child *child)
{
	(void)child;
}

void port_die_of(int number)
{
	(void)number;
}

#else

/* See port_posix.c. */
typedef int no_bare;

#endif
