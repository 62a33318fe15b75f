#!/usr/bin/env bash
# Products of half, bf16 and 8-bit integers, in 1e9 operations per second, one thread, beside the f32 product, the peak of
# the machine's instructions and, where its library is installed, oneDNN.
#
#   bench/narrow.sh MIKGEN FOLDER [--isa=N] [--only=NAME,...] [MxNxK...]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$(readlink -f "$1") out=$2
shift 2
mkdir -p "$out"
cd "$out"
spec=$root/bench/narrow/bench_narrow.spec
"$mikgen" --target=c "$spec" >bench_narrow_dyn.c
"$mikgen" --target=c --emit=header "$spec" >bench_narrow_dyn.h
dnnl=
echo '#include <oneapi/dnnl/dnnl.h>' | gcc -E - >/dev/null 2>&1 && dnnl="-DHAVE_DNNL -ldnnl"
gcc -std=c99 -O2 -c bench_narrow_dyn.c
# shellcheck disable=SC2086 # two options or none
gcc -std=gnu11 -O2 -w -I. "$root/bench/narrow.c" bench_narrow_dyn.o $dnnl -lm -o bench_narrow
shapes=0
for arg; do case $arg in [0-9]*) shapes=1 ;; esac; done
[ $shapes = 1 ] || set -- "$@" 64x64x64 256x256x256 1024x1024x1024 \
    100x100x100 127x65x33 1x1024x1024 1024x1x1024 16x1024x1024 1024x16x1024 37x1000x300 384x768x3072
OMP_NUM_THREADS=1 ./bench_narrow "$@"
