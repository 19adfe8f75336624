#!/bin/sh
# The rules of the house that a script can see. Prints what breaks them; exit status 1 where anything does.
set -u
cd "$(dirname "$0")/.."
status=0

complain() {
	[ -z "$2" ] && return
	printf '%s\n%s\n\n' "$1" "$2"
	status=1
}

sources=$(git ls-files '*.c' '*.h')
# shellcheck disable=SC2086 # file names here have no blanks
complain 'clang-format would change these files:' \
	"$(clang-format --dry-run --Werror $sources 2>&1 | sed -n 's/^\([^: ]*\.[ch]\):.*/\1/p' | sort -u)"
complain 'banned functions:' \
	"$(git grep -nwE '(system|popen|strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|alloca)\(' -- '*.c' '*.h')"
complain 'printf and stderr belong to runner/cmd:' \
	"$(git grep -nwE '(printf|fprintf|puts|putchar|stderr|stdout)' -- 'base/*.c' 'agents/*.c' 'results/*.c' 'runner/*.c' 'schema/*.c' |
		grep -vE '^(runner/cmd/|base/supervise\.c|agents/play\.c|agents/plugin/)')"
complain 'SQL belongs to schema and results/store:' \
	"$(git grep -nE '"(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|COMMIT) ' -- '*.c' '*.h' | grep -vE '^(results/store/|tests/)')"
complain 'an include names a file, not a path:' "$(git grep -nE '#include "[^"]*/' -- '*.c' '*.h')"
complain 'two files of one name (an include must name one file):' \
	"$(git ls-files '*.h' | sed 's,.*/,,' | sort | uniq -d)"
complain 'files over 500 lines (tests: 700):' \
	"$(git ls-files '*.c' '*.h' '*.sh' | xargs wc -l | awk '$2 != "total" && $1 > ($2 ~ /^tests\// ? 700 : 500)')"
exit "$status"
