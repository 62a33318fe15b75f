#!/usr/bin/env bash
# How many grids and products the CUDA target makes of operators that are written in several loops: of each no more than it needs.
#
#   launches.sh MIKGEN
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1")
cd "$(dirname "$0")/../.."
failures=0

# launches COUNT SPEC...: a product counts as one, whatever its plan, and so does a sum that many blocks share
launches() {
    local count=$1 name spec got
    shift
    for name in "$@"; do
        spec=bench/nests/specs/$name.spec
        [ -e "$spec" ] || spec=examples/models/$name.spec
        got=$("$mikgen" --target=cuda --dump-after=nests "$spec" | grep -cE '^ *(launch|contract) (group |attention )?#')
        [ "$got" = "$count" ] || { echo "FAILED: $name has $got launches, not $count"; failures=1; }
    done
}

launches 1 bias_gelu ew6 adam adamw softmax masked_softmax layernorm rmsnorm rowstats cross_entropy gemm_bias_gelu conv_bn_relu blur2 relu_pool qkv
launches 1 attention multi_head_attention causal_attention
launches 2 mean_var l2norm_cols gemm_res_ln bn_relu_gemm xent resnet_block swiglu cached_attention
launches 3 swiglu_block
launches 4 rmsnorm_rope_qkv
launches 7 bert_layer
exit $failures
