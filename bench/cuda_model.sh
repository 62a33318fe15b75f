#!/usr/bin/env bash
# On paper: what the emitted dispatcher's model expects of its own choices for 1433 products on an H200, against the roofline and
# against one fixed kernel, as Markdown; and, on standard error, how long decisions take on this machine. Wants no GPU.
#
#   bench/cuda_model.sh MIKGEN FOLDER >bench/results/cuda_model.md
#
# FOLDER gets everything that is made; for variables see bench/cuda/build.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -eq 2 ] || [ "${3:-}" = --build ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1
[ "$mikgen" = - ] || mikgen=$(realpath "$1")
mkdir -p "$2"
cd "$2"
only_build=${3:-}
TYPES=${TYPES:-f16 bf16 f32 tf32}
# shellcheck source=bench/cuda/build.sh
. "$root/bench/cuda/build.sh"
unset SIMULATOR # the runtime that finds no device
# Machine code is not needed.
archs=$ptx
for type in $types; do generate_type "$type"; done
# shellcheck disable=SC2046,SC2086 # several words
{
    object model_race race.cu
    object model_device device.cu
    object shapes shapes.cu
    object report report.cu
    for type in $types; do
        make "model_plans_$type.o" "$here"/*.h "$here/plans.cu" "$(file_of "$type")_bench.cu" -- \
            $compile $archs $(plans_of "$type") \
            -c "$here/plans.cu" -o "model_plans_$type.o"
        for name in model names; do object model_${name}_$type $name.cu "$(have_of "$type")"; done
        link cuda_model_$type -- model_{model,names,plans}_$type model_race model_device shapes report
    done
} >&2
[ "$only_build" != --build ] || exit 0
cat <<'TEXT'
# What the model expects: not a measurement

Nothing here has been measured on a GPU. These are times that the emitted dispatcher's own cost model expects on an H200 for the
1433 products of `bench/cuda/shapes.h` (166 of DeepBench, 1267 sampled log-uniformly inside the boxes of MikPoly's table 3): what it
takes its choices to be worth, with kernels' rates that are estimates themselves. Most of the sampled products have odd sides, whose
operands are not aligned; "rounded" are the same draws with N and K rounded up to multiples of 8.

- A: the roofline over the expected time. The roofline is the larger of bytes (A, B and C once) over the memory's rate and operations
  over the tensor cores' rate (f32: the CUDA cores').
- B: the same with a launch on top of the roofline, which the model counts for every call.
- C: the expected time of one fixed kernel over that of the choice: a block for each tile, the kernel with the best geometric mean
  over the set; where it cannot read the operands, another fixed one.
- D: the expected time of the best single kernel for each shape, a block for each tile, over that of the choice: what sharing sums
  between blocks and cutting the output in two are expected to give.

`bench/cuda_model.sh build/mikgen FOLDER >bench/results/cuda_model.md` prints this again.
TEXT
details=--details
for type in $types; do
    case $type in
    f32) limits="--bytes=4 --peak=60" ;;
    tf32) limits="--bytes=4 --peak=395" ;;
    *) limits="--bytes=2 --peak=790" ;;
    esac
    # shellcheck disable=SC2086 # several words
    "./cuda_model_$type" --data="$root/bench/shapes" --type="$type" $limits $details
    details=
done
for type in $types; do "./cuda_model_$type" --data="$root/bench/shapes" --type="$type" --decisions >&2; done
