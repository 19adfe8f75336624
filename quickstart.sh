#!/bin/sh
# From a clone to a table: installs what is needed, builds benchmatrix, builds real wolfSSL for two architectures with several
# flags, measures all of it, and prints before/after tables. Unattended; some minutes on two cores.
set -eu
cd "$(dirname "$0")"

./install-packages.sh
cmake --preset release >/dev/null
cmake --build --preset release
benchmatrix=$PWD/build/release/bin/benchmatrix

status=0
"$benchmatrix" run quick || status=$?

echo
"$benchmatrix" query run=latest,toolchain=x86_64-gcc --columns config || status=1
for config in fastmath sp; do
	echo
	"$benchmatrix" compare config=default config=$config --where run=latest,toolchain=x86_64-gcc || status=1
done
for config in fastmath sp armasm; do
	echo
	"$benchmatrix" compare config=default config=$config --where run=latest,toolchain=aarch64-gcc --metric instructions || status=1
done
echo
echo "Every figure is in the database named above; next: build/release/bin/benchmatrix help"
exit "$status"
