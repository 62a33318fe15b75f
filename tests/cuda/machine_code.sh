#!/usr/bin/env bash
# Compiles the CUDA output for one architecture and reads what the assembler made of it: warnings, spilled
# registers, the C75xx remarks that it makes when it serialises tensor-core instructions, and the machine code
# itself (machine_code.c).
#
#   machine_code.sh ARCH MIKGEN MACHINE_CODE FOLDER [PART OF]      of the operators one in OF only, from number PART on
#
# ARCH: sm_80, whose PTX is also assembled for sm_86 and sm_89 and where the host's part is compiled too, or
# sm_90a.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
arch=$1 mikgen=$(realpath "$2") machine_code=$(realpath "$3") out=$4 part=${5:-0} of=${6:-1}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/./find_nvcc.sh"
ptxas=$(dirname "$(readlink -f "$nvcc")")/ptxas
mkdir -p "$out"
cd "$out"
failures=0 number=0
failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# compile NAME ARCH [OPTION...]: NAME.cu to NAME.cubin and NAME.ptx, and what was said to NAME.log
compile() {
    name=$1 for=$2
    shift 2
    "$nvcc" -std=c++17 "-arch=$for" -Xptxas -v "$@" -Werror all-warnings --keep --keep-dir . -cubin "$name.cu" \
        -o "$name.cubin" >"$name.log" 2>&1
}

# Whether the next operator is one of those that are asked for.
is_asked() {
    number=$((number + 1))
    [ $((number % of)) = "$part" ]
}

# check [ARCH] SPEC [OPTION...]
check() {
    local name assemble=
    is_asked || return 0
    name=$(basename "$1" .spec)
    case $1 in sm_*) assemble=$1; shift; name=$(basename "$1" .spec) ;; esac
    "$mikgen" --target=cuda "$@" >"$name.cu"
    awk -f "$here/kernels.awk" "$name.cu" >"$name.kernels"
    [ "$(wc -l <"$name.kernels")" = "$(grep -c '^mik_.*_sm[0-9a]*(' "$name.cu")" ] ||
        failed "kernels.awk does not read all kernels of $name.cu"
    [ -s "$name.kernels" ] || ! grep -q '^static const mik_variant ' "$name.cu" || failed "kernels.awk reads no kernel of $name.cu"
    if ! compile "$name" "$arch" -Xptxas -warn-spills,-Werror; then
        failed "$name for $arch"
        grep -v '^ptxas info\|bytes stack frame' "$name.log" | head -20
        # What it spills shall not hide the rest.
        compile "$name" "$arch" || return 0
    fi
    "$machine_code" check "$arch" "$name.cubin" "$name.ptx" "$name.log" "$name.kernels" bounds ||
        failed "$name for $arch"
    if [ -n "$assemble" ]; then
        if ! "$ptxas" "-arch=$assemble" -v -warn-spills -Werror "$name.ptx" -o "$name.cubin" >"$name.log" 2>&1 ||
            ! "$machine_code" check "$assemble" "$name.cubin" "$name.ptx" "$name.log" "$name.kernels" bounds; then
            failed "$name for $assemble"
            grep -v '^ptxas info\|bytes stack frame' "$name.log" | head -20
        fi
    fi
    case " $hosts " in *" $name "*) check_host "$name" ;; esac
}

# Of what is multiplied, whole tiles or any: the most integer instructions of an innermost loop that multiplies, and the most more for each
# copy, each load of matrices, each other load, and each access of global memory; the least part of its instructions that multiply. Pointers
# take two additions a copy, and what lies across chunks of 16 bytes is shifted; bytes across k are parted when they are loaded, factors split
# that tf32 does not hold, and floats of 8 bits become halves, without instructions for that before sm_89.
cat >bounds <<EOF
f16             26 2 0.5 0.5  0  0.05
f16_any        130 2 0.5 0.5  10 0
s8              26 2 2.5 0.5  0  0.05
s8_any         130 2 2.5 0.5  10 0
tf32            26 2 6   3    0  0.05
tf32_any       190 2 16  4    0  0
e4m3            26 2 74  2    0  0.01
e4m3_any       650 2 16  2    0  0
e5m2            26 2 44  2    0  0.01
e5m2_any       500 2 16  2    0  0
3xtf32          26 2 16  4    0  0.05
3xtf32_any     190 2 16  4    0  0
f64             20 2 0   0.25 0  0.08
f64_any        150 2 0   0.25 0  0
scalar          40 2 0   0    0  0.45
scalar_large    40 2 0   0    0  0.88
scalar_any     400 0 0   0    0  0.1
faulty           8 0 0   0    0  0.4
EOF

# Host code is the same for every device, so that of these is compiled once.
hosts=
[ "$arch" != sm_80 ] || hosts="gemm_bf16 conv2d mlp correlation softmax"
check_host() {
    "$nvcc" -std=c++17 -arch=sm_80 -Xcompiler -Wall,-Wextra -Werror all-warnings -c "$1.cu" -o "$1.o" \
        >"$1.log" 2>&1 ||
        { failed "$1's host code"; head -20 "$1.log"; }
}

# The test's test: a spill, a serialised wgmma, and promises that are not kept must be seen.
cp "$here/faulty.cu" faulty.cu
compile faulty "$arch" || failed "faulty.cu does not compile"
"$machine_code" list faulty.cubin >faulty.txt
grep -q ' LDL ' faulty.txt && grep -q ' STL ' faulty.txt || failed "no spill is seen"
must_see() { # MESSAGE KERNEL THREADS BLOCKS SHARED PRODUCT COPIES FENCES STORES FLIGHT LOOPS
    local message=$1
    shift
    echo "$*" >faulty.kernels
    if "$machine_code" check "$arch" faulty.cubin faulty.ptx faulty.log faulty.kernels bounds >faulty.txt ||
        ! grep -q "^$1: .*$message" faulty.txt; then
        failed "not seen: $message"
        cat faulty.txt
    fi
}
printf '%s\n' "plain 256 1 16384 scalar any 0 any 0 -" "counted 256 1 0 scalar any 1 any 0 -" \
    "looping 256 1 0 scalar any 0 any 0 faulty" >faulty.kernels
"$machine_code" check "$arch" faulty.cubin faulty.ptx faulty.log faulty.kernels bounds >faulty.txt || true
grep '^plain:\|^counted:\|^looping:' faulty.txt && failed "good kernels are not accepted"
must_see "uses local memory" spilling 256 1 0 scalar any 0 any 0 -
must_see "should multiply by mma" plain 256 1 0 mma any 0 any 0 -
must_see "0 of 0 asynchronous copies" plain 256 1 0 scalar async 0 any 0 -
must_see "0 of 1 asynchronous copies" narrow 256 1 0 scalar async 0 any 0 -
must_see "none of its 1 asynchronous copies" narrow 256 1 0 scalar ring 0 any 0 -
must_see "16384 bytes are on their way to 2 blocks" shallow 256 2 8192 scalar ring 0 any 65536 -
must_see "no tensor copies" plain 256 1 0 scalar tma 0 any 0 -
must_see "0 of 0 stores into other blocks" plain 256 1 0 scalar split 0 any 0 -
must_see "0 of 0 asynchronous copies" plain 256 1 0 scalar gather 0 any 0 -
must_see "9 blocks should live" plain 256 9 1024 scalar any 0 any 0 -
must_see "8 blocks should live" wide 256 8 1024 scalar any 0 any 0 -
must_see "not in the cubin" absent 256 1 0 scalar any 0 any 0 -
must_see "a fence in the loop around" fenced 256 1 0 scalar any 1 any 0 -
must_see "a fence in a loop without a counter" published 256 1 0 scalar any 1 any 0 -
must_see "0 fences, should be 1" plain 256 1 16384 scalar any 1 any 0 -
must_see "1 stores of 16 bytes, but 0 in the PTX" plain 256 1 16384 scalar any 0 wide 0 -
must_see "no tensor stores" plain 256 1 16384 scalar any 0 boxes 0 -
must_see "integer instructions, should be" clamping 256 1 0 scalar any 0 any 0 faulty
must_see "instructions multiply in the loop around" clamping 256 1 0 scalar any 0 any 0 faulty
must_see "no loop that multiplies" plain 256 1 16384 scalar any 0 any 0 faulty
[ "$arch" = sm_80 ] || must_see "asks a clamp" asking 256 1 0 scalar any 0 any 0 -
[ "$arch" = sm_80 ] || must_see "0 instructions USETMAXREG, but 2 setmaxnreg" unbounded 384 1 0 scalar any 0 any 0 -
sed 's/^\(.*\)cp.async.ca.*/&\n mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {};/' faulty.ptx >faulty.more
mv faulty.more faulty.ptx
must_see "0 instructions HMMA, but 1" narrow 256 1 0 scalar any 0 any 0 -

# Every micro-kernel of every family, operands in place both ways round and gathered, an epilogue with a call; of
# the families that are spelled like another, some kernels of each form. Several stages; loops; functions of libm,
# which C++ overloads.
case $arch in
sm_80)
    check sm_86 "$root/examples/gemm/gemm.spec"
    check "$root/tests/specs/gemm_int8.spec" --max-kernels=4
    check sm_89 "$root/examples/gemm_f32/gemm_f32.spec"
    check "$root/examples/gemm_f32/gemm_f32.spec" --allow-3xtf32 --max-kernels=2
    check "$root/examples/conv2d/conv2d.spec"
    check "$root/examples/gemm_bias_gelu/gemm_bias_gelu.spec"
    check "$root/tests/specs/gemm_f64.spec" --max-kernels=3
    check "$root/tests/specs/gemm_bf16.spec" --max-kernels=1
    check "$root/tests/specs/gemm_fp8.spec" --max-kernels=1
    for name in gemm_nt conv1d_dilated conv2d_f16 mlp correlation; do
        check "$root/tests/specs/$name.spec" --max-kernels=1
    done
    check "$root/tests/specs/device_codes.spec" --max-kernels=1
    check "$root/examples/softmax/softmax.spec"
    # Loop nests: rows and columns by lanes, places, sums in two steps, tiles, triangles.
    for name in reductions argmax transpose cholesky jacobi_2d; do
        check "$root/tests/specs/$name.spec"
    done
    ;;
*)
    check "$root/examples/gemm/gemm.spec"
    check "$root/tests/specs/gemm_int8.spec" --max-kernels=2
    check "$root/examples/gemm_f32/gemm_f32.spec"
    check "$root/tests/specs/gemm_nt.spec" --allow-tf32 --max-kernels=2
    check "$root/tests/specs/gemm_fp8.spec" --max-kernels=1
    check "$root/tests/specs/gemm_bf16.spec" --max-kernels=1
    # What threads gather for warpgroups, as the first factor and as the second.
    check "$root/tests/specs/conv2d_f16.spec" --max-kernels=6
    check "$root/tests/specs/gathered_halves.spec" --max-kernels=3
    check "$root/tests/specs/conv2d_int8.spec" --max-kernels=1
    # One file for what is newer, too, warpgroups' instructions left out.
    if is_asked; then
        "$mikgen" --target=cuda --max-kernels=1 "$root/examples/gemm/gemm.spec" >newer.cu
        compile newer sm_100a && compile newer sm_120a || { failed "newer architectures"; head -20 newer.log; }
    fi
    ;;
esac

[ "$failures" = 0 ] && echo "the machine code for $arch is as it should be"
