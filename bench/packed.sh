#!/usr/bin/env bash
# Products whose weights are prepacked, against oneDNN's with weights in the layout of its choice; one process, turn by turn; every
# result is checked.
#
#   bench/packed.sh MIKGEN FOLDER [TURNS]
#
# Products of float, of bf16 with sums of float, and of unsigned by signed bytes. Columns are GFLOP/s of the best turn (of integers, as
# many operations): ours and oneDNN's, each with packed weights and with the weights as they are. Ratio: ours over oneDNN's, both packed;
# gain: ours over ours as they are. FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh. Pin it:
# taskset -c 1 bench/packed.sh ...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
out=$(cd "$2" && pwd)
shift 2
(
    cd "$out"
    # shellcheck source=bench/make.sh
    . "$root/bench/make.sh"
    need /usr/include/dnnl.h libdnnl-dev
    needed
    generate "$root/bench/packed/dense.spec" dense
    sources=("$root"/bench/packed/{main,onednn}.c)
    # shellcheck disable=SC2086 # several words
    make packed "$root"/bench/packed/*.h "${sources[@]}" dense.o -- $c "${sources[@]}" dense.o -ldnnl -lm -o packed
)
export OMP_NUM_THREADS=1
exec "$out/packed" "$@"
