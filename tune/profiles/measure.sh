#!/usr/bin/env bash
# Measures this machine into a profile beside this script: NAME_FAMILY.profile.
#
#   measure.sh MIKGEN NAME [FAMILY...]        f32 f64 i8 by default
#
# Goes on with the file that is there, and then measures everything once more: the shorter times win, for machines in use.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$1 name=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
[ $# -gt 0 ] || set -- f32 f64 i8

# The specs whose kernels and whose operands' ways into them a family has; the second one adds what the first lacks.
specs() {
    case $1 in
    f32) echo "$root/examples/gemm_f32/gemm_f32.spec $root/examples/conv2d/conv2d.spec" ;;
    f64) echo "$root/tests/specs/gemm_f64.spec" ;;
    i8) echo "$root/tests/specs/gemm_int8.spec" ;;
    *) echo "there is no family $1 to measure" >&2; exit 1 ;;
    esac
}

for family in "$@"; do
    for spec in $(specs "$family"); do
        "$mikgen" tune --target=c "$spec" -o "$here/${name}_$family.profile"
    done
    first=$(specs "$family")
    "$mikgen" tune --target=c --again "${first%% *}" -o "$here/${name}_$family.profile"
done
