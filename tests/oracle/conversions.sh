#!/usr/bin/env bash
# Every conversion of a 16-bit float against the spec's own, bit by bit: see conversions.c.
#
#   conversions.sh MODE MIKGEN FOLDER
#
#   gcc     on this machine
#   neon    for AArch64, run by qemu
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mode=$1 mikgen=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
"$mikgen" --target=c --max-kernels=6 "$here/conversions.spec" >conversions_dyn.c
"$mikgen" --target=c --emit=header "$here/conversions.spec" >conversions_dyn.h
"$mikgen" --emit=reference "$here/conversions.spec" >conversions_reference.c
renames=$("$mikgen" --target=c --emit=selfcheck "$here/conversions.spec" | sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p')
gcc=gcc clang=clang-19 run= libraries="$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name) -lm"
if [ "$mode" = neon ]; then
    gcc=aarch64-linux-gnu-gcc clang="clang-19 --target=aarch64-linux-gnu" run="qemu-aarch64 -L /usr/aarch64-linux-gnu" libraries=-lm
fi
# shellcheck disable=SC2086 # several options
$clang -std=gnu11 -O1 -w -ffp-contract=off $renames -c conversions_reference.c
$gcc -std=c99 -O2 -Wall -Wextra -Werror -c conversions_dyn.c
# shellcheck disable=SC2086 # several libraries
$gcc -std=c99 -O2 -Wall -Wextra -Werror -I. "$here/conversions.c" conversions_dyn.o conversions_reference.o $libraries -o conversions
$run ./conversions
