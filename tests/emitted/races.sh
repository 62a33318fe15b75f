#!/usr/bin/env bash
# Eight threads call the same operators at the same time, under ThreadSanitizer: the cache of plans, what is found out about the processor
# once, non-GEMM loops, weights packed by one for all, and calls that have threads of their own inside. No report, and the
# bits of calls one after the other.
#
#   races.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mikgen=$1 out=$2
command -v clang-19 >/dev/null || { echo "skipped: there is no clang-19"; exit 77; }
mkdir -p "$out"
cd "$out"
sed -n '/^void rows_of_w(/,/^}/p' "$root/tests/specs/packed_ahead.spec" >packed.spec
specs="$root/examples/gemm_f32/gemm_f32.spec $root/examples/softmax/softmax.spec $root/examples/layernorm/layernorm.spec packed.spec"
for spec in $specs; do
    name=$(basename "$spec" .spec) constant=
    [ $name != packed ] || constant=--constant=W
    "$mikgen" --target=c --max-kernels=1 $constant -o $name.c "$spec"
    "$mikgen" --target=c --max-kernels=1 $constant --emit=header -o $name.h "$spec"
    # Loops have tasks of few elements.
    clang-19 -std=c99 -O1 -g -fsanitize=thread -DMIK_LOOP_TASK_NS=1e-9 -c $name.c -o $name.o
done
clang-19 -std=c11 -O1 -g -fsanitize=thread -Wall -Wextra -Werror -I. "$root/tests/emitted/races.c" packed.o gemm_f32.o softmax.o layernorm.o \
    -lm -lpthread -o races
# TSan needs the usual layout of addresses.
TSAN_OPTIONS="halt_on_error=0 exitcode=66" setarch -R ./races "${MIKGEN_RACE_TURNS:-2}" >said 2>&1 || { head -40 said; echo "FAILED"; exit 1; }
cat said
