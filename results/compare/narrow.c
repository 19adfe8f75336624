#include "compare.h"

#include "join.h"

#include <math.h>

double comparison_geomean(const GPtrArray *rows)
{
	double sum = 0;
	guint n = 0;

	for (guint i = 0; i < rows->len; i++) {
		const struct comparison_row *row = rows->pdata[i];

		if (isnan(row->ratio))
			continue;
		sum += log(row->ratio);
		n++;
	}
	return n > 0 ? exp(sum / n) : NAN;
}

void comparison_narrow(struct comparison *comparison,
	bool (*stays)(const struct comparison_row *row, const void *user), const void *user)
{
	guint before = comparison->rows->len;

	for (guint i = before; i-- > 0;)
		if (!stays(comparison->rows->pdata[i], user))
			g_ptr_array_remove_index(comparison->rows, i);
	comparison->geomean = comparison_geomean(comparison->rows);
	if (comparison->rows->len < before)
		g_ptr_array_add(comparison->notes, g_strdup_printf("%u of %u rows are left out",
							   before - comparison->rows->len, before));
}
