#!/usr/bin/env bash
# Compiles the CUDA output for one architecture and reads what the assembler says about it: no spilled
# registers, and none of the C75xx remarks that it makes when it serialises tensor-core instructions.
#
#   nvcc.sh ARCH MIKGEN FOLDER
set -eu
arch=$1 mikgen=$2 out=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ -x /usr/local/cuda/bin/nvcc ] && nvcc=/usr/local/cuda/bin/nvcc; }
[ -n "$nvcc" ] || { echo "skipped: nvcc is not installed"; exit 77; }
mkdir -p "$out"

failures=0
for spec in "$root"/examples/*/*.spec; do
    name=$(basename "$spec" .spec)
    file=$out/${name}_dyn.cu
    "$mikgen" --target=cuda "$spec" >"$file"
    if ! "$nvcc" -std=c++17 "-arch=$arch" -Xptxas -v,-warn-spills,-Werror -Werror all-warnings \
        -c "$file" -o "$out/$name.o" >"$out/$name.log" 2>&1 || grep -q 'C75[0-9][0-9]' "$out/$name.log"; then
        echo "FAILED: $name for $arch"
        grep -v '^ptxas info' "$out/$name.log" | head -20
        failures=$((failures + 1))
    fi
done
[ "$failures" = 0 ] && echo "every example compiles for $arch without spills"
