#include "patience.h"

/* How long in all, and the pauses between the looks: seconds. */
#define PATIENCE_S	300
#define LONGEST_PAUSE_S 60

bool patience_ends(struct patience *patience, const struct agent *agent, bool hurried)
{
	int own = agent->deadlines.gone;
	double most = hurried ? 0 : own > 0 ? own : PATIENCE_S;

	patience->pause_s = CLAMP(2 * patience->pause_s, 1, LONGEST_PAUSE_S);
	patience->waited_s += patience->pause_s;
	return patience->waited_s > most;
}
