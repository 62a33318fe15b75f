#!/usr/bin/env bash
# Whole models made of emitted files, against the runtimes that people use: onnxruntime, PyTorch (eager, compiled), OpenVINO.
#
#   bench/model.sh MIKGEN FOLDER PYTHON [OPTION...]
#
#   --only=PATTERN       models whose names match: bert, gpt2, llama, resnet18, mobilenet_v2; f32, bf16, int8, q8, q4
#   --calls=PATTERN      calls that match: T=16 P=0, or B=1 H=224 W=224
#   --peers=LIST         of onnxruntime,int8,torch,compile,openvino
#   --ggml=FOLDER        where libggml-base.so and libggml-cpu.so are, as ggml's CMake makes them: llama q4 and q8 as llama.cpp runs them
#   --threads=N          default 1
#   --rounds=N           turns of each candidate with a call; default 3
#   --seconds=S          of all turns of a candidate with a call; default 1
#
# A model is a list of calls of the operators of a spec in examples/, which leave out nothing: T tokens of BERT's encoder, T tokens of a
# decoder behind P that its cache has, B images. Each candidate is a process that loads weights (the same, random) and then takes
# turns with the others; milliseconds of a call are the least. Every output is compared with PyTorch's in float. load: importing the
# runtime, packing weights, making sessions; first call: of the first extents; memory: what the process has grown by when all calls are
# done; binaries: the file of ours, stripped, and the libraries of the others; error: the largest of all calls, as roots of mean squares, of
# outputs less the right ones and of these.
#
# int8: weights become signed bytes with a scale for each column, rows unsigned ones when they arrive. onnxruntime runs what its
# quantize_dynamic makes, PyTorch its quantize_dynamic, OpenVINO compressed weights with dynamic quantisation. ResNet-18's activations are
# bytes as well, with steps that two images of 128 x 128 have asked for: onnxruntime and OpenVINO get a model with nodes that round, as
# tools for quantisation leave it, PyTorch its operators of quantised tensors by oneDNN. q4, q8: weights of 4 and 8 bits in blocks of 32
# with a scale, rows in float. int8 (onnxruntime at accuracy level 4) and ggml round rows to eight bits ahead of products with these, which
# gives other results: they are printed, but are no peers.
#
# PYTHON has numpy, torch, and of onnxruntime with onnx and openvino what is to be measured. FOLDER gets
# everything that is made, with the chart model.svg. CC, CFLAGS and MIKGEN_FLAGS: how specs are compiled, by default gcc -std=c99 -O2.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
folder=$(cd "$2" && pwd) python=$3
shift 3
threads=1
for option in "$@"; do
    case $option in --threads=*) threads=${option#*=} ;; esac
done
last=$(($(nproc) - 1))
MIKGEN=$folder/mikgen exec taskset -c "$((last - threads + 1))-$last" "$python" "$root/bench/model/run.py" "$folder" "$python" "$@"
