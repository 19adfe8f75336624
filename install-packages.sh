#!/bin/sh
# Installs the Debian packages that benchmatrix needs and that are missing.
#   ./install-packages.sh          to build it and run the bundled matrices
#   ./install-packages.sh check    what its own tests need as well
#   ./install-packages.sh full     what the long ones need as well
#   ./install-packages.sh all      the compilers and emulators of all toolchains as well
# Each package is asked for by name, so that a machine that happens to have one hides nothing.
set -eu
cd "$(dirname "$0")"

# The compiler, the build system, and the libraries of the host side.
build='gcc libc6-dev cmake ninja-build pkg-config libglib2.0-dev libjansson-dev libsqlite3-dev libcurl4-openssl-dev nettle-dev zlib1g-dev libelf-dev libjs-chart.js'
# Library sources come as Debian source packages, and are built with autotools or, OpenSSL, with perl.
sources='apt ca-certificates dpkg-dev git tar make patch xz-utils autoconf automake libtool perl'
# Toolchains and emulators of the bundled matrices.
targets='binutils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user'
# Independent programs that tests hold ours against, and the tools of check.sh.
check='procps util-linux sqlite3 python3 python3-jsonschema python3-cryptography openssl valgrind clang libclang-rt-dev clang-format mandoc'
# The toolchain on which a test shows a crash.
check="$check gcc-mips-linux-gnu libc6-dev-mips-cross"
# bench-core without an operating system.
check="$check gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm"
# A board is another machine behind a sshd of the tests' own.
check="$check openssh-client openssh-server"
# The long ones look at the report in a browser, and hold statistics against SciPy.
full="$check chromium chromium-driver python3-selenium python3-scipy"

packages="$build $sources $targets"
case "${1:-}" in
'') ;;
check) packages="$packages $check" ;;
full) packages="$packages $full" ;;
all) packages="$packages $(sed -n 's/.*"packages": \[\(.*\)\].*/\1/p; s/.*"package": \("[^"]*"\).*/\1/p' toolchains/*.json | tr -d '",' | tr ' ' '\n' | sort -u)" ;;
*)
	echo 'usage: ./install-packages.sh [check|full|all]' >&2
	exit 2
	;;
esac

installed() {
	[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return
	# A machine's own compiler goes by its full name as well, which no package bears there.
	dpkg-query --show --showformat='${db:Status-Status}, ${Provides},\n' 'gcc*' | grep -q "^installed,.* $1\( (\|,\)"
}

missing=
for package in $packages; do
	installed "$package" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null; then
	as_root=sudo
else
	echo "install-packages.sh: not root and no sudo; as root run: apt-get install --no-install-recommends$missing" >&2
	exit 3
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -q -y --no-install-recommends $missing
