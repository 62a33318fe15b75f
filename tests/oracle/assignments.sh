#!/usr/bin/env bash
# Every assignment of every type to every other against exact arithmetic: see assignments.py.
#
#   assignments.sh c|cuda MIKGEN FOLDER [LIBRARY]
#
#   c      compiled by gcc
#   cuda   compiled by nvcc and run on the simulated device of LIBRARY
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
target=$1 mikgen=$2 out=$3 library=${4-}
here=$(cd "$(dirname "$0")" && pwd)
if [ "$target" = cuda ]; then
    library=$(realpath "$library")
    # shellcheck source=tests/cuda/find_nvcc.sh
    . "$here/../cuda/find_nvcc.sh"
fi
mkdir -p "$out"
cd "$out"
python3 "$here/assignments.py" "$target" .
if [ "$target" = c ]; then
    "$mikgen" --target=c assignments.spec >assignments_dyn.c
    "$mikgen" --target=c --emit=header assignments.spec >assignments_dyn.h
    gcc -std=c99 -O1 -Wall -Wextra -Werror -c assignments_dyn.c
    gcc -std=c99 -O1 -Wall -Wextra -Werror -I. "$here/assignments.c" assignments_dyn.o -lm -o assignments
    ./assignments
else
    "$mikgen" --target=cuda assignments.spec >assignments_dyn.cu
    "$mikgen" --target=cuda --emit=header assignments.spec >assignments_dyn.cuh
    compile="$nvcc -std=c++17 -O1 -cudart none -no-compress -gencode arch=compute_80,code=compute_80 -I."
    $compile -c assignments_dyn.cu
    $compile -x cu -c "$here/assignments.c" -o assignments.o
    g++ assignments.o assignments_dyn.o "$library" -o assignments
    SIM_CC=80 ./assignments
fi
