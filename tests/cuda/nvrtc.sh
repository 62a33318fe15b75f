#!/usr/bin/env bash
# Emitted CUDA compiles by NVRTC as it is, for its kernels, without a warning: NVRTC is a wheel of PyPI. Without pip or the network the test is
# skipped, as without the toolkit's headers of half and its like.
#
#   nvrtc.sh MIKGEN FOLDER PACKAGES
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
mikgen=$(realpath "$1") out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_nvcc.sh"
mkdir -p "$out" "$3"
wheel=nvidia-cuda-nvrtc==13.0.88 into=$(realpath "$3")/nvrtc-13.0.88
if [ ! -d "$into" ]; then
    rm -rf "$into.part"
    python3 -m pip install -q --disable-pip-version-check --no-deps --target "$into.part" $wheel >"$out/log" 2>&1 || skip "no $wheel: $(tail -1 "$out/log")"
    mv "$into.part" "$into"
fi
library=$(find "$into" -name 'libnvrtc.so.13')
headers=$(dirname "$(dirname "$(realpath "$nvcc")")")/include
cd "$out"
failures=0
# compiles SPEC ARCH [OPTION...]
compiles() {
    local spec=$1 arch=$2
    shift 2
    "$mikgen" --target=cuda --max-kernels=1 "$spec" >file.cu
    if ! python3 "$root/bench/cuda_toolkits/nvrtc.py" "$library" file.cu "$arch" "$@" >said 2>&1 || grep -q warning said || ! grep -q 'bytes of PTX' said; then
        echo "FAILED: $spec for $arch"
        head -20 said
        failures=$((failures + 1))
    fi
}
# Without any header; with that of half, and tensor maps; ragged batches, attention, groups.
compiles "$root/examples/gemm_f32/gemm_f32.spec" sm_80
compiles "$root/examples/gemm/gemm.spec" sm_90a "-I$headers"
compiles "$root/tests/simulator/attentions.spec" sm_80 "-I$headers"
compiles "$root/tests/simulator/experts.spec" sm_90a "-I$headers"
compiles "$root/tests/specs/sibling_products.spec" sm_86 "-I$headers"

# The check's check: a function of the host outside the guards is refused.
"$mikgen" --target=cuda "$root/examples/softmax/softmax.spec" >file.cu
echo 'int of_the_host(void) { return 1; }' >>file.cu
! python3 "$root/bench/cuda_toolkits/nvrtc.py" "$library" file.cu sm_80 >said 2>&1 || { echo "FAILED: NVRTC takes what it should not"; exit 1; }
[ "$failures" = 0 ] && echo "NVRTC takes emitted CUDA"
