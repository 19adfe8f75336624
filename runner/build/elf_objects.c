#include "elf_objects.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool elf_open(struct open_elf *ret, const char *file, GError **err)
{
	elf_version(EV_CURRENT);
	ret->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (ret->fd < 0)
		return diag_set(err, DIAG_FAILED, "%s: %s", file, g_strerror(errno));
	ret->elf = elf_begin(ret->fd, ELF_C_READ_MMAP, NULL);
	if (ret->elf)
		return true;
	close(ret->fd);
	return diag_set(err, DIAG_FAILED, "%s: %s", file, elf_errmsg(-1));
}

void elf_shut(struct open_elf *open)
{
	elf_end(open->elf);
	close(open->fd);
}

bool elf_is_lto(Elf *elf)
{
	size_t names;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name =
			gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		if (name && g_str_has_prefix(name, ".gnu.lto_"))
			return true;
	}
	return false;
}

static void visit_members(
	const struct open_elf *open, void (*visit)(Elf *elf, const char *name, void *user), void *user)
{
	Elf_Cmd command = ELF_C_READ_MMAP;

	for (Elf *member; (member = elf_begin(open->fd, command, open->elf)); elf_end(member)) {
		const Elf_Arhdr *header = elf_getarhdr(member);
		if (header && header->ar_name && elf_kind(member) == ELF_K_ELF)
			visit(member, header->ar_name, user);
		command = elf_next(member);
	}
}

bool elf_objects_visit(
	const char *file, void (*visit)(Elf *elf, const char *name, void *user), void *user, GError **err)
{
	g_autofree char *name = g_path_get_basename(file);
	struct open_elf open;

	if (!elf_open(&open, file, err))
		return false;
	Elf_Kind kind = elf_kind(open.elf);
	if (kind == ELF_K_AR)
		visit_members(&open, visit, user);
	else if (kind == ELF_K_ELF)
		visit(open.elf, name, user);
	elf_shut(&open);
	return kind == ELF_K_AR || kind == ELF_K_ELF ||
	       diag_set(err, DIAG_FAILED, "%s: neither a static library nor an ELF file", file);
}
