#!/usr/bin/env bash
# The model in tune/models is what fitting to the spaces in bench/tune/spaces gives today. Nothing is timed.
#
#   fit.sh TUNE_REPLAY FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
replay=$1 folder=$2 root=$(cd "$(dirname "$0")/../.." && pwd)
committed=$root/tune/models/nests.trees
ldconfig -p | grep -q 'libxgboost\.so' || { echo "skipped: there is no libxgboost0"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: other processors round otherwise"; exit 77; }
mkdir -p "$folder"
"$root/bench/tune.sh" fit "$replay" >"$folder/nests.trees"
version() { sed -n 's/.*, \(XGBoost [0-9.]*\)$/\1/p' "$1"; }
[ -n "$(version "$committed")" ] || { echo "FAILED: $committed does not say which XGBoost made it"; exit 1; }
[ "$(version "$committed")" = "$(version "$folder/nests.trees")" ] ||
    { echo "skipped: this is $(version "$folder/nests.trees"), the model is by $(version "$committed")"; exit 77; }
diff "$committed" "$folder/nests.trees" >"$folder/diff" ||
    { head -20 "$folder/diff"; echo "FAILED: another model: bench/tune.sh fit $replay >tune/models/nests.trees"; exit 1; }
