#!/usr/bin/env bash
# Checks that generated/ holds exactly what mikgen makes from examples/, or brings it up to date.
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

for spec in examples/*/*.spec; do
    name=$(basename "$spec" .spec)
    [ "$spec" = "examples/$name/$name.spec" ] || continue # examples/topi is not vendored
    mkdir -p "$fresh/$name"
    options=$(cat "examples/$name/options" 2>/dev/null || true)
    "$mikgen" --target=c $options "$spec" >"$fresh/$name/${name}_dyn.c"
    "$mikgen" --target=c $options --emit=header "$spec" >"$fresh/$name/${name}_dyn.h"
    "$mikgen" --target=cuda $options "$spec" >"$fresh/$name/${name}_dyn.cu"
    "$mikgen" --target=cuda $options --emit=header "$spec" >"$fresh/$name/${name}_dyn.cuh"
done
"$mikgen" --emit=trace >"$fresh/trace/mikgen_trace.h"

if [ "$update" = --update ]; then
    mkdir -p generated
    find generated -type f -delete
    cp -r "$fresh/." generated/
    exit 0
fi
diff -rq generated "$fresh" || { echo "run: tests/emitted/generated.sh build/mikgen --update"; exit 1; }
echo "$(find generated -type f | wc -l) files as committed"
