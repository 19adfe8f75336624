#include "sizes.h"

#include "elf_objects.h"

#include <string.h>

const struct sizes sizes_unknown = {-1, -1, -1, -1};

static void add_section(struct sizes *sizes, const GElf_Shdr *header)
{
	int64_t size = (int64_t)header->sh_size;

	if (!(header->sh_flags & SHF_ALLOC) || header->sh_type == SHT_NOTE)
		return;
	if (header->sh_type == SHT_NOBITS)
		sizes->bss += size;
	else if (header->sh_flags & SHF_EXECINSTR)
		sizes->text += size;
	else if (header->sh_flags & SHF_WRITE)
		sizes->data += size;
	else
		sizes->rodata += size;
}

static struct sizes sizes_of(Elf *elf)
{
	struct sizes sizes = {0};
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (elf_is_lto(elf))
		return sizes_unknown;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header))
			add_section(&sizes, &header);
	return sizes;
}

static void add_object(Elf *elf, const char *name, void *user)
{
	struct object_sizes *object = g_new(struct object_sizes, 1);

	*object = (struct object_sizes){g_strdup(name), sizes_of(elf)};
	g_ptr_array_add(user, object);
}

static void free_object(gpointer data)
{
	struct object_sizes *object = data;

	g_free(object->name);
	g_free(object);
}

bool sizes_of_objects(GPtrArray **ret, const char *file, GError **err)
{
	g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);

	if (!elf_objects_visit(file, add_object, objects, err))
		return false;
	*ret = g_steal_pointer(&objects);
	return true;
}

bool sizes_read(struct sizes *ret, const char *file, GError **err)
{
	g_autoptr(GPtrArray) objects = NULL;

	*ret = sizes_unknown;
	if (!sizes_of_objects(&objects, file, err))
		return false;
	*ret = (struct sizes){0};
	for (guint i = 0; i < objects->len; i++) {
		const struct sizes *sizes = &((const struct object_sizes *)objects->pdata[i])->sizes;
		if (sizes->text < 0) {
			*ret = sizes_unknown;
			break;
		}
		ret->text += sizes->text;
		ret->rodata += sizes->rodata;
		ret->data += sizes->data;
		ret->bss += sizes->bss;
	}
	return true;
}
