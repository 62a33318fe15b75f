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
# check SPEC [OPTION...]
check() {
    name=$(basename "$1" .spec)
    file=$out/${name}_dyn.cu
    "$mikgen" --target=cuda "$@" >"$file"
    if ! "$nvcc" -std=c++17 "-arch=$arch" -Xcompiler -Wall,-Wextra -Xptxas -v,-warn-spills,-Werror -Werror all-warnings \
        -c "$file" -o "$out/$name.o" >"$out/$name.log" 2>&1 || grep -q 'C75[0-9][0-9]' "$out/$name.log"; then
        echo "FAILED: $name for $arch"
        grep -v '^ptxas info' "$out/$name.log" | head -20
        failures=$((failures + 1))
    fi
}

# Every micro-kernel of every family, operands in place both ways round and gathered, an epilogue with a call.
for name in gemm gemm_f32 conv2d gemm_bias_gelu; do
    check "$root/examples/$name/$name.spec"
done
for name in gemm_nt gemm_f64 gemm_int8 conv1d_dilated; do
    check "$root/tests/specs/$name.spec"
done
# Several stages; loops; functions of libm, which C++ overloads. Here one kernel stands for all.
for name in mlp gemm_bf16; do
    check "$root/tests/specs/$name.spec" --max-kernels=1
done
# Loop nests: rows and columns by lanes, sums in two steps, tiles, several elements at a time, triangles.
for name in softmax layernorm max_pool; do
    check "$root/examples/$name/$name.spec"
done
for name in argmax transpose correlation jacobi_2d cholesky reductions; do
    check "$root/tests/specs/$name.spec" --max-kernels=1
done

[ "$failures" = 0 ] && echo "every operator compiles for $arch without warnings and spills"
