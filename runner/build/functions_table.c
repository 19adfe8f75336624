#include "functions_table.h"

#include "diag.h"
#include "elf_objects.h"
#include "fsx.h"

#include <inttypes.h>
#include <string.h>

#define NAME_MAX_BYTES 200

struct symbol {
	uint64_t start, end; /* end 0: it has no size */
	uint64_t limit;	     /* of its section */
	bool global;
	const char *name; /* lent by the ELF file */
};

struct program {
	Elf *elf;
	GElf_Ehdr header;
	GArray *symbols; /* struct symbol */
};

/* PowerPC's first 64-bit ABI: a function's symbol is a descriptor, whose first word is the address. */
static bool follow_descriptor(
	const struct program *program, uint64_t *address, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	uint64_t word;
	if (!data || *address < header->sh_addr || *address - header->sh_addr + sizeof word > data->d_size)
		return false;
	memcpy(&word, (const char *)data->d_buf + (*address - header->sh_addr), sizeof word);
	*address = program->header.e_ident[EI_DATA] == ELFDATA2MSB ? GUINT64_FROM_BE(word)
								   : GUINT64_FROM_LE(word);
	return true;
}

/* The section that holds an address, as its end; 0: none. */
static uint64_t section_end(const struct program *program, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(program->elf, section)))
		if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) &&
			address >= header.sh_addr && address - header.sh_addr < header.sh_size)
			return header.sh_addr + header.sh_size;
	return 0;
}

static bool is_wanted(const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	bool label = type == STT_NOTYPE && GELF_ST_BIND(symbol->st_info) != STB_LOCAL;
	return name && *name && (function || label) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx < SHN_LORESERVE;
}

static void add_symbol(struct program *program, const GElf_Sym *from, const char *name)
{
	Elf_Scn *section = elf_getscn(program->elf, from->st_shndx);
	GElf_Shdr header;
	uint64_t address = from->st_value;
	if (!section || !gelf_getshdr(section, &header))
		return;
	bool code = header.sh_flags & SHF_EXECINSTR;
	/* The lowest bit says that a function is Thumb code. */
	if (program->header.e_machine == EM_ARM)
		address &= ~UINT64_C(1);
	if (!code && (program->header.e_machine != EM_PPC64 ||
			     !follow_descriptor(program, &address, section, &header)))
		return;
	const struct symbol symbol = {.start = address,
		.end = from->st_size > 0 ? address + from->st_size : 0,
		.limit = code ? header.sh_addr + header.sh_size : section_end(program, address),
		.global = GELF_ST_BIND(from->st_info) != STB_LOCAL,
		.name = name};
	if (symbol.limit > symbol.start)
		g_array_append_val(program->symbols, symbol);
}

static void read_symbols(struct program *program)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	while ((section = elf_nextscn(program->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(program->elf, header.sh_link, symbol.st_name);
			if (is_wanted(&symbol, name))
				add_symbol(program, &symbol, name);
		}
	}
}

/* By address; of several at one the best first, the same one in every link. */
static int by_address(gconstpointer first, gconstpointer other)
{
	const struct symbol *a = first, *b = other;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->global != b->global)
		return a->global ? -1 : 1;
	if ((a->end != 0) != (b->end != 0))
		return a->end != 0 ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void add_name(GString *text, const char *name)
{
	size_t length = strcspn(name + 1, ".@") + 1;
	for (size_t i = 0; i < MIN(length, NAME_MAX_BYTES); i++)
		g_string_append_c(text, g_ascii_isgraph(name[i]) && !strchr("\"\\", name[i]) ? name[i] : '_');
}

static char *table_of(GArray *symbols)
{
	GString *text = g_string_new(NULL);
	uint64_t covered = 0;
	g_array_sort(symbols, by_address);
	for (guint i = 0; i < symbols->len; i++) {
		const struct symbol *symbol = &g_array_index(symbols, struct symbol, i);
		guint next = i + 1;
		uint64_t end = symbol->end;
		if (symbol->start < covered)
			continue;
		while (next < symbols->len &&
			g_array_index(symbols, struct symbol, next).start == symbol->start)
			next++;
		if (end == 0)
			end = next < symbols->len ? g_array_index(symbols, struct symbol, next).start
						  : symbol->limit;
		end = MIN(end, symbol->limit);
		g_string_append_printf(text, "%" PRIx64 " %" PRIx64 " ", symbol->start, end);
		add_name(text, symbol->name);
		g_string_append_c(text, '\n');
		covered = end;
	}
	return g_string_free(text, FALSE);
}

bool functions_table_write(const char *table, const char *program, GError **err)
{
	struct open_elf open;
	if (!elf_open(&open, program, err))
		return false;
	struct program read = {.elf = open.elf, .symbols = g_array_new(FALSE, FALSE, sizeof(struct symbol))};
	bool ok = elf_kind(open.elf) == ELF_K_ELF && gelf_getehdr(open.elf, &read.header);
	if (ok && read.header.e_type == ET_EXEC)
		read_symbols(&read);
	if (!ok)
		diag_set(err, DIAG_FAILED, "%s: not an ELF file", program);
	else if (read.header.e_type != ET_EXEC)
		ok = diag_set(err, DIAG_FAILED,
			"%s: not linked to a fixed address (link it with -static), so that its functions "
			"cannot "
			"be told apart",
			program);
	else if (read.symbols->len == 0)
		ok = diag_set(err, DIAG_FAILED,
			"%s: has no symbols, so that its functions cannot be told apart; do not strip it",
			program);
	g_autofree char *text = ok ? table_of(read.symbols) : NULL;
	ok = ok && fsx_write(table, text, strlen(text), err);
	g_array_unref(read.symbols);
	elf_shut(&open);
	return ok;
}
