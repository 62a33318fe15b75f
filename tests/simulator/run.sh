#!/usr/bin/env bash
# Runs the CUDA output of a spec on a simulated device: the self-check, as gpu.sh does on a GPU, linked with libsimulator.
#
#   run.sh MIKGEN FOLDER SPEC [SELFCHECK ARGUMENT...]
#
# $SIM_LIBRARY: the library (default: beside MIKGEN, where the build puts it); $SIM_*: see simulator.h;
# $MIKGEN_OPTIONS go to mikgen; $SIM_ARCH: 80 (default), 89 or 90a, what nvcc compiles for; the device is of that kind.
# $MIKGEN_GENERATE_ONLY=1: nothing is compiled. $SIM_SCHEDULE may name several schedules. The kernels that the self-check has launched must be those that the device has seen.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") out=$2 spec=$(realpath "$3")
shift 3
library=$(realpath "${SIM_LIBRARY:-$(dirname "$mikgen")/tests/simulator/libsimulator.a}")
skip() { echo "skipped: $*"; exit 77; }
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cuda/find_nvcc.sh"

# As in oracle.sh: the reference keeps the order of its sums, and traps where it would leave an array.
name=$(basename "$spec" .spec) arch=${SIM_ARCH:-80} extra=
reference="gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error"
if grep -q bf16 "$spec"; then
    command -v clang-19 >/dev/null || skip "bf16 needs clang-19"
    reference="clang-19 -std=gnu11 -O1 -fsanitize-trap=all"
    extra=$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name)
fi
grep -q 'complex\.h' "$spec" && reference="$reference -fcx-limited-range"
mkdir -p "$out"
cd "$out"
# shellcheck disable=SC2086 # several options
"$mikgen" --target=cuda ${MIKGEN_OPTIONS-} "$spec" >"${name}_dyn.cu"
[ -z "${MIKGEN_GENERATE_ONLY-}" ] || exit 0
# shellcheck disable=SC2086
"$mikgen" --target=cuda --emit=header ${MIKGEN_OPTIONS-} "$spec" >"${name}_dyn.cuh"
# shellcheck disable=SC2086
"$mikgen" --target=cuda --emit=selfcheck ${MIKGEN_OPTIONS-} "$spec" >"${name}_check.cu"
"$mikgen" --emit=reference "$spec" >"${name}_reference.c"
# The self-check's own banner names the operators and how to rename them.
renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.cu")
# shellcheck disable=SC2086
$reference -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero $renames -c "${name}_reference.c" \
    -o "${name}_reference.o"
compile="$nvcc -std=c++17 -O2 -cudart none -no-compress -gencode arch=compute_$arch,code=compute_$arch -I."
# The host's part of what is tested traps where it would do what C leaves undefined.
$compile -Xcompiler -fsanitize=undefined,-fsanitize-undefined-trap-on-error -c "${name}_dyn.cu" -o "${name}_dyn.o"
$compile -c "${name}_check.cu" -o "${name}_check.o"
# shellcheck disable=SC2086
g++ "${name}_check.o" "${name}_dyn.o" "${name}_reference.o" "$library" $extra -lm -o "${name}_check"
schedules=${SIM_SCHEDULE:-forward-lazy}
export SIM_CC=${SIM_CC:-${arch%a}}
for schedule in $schedules; do
    echo "$name, $schedule:"
    status=0
    SIM_COUNT=1 SIM_SCHEDULE=$schedule "./${name}_check" --margin=0 "$@" 2>counts | tee log || status=$?
    sed -n 's/^simulator: \([^ :]*\): launches=.*/\1/p' counts | sort -u >seen
    grep -v '^simulator: [^ :]*: launches=' counts >&2 || true
    [ $status = 0 ] || exit $status
    awk '$1 > 0 && NF == 2 && /^ +[0-9]+  / { print $2 }' log | sort -u >said
    case " $* " in *" --every-kernel"*) [ -s said ] || { echo "FAILED: no kernel is said to be launched"; exit 1; } ;; esac
    comm -23 said seen | sed 's/^/FAILED: said to be launched, but it was not: /' >unseen
    [ ! -s unseen ] || { cat unseen; exit 1; }
done
