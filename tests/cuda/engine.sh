#!/usr/bin/env bash
# Every file of templates/engine/cuda compiles as it stands, given those that it includes, for both of the architectures.
#
#   engine.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_nvcc.sh"
mkdir -p "$1"
cd "$1"
failures=0
for arch in sm_80 sm_90a; do
    for file in "$root"/templates/engine/cuda/*.cuh; do
        echo "#include \"$file\"" >engine.cu
        "$nvcc" -std=c++17 "-arch=$arch" -Xcompiler -Wall,-Wextra -Werror all-warnings -c engine.cu -o engine.o >log 2>&1 || {
            echo "FAILED: $(basename "$file") for $arch"
            head -20 log
            failures=$((failures + 1))
        }
    done
done
[ "$failures" = 0 ] && echo "every file of the engine compiles by itself"
