#!/usr/bin/env bash
# Each generated kernel alone, with operands stored in four ways, against a product that computes an output in each thread: which of
# them hang or are wrong on this GPU. bench/gpu/kernels.sh goes on after those that hang.
#
#   bench/cuda_kernels.sh MIKGEN FOLDER [OPTION...]
#
#   --from=N             the first ones are left out: the lines number them
#   --limit-seconds=S    for each; default 10
#
# KERNELS_TYPE=f16, bf16, f32, tf32, s8 or e4m3: default f16. MIKGEN "-": FOLDER has the generated files. FOLDER gets everything that is made.
# For other variables see bench/cuda/build.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1
[ "$mikgen" = - ] || mikgen=$(realpath "$1")
mkdir -p "$2"
cd "$2"
shift 2
# shellcheck source=bench/cuda/build.sh
. "$root/bench/cuda/build.sh"
type=${KERNELS_TYPE:-f16}
generate_layouts "$type"
# shellcheck disable=SC2046 # several words
{
    compiled "layouts_$type"
    common_objects
    object "kernels_$type" kernels.cu $(layouts_of "$type")
    link "cuda_kernels_$type" -- "kernels_$type" "layouts_${type}_dyn" $common
}
[ "${1:-}" != --build ] || exit 0
exec "./cuda_kernels_$type" "$@"
