#!/usr/bin/env bash
# Compiles the kernels with seeded bugs, links them with libsimulator and runs them: a table of what is seen.
#
#   bugs.sh LIBRARY FOLDER [FAMILY [NUMBER]]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
library=$(realpath "$1") out=$2
here=$(cd "$(dirname "$0")" && pwd)
shift 2
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../cuda/find_nvcc.sh"
include=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
mkdir -p "$out"
cd "$out"

compile() { # FAMILY ARCH
    "$nvcc" -std=c++17 -O2 -cudart none -no-compress -gencode "arch=compute_$2,code=compute_$2" \
        -c "$here/$1.cu" -o "$1.o"
}
(compile bugs_wgmma 90a && compile bugs_split 80) &
first=$!
compile bugs_mma 80
compile bugs_simt 80
compile bugs_warp 80
compile bugs_row 80
compile bugs_codes 80
compile bugs_cluster 90a
compile bugs_exchange 90a
compile bugs_width 90a
compile bugs_turns 90a
compile bugs_beside 90a
compile bugs_gather 90a
compile bugs_dependent 90
for name in bugs bugs_gemm; do
    gcc -std=c11 -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Werror -isystem "$include" -I"$here/.." \
        -c "$here/$name.c" -o "$name.o"
done
wait "$first"
g++ ./*.o "$library" -lm -o bugs
./bugs "$@"
