#!/usr/bin/env bash
# A project with CMake that generates while it builds.
# By: docs/building.md, CMake
#
#   03_cmake.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
command -v cmake >/dev/null || { echo "skipped: there is no cmake"; exit 77; }
cp examples/gemv/gemv.spec .
export CMAKE_GENERATOR=Ninja # others need make
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C)
find_package(mikgen 0.1 REQUIRED)
add_executable(app main.c)
mikgen_generate(TARGET app SPEC gemv.spec PREFIX my_ OPTIONS --max-kernels=2)
target_link_libraries(app PRIVATE m)
END
printf '#include "gemv_dyn.h"\nint main(void) { return my_gemv_workspace(0, 3, 4) != 0; }\n' >main.c
cmake -S . -B built -DCMAKE_PREFIX_PATH="$3" -DCMAKE_BUILD_TYPE=Debug >log || { cat log; fail "configuring"; }
cmake --build built >>log || { cat log; fail "building"; }
built/app || fail "the program"
touch gemv.spec
cmake --build built >log
grep -q Generating log || fail "a changed spec is not generated again"
