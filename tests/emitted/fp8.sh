#!/usr/bin/env bash
# Floats of 8 bits in vectorized loops, by each instruction set that there is: see fp8.c.
#
#   fp8.sh gcc|clang|neon MIKGEN FOLDER [speed]
#
# neon runs under qemu, or on such a processor itself.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mode=$1 mikgen=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
"$mikgen" --target=c -o fp8_dyn.c "$here/fp8.spec"
"$mikgen" --target=c --emit=header -o fp8_dyn.h "$here/fp8.spec"
for name in widen narrow choose wide; do
    grep -q "${name}_nest[0-9a-z_]*avx512" fp8_dyn.c || { echo "FAILED: the loop of $name has no vectors"; exit 1; }
done
compiler=gcc run=
case $mode in
clang) compiler=clang-19 ;;
neon)
    if [ "$(uname -m)" != aarch64 ]; then
        compiler="aarch64-linux-gnu-gcc -static" run=qemu-aarch64
        command -v ${compiler% *} $run >/dev/null || { echo "skipped: there is no ${compiler% *} or no $run"; exit 77; }
    fi ;;
esac
# shellcheck disable=SC2086 # two words
$compiler -std=c99 -O2 -Wall -Wextra -Werror -Wno-psabi -c fp8_dyn.c
# shellcheck disable=SC2086 # two words
$compiler -std=gnu11 -O2 -Wall -Wextra -Werror -I. "$here/fp8.c" fp8_dyn.o -lm -o fp8
$run ./fp8 "$@"
