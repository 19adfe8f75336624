#!/bin/sh
# Everything that must hold before a change is pushed: style, a build with sanitizers and warnings as errors, all tests.
#   ./check.sh            within 20 minutes on two cores from a clean machine
#   ./check.sh --full     the long tests as well
set -eu
cd "$(dirname "$0")"

packages=check
left_out='--label-exclude long'
case "${1:-}" in
'') ;;
--full)
	packages=full
	left_out=
	;;
*)
	echo "usage: ./check.sh [--full]" >&2
	exit 2
	;;
esac

./install-packages.sh "$packages"
tests/style.sh
cmake --preset debug >/dev/null
cmake --build --preset debug
cmake --preset release -DBM_WERROR=ON >/dev/null
cmake --build --preset release
# More than there are processors: many tests wait for what they have started. Those that time are alone all the same.
# shellcheck disable=SC2086 # no word, or two
ctest --preset debug --parallel "$(($(nproc) + 1))" $left_out
