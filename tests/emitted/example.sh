#!/usr/bin/env bash
# Compiles one example from committed files only, with a bare cc, and runs it: vendoring works.
#
#   example.sh NAME FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
name=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
source=$root/generated/$name/${name}_dyn.c
[ -f "$source" ] || { echo "FAILED: generated/$name is not there"; exit 1; }
mkdir -p "$out"
cc "$root/examples/$name/main.c" "$source" -lm -o "$out/$name"
"$out/$name"
