#!/usr/bin/env bash
# Is the emitted dispatcher's choice good on this GPU? For each shape every plan that it could choose is run, as many as the time
# allows, the most promising ones first: each kernel for the whole output with a block for each tile and with several numbers of
# blocks that share out the steps, each pair of kernels with the output cut after whole waves. The eight fastest and the chosen one
# are then measured anew, in turns. Reported is the best plan's time over that of the chosen one. Every plan is checked.
#
#   bench/cuda_oracle.sh MIKGEN FOLDER [OPTION...]
#
#   --class=NAME,...     as of bench/cuda.sh; default 1433
#   --shape=MxNxK,...    these shapes instead
#   --sample=N           so many shapes, spread evenly; default 200
#   --limit-seconds=S    shared out evenly among the shapes; what of a shape's plans is left out is counted
#   --check-only         nothing is timed
#   --hot, --launch=plain, --worst=N, --csv=FILE, --patience=S, --from=N   as of bench/cuda.sh
#
# ORACLE_TYPE=f16, bf16, f32 or tf32: default f16. MIKGEN "-": FOLDER has the generated files. FOLDER gets everything that is made.
# For other variables see bench/cuda/build.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 2 ] || { sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
type=${ORACLE_TYPE:-f16}
generate_type "$type"
common_objects
# shellcheck disable=SC2046,SC2086,SC2154 # several words; set by use_library
{
    make "plans_$type.o" "$here"/*.h "$here/plans.cu" "$(file_of "$type")_bench.cu" -- \
        $compile $archs $(plans_of "$type") \
        -c "$here/plans.cu" -o "plans_$type.o"
    for name in oracle bench operators names; do object ${name}_$type $name.cu "$(have_of "$type")"; done
    object cublas cublas.cu $cublas_flags
    link cuda_oracle_$type $cublas_link -- {oracle,bench,operators,names,plans}_$type cublas $common
}
[ "${1:-}" != --build ] || exit 0
exec "./cuda_oracle_$type" --data="$root/bench/shapes" "${options[@]}"
