#!/usr/bin/env bash
# The portable kernels on other machines: 32 bits, other floating-point units, bytes the other way round.
#
#   platforms.sh PLATFORM MIKGEN FOLDER
#
#   i386      without SSE: whatever passes vectors or floats in its registers does not compile; run here
#   i386_sse  with SSE2; run here, where the processor's other instruction sets run too
#   armhf     32 bits, run by qemu
#   s390x     big-endian, run by qemu; every conversion of a 16-bit float as well, against what this machine makes of it
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
platform=$1 mikgen=$(realpath "$2") out=$3
here=$(cd "$(dirname "$0")" && pwd)
case $platform in
i386) compile="i686-linux-gnu-gcc -march=i586 -mno-sse -O0" run= ;;
i386_sse) compile="i686-linux-gnu-gcc -march=i686 -msse2 -O0" run= ;;
armhf) compile="arm-linux-gnueabihf-gcc -O1" run=qemu-arm ;;
s390x) compile="s390x-linux-gnu-gcc -O1" run=qemu-s390x ;;
*) echo "platforms.sh: there is no platform $platform" >&2; exit 2 ;;
esac
compile="$compile -std=c99 -Wall -Wextra -Werror"
mkdir -p "$out"
cd "$out"

# emit SPEC: the file, its header, its self-check and its reference.
emit() {
    local name
    name=$(basename "$1" .spec)
    "$mikgen" --target=c --max-kernels=1 "$1" >"${name}_dyn.c"
    "$mikgen" --target=c --emit=header "$1" >"${name}_dyn.h"
    "$mikgen" --target=c --emit=selfcheck --max-kernels=1 "$1" >"${name}_check.c"
    "$mikgen" --emit=reference "$1" >"${name}_reference.c"
}

emit "$here/platforms.spec"
renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' platforms_check.c)
# The prelude names 16-bit floats, which the spec does not use and these compilers lack.
# shellcheck disable=SC2086 # several options
$compile -w -ffp-contract=off -D_Float16=float -D__bf16=float $renames -c platforms_reference.c
$compile -c platforms_dyn.c
$compile -w -c platforms_check.c
$compile -static platforms_check.o platforms_dyn.o platforms_reference.o -lm -lpthread -o platforms_check
$run ./platforms_check --tuples=2

if [ "$platform" = s390x ]; then
    emit "$here/conversions.spec"
    # sums NAME COMPILER...: a program that prints the sums of all conversions.
    sums() {
        local program=$1
        shift
        "$@" -std=c99 -w -c conversions_dyn.c
        "$@" -std=c99 -DSUMS -I. "$here/conversions.c" conversions_dyn.o -lm -static -o "$program"
    }
    sums sums_here gcc -O0
    # shellcheck disable=SC2086
    sums sums_there $compile
    ./sums_here >here
    $run ./sums_there | tee there
    cmp here there
fi
