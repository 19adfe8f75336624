#include "conditions.h"

#include <math.h>
#include <unistd.h>

/* Other programs that kept this much of one processor busy are worth a note. */
#define BUSY_FROM 0.2
/* So is a clock that was once below this share of what it was before. Turbo clocks move by less. */
#define CLOCK_FELL_TO 0.9

void conditions_begin_all(struct conditions *all)
{
	*all = (struct conditions){.before = agent_condition_unknown,
		.busiest = NAN,
		.clock_from = NAN,
		.clock_to = NAN,
		.hottest = NAN,
		.throttled = NAN};
}

static void tell_before(struct process_row *row, const struct agent_condition *before)
{
	row->load_before = before->load;
	row->frequency_before = before->frequency_hz;
	row->temperature_before = before->temperature;
}

void conditions_begin(struct conditions *all, struct process_row *row, const struct spool_process *process)
{
	all->before = process->before;
	tell_before(row, &all->before);
	row->load_after = row->load_meanwhile = row->frequency_after = row->others = NAN;
	row->clock_highest = row->clock_lowest = NAN;
	row->temperature_meanwhile = row->temperature_after = row->throttled = NAN;
}

/* What the place told of the time before only with its end. */
static void take_told_before(struct agent_condition *before, const struct agent_condition *told)
{
	const struct {
		double *ours;
		double told;
	} readings[] = {{&before->load, told->load}, {&before->frequency_hz, told->frequency_hz},
		{&before->fastest_hz, told->fastest_hz}, {&before->busy_s, told->busy_s},
		{&before->temperature, told->temperature}, {&before->throttles, told->throttles},
		{&before->held_down, told->held_down}};

	for (size_t i = 0; i < G_N_ELEMENTS(readings); i++)
		if (!isnan(readings[i].told))
			*readings[i].ours = readings[i].told;
}

/* Processors that everything but the process kept busy, on average; NAN where something is unknown. */
static double others_of(const struct conditions *all, const struct spool_end *end)
{
	double busy = end->after.busy_s - all->before.busy_s - end->exit.cpu_seconds;

	return end->exit.seconds > 0 && !isnan(busy) ? fmax(busy, 0) / end->exit.seconds : NAN;
}

/* By the count, or seen at any moment. */
static double throttled(const struct conditions *all, const struct spool_end *end)
{
	double more = end->after.throttles - all->before.throttles;
	double seen = fmax(fmax(all->before.held_down, end->meanwhile.held_down), end->after.held_down);

	return fmax(isnan(more) ? NAN : more > 0, seen);
}

static void note_clock(struct conditions *all, const struct process_row *row)
{
	double share = row->clock_lowest / row->clock_highest;

	if (!isnan(share) && !(share >= all->clock_to / all->clock_from)) {
		all->clock_from = row->clock_highest;
		all->clock_to = row->clock_lowest;
	}
}

void conditions_end(struct conditions *all, struct process_row *row, const struct spool_end *end)
{
	take_told_before(&all->before, &end->before);
	tell_before(row, &all->before);
	row->load_after = end->after.load;
	row->load_meanwhile = end->meanwhile.load;
	row->frequency_after = end->after.frequency_hz;
	row->clock_highest = fmax(all->before.fastest_hz, end->meanwhile.fastest_hz_at_best);
	row->clock_lowest = end->meanwhile.fastest_hz;
	row->temperature_meanwhile = end->meanwhile.temperature;
	row->temperature_after = end->after.temperature;
	row->throttled = throttled(all, end);
	row->others = others_of(all, end);
	all->busiest = fmax(all->busiest, row->others);
	all->throttled = fmax(all->throttled, row->throttled);
	all->hottest = fmax(all->hottest,
		fmax(row->temperature_before, fmax(row->temperature_meanwhile, row->temperature_after)));
	note_clock(all, row);
}

static char *busy_note(const struct conditions *all, int cores)
{
	return g_strdup_printf("busy: other programs kept %.1f of %ld processors working while it was timed",
		all->busiest, cores > 0 ? (long)cores : sysconf(_SC_NPROCESSORS_ONLN));
}

/* "throttled: the machine held its clock down while it was timed, from 1.50 to 0.60 GHz, at up to 83 C" */
static char *clock_note(const struct conditions *all, bool fell)
{
	g_autofree char *clocks = fell ? g_strdup_printf(", from %.2f GHz to %.2f GHz", all->clock_from / 1e9,
						 all->clock_to / 1e9)
				       : g_strdup("");
	g_autofree char *heat =
		isnan(all->hottest) ? g_strdup("") : g_strdup_printf(", at up to %.0f C", all->hottest);

	return g_strconcat(all->throttled > 0
				   ? "throttled: the machine held its clock down while it was timed"
				   : "slowed down: the clock fell while it was timed",
		clocks, heat, NULL);
}

void conditions_notes(const struct conditions *all, int cores, GPtrArray *notes)
{
	bool fell = all->clock_to < CLOCK_FELL_TO * all->clock_from;

	if (all->busiest > BUSY_FROM)
		g_ptr_array_add(notes, busy_note(all, cores));
	if (fell || all->throttled > 0)
		g_ptr_array_add(notes, clock_note(all, fell));
}
