#include "footprint.h"

#include "core_sizes.h"
#include "emit.h"
#include "port.h"

static CORE_KEPT size_t most; /* bytes of heap and stack */
static CORE_KEPT bool unknown;

void footprint_note(const struct memory_use *use)
{
	size_t held = use->heap.peak + use->stack_peak;

	unknown = unknown || !use->heap.known || !use->stack_known;
	most = held > most ? held : most;
}

static bool emit(const char *of, size_t flash, size_t ram)
{
	emit_begin("footprint");
	emit_text("of", of);
	emit_number("flash", flash);
	emit_number("ram", ram);
	return emit_end();
}

bool footprint_emit(void)
{
	struct port_footprint footprint;

	if (!port_footprint(&footprint))
		return true;
	if (!emit("program", footprint.flash, footprint.ram))
		return false;
	return unknown || footprint.library_flash == 0 ||
	       emit("library", footprint.library_flash, footprint.library_variables + most);
}
