#!/usr/bin/env bash
# Runs the CUDA output of every example on a GPU: the dispatcher's choice and every kernel forced, on many shapes,
# against the spec itself compiled for the CPU.
#
#   gpu.sh MIKGEN FOLDER [SPEC...]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") out=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1 || skip "there is no GPU here"
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cuda/find_nvcc.sh"
[ $# -gt 0 ] || for spec in "$root"/examples/*/main.c; do set -- "$@" "${spec%/*}/$(basename "${spec%/*}").spec"; done
mkdir -p "$out"

# As in oracle.sh: the reference keeps the order of its sums, and traps where it would leave an array, which is how
# the self-check learns which extents the spec is not meant for. Only clang knows bf16.
trap_in_bounds="-w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero"
failures=0
check() {
    local spec=$1 name renames library=
    local reference="gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error"
    name=$(basename "$spec" .spec)
    if grep -q bf16 "$spec"; then
        command -v clang-19 >/dev/null || { echo "$name is left out: bf16 needs clang-19"; return 0; }
        reference="clang-19 -std=gnu11 -O1 -fsanitize-trap=all"
        library=$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name)
    fi
    grep -q 'complex\.h' "$spec" && reference="$reference -fcx-limited-range"
    "$mikgen" --target=cuda "$spec" >"${name}_dyn.cu" &&
    "$mikgen" --target=cuda --emit=header "$spec" >"${name}_dyn.cuh" &&
    "$mikgen" --target=cuda --emit=selfcheck "$spec" >"${name}_check.cu" &&
    "$mikgen" --emit=reference "$spec" >"${name}_reference.c" || return 1
    # The self-check's own banner names the operators and how to rename them.
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.cu")
    $reference $trap_in_bounds $renames -c "${name}_reference.c" -o "${name}_reference.o" &&
    "$nvcc" -std=c++17 -O2 -arch=native -I. "${name}_check.cu" "${name}_dyn.cu" "${name}_reference.o" $library \
        -o "${name}_check" &&
    "./${name}_check"
}

case $out in /*) ;; *) out=$PWD/$out ;; esac
specs=()
for spec in "$@"; do specs+=("$(realpath "$spec")"); done
cd "$out"
for spec in "${specs[@]}"; do
    echo "$(basename "$spec" .spec):"
    check "$spec" || { echo "FAILED: $(basename "$spec")"; failures=$((failures + 1)); }
done
[ "$failures" = 0 ]
