"""What the trials of verdicts share: the program in a world of its own, and a library whose work is a loop of known length."""

import csv
import io
import json
import os
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLCHAIN = "x86_64-gcc"

# Turns of a loop; a planted share comes on top, in thousandths: here, or in the adapter.
TINY_C = """#include "tiny.h"
#include "config.h"
#ifndef PLANTED
#define PLANTED 0
#endif

const char *tiny_arguments(void)
{
	return TINY_CONFIGURE_ARGUMENTS;
}

/* Read when it runs, so that the builds differ in a number alone. */
static volatile long turns = TURNS + TURNS * PLANTED / 1000;
static volatile unsigned long sink;

/* Each turn waits for the one before it and touches no memory: where code and stack lie changes little. */
int tiny_answer(int question)
{
	unsigned long x = (unsigned long)question;

	for (long i = turns; i > 0; i--)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	sink = x;
	return question * 7;
}
"""
ADAPTER = """
#include "adapter.h"
#include "sha256.h"
#include "tiny.h"
#include <stdlib.h>
#include <string.h>

static volatile long more;
static volatile unsigned long sink;

static bool start(struct core_why *why)
{
	const char *planted = strstr(tiny_arguments(), "ADAPTED=");

	(void)why;
	if (planted)
		more = TURNS * atol(planted + strlen("ADAPTED=")) / 1000;
	return true;
}

static unsigned long spin(unsigned long x)
{
	for (long i = more; i > 0; i--)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}

static int setup(const struct core_work *work) { (void)work; return 0; }
static void done(void) { }
static const char *version(void) { return "1.0"; }
static const char *math(void) { return "none"; }
static const char *error_text(int error) { (void)error; return NULL; }

static int hash(struct core_work *work)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, work->in, work->in_size);
	sha256_final(&s, work->out);
	work->out_size = SHA256_SIZE;
	return 0;
}

static int private_operation(struct core_work *work)
{
	memcpy(work->out, "Everyone gets Friday off.", 25);
	work->out_size = 25;
	sink = spin(work->out_size);
	return tiny_answer(6) == 42 ? 0 : 1;
}

static const struct core_operation operations[] = {
	CORE_PROVIDES(SHA_256_HASH, DIGEST, setup, hash, NULL, done),
	CORE_PROVIDES(RSA_2048_PRIVATE, DIGEST, setup, private_operation, NULL, done),
};
const struct core_adapter core_adapter = {
	"tiny", start, version, math, error_text, 0, operations, sizeof(operations) / sizeof(operations[0])};
"""


def flag(share):
    """The name of the flag that plants so many per cent."""
    return "planted-%d" % round(share * 10)


class World:
    """Results and configuration in `folder`; `cache` may be one that is there already."""

    def __init__(self, program, folder, cache=None):
        self.program, self.folder = os.path.abspath(program), os.path.abspath(folder)
        self.db = os.path.join(self.folder, "results.db")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C.UTF-8", "BENCHMATRIX_DB": self.db,
                            "XDG_CONFIG_HOME": os.path.join(self.folder, "config"), "BENCHMATRIX_CACHE": cache or os.path.join(self.folder, "cache")}
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(self.db):
            sys.exit("%s is there already: name a new folder" % self.db)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, *arguments):
        """Standard output. Ends us where it fails."""
        done = subprocess.run([self.program, *arguments], env=self.environment, cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit("benchmatrix %s: exit status %d\n%s%s" % (" ".join(arguments), done.returncode, done.stdout, done.stderr))
        return done.stdout

    def table(self, *arguments):
        """Rows of a comparison as dictionaries; what has no unit in its title is under its bare name."""
        rows = csv.DictReader(io.StringIO(self.run(*arguments, "--format", "csv")))
        return [{title.split(" ")[0]: value for title, value in row.items()} for row in rows]

    def spin_library(self, shares, turns=20000, define="PLANTED"):
        """The library of a loop, with a flag for each planted share: of the library (PLANTED), or of its adapter (ADAPTED)."""
        for name in ("prepare", "configure", "tiny.h"):
            with open(os.path.join(SOURCE, "tests", "fixtures", "build_tiny", name), encoding="utf-8") as file:
                path = self.write("tree/" + name, file.read())
            os.chmod(path, 0o755)
        self.write("tree/tiny.c", TINY_C.replace("TURNS", str(turns)))
        library = {
            "summary": "a loop of known length", "versions": [{"name": "1.0", "folder": os.path.join(self.folder, "tree")}],
            "recipe": {"name": "autotools", "prepare": ["./prepare"], "configure": [], "targets": ["lib/libtiny.a"], "archive": "lib/libtiny.a",
                       "config_header": "config.h"},
            "program": {"includes": ["."], "cflags": ["-include", "{build}/config.h"], "libs": []},
            "profiles": [{"name": "crypto", "summary": "all of it"}],
            "flags": [{"name": flag(share), "summary": "%g %% more turns" % share, "cflags": ["-D%s=%d" % (define, round(share * 10))]} for share in shares],
        }
        self.write("config/benchmatrix/libs/tiny.json", json.dumps(library))
        self.write("config/benchmatrix/libs/tiny.c", ADAPTER.replace("TURNS", str(turns)))


def load():
    """What the machine is and does, in words."""
    with open("/proc/loadavg", encoding="ascii") as file:
        return "%d processors, load %s" % (os.cpu_count(), file.read().split()[0])
