#!/usr/bin/env bash
# What explanations say is what runs: of many drawn extents, operators and numbers of threads the text is compared with a trace of the same
# call, and of some calls data and picture, too.
#
#   explain_trace.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
mikgen=$1
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
cp "$here/explain_trace.spec" .
"$mikgen" --target=c --trace --output-dir=. explain_trace.spec
cc -std=c11 -O0 -w -I. "$here/explain_trace.c" explain_trace_dyn.c -lm -o calls
python3 "$here/explain_trace.py" calls >drawn
./calls <drawn >told
python3 "$here/explain_trace.py" check told

while read -r name threads m n k; do
    echo "$name $threads $m $n $k" | ./calls >one
    for format in json svg; do
        "$mikgen" --target=c --explain="$m,$n,$k" --threads="$threads" --format=$format explain_trace.spec >one.$format
    done
    python3 "$here/explain_trace.py" same one one.json one.svg
done <<'CALLS'
plain 1 3136 64 576
plain 4 1000 510 300
wide 1 30 20 10
repeated 3 200 170 60
CALLS
