#!/usr/bin/env bash
# Checks that mikgen makes of examples/ exactly what generated/ has, or brings it up to date: of four operators the files, of all others
# the SHA-256 of theirs.
#
#   generated.sh MIKGEN [--update]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1")
update=${2:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
# What is there to be read.
whole=(gemm_f32/gemm_f32_dyn.c gemm_f32/gemm_f32_dyn.h conv2d/conv2d_dyn.c conv2d/conv2d_dyn.h softmax/softmax_dyn.c softmax/softmax_dyn.h
    softmax/softmax_dyn.cu softmax/softmax_dyn.cuh gemm/gemm_dyn.cu gemm/gemm_dyn.cuh)

for spec in examples/*/*.spec; do
    name=$(basename "$spec" .spec)
    [ "$spec" = "examples/$name/$name.spec" ] || continue # examples/topi has its own tests
    mkdir -p "$fresh/all/$name"
    options=$(cat "examples/$name/options" 2>/dev/null || true)
    "$mikgen" --target=c $options "$spec" >"$fresh/all/$name/${name}_dyn.c"
    "$mikgen" --target=c $options --emit=header "$spec" >"$fresh/all/$name/${name}_dyn.h"
    "$mikgen" --target=cuda $options "$spec" >"$fresh/all/$name/${name}_dyn.cu"
    "$mikgen" --target=cuda $options --emit=header "$spec" >"$fresh/all/$name/${name}_dyn.cuh"
done
"$mikgen" --emit=trace >"$fresh/all/trace/mikgen_trace.h"

mkdir "$fresh/generated"
(cd "$fresh/all" && find . -type f | sed 's|^./||' | LC_ALL=C sort | xargs sha256sum) >"$fresh/generated/sha256.txt"
for file in "${whole[@]}"; do install -D -m 644 "$fresh/all/$file" "$fresh/generated/$file"; done

if [ "$update" = --update ]; then
    mkdir -p generated
    find generated -type f -delete
    cp -r "$fresh/generated/." generated/
    find generated -type d -empty -delete
    exit 0
fi
diff -r generated "$fresh/generated" | head -40
diff -rq generated "$fresh/generated" >/dev/null || { echo "FAILED: other text; if it is meant: tests/emitted/generated.sh build/mikgen --update"; exit 1; }
echo "$(wc -l <generated/sha256.txt) files as committed, ${#whole[@]} of them whole"
