#!/usr/bin/env bash
# Each micro-kernel of two generated C files, the old one's time over the new one's: above 1 the new one is faster.
#
#   bench/kernels.sh OLD.c NEW.c FOLDER [COMPILER FLAGS...]       default: gcc -std=gnu99 -O2
#
# Environment: FAMILY (f32), ISAS (3 2 1: as options.isa counts), ROUNDS (7).
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034 # by their names, below
old=$(readlink -f "$1") new=$(readlink -f "$2") family=${FAMILY:-f32}
mkdir -p "$3"
cd "$3"
shift 3
[ $# -gt 0 ] || set -- gcc -std=gnu99 -O2
gcc -O2 "$root/bench/kernels/compare.c" -o compare -ldl -lm
for side in old new; do
    "$@" -w -fPIC -shared -DSOURCE="\"${!side}\"" -DFAMILY="$family" -DUPPER="${family^^}" "$root/bench/kernels/measure.c" -o "$side.so"
done
echo "$*: $("$1" --version | head -n 1)"
for isa in ${ISAS:-3 2 1}; do
    ./compare ./old.so ./new.so "$isa" "${ROUNDS:-7}"
done
