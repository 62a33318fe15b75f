#!/usr/bin/env bash
# Generated convolutions on a GPU against cuDNN's: its implicit GEMM, and the fastest of its algorithms in NHWC and NCHW, each tried
# (legacy interface, cuDNN 9), in one process, in turns, timed by events; every result is checked. The shapes are those of MikPoly's
# table 4: layers of AlexNet, GoogLeNet, ResNet-18 and VGG-11 for 8 batches and 10 sizes of images.
#
#   bench/cuda_conv.sh MIKGEN FOLDER [OPTION...]
#
#   --network=NAME       only alexnet, googlenet, resnet18 or vgg11
#   --shape=N,H,W,C,K,R,S,stride,pad   this one instead; may come several times
#   --sample=N           so many shapes, spread evenly
#   --limit-seconds=S    as many of these as the time allows, spread evenly
#   --rounds=N           of which the median is taken; default 5
#   --tf32               cuDNN may shorten floats to 11 bits (for a spec generated so)
#   --check-only, --hot, --launch=plain, --worst=N, --csv=FILE, --patience=S, --from=N   as of bench/cuda.sh
#
# CONV_SPEC: the spec, default examples/conv2d/conv2d.spec; CONV: its operator, if it is not called conv2d; CONV_T and CONV_ELEMENT:
# its type, default float and F32, else "__half" and F16 or "__nv_bfloat16" and BF16; its parameters and layouts are that spec's.
# MIKGEN "-": FOLDER has the generated files. FOLDER gets everything that is made. For other variables see bench/cuda/build.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 2 ] || { sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
start=$PWD
mikgen=$1
[ "$mikgen" = - ] || mikgen=$(realpath "$1")
spec=$(realpath "${CONV_SPEC:-$root/examples/conv2d/conv2d.spec}")
mkdir -p "$2"
cd "$2"
shift 2
options=()
for option; do
    case $option in
    --csv=/*) options+=("$option") ;;
    --csv=*) options+=("--csv=$start/${option#*=}") ;;
    *) options+=("$option") ;;
    esac
done
# shellcheck source=bench/cuda/build.sh
. "$root/bench/cuda/build.sh"
use_library cudnn.h cudnn cudnn
generate "$spec" conv
of_conv=("-DCONV_HEADER=\"conv_dyn.cuh\"" "-DCONV=${CONV:-conv2d}" "-DCONV_T=${CONV_T:-float}" "-DCONV_ELEMENT=${CONV_ELEMENT:-F32}")
# shellcheck disable=SC2086,SC2154 # several words; set by use_library
{
    compiled conv
    common_objects
    object conv conv.cu "${of_conv[@]}"
    object conv_problem conv_problem.cu "${of_conv[@]}"
    object conv_names names.cu "${of_conv[@]}"
    object cudnn cudnn.cu $cudnn_flags
    make layers.o "$root"/bench/conv/layers.[ch] -- gcc -std=gnu11 -O2 -Wall -Wextra -Werror -c "$here/../conv/layers.c" -o layers.o
    link cuda_conv $cudnn_link -- conv conv_problem conv_names cudnn layers conv_dyn $common
}
[ "${1:-}" != --build ] || exit 0
exec ./cuda_conv --layers="$root/bench/shapes/cnn_layers.csv" "${options[@]}"
