#!/usr/bin/env bash
# What classes of calls gain on spaces of nests that were measured whole: as much as when these classes were settled. Nothing is timed.
#
#   classes.sh TUNE_REPLAY FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
replay=$1 folder=$2 root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
"$root/bench/tune.sh" classes "$replay" | tee "$folder/table"
# Of classes, of all shapes, of 64 configurations: none may lose, or gain less than is worth a line.
awk '
    $1 == "geomean" {
        seen = 1
        if ($2 < 1.025 || $3 < 1.02) { print "FAILED: classes gain " $2 " and " $3 ", less than 1.025 and 1.02"; bad = 1 }
    }
    NR > 1 && !seen {
        for (i = 4; i < NF - 1; i++)
            if ($i != "-" && $i != "1.000" && $i < 1.02) { print "FAILED: " $0; bad = 1 }
        if ($(NF - 1) < 1) { print "FAILED: classes lose: " $0; bad = 1 }
    }
    / of .* have lines for classes/ && $1 < 10 { print "FAILED: " $0; bad = 1 }
    END { if (!seen) { print "FAILED: there is no mean"; bad = 1 } exit bad }' "$folder/table"
