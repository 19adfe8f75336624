#include "report_nav.h"

#include "report_pages.h"

const struct report_nav report_navs[] = {
	{"index.html", "Overview", NULL, report_overview},
	{"matrix.html", "Matrix", NULL, report_matrix},
	{"flags.html", "Flags", NULL, report_flags},
	{"changes.html", "Changes", NULL, report_changes},
	{"history.html", "History", NULL, report_history},
	{"ciphers.html", "Ciphers", NULL, report_ciphers},
	{"libraries.html", "Libraries", report_has_libraries, report_libraries},
	{"tls.html", "TLS", report_has_tls, report_tls},
	{"platforms.html", "Platforms", NULL, report_platforms},
	{"builds.html", "Builds", NULL, report_builds},
	{0},
};
