/* How long a machine that has vanished, or is not there yet, is waited for. */
#ifndef BM_PATIENCE_H
#define BM_PATIENCE_H

#include "agent.h"

struct patience {
	double pause_s;	 /* before the next look; each is longer than the one before */
	double waited_s; /* since the machine was seen to work, the next pause included */
};

/* It is not there: what to wait now. True where it has been waited for long enough; `hurried`: it is not
 * waited for at all. */
bool patience_ends(struct patience *patience, const struct agent *agent, bool hurried);

#endif
