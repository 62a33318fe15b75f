#!/usr/bin/env bash
# Generated convolutions against oneDNN's, forward inference in single precision without bias, on the layers of ResNet-18,
# VGG-11, GoogLeNet and AlexNet, in one process, interleaved layer by layer; every result is checked.
#
#   bench/conv.sh MIKGEN FOLDER [OPTION...]
#
#   --network=NAME       only alexnet, googlenet, resnet18 or vgg11
#   --batch=N,...        default 1,4
#   --threads=N          default 1
#   --seconds=S          what the turns of one layer should take, all columns together; default 0.5
#   --worst=N            how many of the lowest ratios are shown again at the end; default 20
#   --csv=FILE           the table, GFLOP/s
#   --type=bf16|u8s8     bf16 outputs of bf16, or int32 of unsigned by signed bytes, in NHWC; of the other options then --network, --batch
#                        (one) and --seconds alone. oneDNN's: with the filter as it is, reordered, and all arrays as it likes them
#   --lock=FILE          hold this file's lock, a minute at a time, while measuring: for several benches on one machine
#
# Columns are GFLOP/s of the best turn; in each of the layouts NHWC (filter RSCK) and NCHW (filter KCRS): ours, and oneDNN's
# direct convolution, what it chooses itself ("auto", "-" where that is the direct one), and the direct one with the filter in
# our layout ("plain"). Image and output are in the same layout for all; direct and auto have the filter reordered ahead of
# time to oneDNN's liking, which ours has not. Ratio is ours over the best of the three. Then ours with the filter prepacked
# ("packed") and oneDNN's with all three arrays in its own layouts ("blocked"), and the ratio of these; in NHWC also ours that may use
# Winograd's algorithm by tiles of 4 x 4 ("wino"), its filter prepacked, and its ratio. GFLOP/s count the direct algorithm's operations.
# FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh.
# Pin it: taskset -c 1 bench/conv.sh ..., with two threads taskset -c 0,1.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,27s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
out=$(cd "$2" && pwd)
shift 2
for option in "$@"; do
    case $option in --type=*)
        (
            cd "$out"
            # shellcheck source=bench/make.sh
            . "$root/bench/make.sh"
            need /usr/include/dnnl.h libdnnl-dev
            needed
            generate "$root/bench/conv/conv2d_narrow.spec" conv2d_narrow
            sources=("$root"/bench/conv/{layers,narrow_layers}.c)
            # shellcheck disable=SC2086 # several words
            make conv_narrow "$root"/bench/conv/*.h "${sources[@]}" conv2d_narrow.o -- $c "${sources[@]}" conv2d_narrow.o -ldnnl -lm -o conv_narrow
        )
        OMP_NUM_THREADS=1 exec "$out/conv_narrow" --layers="$root/bench/shapes/cnn_layers.csv" "$@"
        ;;
    esac
done
(
    cd "$out"
    # shellcheck source=bench/make.sh
    . "$root/bench/make.sh"
    need /usr/include/dnnl.h libdnnl-dev
    needed
    MIKGEN_FLAGS="${MIKGEN_FLAGS:-} --constant=filter"
    generate "$root/examples/conv2d/conv2d.spec" conv2d
    generate "$root/bench/conv/conv2d_nchw.spec" conv2d_nchw
    MIKGEN_FLAGS="$MIKGEN_FLAGS --allow-winograd=4 --prefix=winograd_"
    generate "$root/examples/conv2d/conv2d.spec" winograd_conv2d
    shared=("$root"/bench/gemm/{pool,race,reference,turns}.c)
    sources=("$root"/bench/conv/{layers,main,measure,onednn}.c)
    # shellcheck disable=SC2086 # several words
    make machine.o "$root"/bench/gemm/*.h "$root/bench/gemm/machine.c" -- \
        $c -march=native -ffp-contract=fast -c "$root/bench/gemm/machine.c" -o machine.o
    # shellcheck disable=SC2086 # several words
    make problem.o "$root"/bench/{gemm,conv}/*.h "$root/bench/conv/problem.c" -- \
        $c -O3 -march=native -c "$root/bench/conv/problem.c" -o problem.o
    # shellcheck disable=SC2086 # several words
    make conv "$root"/bench/{gemm,conv}/*.h "${sources[@]}" "${shared[@]}" machine.o problem.o conv2d.o conv2d_nchw.o winograd_conv2d.o -- \
        $c "${sources[@]}" "${shared[@]}" machine.o problem.o conv2d.o conv2d_nchw.o winograd_conv2d.o -ldnnl -lm -pthread -o conv
)
# As many threads as ours; their spinning ends soon after a call, so that it does not disturb the next column.
threads=1
for option in "$@"; do
    case $option in --threads=*) threads=${option#*=} ;; esac
done
export OMP_NUM_THREADS=$threads GOMP_SPINCOUNT=30000
exec "$out/conv" --layers="$root/bench/shapes/cnn_layers.csv" "$@"
