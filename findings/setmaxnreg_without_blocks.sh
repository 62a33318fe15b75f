#!/usr/bin/env bash
# ptxas drops setmaxnreg from a kernel with .maxntid but without .minnctapersm (__launch_bounds__ without its second argument), though 384
# threads at most leave 168 registers each. It says so in an info line (C7508, "unable to determine register count at entry") that -Werror
# does not see: the exit status is 0. Seen with ptxas of nvidia-cuda-nvcc-cu12 and of nvidia-cuda-nvcc, disassembled by
# nvidia-cuda-nvdisasm 13.4.92:
#
#   12.9.86: with 2 instructions, 0 lines said; without 0 instructions, 1 lines said
#   13.4.92: with 2 instructions, 0 lines said; without 0 instructions, 1 lines said
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
seen="12.9.86: with 2 instructions, 0 lines said; without 0 instructions, 1 lines said
13.4.92: with 2 instructions, 0 lines said; without 0 instructions, 1 lines said"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for wheel in nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvcc==13.4.92 nvidia-cuda-nvdisasm==13.4.92; do
    python3 -m pip download -q --no-deps -d . "$wheel"
    name=${wheel%==*}
    python3 -m zipfile -e "${name//-/_}-${wheel#*==}"-*.whl "$wheel"
done
chmod +x ./*/nvidia/*/bin/*
nvdisasm=$(echo nvidia-cuda-nvdisasm*/nvidia/*/bin/nvdisasm)

# $1: what bounds the blocks.
kernel() {
    cat <<END
.version 8.0
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out)
.maxntid 384, 1, 1
$1
{
    .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 128;
    @%p1 bra FEW;
    setmaxnreg.inc.sync.aligned.u32 232;
    bra STORE;
FEW:
    setmaxnreg.dec.sync.aligned.u32 40;
STORE:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r1;
    ret;
}
END
}
kernel ".minnctapersm 1" >with.ptx
kernel "" >without.ptx
for wheel in nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvcc==13.4.92; do
    for how in with without; do
        ptxas=$(echo "$wheel"/nvidia/*/bin/ptxas)
        "$ptxas" -arch=sm_90a -Werror $how.ptx -o $how.cubin >$how.said 2>&1 || { cat $how.said; exit 1; }
        "$nvdisasm" $how.cubin >$how.sass 2>nvdisasm.said
    done
    echo "${wheel#*==}: with $(grep -c SETMAXREG with.sass || true) instructions, $(grep -c C7508 with.said || true) lines said; without" \
        "$(grep -c SETMAXREG without.sass || true) instructions, $(grep -c C7508 without.said || true) lines said"
done >now
cat now
[ "$(cat now)" = "$seen" ] || { printf 'it has changed; seen before:\n%s\n' "$seen"; exit 1; }
