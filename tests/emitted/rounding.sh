#!/usr/bin/env bash
# Rounding modes and flushed subnormal numbers: with --fp=strict the bits of the spec in each of the four modes, with --math=libm those of the
# C library's functions; functions of vectors where subnormal numbers are flushed; and nothing changes the mode. All of it also where
# -ffast-math is asked for: files keep to C's numbers.
#
#   rounding.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mikgen=$1 out=$2
mkdir -p "$out"
cd "$out"
spec=$root/tests/emitted/rounding.spec
"$mikgen" --target=c --emit=header -o rounding.h "$spec"
"$mikgen" --target=c --max-kernels=4 --fp=strict -o strict.c "$spec"
"$mikgen" --target=c --max-kernels=4 -o usual.c "$spec"
"$mikgen" --target=c --max-kernels=4 --math=libm -o libm.c "$spec"
"$mikgen" --emit=reference "$spec" >reference.c
gcc -std=gnu11 -O1 -frounding-math -ffp-contract=off -Dproduct=reference_product -Drows=reference_rows -Dfunctions=reference_functions \
    -Dchoices=reference_choices -c reference.c -o reference.o
gcc -std=gnu11 -O1 -frounding-math -Wall -Wextra -Werror -I. -c "$root/tests/emitted/rounding.c" -o rounding.o
for which in strict libm usual strict.fast usual.fast usual.clang usual.parts; do
    case $which in
        *.fast) set -- gcc -std=c99 -O3 -ffast-math ;;
        *.clang) set -- clang-19 -O2 -ffast-math ;; # which would take the ranges of functions apart, and takes arguments for finite
        *.parts) set -- clang-19 -O2 -ffast-math -fno-finite-math-only ;;
        *) set -- gcc -std=c99 -O2 ;;
    esac
    "$@" -Wall -Wextra -Werror -c ${which%.*}.c -o $which.o
    gcc rounding.o $which.o reference.o -lm -lpthread -o $which
    ! nm -u $which.o | grep -E 'fe(set|hold|update|clear|raise)' || { echo "FAILED: $which: the environment is changed"; exit 1; }
    ! objdump -d $which.o | grep -E '\b(v?ldmxcsr|fldcw|fldenv)\b' || { echo "FAILED: $which: the mode is changed"; exit 1; }
done
./strict strict
./strict.fast strict
./libm libm
./usual
./usual.fast
./usual.clang finite
./usual.parts
