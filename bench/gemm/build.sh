#!/usr/bin/env bash
# Makes what the benches of matrix products need: FOLDER/lib_*.so, one for each library and one for the generated code,
# the programs, and core_types_f32.sh and _f64.sh, the core types with which the libraries are fastest here: remove them to
# have them tried again.
#
#   bench/gemm/build.sh MIKGEN FOLDER
#
# Environment: see bench/make.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
cd "$2"
# shellcheck source=bench/make.sh
. "$root/bench/make.sh"

need "$lib/openblas-pthread/libopenblas.so" libopenblas-pthread-dev
need "$lib/blis-pthread/libblis.so" libblis-pthread-dev
need /usr/include/dnnl.h libdnnl-dev
need /usr/include/libxsmm.h libxsmm-dev
need /usr/include/eigen3/Eigen/Core libeigen3-dev
needed

generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_f32
generate "$root/tests/specs/gemm_f64.spec" gemm_f64

headers=("$here"/*.h)
shared="$c -fPIC -shared"
# library NAME SOURCE ARGUMENT...: lib_NAME.so of one source file.
library() {
    local name=$1 source=$here/$2
    shift 2
    # shellcheck disable=SC2086 # several words
    make "lib_$name.so" "${headers[@]}" "$source" -- $shared "$source" "$@" -o "lib_$name.so"
}
# shellcheck disable=SC2086 # several words
make lib_ours.so "${headers[@]}" "$here"/{lib_ours,pool}.c gemm_f32.o gemm_f64.o -- \
    $shared "-DOURS=\"$compiler${MIKGEN_FLAGS:+, mikgen $MIKGEN_FLAGS}\"" "$here"/{lib_ours,pool}.c gemm_f32.o gemm_f64.o -pthread -o lib_ours.so
library openblas lib_cblas.c -isystem "$include/openblas-pthread" -L"$lib/openblas-pthread" -lopenblas
library blis lib_cblas.c -DBLIS -isystem "$include/blis-pthread" -L"$lib/blis-pthread" -lblis
library onednn lib_onednn.c -fopenmp -ldnnl
library libxsmm lib_libxsmm.c -fopenmp -Wl,--exclude-libs,ALL -lxsmm -L"$lib/openblas-pthread" -lopenblas -lm -ldl -pthread
make lib_eigen.so "${headers[@]}" "$here/lib_eigen.cc" -- \
    g++ -std=c++14 -O3 -march=native -DNDEBUG -fopenmp -fPIC -shared -I"$here" -I/usr/include/eigen3 "$here/lib_eigen.cc" \
    -o lib_eigen.so

# program NAME SOURCE...
program() {
    local name=$1 sources
    shift
    sources=("${@/#/$here/}")
    # shellcheck disable=SC2086 # several words
    make "$name" "${headers[@]}" "${sources[@]}" machine.o -- $c "${sources[@]}" machine.o -ldl -lm -pthread -o "$name"
}
# shellcheck disable=SC2086 # several words
make machine.o "${headers[@]}" "$here/machine.c" -- \
    $c -march=native -ffp-contract=fast -c "$here/machine.c" -o machine.o
program gemm main.c measure.c peers.c pool.c race.c reference.c report.c shapes.c turns.c
program cold cold.c peers.c pool.c reference.c shapes.c
program core_types core_types.c peers.c pool.c reference.c
for type in f32 f64; do
    [ -e core_types_$type.sh ] || { ./core_types . $type >core_types.new && mv core_types.new core_types_$type.sh; }
done
