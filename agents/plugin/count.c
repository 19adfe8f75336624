/* Counts the guest's instructions between the markers of schema/wire.h, and writes each count as a line of
 * schema/wire.md on the standard output that it shares with the guest. Below a whole machine, where a program
 * has no system to call, the markers are functions of its port (bench-core/core/port_bare.c).
 * With functions=FILE it adds up by the functions of the program as well (functions.h), and writes what each
 * took of a region in lines of their own: together they are the region's count.
 *
 * On x86 each instruction is counted by itself: QEMU 7.2 ends a block before an instruction that crosses a
 * page, but reports one too many for it. Elsewhere a count per block is the same and three times faster. */
#include "functions.h"
#include "output.h"
#include "qemu_plugin_v1.h"
#include "wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static uint64_t executed;    /* by the guest so far; without functions */
static uint64_t begun_at;    /* value of executed when the open region began */
static unsigned open_region; /* 0: none */
static bool per_instruction, whole_machine;
static bool refused; /* what the counter holds is wrong from here on */

static void complain(const char *text)
{
	output(STDERR_FILENO, text, strlen(text));
}

static void on_cpu(qemu_plugin_id_t id, unsigned int vcpu)
{
	(void)id;
	if (vcpu == 0 || refused)
		return;
	refused = true;
	complain("libbm-count: the program has started a second thread; counts of more than one thread are "
		 "wrong, so none is written\n");
}

static void write_count(unsigned region, uint64_t count)
{
	char line[128];
	int length = snprintf(line, sizeof(line),
		"{\"r\":\"count\",\"region\":%u,\"metric\":\"instructions\",\"value\":%" PRIu64 "}\n", region,
		count);

	output(STDOUT_FILENO, line, (size_t)length);
}

static void on_marker(unsigned marker)
{
	unsigned region = marker >> 1;
	uint64_t now = functions_given() ? functions_total() : executed;

	if (marker == WIRE_MARKER_BEGIN(region)) {
		if (open_region != 0)
			complain("libbm-count: a region began within another one, which is dropped\n");
		open_region = region;
		begun_at = now;
		functions_begin();
		return;
	}
	if (open_region == region) {
		write_count(region, now - begun_at);
		functions_write(region);
	} else {
		complain("libbm-count: a region ended that had not begun; it has no count\n");
	}
	open_region = 0;
}

static void check_marker(uint64_t marker)
{
	if (marker < WIRE_MARKER_END(1) || marker > WIRE_MARKER_BEGIN(WIRE_REGION_MAX))
		complain("libbm-count: a marker of a region that is out of range; it has no count\n");
	else
		on_marker((unsigned)marker);
}

/* The functions of port_bare.c, and where each begins: it is entered there first. */
enum mark { MARK_0, MARK_1, MARK_BEGIN, MARK_END, MARKS };
static struct {
	const char *symbol;
	enum mark mark;
	uint64_t entry;
	bool seen;
} marks[MARKS] = {
	{.symbol = "bench_marker_0", .mark = MARK_0},
	{.symbol = "bench_marker_1", .mark = MARK_1},
	{.symbol = "bench_marker_begin", .mark = MARK_BEGIN},
	{.symbol = "bench_marker_end", .mark = MARK_END},
};

static void on_mark(unsigned int vcpu, void *user)
{
	static unsigned region, bit = 1;
	enum mark mark = *(const enum mark *)user;

	(void)vcpu;
	if (refused)
		return;
	if (mark == MARK_END) {
		check_marker(WIRE_MARKER_END(open_region));
	} else if (mark == MARK_BEGIN) {
		check_marker(WIRE_MARKER_BEGIN(region));
		region = 0;
		bit = 1;
	} else {
		region |= mark == MARK_1 ? bit : 0;
		bit <<= 1;
	}
}

/* A call ends a block, so that a function's first instruction is a block's. */
static void watch_marks(struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	const char *symbol = qemu_plugin_insn_symbol(first);
	uint64_t address = qemu_plugin_insn_vaddr(first);

	for (int i = 0; symbol && i < MARKS; i++) {
		if (strcmp(symbol, marks[i].symbol) != 0)
			continue;
		if (!marks[i].seen)
			marks[i].entry = address;
		marks[i].seen = true;
		if (marks[i].entry == address)
			qemu_plugin_register_vcpu_tb_exec_cb(
				tb, on_mark, QEMU_PLUGIN_CB_NO_REGS, &marks[i].mark);
	}
}

static uint64_t *counter_of(const struct qemu_plugin_tb *tb, size_t index)
{
	if (!functions_given())
		return &executed;
	return functions_counter(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, index)));
}

/* A block may run on from one function into the next: each gets its own part. */
static void count_block(struct qemu_plugin_tb *tb, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		uint64_t *counter = counter_of(tb, i);
		for (next = i + 1; next < n && counter_of(tb, next) == counter;)
			next++;
		qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, counter, next - i);
	}
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	if (whole_machine)
		watch_marks(tb);
	if (!per_instruction && !functions_given())
		qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &executed, n);
	else if (!per_instruction)
		count_block(tb, n);
	for (size_t i = 0; per_instruction && i < n; i++)
		qemu_plugin_register_vcpu_insn_exec_inline(
			qemu_plugin_tb_get_insn(tb, i), QEMU_PLUGIN_INLINE_ADD_U64, counter_of(tb, i), 1);
}

/* The number of the system call differs between targets and does not matter: no other call has these
 * arguments. A guest of 32 bits may have its arguments extended with zeros or with their sign. */
static void on_syscall(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, uint64_t a1, uint64_t a2,
	uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)vcpu, (void)number, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if ((int32_t)a1 != WIRE_MARKER_FD || a2 != WIRE_MARKER_MAGIC || refused)
		return;
	check_marker(a3);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	static const char option[] = "functions=";
	bool given = argc == 1 && strncmp(argv[0], option, sizeof(option) - 1) == 0;

	if (argc > 1 || (argc == 1 && !given)) {
		complain("libbm-count: the only argument is functions=FILE\n");
		return 1;
	}
	if (given && !functions_read(argv[0] + sizeof(option) - 1)) {
		complain("libbm-count: the table of functions cannot be read\n");
		return 1;
	}
	whole_machine = info->system_emulation;
	per_instruction = strcmp(info->target_name, "x86_64") == 0 || strcmp(info->target_name, "i386") == 0;
	qemu_plugin_register_vcpu_init_cb(id, on_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	if (!whole_machine)
		qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	return 0;
}
