#!/usr/bin/env bash
# Products and other reductions that run one element at a time have a line on standard error, which --quiet keeps back; nothing else has.
#
#   fallbacks.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

# says COUNT TEXT OPTIONS...: so many notes, the first with TEXT, each one line with its place; the file is there.
says() {
    local count=$1 text=$2
    shift 2
    rm -f out
    "$mikgen" "$@" -o out 2>message || { cat message; fail "exit status $? of $*"; }
    [ -s out ] || fail "no output of $*"
    [ "$(wc -l <message)" = "$count" ] || { cat message; fail "not $count lines: $*"; }
    [ "$count" = 0 ] || grep -q '^[a-z_]*\.spec:[0-9]*:[0-9]*: note: .*(--quiet' message || { cat message; fail "no place: $*"; }
    [ "$count" = 0 ] || head -n1 message | grep -qF -- "$text" || { cat message; fail "not '$text': $*"; }
    "$mikgen" "$@" --quiet -o quiet 2>message || fail "--quiet: $*"
    [ ! -s message ] || { cat message; fail "notes in spite of --quiet: $*"; }
    cmp -s out quiet || fail "--quiet makes another file: $*"
}

# A product whose sums are of a type without kernels.
cat >words.spec <<'END'
void words(int M, int N, int K, const int64_t A[M][K], const int64_t B[K][N], int64_t C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            int64_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[m][k] * B[k][n];
            C[m][n] = sum;
        }
}
END
says 1 'words.spec:3:5: note: this GEMM has no micro-kernels, its loops run as they are: there are no kernels for sums of this type: long, of products of long; what helps: sums in float' --target=c words.spec
says 1 'words.spec:3:5: note: this GEMM has no micro-kernels' --target=cuda words.spec

# Reductions: by what has no vectors, in a type that is not reduced, over every other element.
cat >sums.spec <<'END'
float halves(int n, const half x[n])
{
    half s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return (float)s;
}

float others(int n, const float x[n])
{
    float s = 0;
    for (int i = 0; i < n; i += 2)
        s += x[i];
    return s;
}

int remainders(int n, int by, const int x[n])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] % by;
    return s;
}
END
says 3 "sums.spec:4:5: note: the reduction over i takes one element at a time: s is of type half" --target=c sums.spec
grep -q 'sums.spec:12:5: note: .* it does not count up by one; what helps: ' <("$mikgen" --target=c sums.spec 2>&1 >/dev/null) || fail "steps"
grep -q 'sums.spec:20:5: note: .* integers are divided by what is no constant; what helps: ' <("$mikgen" --target=c sums.spec 2>&1 >/dev/null) ||
    fail "divisors"

# What needs its order, is short, or keeps its order because the user says so.
cat >ordered.spec <<'END'
void prefix(int n, const float x[n], float y[n])
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

void decay(int n, const float x[n], float y[1])
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s = 0.5f * s + x[i];
    y[0] = s;
}

int few(int n, const int x[8])
{
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += x[i] % n;
    return s;
}
END
says 0 "" --target=c ordered.spec
says 0 "" --target=cuda ordered.spec
says 0 "" --target=c --fp=strict "$root/examples/gemm_f32/gemm_f32.spec"
for spec in "$root"/examples/*/*.spec; do
    case $spec in *transpose_n*) continue ;; esac
    says 0 "" --target=c --emit=plan "$spec"
done
[ "$("$mikgen" --target=c --explain=8 sums.spec 2>&1 >/dev/null | grep -c note:)" = 0 ] || fail "--explain has notes"
echo "notes are said of what falls back, and of nothing else"
