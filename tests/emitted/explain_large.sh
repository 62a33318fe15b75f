#!/usr/bin/env bash
# What explanations and plans of calls take does not grow with extents: thousands of both, of all sizes that integers have, within a time of
# a processor in which a single loop over such an extent would not come to its end.
#
#   explain_large.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
cp "$here/explain_large.spec" .
"$mikgen" --target=c --max-kernels=8 --output-dir=. explain_large.spec
cc -std=c11 -O1 -w -I. "$here/explain_large.c" explain_large_dyn.c -lm -o large
(ulimit -t 20 && ./large >bytes) || { echo "FAILED: status $? of explanations within 20 seconds"; exit 1; }
