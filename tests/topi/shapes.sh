#!/usr/bin/env bash
# examples/topi/shapes.csv: at least 511 different cases of 27 operators, each operator in both forms, each case with
# its operator's parameters in order, the sizes that the lowered form has by default among the cases.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/../../examples/topi"
bad=0
fail() { echo "$*"; bad=1; }

[ "$(sed -n 1p shapes.csv)" = op,parameters ] || fail "shapes.csv: the first line is not op,parameters"
rows=$(sed 1d shapes.csv | sort -u | wc -l)
[ "$rows" = "$(sed 1d shapes.csv | wc -l)" ] || fail "shapes.csv repeats a row:" "$(sed 1d shapes.csv | sort | uniq -d)"
[ "$rows" -ge 511 ] || fail "shapes.csv has only $rows rows"
operators=$(sed 1d shapes.csv | cut -d, -f1 | sort -u)
[ "$(echo "$operators" | wc -l)" = 27 ] || fail "shapes.csv has other than 27 operators"
[ "$operators" = "$(for f in *.spec; do echo "${f%.spec}"; done | sort)" ] || fail "shapes.csv and the specs differ"
[ "$operators" = "$(for f in *.lowered.c; do echo "${f%.lowered.c}"; done | sort)" ] ||
    fail "shapes.csv and the lowered forms differ"

# A lowered form says "#ifndef N", "#define N 1". The suffix of a float's literal is C's business.
# shellcheck disable=SC2086 # one file each
awk -F, '
    FILENAME != "shapes.csv" && FNR == 1 { op = FILENAME; sub(/\.lowered\.c$/, "", op) }
    FILENAME != "shapes.csv" && previous == "#ifndef" {
        split($0, word, " ")
        sub(/f$/, "", word[3])
        names[op] = names[op] " " word[2]
        sizes[op] = sizes[op] " " word[3] + 0
    }
    FILENAME != "shapes.csv" { previous = substr($0, 1, 7); next }
    FNR > 1 {
        n = split($2, pair, " ")
        row_names = row = ""
        for (i = 1; i <= n; i++) {
            split(pair[i], side, "=")
            row_names = row_names " " toupper(side[1])
            row = row " " side[2] + 0
        }
        if (row_names != names[$1]) { print $1 ": other parameters: " $2; bad = 1 }
        if (row == sizes[$1]) found[$1] = 1
    }
    END {
        for (op in names)
            if (!(op in found)) { print op ": no case has the default sizes of the lowered form"; bad = 1 }
        exit bad
    }' $(for op in $operators; do echo "$op.lowered.c"; done) shapes.csv || bad=1
[ $bad = 0 ]
echo "$rows cases of 27 operators"
