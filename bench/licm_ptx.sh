#!/usr/bin/env bash
# What --keep-loops is worth on a GPU, as far as the compiler's output tells: PTX instructions in the innermost loop
# and in all, registers and spills of every kernel of bench/licm/cuda, as it is, by default, and with the sums taken apart that the default
# leaves to nvcc (--overflow=wrap), after some settings of the passes.
#
#   bench/licm_ptx.sh MIKGEN FOLDER
#
# FOLDER gets everything that is made, and licm_ptx.csv. NVCC: the compiler (default: nvcc, else CUDA's usual place).
# Where nvidia-smi finds a GPU, the kernels are timed too, with --fmad=false so that their results can be compared.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$(readlink -f "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
has_gpu=0
if nvidia-smi -L >/dev/null 2>&1; then has_gpu=1; fi
cd "$out"

# variant KERNEL NAME: its text.
variant() {
    local input=$root/bench/licm/cuda/$1.cu
    case $2 in
    before) cat "$input" ;;
    default) "$mikgen" --keep-loops "$input" ;;
    halide) "$mikgen" --keep-loops --overflow=wrap --licm=halide --unroll-limit=0 "$input" ;;
    full_T0) "$mikgen" --keep-loops --overflow=wrap --unroll-limit=0 "$input" ;;
    full_T4) "$mikgen" --keep-loops --overflow=wrap --unroll-limit=4 "$input" ;;
    legal_T0) "$mikgen" --keep-loops --overflow=wrap --unroll-limit=0 --licm-barrier=legal "$input" ;;
    esac
}

# counts FILE ARCH: innermost,total,registers,spill bytes
counts() {
    local used
    "$nvcc" -arch="compute_$2" -ptx "$1" -o kernel.ptx
    used=$("$nvcc" -arch="sm_$2" -cubin -Xptxas -v "$1" -o kernel.cubin 2>&1)
    echo "$(awk -f "$root/bench/licm/ptx_loops.awk" kernel.ptx | tr ' ' ','),$(
        sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' <<<"$used"),$(
        sed -n 's/.*, \([0-9]*\) bytes spill stores, \([0-9]*\) bytes spill loads.*/\1 \2/p' <<<"$used" |
            awk '{ print $1 + $2 }')"
}

# microseconds KERNEL FILE: of a GPU that is here; nothing otherwise. checksum keeps what the input computed.
checksum=
microseconds() {
    [ $has_gpu = 1 ] || return 0
    "$nvcc" -O3 -arch=native --fmad=false -DKERNEL_FILE="\"$out/$2\"" -DKERNEL="$1" "$root/bench/licm/time_kernel.cu" -o kernel
    ./kernel >kernel.out
    : "${checksum:=$(cut -d' ' -f2 kernel.out)}"
    [ "$(cut -d' ' -f2 kernel.out)" = "$checksum" ] || { echo "$2: the result differs" >&2; exit 1; }
    time=$(cut -d' ' -f1 kernel.out)
}

{
    echo "# bench/licm_ptx.sh MIKGEN FOLDER; $("$nvcc" --version | sed -n 's/.*\(release [0-9.]*, V[0-9.]*\).*/nvcc \1/p')"
    if [ $has_gpu = 1 ]; then echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"; fi
    echo "kernel,variant,arch,innermost,total,registers,spill_bytes,microseconds"
    for input in "$root"/bench/licm/cuda/*.cu; do
        kernel=$(basename "$input" .cu) checksum=
        for name in before default halide full_T0 full_T4 legal_T0; do
            variant "$kernel" $name >"$kernel.$name.cu"
            time=
            microseconds "$kernel" "$kernel.$name.cu"
            for arch in 80 90; do echo "$kernel,$name,sm_$arch,$(counts "$kernel.$name.cu" $arch),$time"; done
        done
    done
} >licm_ptx.csv
[ $has_gpu = 1 ] || echo "no GPU here: nothing was timed"
awk -f "$root/bench/licm/ptx_summary.awk" licm_ptx.csv
