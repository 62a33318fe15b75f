#!/usr/bin/env bash
# Compiles one of unit/*.cu with nvcc, links it with the library and runs it.
#
#   unit.sh LIBRARY FOLDER FILE.cu ARCH...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
library=$(realpath "$1") out=$2 source=$(realpath "$3") name=$(basename "$3" .cu)
shift 3
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cuda/find_nvcc.sh"
here=$(cd "$(dirname "$0")" && pwd)
targets=()
for arch in "$@"; do targets+=(-gencode "arch=compute_$arch,code=compute_$arch"); done
mkdir -p "$out"
"$nvcc" -std=c++17 -O2 -cudart none -no-compress "${targets[@]}" -Werror all-warnings -I"$here" -c "$source" -o "$out/$name.o"
g++ "$out/$name.o" "$library" -lm -o "$out/$name"
"$out/$name"
