#!/usr/bin/env bash
# mikgen tune finds configurations of nests, on the extents that it is given or that it draws, goes on after an interrupt, and refuses what
# it cannot use; mikgen --profile emits what it found.
#
#   tune_nests.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

cat >nests.spec <<'EOS'
void scale(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
void rows(int m, int n, const float x[m][n], float y[m])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += x[i][j];
        y[i] = s;
    }
}
EOS
printf '# two operators\nscale 1000   # a map\nrows 30x100\n\nrows 8x512\n' >nests.shapes
tune=("$mikgen" tune --target=c --quick --shapes=nests.shapes)

# A line for each nest, of the best instruction set that this machine has.
"${tune[@]}" --isa=portable --measurements=table.csv nests.spec -o a.profile 2>progress
[ "$(head -1 a.profile)" = "mikgen-profile 1" ] || fail "no header"
grep -q '^# measured on .*; .*, -O2$' a.profile || { cat a.profile; fail "no word about machine and compiler"; }
! grep -F "$PWD" a.profile || fail "a path in the profile"
[ "$(grep -c '^nest portable [0-9a-f]\{16\} .* ns [0-9.e+]*$' a.profile)" = 2 ] || { cat a.profile; fail "not two nests"; }
grep -q '^100 %  rows_nest1, portable: 8 measured, ' progress || { cat progress; fail "no progress is shown"; }
[ "$(head -1 table.csv | cut -d, -f1-4)" = nest,isa,extents,unroll ] || fail "the table has another head"
[ "$(grep -c '^scale_nest1,portable,1000,' table.csv)" -ge 8 ] || fail "not all measurements of scale are in the table"
[ "$(grep -c '^rows_nest1,portable,8x512,' table.csv)" -ge 8 ] || fail "not all measurements of rows are in the table"
awk -F, 'NR > 1 && !($NF > 0 && $(NF - 1) > 0)' table.csv | grep . && fail "times that are none"

# What is there is not measured again; what is missing is.
cp a.profile before
"${tune[@]}" --isa=portable nests.spec -o a.profile 2>/dev/null
cmp a.profile before || fail "a complete profile changed"
sed -i '/^nest/{x;s/^/x/;/^x$/{x;d};x}' a.profile
[ "$(grep -c ^nest a.profile)" = 1 ] || fail "the test does not take a line away"
"${tune[@]}" --isa=portable nests.spec -o a.profile 2>/dev/null
[ "$(grep -c ^nest a.profile)" = 2 ] || fail "what was missing is still missing"

# All of a space, each configuration once; at random.
"${tune[@]}" --isa=portable --search=all --measurements=all.csv nests.spec -o all.profile 2>progress
grep -q 'rows_nest1, portable: [1-9][0-9]* measured' progress || { cat progress; fail "the space is not measured"; }
"${tune[@]}" --isa=portable --search=random nests.spec 2>/dev/null >random.profile
[ "$(grep -c '^nest' random.profile)" = 2 ] || fail "--search=random finds nothing"

# As many as are asked for.
"${tune[@]}" --isa=portable --search=random --trials=3 --measurements=trials.csv nests.spec -o trials.profile 2>progress
grep -q '^100 %  rows_nest1, portable: 3 measured, ' progress || { cat progress; fail "--trials"; }

# On several threads it is searched, too, into how many tasks loops are cut for each. What was found on one is no answer there.
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1" | sort -un | xargs; }
! head -1 table.csv | grep tasks || fail "tasks are searched on one thread"
if [ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ]; then
    two=("${tune[@]}" --threads=2 --isa=portable --search=random --trials=12 nests.spec)
    printf 'scale 1000000\nrows 300x8000\n' >nests.shapes
    cp a.profile two.profile
    "${two[@]}" --measurements=two.csv -o two.profile 2>progress
    [ "$(grep -c '^nest portable .* threads 2 ns [0-9.e+]*$' two.profile)" = 2 ] || { cat two.profile; fail "not two nests on two threads"; }
    for nest in scale rows; do
        grep "^nest\|^${nest}_nest1" two.csv >"$nest.csv"
        [ "$(column $nest.csv tasks)" = "1 2 4" ] || { cat two.csv; fail "tasks of $nest are not measured"; }
    done
    awk -F, 'NR > 1 && !($NF > 0 && $(NF - 1) > 0)' two.csv | grep . && fail "times that are none, on two threads"
    cp two.profile before
    "${two[@]}" -o two.profile 2>/dev/null
    cmp two.profile before || fail "a complete profile of two threads changed"
    "${tune[@]}" --isa=portable --trials=2 nests.spec -o two.profile 2>/dev/null
    ! grep threads two.profile || fail "what was found on two threads is an answer for one"
fi

# Without extents some are drawn, large ones, too; seconds end it, and what is there then counts.
"$mikgen" tune --target=c --quick --budget=1 nests.spec -o drawn.profile 2>/dev/null
head -1 drawn.profile | grep -q mikgen-profile || fail "nothing is written when time is up"

# What it found is emitted, for that set alone, and right.
nest=$("$mikgen" --target=c --dump-after=nests nests.spec | sed -n 's/^\/\/ scale_nest1, line [0-9]*, \([0-9a-f]*\);.*/\1/p')
printf 'mikgen-profile 1\nnest avx2 %s unroll 8 ns 1\n' "$nest" >map.profile
"$mikgen" --target=c nests.spec -o planned.c
"$mikgen" --target=c --profile=map.profile nests.spec -o map.c
body() { sed -n "/^[^#].*scale_nest1_$2(const/,/^}/p" "$1"; }
cmp -s <(body planned.c avx2) <(body map.c avx2) && fail "the profile changes nothing"
cmp <(body planned.c avx512) <(body map.c avx512) || fail "a line about avx2 changes avx512"
grep -q 'profile=map.profile' map.c || fail "the banner does not name the profile"
"$mikgen" --target=c --profile=map.profile nests.spec | cmp - map.c || fail "the same profile gives different bytes"

printf 'mikgen-profile 1\nnest avx2 %s tasks 4 threads 8 ns 1\n' "$nest" >tasks.profile
"$mikgen" --target=c --profile=tasks.profile nests.spec -o tasks.c
grep -q 'return mik_run_loops(scale_nest1_part, .*, scale_nest1_tasks(mik_all.isa), opt);' tasks.c || fail "tasks are not emitted"
grep -q 'case 2: return 4;' tasks.c || fail "tasks of avx2 are others"
! grep -q 'tasks(' planned.c map.c || fail "tasks that nobody asked for"

# Ctrl-C: the nests that are done are kept.
interrupt "grep -qs ^nest c.profile" "${tune[@]}" --isa=portable --search=all nests.spec -o c.profile
[ "$(grep -c '^nest' c.profile)" = 1 ] || fail "an interrupt keeps something else than what is done"
"$mikgen" --target=c --profile=c.profile nests.spec -o out.c || fail "the profile of an interrupted run is not accepted"

# Wrong input.
refuse "--search has no value 'fast'" tune --target=c --search=fast nests.spec
refuse "--nvcc does not go with --target=c" tune --target=c --nvcc=x nests.spec
refuse "--trials takes" tune --target=c --trials=0 nests.spec
refuse "--trials goes with mikgen tune only" --target=c --trials=3 nests.spec
refuse "--threads takes" tune --target=c --threads=0 nests.spec
refuse "--threads takes" tune --target=c --threads=4097 nests.spec
refuse "--threads=4096 does not go with this machine, which has" tune --target=c --threads=4096 nests.spec
refuse "--threads does not go with --target=cuda" tune --target=cuda --threads=2 nests.spec
refuse "--threads goes with --explain, --report and mikgen tune only" --target=c --threads=2 nests.spec
refuse "none.shapes" tune --target=c --shapes=none.shapes nests.spec
refused() { printf "$1" >wrong.shapes; refuse "$2" tune --target=c --shapes=wrong.shapes nests.spec; }
refused 'scale 10\nrow 10x10\n' "wrong.shapes:2:1: error: there is no operator 'row'"
refused 'rows 10\n' "wrong.shapes:1:1: error: these are no extents"
refused '10x10\n' "wrong.shapes:1:1: error: these are no extents"
refused 'rows 10x-1\n' "wrong.shapes:1:1: error: these are no extents"
refused 'rows 10x\n' "wrong.shapes:1:1: error: these are no extents"
refused 'rows 10x10 7\n' "wrong.shapes:1:12: error: '7' does not belong here"
refused '# none\n' "there are no extents in it"
printf 'void scan(int n, float x[n]) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }\n' >scan.spec
refuse "nothing about it can be chosen" tune --target=c scan.spec
printf 'void product(int n, const float a[n][n], const float b[n][n], float c[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } }\n' >product.spec
refuse "--threads is about non-GEMM loops" tune --target=c --threads=1 product.spec
