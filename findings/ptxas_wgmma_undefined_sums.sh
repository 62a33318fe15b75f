#!/usr/bin/env bash
# ptxas 12.0 to 12.8 serialise all wgmma of a kernel (C7515) whose accumulators have no value before a loop in which the scale-d predicate,
# false in the first iteration, says to overwrite them: "non wgmma instructions defining accumulator registers", though the PTX has none.
# 12.9 does not. What helps is to put zeros into them ahead of the loop, or to give the first iteration code of its own. It is an info
# line, and the exit status is 0. Seen with the wheels of nvidia-cuda-nvcc-cu12:
#
#   12.4.131: predicate 1, zeroed 0, peeled 0
#   12.8.93: predicate 1, zeroed 0, peeled 0
#   12.9.86: predicate 0, zeroed 0, peeled 0
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
seen="12.4.131: predicate 1, zeroed 0, peeled 0
12.8.93: predicate 1, zeroed 0, peeled 0
12.9.86: predicate 0, zeroed 0, peeled 0"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for version in 12.4.131 12.8.93 12.9.86; do
    python3 -m pip download -q --no-deps -d . "nvidia-cuda-nvcc-cu12==$version"
    python3 -m zipfile -e nvidia_cuda_nvcc_cu12-"$version"-*.whl "$version"
    chmod +x "$version"/nvidia/cuda_nvcc/bin/ptxas
done

# One step: a group of one wgmma, m64n8k16, whose accumulators are f0 to f3; $1 is scale-d.
step() {
    echo "wgmma.fence.sync.aligned;"
    echo "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd2, %rd2, $1, 1, 1, 0, 0;"
    echo "wgmma.commit_group.sync.aligned;"
    echo "wgmma.wait_group.sync.aligned 1;"
}

# A kernel of `count` steps whose sums go to memory. $1: how sums begin.
kernel() {
    echo ".version 8.0"
    echo ".target sm_90a"
    echo ".address_size 64"
    echo ".visible .entry kernel(.param .u64 out, .param .u32 count)"
    echo "{"
    echo ".reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<4>;"
    echo ".shared .align 1024 .b8 tile[16384];"
    echo "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [count];"
    echo "mov.u32 %r2, tile; shr.u32 %r2, %r2, 4; cvt.u64.u32 %rd2, %r2;"
    echo "mov.u32 %r3, 0; setp.lt.s32 %p1, %r1, 1; @%p1 bra END;"
    [ "$1" != zeroed ] || echo "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;"
    if [ "$1" = peeled ]; then
        echo "setp.ne.s32 %p2, 0, 0;"
        step %p2
        echo "mov.u32 %r3, 1; setp.eq.s32 %p1, %r1, 1; @%p1 bra DONE;"
    fi
    echo "LOOP:"
    [ "$1" = peeled ] && echo "setp.eq.s32 %p2, 0, 0;" || echo "setp.ne.s32 %p2, %r3, 0;"
    step %p2
    echo "add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r1; @%p1 bra LOOP;"
    echo "DONE:"
    echo "wgmma.wait_group.sync.aligned 0;"
    echo "st.global.f32 [%rd1], %f0; st.global.f32 [%rd1+4], %f1; st.global.f32 [%rd1+8], %f2; st.global.f32 [%rd1+12], %f3;"
    echo "END: ret;"
    echo "}"
}

for version in 12.4.131 12.8.93 12.9.86; do
    line=$version:
    for how in predicate zeroed peeled; do
        kernel $how >kernel.ptx
        "$version"/nvidia/cuda_nvcc/bin/ptxas -arch=sm_90a kernel.ptx -o kernel.cubin >log 2>&1 || { cat log; exit 1; }
        line="$line $how $(grep -c C7515 log || true),"
    done
    echo "${line%,}"
done >now
cat now
[ "$(cat now)" = "$seen" ] || { printf 'it has changed; seen before:\n%s\n' "$seen"; exit 1; }
