#!/usr/bin/env bash
# Searches replayed on spaces of nests that were measured whole: what they find must be as near to the best as it was. Nothing is timed.
#
#   replay.sh TUNE_REPLAY FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
replay=$1 folder=$2 root=$(cd "$(dirname "$0")/../.." && pwd)
# By the loader's own way: training is XGBoost's.
ldconfig -p | grep -q 'libxgboost\.so' || { echo "skipped: there is no libxgboost0"; exit 77; }
mkdir -p "$folder"
"$root/bench/tune.sh" search10 "$replay" | tee "$folder/table"
# Of the best: as planned, by the built-in model, by one of the other nests, by descent after 16, 32 and 64 measurements, then at random.
awk '
    $1 == "geomean" {
        seen = 1
        if ($3 < 1.03 * $2) { print "FAILED: the built-in model: " $3 " of the best, less than 1.03 times what is planned"; bad = 1 }
        if ($4 < 0.97 * $2) { print "FAILED: a model of other nests: " $4 " of the best, less than 0.97 times what is planned"; bad = 1 }
        if ($5 < 0.94) { print "FAILED: descent after 16 measurements: " $5 " of the best, less than 0.94"; bad = 1 }
        if ($7 < 0.985) { print "FAILED: descent after 64 measurements: " $7 " of the best, less than 0.985"; bad = 1 }
        if ($7 <= $10) { print "FAILED: after 64 measurements descent is no better than draws at random"; bad = 1 }
    }
    END { if (!seen) { print "FAILED: there is no mean"; bad = 1 } exit bad }' "$folder/table"
