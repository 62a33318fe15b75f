#!/usr/bin/env bash
# Spaces of nests: measured whole on this machine, and searches replayed on what was measured.
#
#   bench/tune.sh measure MIKGEN FOLDER [--isa=NAME]   every configuration of the nests of bench/shapes/tune.txt: FOLDER/NAME.csv.gz; an hour
#   bench/tune.sh quality MIKGEN [NEST...]             how soon descent is as good as 1000 random measurements; half an hour a nest
#   bench/tune.sh gain MIKGEN FOLDER [PATTERN]        what tuning gains over no profile on the operators of bench/shapes/nests.csv; an hour
#   bench/tune.sh search TUNE_REPLAY [FOLDER]          how near to the best searches come; default folder: bench/tune/spaces
#   bench/tune.sh search10 TUNE_REPLAY [FOLDER]        the same of the ten that are largest or hardest
#   bench/tune.sh classes TUNE_REPLAY [FOLDER]         what a configuration for each class of calls gains over one for all
#   bench/tune.sh fit TUNE_REPLAY [FOLDER]             the model of all of them, as text: tune/models/nests.trees is that of bench/tune/spaces
#
# TUNE_REPLAY: what `ninja tune_replay` builds. Columns are shares of the best speed that was measured: of what is planned; of what mikgen
# chooses with nothing measured, by the built-in model, which was fitted to all of these nests, and by a model of the other nests alone; of
# searches with that model after 16, 32 and 64 measurements.
# bench/results/tune.txt has the table of the spaces in bench/tune/spaces: gcc 12 -O2, AVX2, one core of an AMD Zen 3 that others use, too.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
what=$1 program=$(readlink -f "$2")
if [ "$what" = measure ]; then
    [ $# -ge 3 ] || { echo "bench/tune.sh measure MIKGEN FOLDER" >&2; exit 2; }
    folder=$3
    shift 3
    mkdir -p "$folder"
    grep -v '^#' "$root/bench/shapes/tune.txt" | while read -r name extents; do
        tr ' ' '\n' <<<"$extents" >"$folder/$name.shapes"
        "$program" tune --target=c --search=all "$@" --shapes="$folder/$name.shapes" --measurements="$folder/$name.csv" \
            "$root/bench/nests/specs/$name.spec" >"$folder/$name.profile" </dev/null
        gzip -9nf "$folder/$name.csv"
    done
    exit
fi
if [ "$what" = quality ]; then
    shift 2
    [ $# -gt 0 ] || set -- layernorm masked_softmax rmsnorm xent
    python3 "$root/bench/tune/quality.py" "$program" "$root" "${TRIALS-1000}" "$@"
    exit
fi
if [ "$what" = gain ]; then
    shift 2
    ulimit -s "$(ulimit -H -s)" # the specs' own intermediate arrays lie on the stack
    [ $# -gt 0 ] || { echo "bench/tune.sh gain MIKGEN FOLDER [PATTERN]" >&2; exit 2; }
    python3 "$root/bench/tune/gain.py" "$program" "$root" "$@"
    exit
fi
folder=${3-$root/bench/tune/spaces} tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
arguments=()
# The largest and the hardest first.
hard="layernorm masked_softmax rmsnorm xent colsum depthwise_nhwc dot_f32 relu_pool rowstats ew6"
for table in $(for name in $hard; do ls "$folder/$name.csv.gz" 2>/dev/null || true; done) "$folder"/*.csv.gz; do
    name=$(basename "$table" .csv.gz)
    [ ! -e "$tables/$name.csv" ] || continue
    gzip -dc "$table" >"$tables/$name.csv"
    arguments+=("$root/bench/nests/specs/$name.spec" "$tables/$name.csv")
done
if [ "$what" = fit ]; then
    printf '# How many times as fast as planned configurations of loop nests are expected to be (tune/nests/nest_model.h), on the machine of\n'
    printf '# bench/results/tune.txt: gcc 12 -O2, one core of an AMD Zen 3. bench/tune.sh fit build/tune_replay >tune/models/nests.trees\n'
fi
"$program" "$what" "${arguments[@]}"
