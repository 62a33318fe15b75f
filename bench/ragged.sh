#!/usr/bin/env bash
# Ragged batches (mixtures of experts, sequences of unequal length) in one call, against the same products one after the other, ours and
# oneDNN's, and against batches padded to the longest one; one process, turn by turn; every result is checked.
#
#   bench/ragged.sh MIKGEN FOLDER [THREADS [TURNS [simulated]]]
#
# THREADS: 1 if not given. simulated: as many workers as wanted; their tasks run one after the other, and a call's time is that of what
# lies between tasks and of the longest one each time, 2 microseconds more for its start. The padded batch does not count the copying
# of rows there and back. FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh.
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
    generate "$root/bench/ragged/ragged.spec" ragged
    generate "$root/bench/ragged/plain.spec" plain
    sources=("$root"/bench/ragged/main.c "$root"/bench/gemm/pool.c)
    # shellcheck disable=SC2086 # several words
    make ragged "${sources[@]}" "$root/bench/gemm/pool.h" ragged.o plain.o -- $c "${sources[@]}" ragged.o plain.o -ldnnl -lm -lpthread -o ragged
)
export OMP_NUM_THREADS=${1:-1}
exec "$out/ragged" "$@"
