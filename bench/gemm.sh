#!/usr/bin/env bash
# Generated matrix products against OpenBLAS, BLIS, oneDNN, libxsmm and Eigen, in one process, interleaved shape by shape;
# every result is checked.
#
#   bench/gemm.sh MIKGEN FOLDER [OPTION...]
#
#   --type=f32|f64       default f32
#   --threads=N          default 1
#   --set=NAME,...       deepbench boxes tiny gemv decode llama cubes; default: all of them
#   --shape=MxNxK,...    these shapes instead, or besides --set
#   --sample=N           only the first N of a seeded shuffle
#   --seconds=S          what the turns of one shape should take, all libraries together; default 0.5
#   --max-flops=X        operations of the longest product (2 M N K); default 3e9
#   --worst=N            how many of the lowest ratios are shown again at the end; default 20
#   --csv=FILE           the table, GFLOP/s
#   --lock=FILE          hold this file's lock, a minute at a time, while measuring: for several benches on one machine
#   --busy               with neighbours on a processor that this does not run on: one copies memory, one compiles
#   --other=FOLDER       FOLDER of another run, of another mikgen say: its code gets a column too, but is no peer
#
# Columns are GFLOP/s of the best turn; ratio is ours over the best peer; peak is ours over the FMA units' measured peak;
# GB/s are the bytes of A, B and C over our time, and read, where the product is a matrix beyond the caches times a vector,
# over the time of reading A and B. A column "-gemv" is the library's gemv where the product is one; "-": the library does not
# take the shape, as libxsmm beyond 64 cubed (LIBXSMM_LARGEST in the environment: another limit of M N K). Core types of
# OpenBLAS, BLIS and oneDNN are chosen by trying.
# FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh.
# Pin it: taskset -c 1 bench/gemm.sh ..., with two threads taskset -c 0,1.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,28s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/gemm/build.sh" "$1" "$2"
out=$2
shift 2
type=f32
case " $* " in *" --type=f64 "*) type=f64 ;; esac
# shellcheck source=/dev/null
. "$out/core_types_$type.sh"
sed -n 's/^# //p' "$out/core_types_$type.sh"
arguments=() busy=
for argument; do
    if [ "$argument" = --busy ]; then busy=1; else arguments+=("$argument"); fi
done
set -- --folder="$out" --data="$here/shapes" ${arguments[@]+"${arguments[@]}"}
[ -n "$busy" ] || exec "$out/gemm" "$@"

# The neighbours.
mask=$((0x$(taskset -p $$ | sed 's/.*[:,] *//'))) other=
for ((c = 0; c < $(nproc --all) && c < 32; c++)); do
    [ $((mask >> c & 1)) = 1 ] || other=$c
done
[ -n "$other" ] || { echo "--busy: pin the bench, and leave a processor to its neighbours: taskset -c 1 bench/gemm.sh ..." >&2; exit 2; }
gcc -O2 "$here/gemm/busy.c" -o "$out/busy"
taskset -c "$other" "$out/busy" &
copies=$!
taskset -c "$other" bash -c 'while gcc -O2 -c "$0" -o "$1"; do :; done' "$out/gemm_f32_dyn.c" "$out/busy.o" &
compiles=$!
trap 'kill $copies $compiles' EXIT
echo "neighbours on processor $other: one copies memory, one compiles"
"$out/gemm" "$@"
