#include "elf_code.h"

#include "diag.h"
#include "elf_objects.h"

#include <elf.h>
#include <string.h>

static const struct {
	unsigned number;
	const char *name;
} machines[] = {
#define MACHINE(name)                                                                                        \
	{                                                                                                    \
		name, #name                                                                                  \
	}
	MACHINE(EM_386),
	MACHINE(EM_68K),
	MACHINE(EM_AARCH64),
	MACHINE(EM_ALPHA),

	MACHINE(EM_ARM),
	MACHINE(EM_AVR),
	MACHINE(EM_CSKY),
	MACHINE(EM_LOONGARCH),
	MACHINE(EM_MICROBLAZE),
	MACHINE(EM_MIPS),
	MACHINE(EM_MSP430),
	MACHINE(EM_OPENRISC),
	MACHINE(EM_PARISC),
	MACHINE(EM_PPC),
	MACHINE(EM_PPC64),
	MACHINE(EM_RISCV),
	MACHINE(EM_S390),
	MACHINE(EM_SH),
	MACHINE(EM_SPARC),
	MACHINE(EM_SPARC32PLUS),
	MACHINE(EM_SPARCV9),
	MACHINE(EM_TRICORE),
	MACHINE(EM_X86_64),
	MACHINE(EM_XTENSA),
#undef MACHINE
};

char *elf_machine_text(const char *machine, int bits, bool big_endian)
{
	return g_strdup_printf("%s %d-bit %s-endian", machine, bits, big_endian ? "big" : "little");
}

char *elf_machine(const char *file, GError **err)
{
	struct open_elf open;
	if (!elf_open(&open, file, err))
		return NULL;
	GElf_Ehdr header;
	char *text = NULL;
	if (elf_kind(open.elf) == ELF_K_ELF && gelf_getehdr(open.elf, &header)) {
		g_autofree char *name = g_strdup_printf("EM_%u", (unsigned)header.e_machine);
		for (size_t i = 0; i < G_N_ELEMENTS(machines); i++)
			if (machines[i].number == header.e_machine) {
				g_free(name);
				name = g_strdup(machines[i].name);
			}
		text = elf_machine_text(name, header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32,
			header.e_ident[EI_DATA] == ELFDATA2MSB);
	} else {
		diag_set(err, DIAG_FAILED, "%s: not an ELF file", file);
	}
	elf_shut(&open);
	return text;
}

/* One member of an archive while it is read. */
struct object {
	Elf *elf;
	size_t names; /* index of the section of section names */
	Elf_Data *symbols;
	size_t symbol_names; /* index of the section of symbol names */
	GChecksum *sum;
	bool any; /* something was counted */
};

static bool is_strings(const GElf_Shdr *header)
{
	return (header->sh_flags & SHF_MERGE) && (header->sh_flags & SHF_STRINGS);
}

static bool counts(const GElf_Shdr *header)
{
	return (header->sh_flags & SHF_ALLOC) && !(header->sh_flags & SHF_WRITE) &&
	       header->sh_type != SHT_NOBITS && header->sh_type != SHT_NOTE && !is_strings(header);
}

static const char *section_name(const struct object *object, const GElf_Shdr *header)
{
	const char *name = elf_strptr(object->elf, object->names, header->sh_name);
	return name ? name : "";
}

static void add_number(GChecksum *sum, uint64_t value)
{
	uint64_t fixed = GUINT64_TO_LE(value);
	g_checksum_update(sum, (const guchar *)&fixed, sizeof fixed);
}

static void add_text(GChecksum *sum, const char *text)
{
	g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Adds what a relocation points at. */
static void add_target(const struct object *object, size_t index, int64_t addend)
{
	GElf_Sym symbol;
	GElf_Shdr header;
	if (!object->symbols || !gelf_getsym(object->symbols, (int)index, &symbol)) {
		add_number(object->sum, (uint64_t)addend);
		return;
	}
	bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
	bool placed = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
	Elf_Scn *section = placed ? elf_getscn(object->elf, symbol.st_shndx) : NULL;
	if (!local || !section || !gelf_getshdr(section, &header)) {
		const char *name = elf_strptr(object->elf, object->symbol_names, symbol.st_name);
		add_text(object->sum, name ? name : "");
		add_number(object->sum, (uint64_t)addend);
	} else if (is_strings(&header)) {
		/* Which of several sections a string is in depends on its length. */
		add_text(object->sum, "strings");
	} else {
		/* The number in a local label's name moves with code that is not ours to count; its place
		 * does not. */
		add_text(object->sum, section_name(object, &header));
		add_number(object->sum, symbol.st_value + (uint64_t)addend);
	}
}

/* Where relocations have no addend of their own it stands in the section's bytes; assemblers keep a symbol
 * for each string, so that none of those tells a place among strings. */
static void add_relocations(const struct object *object, const GElf_Shdr *header, Elf_Data *data)
{
	for (int i = 0; (uint64_t)i < header->sh_size / header->sh_entsize; i++) {
		GElf_Rela rela = {0};
		GElf_Rel rel;
		if (header->sh_type == SHT_RELA) {
			if (!gelf_getrela(data, i, &rela))
				return;
		} else {
			if (!gelf_getrel(data, i, &rel))
				return;
			rela.r_offset = rel.r_offset;
			rela.r_info = rel.r_info;
		}
		add_number(object->sum, rela.r_offset);
		add_number(object->sum, GELF_R_TYPE(rela.r_info));
		add_target(object, GELF_R_SYM(rela.r_info), rela.r_addend);
	}
}

static void add_relocations_of(const struct object *object, size_t target)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(object->elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_info != target || header.sh_entsize == 0)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		if (data && (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			add_relocations(object, &header, data);
	}
}

static void find_symbols(struct object *object)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(object->elf, section))) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) {
			object->symbols = elf_getdata(section, NULL);
			object->symbol_names = header.sh_link;
			return;
		}
	}
}

static void collect_symbols(const struct object *object, GHashTable *names)
{
	GElf_Sym symbol;
	for (int i = 0; object->symbols && gelf_getsym(object->symbols, i, &symbol); i++) {
		const char *name = elf_strptr(object->elf, object->symbol_names, symbol.st_name);
		if (symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) != STT_FILE && name && *name)
			g_hash_table_add(names, g_strdup(name));
	}
}

static void add_sections(struct object *object)
{
	Elf_Scn *section = NULL;
	while ((section = elf_nextscn(object->elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		if (!gelf_getshdr(section, &header) || !counts(&header) ||
			!(data = elf_rawdata(section, NULL)) || data->d_size == 0)
			continue;
		add_text(object->sum, section_name(object, &header));
		add_number(object->sum, data->d_size);
		add_relocations_of(object, elf_ndxscn(section));
		g_checksum_update(object->sum, data->d_buf, (gssize)data->d_size);
		object->any = true;
	}
}

/* "NAME HASH" of a member, or NULL where it has no code. */
static char *digest_member(Elf *elf, const char *name, GHashTable *symbols)
{
	struct object object = {.elf = elf, .sum = g_checksum_new(G_CHECKSUM_SHA256)};
	char *line = NULL;
	if (elf_getshdrstrndx(elf, &object.names) == 0) {
		find_symbols(&object);
		collect_symbols(&object, symbols);
		add_sections(&object);
	}
	if (object.any)
		line = g_strdup_printf("%s %s", name, g_checksum_get_string(object.sum));
	g_checksum_free(object.sum);
	return line;
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool elf_read_archive(struct elf_archive *ret, const char *file, GError **err)
{
	struct open_elf open;
	if (!elf_open(&open, file, err))
		return false;
	if (elf_kind(open.elf) != ELF_K_AR) {
		elf_shut(&open);
		return diag_set(err, DIAG_FAILED, "%s: not a static library", file);
	}
	ret->symbols = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	bool lto = false;
	Elf_Cmd command = ELF_C_READ_MMAP;
	for (Elf *member; (member = elf_begin(open.fd, command, open.elf)); elf_end(member)) {
		const Elf_Arhdr *header = elf_getarhdr(member);
		char *line = NULL;
		bool object = header && header->ar_name && elf_kind(member) == ELF_K_ELF;
		lto = lto || (object && elf_is_lto(member));
		if (object)
			line = digest_member(member, header->ar_name, ret->symbols);
		if (line)
			g_ptr_array_add(lines, line);
		command = elf_next(member);
	}
	elf_shut(&open);
	ret->code_sha256 = NULL;
	if (lines->len == 0 || lto)
		return true;
	g_ptr_array_sort(lines, by_text);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	for (guint i = 0; i < lines->len; i++)
		add_text(sum, lines->pdata[i]);
	ret->code_sha256 = g_strdup(g_checksum_get_string(sum));
	return true;
}

void elf_archive_clear(struct elf_archive *archive)
{
	g_free(archive->code_sha256);
	g_clear_pointer(&archive->symbols, g_hash_table_unref);
}
