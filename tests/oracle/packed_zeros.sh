#!/usr/bin/env bash
# Packed weights with zero points and offsets: see packed_zeros.c.
#
#   packed_zeros.sh MODE MIKGEN FOLDER
#
#   gcc     by gcc, what the processor has of instruction sets
#   neon    for AArch64, run by qemu
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mode=$1 mikgen=$(realpath "$2") out=$3 here=$(cd "$(dirname "$0")" && pwd)
case $mode in
gcc) compile=gcc run= ;;
neon) compile=aarch64-linux-gnu-gcc run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
*) echo "packed_zeros.sh: there is no mode $mode" >&2; exit 2 ;;
esac
compile="$compile -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off"
mkdir -p "$out"
cd "$out"
"$mikgen" --max-kernels=1 "$here/packed_zeros.spec" >packed_zeros_dyn.c
"$mikgen" --emit=header "$here/packed_zeros.spec" >packed_zeros_dyn.h
$compile -c packed_zeros_dyn.c
$compile -I. "$here/packed_zeros.c" packed_zeros_dyn.o -lm -o packed_zeros
$run ./packed_zeros
