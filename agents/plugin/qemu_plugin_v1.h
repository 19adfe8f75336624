/* The part of QEMU's plugin interface, version 1, that the counter uses: QEMU 4.2 and later keep to it.
 * Distributions ship no header for it, so that it is declared here by hand. */
#ifndef BM_QEMU_PLUGIN_V1_H
#define BM_QEMU_PLUGIN_V1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

/* Names a loaded plugin to QEMU. */
typedef uint64_t qemu_plugin_id_t;

/* A block of guest code that is being translated, and an instruction in it. Valid during the callback only.
 */
struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* What the emulator says of itself when it loads the plugin. */
typedef struct {
	const char *target_name; /* "aarch64", "x86_64", "i386", ... */
	struct {
		int min; /* oldest interface that it takes */
		int cur; /* the one that it speaks */
	} version;
	bool system_emulation; /* a whole machine, not one program */
	union {
		struct {
			int smp_vcpus;
			int max_vcpus;
		} system; /* only where system_emulation */
	};
} qemu_info_t;

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

typedef void (*qemu_plugin_vcpu_simple_cb_t)(qemu_plugin_id_t id, unsigned int vcpu);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu, void *user);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_syscall_cb_t)(qemu_plugin_id_t id, unsigned int vcpu, int64_t number,
	uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
	uint64_t a8);

/* What a plugin must export: the interface that it was written for, and its entry. 0: loaded. */
extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(
	qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

/* Each virtual CPU, that is each thread of a guest program, as it starts. */
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t callback);

/* Each block as it is translated, and what it holds. */
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);

/* Where an instruction lies, and the function that holds it by the program's symbols; NULL: none is known. */
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);

/* Has the generated code call back before it runs the block. */
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t callback,
	enum qemu_plugin_cb_flags flags, void *user);

/* Has the generated code add `value` to *counter whenever it runs; not atomic. */
void qemu_plugin_register_vcpu_tb_exec_inline(
	struct qemu_plugin_tb *tb, enum qemu_plugin_op op, void *counter, uint64_t value);
void qemu_plugin_register_vcpu_insn_exec_inline(
	struct qemu_plugin_insn *insn, enum qemu_plugin_op op, void *counter, uint64_t value);

/* Each system call of the guest program, before it is done. */
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_cb_t callback);

#endif
