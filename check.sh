#!/bin/sh
# Everything that must hold before a change is pushed: style, a build with sanitizers and warnings as errors, all tests.
#   ./check.sh            within 20 minutes on two cores from a clean machine
#   ./check.sh --full     the long tests as well
set -eu
cd "$(dirname "$0")"

full=
case "${1:-}" in
'') ;;
--full) full=1 ;;
*)
	echo "usage: ./check.sh [--full]" >&2
	exit 2
	;;
esac

./install-packages.sh check
tests/style.sh
cmake --preset debug >/dev/null
cmake --build --preset debug
cmake --preset release -DBM_WERROR=ON >/dev/null
cmake --build --preset release
# More than there are processors: many tests wait for what they have started. Those that time are alone all the same.
jobs=$(($(nproc) + 1))
if [ -n "$full" ]; then
	ctest --preset debug --parallel "$jobs"
else
	ctest --preset debug --parallel "$jobs" --label-exclude long
fi
