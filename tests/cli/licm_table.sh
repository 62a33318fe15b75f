#!/usr/bin/env bash
# --keep-loops --explain-licm over a tree: the table, as text and as data, with a file in it that does not compile.
#
#   licm_table.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf ./*
. "$root/tests/refuse.sh"

mkdir -p tree/below empty
cat >tree/pad.c <<'END'
void pad(const float *A, float *restrict C, int n, int d)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            C[j * n + i] = 3 < i && j < n ? A[j] : 0.0f;
            if (i > 2)
                C[i] += (n * j) / d;
        }
}
END
echo 'void fill(float *x, int n) { for (int i = 0; i < 8; i++) x[i] = n; }' >tree/below/fill.c
echo 'void wrong(float *x, int n) { for (int i = 0; i < n; i++) x[i] = y; }' >tree/wrong.c
echo 'no source' >tree/README

"$mikgen" --keep-loops --explain-licm tree >table 2>message
diff -u - table <<'END' || fail "the table"
loop                                     function                 depth moved stayed  what would change most
tree/below/fill.c:1                      fill                         1     1      0  -
tree/pad.c:3                             pad                          1     0      0  -
tree/pad.c:4                             pad                          2     1      5  step (2 expressions)

3 loops in 3 files; 1 of these does not compile with these options
    2 expressions, cost x depth      4: further out it would be done in unsigned, and compilers would no longer see what each trip adds to it (step)
    2 expressions, cost x depth      4: it may fault (division, shift, load), and further out it would be evaluated where the source does not (traps)
    1 expression,  cost x depth      2: a load, and loads do not move (--licm-loads=proven moves those that are proven safe) (loads)
END
grep -q "tree/wrong.c:1:.*'y' is not declared" message || fail "the file that does not compile has no message"
"$mikgen" --keep-loops --explain-licm --format=json tree/pad.c tree/below/fill.c >table.json
python3 - <<'END' || fail "the data"
import json
table = json.load(open("table.json"))
assert table["files"] == 2 and table["not_compiling"] == 0 and len(table["loops"]) == 3, table
assert [reason["reason"] for reason in table["reasons"]] == ["step", "traps", "loads"], table["reasons"]
inner = table["loops"][1]
assert (inner["file"], inner["line"], inner["depth"], inner["stayed"], inner["reason"]) == ("tree/pad.c", 4, 2, 5, "step"), inner
END
refuse "has no .c or .cu files" --keep-loops --explain-licm empty
refuse 'draws no picture' --keep-loops --explain-licm --format=svg tree/pad.c
refuse "'y' is not declared" --keep-loops --explain-licm --format=text tree/wrong.c
refuse 'one file at a time' --keep-loops tree/pad.c tree/below/fill.c
