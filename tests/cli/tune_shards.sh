#!/usr/bin/env bash
# mikgen tune --shard and --report: two shards side by side find what one run would, each nest once, and each writes a page about its own.
#
#   tune_shards.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

# Three nests of few configurations.
cat >three.spec <<'END'
void invert(int n, float X[n])
{
    for (int i = 0; i < n; i++)
        X[i] = 1 / X[i];
}

void columns(int n, int m, const float X[n][m], float Y[m])
{
    for (int j = 0; j < m; j++) {
        Y[j] = 0;
        for (int i = 0; i < n; i++)
            Y[j] += X[i][j];
    }
}

void fill(int n, float X[n])
{
    for (int i = 0; i < n; i++)
        X[i] = 7;
}
END
printf 'invert 512\ninvert 100\ncolumns 16x64\nfill 512\n' >small.shapes
tune=("$mikgen" tune --target=c --quick --isa=portable --cc='cc -O0' --shapes=small.shapes)

# As a fleet runs it: by GNU parallel, or what does the same for a line of numbers.
cat >shard <<'END'
#!/bin/sh
exec "$1" tune --target=c --quick --isa=portable --cc='cc -O0' --shapes=small.shapes --budget=600 --shard="$2/2" \
    --report="part$2.html" --measurements="part$2.csv" three.spec -o "part$2.profile"
END
chmod +x shard
run_shards() {
    if parallel --version 2>/dev/null | grep -q GNU; then
        parallel -q -j2 "$@" ::: 1 2
    else
        printf '1\n2\n' | xargs -P2 -I{} "$@"
    fi
}
run_shards ./shard "$mikgen" {} 2>progress || { cat progress; fail "a shard fails"; }
cat part1.profile part2.profile >all.profile
"$mikgen" --target=c --profile=all.profile three.spec -o out.c || fail "the profiles of shards do not merge"
[ "$(grep -c '^nest ' part1.profile)" = 2 ] && [ "$(grep -c '^nest ' part2.profile)" = 1 ] || fail "not two nests and one"
[ -z "$(grep -h '^nest ' part?.profile | cut -d' ' -f2-3 | sort | uniq -d)" ] || fail "a nest is in both shards"

# One run over what they found has nothing left to measure: these are all nests.
cp all.profile whole.profile
"${tune[@]}" --measurements=none.csv three.spec -o whole.profile 2>progress
[ "$(wc -l <none.csv)" = 1 ] || fail "the shards have left out a nest"
cmp <(grep '^nest ' whole.profile) <(grep -h '^nest ' part?.profile | LC_ALL=C sort) || fail "the merged profile says something else"

# Pages: XML that says what the table of measurements does.
python3 "$root/tests/cli/tune_report.py" part1.html part1.csv || fail "the first shard's page"
python3 "$root/tests/cli/tune_report.py" part2.html part2.csv || fail "the second shard's page"
grep -q '<h1>three.spec</h1>' part1.html && grep -q 'measured on ' part1.html || fail "no word about the spec and the machine"

# Ctrl-C leaves a page about what is measured.
interrupt 'grep -qs portable cut.csv' "${tune[@]}" --report=cut.html --measurements=cut.csv three.spec -o cut.profile
grep -q 'The search was not finished' cut.html || fail "the page of an interrupted run does not say so"
python3 "$root/tests/cli/tune_report.py" cut.html cut.csv || fail "the page of an interrupted run"

# Contractions are the first shard's; a page is written even if it has nothing to say.
cat >product.spec <<'END'
void product(int m, int n, int k, const float A[m][k], const float B[k][n], float C[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[i][l] * B[l][j];
            C[i][j] = sum;
        }
}
END
"$mikgen" tune --target=c --cc=./no-compiler --shard=2/2 --report=empty.html product.spec -o empty.profile || fail "the second shard measures kernels"
[ "$(grep -v "^#" empty.profile)" = "mikgen-profile 1" ] || fail "the second shard has measured something"
grep -q 'No loops have been searched' empty.html || fail "no page"

# What is wrong about the options.
for wrong in 0/2 3/2 -1/2 2 1/ /2 a/b 1/2/3 1/0 ''; do
    refuse "--shard takes I/N with 1 <= I <= N, not '$wrong'" tune --target=c --shard="$wrong" three.spec -o no.profile
done
refuse "--shard goes with mikgen tune only" --target=c --shard=1/2 three.spec
refuse "--shapes goes with mikgen tune and --report only" --target=c --shapes=small.shapes three.spec
refuse "--measurements goes with mikgen tune only" --target=c --measurements=a.csv three.spec
refuse "--report needs a name" tune --target=c --report= three.spec -o no.profile
refuse "missing/a.html" tune --target=c --report=missing/a.html three.spec -o no.profile
[ ! -e no.profile ] && [ ! -e a.html ] || fail "a file in spite of an error"
