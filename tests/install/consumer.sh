#!/usr/bin/env bash
# A project of somebody else's (examples/consumers) is built with the installed mikgen, works, and is built anew after each change of what
# it depends on, and only then.
#
#   consumer.sh cmake|meson|make TREE FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
how=$1 tree=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/refuse.sh
. "$root/tests/refuse.sh"
mkdir -p "$3"
cd "$3"
rm -rf ./*
command -v "$how" >/dev/null || { echo "skipped: there is no $how"; exit 77; }
cp -r "$root/examples/consumers" .
cp -r "$tree" tree # whose mikgen will be touched
export PATH=$PWD/tree/bin:$PATH PKG_CONFIG_PATH=$PWD/tree/share/pkgconfig
few=--max-kernels=2

case $how in
cmake)
    configure() { cmake -S consumers/cmake -B built -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$PWD/tree" "-DLAYER_OPTIONS=$few;-DLAYER=(1 + 1)" "$@"; }
    build() { cmake --build built -v; }
    ;;
meson)
    configure() { meson setup built consumers/meson -Dbuildtype=debug -Dmikgen_options=$few; }
    build() { ninja -C built -v; }
    ;;
make)
    configure() { mkdir built; }
    build() { make -C built -f ../consumers/make/Makefile CFLAGS='-O0 -w' MIKGENFLAGS=$few; }
    ;;
esac
configure >log 2>&1 || { cat log; fail "configuring"; }

# made PATTERN...: building runs mikgen for the files that match these, and for no others.
made() {
    local pattern
    build >log 2>&1 || { cat log; fail "building"; }
    grep -oE 'mikgen --(target|depfile)=.*' log >runs || true
    [ "$(wc -l <runs)" = $# ] || { cat log; fail "mikgen runs for something else than: $*"; }
    for pattern; do
        grep -q -- "$pattern" runs || { cat log; fail "mikgen does not run for $pattern"; }
    done
}
engine=()
[ $how != cmake ] || engine=(emit=engine)
made 'output-dir.*/gemm.spec' 'output-dir.*/bias_relu.spec' "${engine[@]}"
built/layer >printed
printf '%4s%4s%4s%4s%4s\n' 1 14 11 15 0 1 15 6 11 0 0 10 16 22 0 | diff - printed || fail "the program prints something else"
[ $how != cmake ] || grep -qrF --include=gemm_dyn.c -- " '-DLAYER=(1 + 1)' " built || fail "OPTIONS of mikgen_generate lose a macro"
made
touch consumers/bias_relu.spec
made 'output-dir.*/bias_relu.spec' "${engine[@]}"
made
touch tree/bin/mikgen
made 'output-dir.*/gemm.spec' 'output-dir.*/bias_relu.spec' "${engine[@]}"
made
sed -i 's/: 0;/: -1;/' consumers/bias_relu.spec
made 'output-dir.*/bias_relu.spec' "${engine[@]}"
built/layer | grep -q -- '-1' || fail "a changed spec does not show"

# What CMake's function refuses, and profiles, which are inputs as well.
[ $how = cmake ] || exit 0
cp "$root"/tune/profiles/c_avx2.profile consumers/here.profile 2>/dev/null || cp "$(ls "$root"/tune/profiles/*.profile | head -1)" consumers/here.profile
sed -i 's/ENGINE shared/PROFILE ..\/here.profile PREFIX my_/' consumers/cmake/CMakeLists.txt
sed -i 's/gemm(M/my_gemm(M/; s/bias_relu(M/my_bias_relu(M/' consumers/layer.c
made 'output-dir.*/gemm.spec' 'output-dir.*/bias_relu.spec'
grep -q 'prefix=my_.*--profile=here.profile' built/mikgen/layer/gemm_dyn.c || fail "PREFIX and PROFILE are not in the banner"
touch consumers/here.profile
made 'output-dir.*/gemm.spec' 'output-dir.*/bias_relu.spec'
cp consumers/cmake/CMakeLists.txt right
mkdir consumers/inner
echo 'mikgen_generate(TARGET layer SPEC ../gemm.spec)' >consumers/inner/CMakeLists.txt
refused() {
    sed "s,mikgen_generate(.*,mikgen_generate($2)," right >consumers/cmake/CMakeLists.txt
    configure >log 2>&1 && fail "CMake takes $2"
    tr '\n' ' ' <log | tr -s ' ' | grep -qF "mikgen_generate: $1" || { cat log; fail "the message lacks '$1'"; }
}
refused "TARGET 'none' is no target" "TARGET none SPEC ../gemm.spec"
refused "there is no SPEC" "TARGET layer"
refused "there is no $PWD/consumers/gone.spec" "TARGET layer SPEC ../gone.spec"
refused "LANGUAGE 'fortran' is none: write c or cuda" "TARGET layer SPEC ../gemm.spec LANGUAGE fortran"
refused "the project has no CUDA compiler" "TARGET layer SPEC ../gemm.spec LANGUAGE cuda"
refused "ENGINE 'double' is none" "TARGET layer SPEC ../gemm.spec ENGINE double"
refused "layer belongs to $PWD/consumers/cmake: call mikgen_generate there" "TARGET layer SPEC ../gemm.spec)\nadd_subdirectory(../inner \${CMAKE_BINARY_DIR}/inner"
refused "'../b.spec' belongs to no argument" "TARGET layer PREFIX p ../b.spec SPEC ../gemm.spec"

# CUDA, where nvcc is: a library by the same function.
nvcc=$(command -v nvcc || compgen -G '/usr/local/cuda/bin/nvcc') || { echo "note: there is no nvcc"; exit 0; }
cat >consumers/cmake/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(device LANGUAGES CUDA)
find_package(mikgen REQUIRED)
add_library(device STATIC)
mikgen_generate(TARGET device SPEC ../bias_relu.spec LANGUAGE cuda)
END
rm -r built
configure -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=80 >log 2>&1 || { cat log; fail "configuring with CUDA"; }
made 'output-dir.*/bias_relu.spec'
[ -s built/libdevice.a ] && [ -s built/mikgen/device/bias_relu_dyn.cuh ] || fail "no library of CUDA"
