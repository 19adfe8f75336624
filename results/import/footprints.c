#include "footprints.h"

#include <math.h>

void footprint_take(struct footprint *footprint, const struct wire_record *record)
{
	int64_t *flash = record->of_library ? &footprint->library.flash : &footprint->program.flash;
	int64_t *ram = record->of_library ? &footprint->library.ram : &footprint->program.ram;

	*flash = MAX(*flash, record->flash);
	*ram = MAX(*ram, record->ram);
}

static void tell(struct intake *intake, const char *what, enum metric metric, int64_t bytes,
	enum environment environment)
{
	struct measurement *measurement = g_new0(struct measurement, 1);
	double value = (double)bytes;

	measurement->benchmark = g_strdup(what);
	measurement->metric = metric;
	measurement->source = SOURCE_OWN;
	measurement->environment = environment;
	measurement->kind = KIND_EXACT;
	measurement->figure = (struct figure){1, value, NAN, value, NAN, value, value, NAN};
	g_ptr_array_add(intake->measurements, measurement);
}

static void tell_both(
	struct intake *intake, const char *what, int64_t flash, int64_t ram, enum environment environment)
{
	if (flash == 0)
		return;

	struct outcome *outcome = g_new0(struct outcome, 1);
	outcome->benchmark = g_strdup(what);
	outcome->state = OUTCOME_OK;
	g_ptr_array_add(intake->outcomes, outcome);
	tell(intake, what, METRIC_FLASH, flash, environment);
	tell(intake, what, METRIC_RAM, ram, environment);
}

void footprint_tell(const struct footprint *footprint, enum environment environment, struct intake *intake)
{
	tell_both(intake, "program size", footprint->program.flash, footprint->program.ram, environment);
	tell_both(intake, "library size", footprint->library.flash, footprint->library.ram, environment);
}
