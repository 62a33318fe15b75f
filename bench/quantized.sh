#!/usr/bin/env bash
# Products of weights in four bits (blocks of 32 and a scale of 16 bits, Q4_0) that were prepacked, against onnxruntime's MatMulNBits and
# against a loop that only reads the packed bytes; one process, turn by turn; every result is checked. Before that AWQ's and GPTQ's weights
# (words of eight codes, groups of 128, zero points), prepacked and as they are.
#
#   bench/quantized.sh MIKGEN FOLDER PYTHON [TURNS]
#
# Columns are milliseconds of the best turn. Weights are as many copies as exceed the last cache by far, one after the other, so that each call
# finds them in memory, as a model does that is larger than the caches. read: ours over the loop that reads, of the bandwidth it reaches. int8:
# onnxruntime with rows rounded to 8 bits (accuracy level 4), which is another result. PYTHON has numpy, onnxruntime and onnx; peers that
# are not there are left out. FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh. One thread: pin it.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
out=$(cd "$2" && pwd) python=$3
shift 3
(
    cd "$out"
    # shellcheck source=bench/make.sh
    . "$root/bench/make.sh"
    options=${MIKGEN_FLAGS:-}
    MIKGEN_FLAGS="$options --constant=q --constant=d"
    generate "$root/bench/nests/specs/gemm_q4_0.spec" gemm_q4_0
    MIKGEN_FLAGS="$options --constant=q --constant=z --constant=s"
    for name in gemm_awq gemm_gptq; do
        generate "$root/bench/quantized/$name.spec" $name
    done
    # shellcheck disable=SC2086 # several words
    make libwords.so gemm_awq.o gemm_gptq.o -- $c -fPIC -shared gemm_awq.o gemm_gptq.o -lm -o libwords.so
    # shellcheck disable=SC2086 # several words
    make libquantized.so "$root/bench/quantized/read.c" gemm_q4_0.o -- $c -fPIC -shared "$root/bench/quantized/read.c" gemm_q4_0.o -lm -o libquantized.so
)
"$python" "$root/bench/quantized/words.py" "$out/libwords.so"
exec "$python" "$root/bench/quantized/run.py" "$out/libquantized.so" "$@"
