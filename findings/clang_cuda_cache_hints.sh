#!/usr/bin/env bash
# clang 19 as CUDA compiler has __ldg, but none of __ldca, __ldcg, __ldcs, __ldcv, __ldlu, __stcg, __stcs, __stwb and __stwt, with the headers
# of CUDA 12.4: a header of its own, with __ldg alone, takes the place of the one that declares them. "ld.global.cg.f32" in asm works. Seen with
# clang 19.1.7 and the wheels of nvidia-cuda-runtime-cu12, nvidia-cuda-nvcc-cu12 and nvidia-cuda-cccl-cu12:
#
#   found: __ldg asm
#   missing: __ldca __ldcg __ldcs __ldcv __ldlu __stcg __stcs __stwb __stwt
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
seen="found: __ldg asm
missing: __ldca __ldcg __ldcs __ldcv __ldlu __stcg __stcs __stwb __stwt"
command -v clang++-19 >/dev/null || { echo "apt install clang-19"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for wheel in nvidia-cuda-runtime-cu12==12.4.127 nvidia-cuda-nvcc-cu12==12.4.131 nvidia-cuda-cccl-cu12==12.4.127.post1; do
    python3 -m pip download -q --no-deps -d . "$wheel"
done
mkdir cuda
for wheel in *.whl; do
    python3 -m zipfile -e "$wheel" all
done
cp -r all/nvidia/*/bin all/nvidia/*/include all/nvidia/*/nvvm cuda/
chmod +x cuda/bin/*

compiles() {
    printf '__global__ void kernel(float *x) { %s }\n' "$1" >kernel.cu
    clang++-19 -x cuda --cuda-gpu-arch=sm_80 --cuda-path=cuda -nocudalib --cuda-device-only -S kernel.cu -o kernel.ptx >log 2>&1
}
compiles 'x[0] = 1;' || { cat log; exit 1; }
found="found:" missing="missing:"
for name in __ldg __ldca __ldcg __ldcs __ldcv __ldlu __stcg __stcs __stwb __stwt asm; do
    case $name in
    __ld*) body="x[1] = $name(x);" ;;
    __st*) body="$name(x, 1.0f);" ;;
    asm) body='asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x[1]) : "l"(x) : "memory");' ;;
    esac
    if compiles "$body"; then found="$found $name"; else missing="$missing $name"; fi
done
printf '%s\n%s\n' "$found" "$missing" >now
cat now
[ "$(cat now)" = "$seen" ] || { printf 'it has changed; seen before:\n%s\n' "$seen"; exit 1; }
