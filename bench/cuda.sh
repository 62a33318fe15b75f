#!/usr/bin/env bash
# Generated matrix products on a GPU against cuBLAS (cublasGemmEx as it comes) and the fastest of up to 16 algorithms that cuBLASLt's
# heuristics offer, in one process, in turns, timed by events; every result is checked, exactly.
#
#   bench/cuda.sh MIKGEN FOLDER [OPTION...]
#
#   --type=NAME,...      f16 bf16 f32 tf32 s8 e4m3 (these two: B as [N][K]); default: all of them
#   --class=NAME,...     deepbench box1 ... box9, 1433 (all of these), rounded, llama, decode, unaligned, cubes, consecutive,
#                        edges (bench/cuda/shapes.h says what they are); default: 1433,rounded,llama,decode,unaligned,cubes
#   --shape=MxNxK,...    these shapes instead
#   --limit-seconds=S    if that is not enough for all shapes, a sample of them that is spread evenly
#   --seed=N             of the draws in box1 ... box9; default 1433
#   --rounds=N           of which the median is taken; default 7
#   --check-only         nothing is timed
#   --hot                operands may stay in the caches; default: they come from memory
#   --launch=plain       calls run as the host enqueues them; default: they queue up first, so that the host's time does not show
#   --no-host            the host's part, decisions and enqueuing, is not timed
#   --brief              no heading
#   --worst=N            how many of the lowest ratios are shown; default 10
#   --csv=FILE           a line for each shape
#   --patience=S         a shape that is not back after that ends the process, which says so; default: it is waited for
#   --from=N             the first N shapes, of all types together, are left out, and FILE is added to: what the message says when the
#                        device breaks, or a shape is not back
#
# The sums of what is checked are exact in any order, so that there is one right result, down to the last bit. A wrong one, a
# refused call and a shape that the memory has no room for count as failures: "right" is the share of the others.
# MIKGEN "-": FOLDER has the generated files. FOLDER gets everything that is made. TYPES="f16 f32": the program is built with these
# only; for other variables see bench/cuda/build.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 2 ] || { sed -n '2,30s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
start=$PWD
mikgen=$1
[ "$mikgen" = - ] || mikgen=$(realpath "$1")
mkdir -p "$2"
cd "$2"
shift 2
options=()
for option; do
    case $option in
    --csv=/*) options+=("$option") ;;
    --csv=*) options+=("--csv=$start/${option#*=}") ;;
    *) options+=("$option") ;;
    esac
done
# shellcheck source=bench/cuda/build.sh
. "$root/bench/cuda/build.sh"
use_library cublas_v2.h cublas cublas cublasLt
have='' objects=()
for type in $types; do
    generate_type "$type"
    have="$have $(have_of "$type")"
    objects+=("$(file_of "$type")_dyn")
done
for type in $types; do compiled "$(file_of "$type")"; done
common_objects
# shellcheck disable=SC2086,SC2154 # several words; set by use_library
{
    for name in gemm bench host operators names; do object $name $name.cu $have; done
    object cublas cublas.cu $cublas_flags
    link cuda_gemm $cublas_link -- gemm bench host operators names cublas $common "${objects[@]}"
}
[ "${1:-}" != --build ] || exit 0
exec ./cuda_gemm --data="$root/bench/shapes" "${options[@]}"
