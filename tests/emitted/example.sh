#!/usr/bin/env bash
# Compiles one example and what mikgen makes of its spec with a bare cc, as its first lines say, and runs it: vendoring works.
#
#   example.sh MIKGEN NAME FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") name=$2 out=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
# shellcheck disable=SC2046
"$mikgen" --target=c $(cat "$root/examples/$name/options" 2>/dev/null || true) --output-dir="$out" "$root/examples/$name/$name.spec"
"$mikgen" --emit=trace -o "$out/mikgen_trace.h"
cc -I"$out" "$root/examples/$name/main.c" "$out/${name}_dyn.c" -lm -o "$out/$name"
"$out/$name"
