/* Streams to take in: made of macros, so that what each test feeds can be read at its place. */
#ifndef BM_INTAKE_STREAMS_H
#define BM_INTAKE_STREAMS_H

#include "intake.h"

#include <math.h>
#include <string.h>

#define HEADER(mode, number)                                                                                 \
	"{\"r\":\"header\",\"wire\":1,\"mode\":\"" mode "\",\"invocation\":" number ",\"build\":\"0f3a\"}\n"
#define RSA	  "\"name\":\"rsa-2048 private\""
#define START_RSA "{\"r\":\"start\"," RSA "}\n"
#define OK_RSA	  "{\"r\":\"benchmark\"," RSA ",\"state\":\"ok\"}\n"
#define SAMPLES_RSA(values)                                                                                  \
	"{\"r\":\"samples\"," RSA ",\"metric\":\"time\",\"iterations\":2,\"values\":[" values "]}\n"
#define REGION_RSA(number) "{\"r\":\"region\",\"region\":" number "," RSA ",\"iterations\":10}\n"
#define COUNT(number, value)                                                                                 \
	"{\"r\":\"count\",\"region\":" number ",\"metric\":\"instructions\",\"value\":" value "}\n"
#define END(records) "{\"r\":\"end\",\"records\":" records "}\n"
/* 2000 and 4000 ns for two operations each: 1e-6 and 2e-6 s. */
#define WHOLE_RSA(number) HEADER("time", number) START_RSA SAMPLES_RSA("2000,4000") OK_RSA END("4")
#define DIGEST(letter)	  letter letter letter letter letter letter letter letter
#define OK_WITH(letter)                                                                                      \
	"{\"r\":\"benchmark\"," RSA ",\"state\":\"ok\",\"digest\":\"" DIGEST(letter) DIGEST(letter) DIGEST(  \
		letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) DIGEST(letter) "\"}\n"

static inline void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-12 * fabs(b))
		g_error("%.17g is not %.17g", a, b);
}

static inline struct intake *take_in(const char *text)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	intake_builder_push(builder, text, strlen(text));
	return intake_builder_finish(builder);
}

/* One process: which invocation it is of, what it wrote and how it ended. */
struct part {
	int64_t invocation;
	const char *stream;
	const char *reason; /* NULL: by itself */
	enum outcome_state blame;
};

static inline struct intake *take_in_parts(const struct part *parts, size_t n)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_EMULATOR, "0f3a");

	for (size_t i = 0; i < n; i++) {
		intake_builder_process_began(builder, parts[i].invocation);
		intake_builder_push(builder, parts[i].stream, strlen(parts[i].stream));
		intake_builder_process_ended(builder, parts[i].blame, parts[i].reason);
	}
	return intake_builder_finish(builder);
}
#define TAKE_IN(...)                                                                                         \
	take_in_parts((const struct part[]){__VA_ARGS__},                                                    \
		sizeof((const struct part[]){__VA_ARGS__}) / sizeof(struct part))
#define BY_ITSELF(invocation, stream)                                                                        \
	{                                                                                                    \
		invocation, stream, NULL, OUTCOME_OK                                                         \
	}
#define CRASHED(invocation, stream)                                                                          \
	{                                                                                                    \
		invocation, stream, "signal 11 (SIGSEGV)", OUTCOME_CRASHED                                   \
	}
/* The orchestrator was killed, and what it had started with it. */
#define LOST(invocation, stream)                                                                             \
	{                                                                                                    \
		invocation, stream, "lost with the run", OUTCOME_OK                                          \
	}

static inline const struct outcome *outcome_at(const struct intake *intake, guint i)
{
	g_assert_cmpuint(i, <, intake->outcomes->len);
	return intake->outcomes->pdata[i];
}

static inline const struct measurement *measurement_at(const struct intake *intake, guint i)
{
	g_assert_cmpuint(i, <, intake->measurements->len);
	return intake->measurements->pdata[i];
}

static inline void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		g_error("\"%s\" does not say \"%s\"", text ? text : "(nothing)", part);
}

#endif
