#!/usr/bin/env bash
# The mathematical functions of vectors against C's library, for every instruction set that this processor has: see vmath.c.
#
#   vmath.sh gcc|clang-19|aarch64 FOLDER [OPTION|NAME...]
#
# aarch64 runs NEON under qemu, or on such a processor itself. Options: of vmath.c.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
compiler=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
include="-I$here -I$here/../../templates/engine"
mkdir -p "$out"
cd "$out"
host=gcc run= x86= sets=p
case $compiler in
aarch64)
    compiler=gcc
    if [ "$(uname -m)" != aarch64 ]; then
        compiler=aarch64-linux-gnu-gcc host="aarch64-linux-gnu-gcc -static" run=qemu-aarch64
        command -v $compiler $run >/dev/null || { echo "skipped: there is no $compiler or no $run"; exit 77; }
    fi ;;
*)
    if [ "$(uname -m)" = x86_64 ]; then x86=-DHAVE_X86 sets="z y p"; fi ;;
esac
objects=
for set in $sets; do
    ${MIKGEN_PYTHON:-/usr/bin/python3} -B "$here/vmath.py" "$set" >"vmath_$set.c"
    # shellcheck disable=SC2086 # two words
    $compiler -std=c99 -O2 -Wall -Wextra -Wpedantic -Wno-psabi -Werror $include -c "vmath_$set.c" -o "vmath_$set.o"
    objects="$objects vmath_$set.o"
done
# shellcheck disable=SC2086 # several words
$host -std=gnu11 -O2 -Wall -Wextra -Werror $x86 ${VMATH_FLAGS:-} $include "$here/vmath.c" $objects ${VMATH_LIBS:-} -lm -o vmath
$run ./vmath "$@"
