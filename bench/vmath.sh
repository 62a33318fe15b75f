#!/usr/bin/env bash
# The mathematical functions of vectors: how far they are from the exact result, in units of the last place, and how many nanoseconds
# an element takes, beside glibc, libmvec and SLEEF.
#
#   bench/vmath.sh FOLDER [--step=N] [--points=N] [--speed] [NAME...]
#
# Floats: every N-th one (default: all 2^32, which takes some minutes for each function), against double precision, the worst ones
# against MPFR. Of two operands, and doubles: N random points in each of nine ranges (default 200000), against MPFR. --speed leaves errors out.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
shift
. "$root/bench/make.sh"
need "$include/sleef.h" libsleef-dev
need /usr/include/mpfr.h libmpfr-dev
needed
step=--step=1 points=--points=200000 errors=1 names=
for arg; do
    case $arg in
    --step=*) step=$arg ;;
    --points=*) points=$arg ;;
    --speed) errors= ;;
    *) names="$names $arg" ;;
    esac
done
mkdir -p "$out"
# One call of it builds the functions for all sets, and says nothing.
VMATH_FLAGS=-DHAVE_MPFR VMATH_LIBS="-lmpfr -lgmp" "$root/tests/emitted/vmath.sh" gcc "$out" --step=1000003 --points=10
cd "$out"
flags="-std=gnu11 -O2 -I$root/bench/vmath -I$root/tests/emitted"
i=0
for set in z y p; do
    isa=$(echo "-mavx512f:-mavx2 -mfma:-msse2" | cut -d: -f$((i += 1)))
    # shellcheck disable=SC2086 # several words
    make others_$set.o "$root/bench/vmath/others.c" "$root/bench/vmath/others.def" -- gcc $flags -w -DSET="'$set'" $isa -c "$root/bench/vmath/others.c" -o others_$set.o
done
# shellcheck disable=SC2086 # several words
gcc $flags -Wall -Wextra "$root/bench/vmath/speed.c" vmath_[zyp].o others_[zyp].o -lsleef -lmvec -lm -o speed
if [ -n "$errors" ]; then
    echo "greatest errors in ulp, and where"
    # shellcheck disable=SC2086 # several words
    ./vmath --table $step $points $names || status=1
fi
# shellcheck disable=SC2086 # several words
./speed $names
exit ${status:-0}
