#!/usr/bin/env bash
# examples/topi/shapes.csv: at least 511 different cases of 27 operators, each operator in both forms, each case with
# its operator's parameters in order, the sizes that the lowered form has by default among the cases.
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
for op in $operators; do
    # "#ifndef N / #define N 1" in the lowered form; the suffix of a float's literal is C's business.
    default=$(sed -n '/^#ifndef/{n;s/^#define \([A-Z0-9_]*\) \([0-9.]*\)f*$/\1=\2/p}' "$op.lowered.c" | tr '\n' ' ')
    names=$(echo "$default" | sed 's/=[0-9.]*//g')
    found=no
    while read -r row; do
        [ "$(echo "$row" | tr a-z A-Z | sed 's/=[^ ]*//g;s/$/ /')" = "$names" ] || fail "$op: other parameters: $row"
        same=yes
        for pair in $row; do
            want=$(echo " $default" | sed -n "s/.* $(echo "${pair%%=*}" | tr a-z A-Z)=\([^ ]*\) .*/\1/p")
            awk -v a="${pair#*=}" -v b="$want" 'BEGIN { exit !(a + 0 == b + 0) }' || { same=no; break; }
        done
        [ $same = no ] || found=yes
    done < <(sed -n "s/^$op,//p" shapes.csv)
    [ $found = yes ] || fail "$op: the default sizes of the lowered form are not among the cases: $default"
done
[ $bad = 0 ]
echo "$rows cases of 27 operators"
