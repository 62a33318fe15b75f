#!/usr/bin/env bash
# Where rows are lanes, calls of few columns, or few elements, run the loops as they are. The more a column takes, the fewer these are. Loops
# whose iterations the text counts are no columns.
#
#   lane_columns.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

# few SPEC WANTED: what a call asks.
few() {
    local found
    found=$("$mikgen" --quiet --target=c "$1" | sed -n 's/.*isa) && \(.*\) ? MIK_SCALARS.*/\1/p')
    [ "$found" = "$2" ] || { echo "$1: '$found', not '$2'" >&2; exit 1; }
}

cat >light.spec <<'EOS'
void light(int N, int T, float a, const float x[N][T], float y[N][T])
{
    for (int n = 0; n < N; n++) {
        float s = 0;
        for (int t = 0; t < T; t++) {
            s = a * s + x[n][t];
            y[n][t] = s;
        }
    }
}
EOS
cat >counted.spec <<'EOS'
void counted(int N, int T, const float a[3], const float x[N][T], float y[N][3])
{
    for (int n = 0; n < N; n++) {
        float s[3];
        for (int k = 0; k < 3; k++)
            s[k] = a[k];
        for (int t = 0; t < T; t++)
            for (int k = 0; k < 3; k++)
                s[k] = sinf(s[k]) + x[n][t];
        for (int k = 0; k < 3; k++)
            y[n][k] = s[k];
    }
}
EOS
few light.spec '((int64_t)T <= 15 || (int64_t)N * T <= 124)'
few counted.spec '((int64_t)T <= 2 || (int64_t)N * T <= 17)'
few "$root/tests/specs/joint_chain.spec" '(int64_t)N * J <= 3'

# Rows and columns that change places: of bytes, parts of vectors go one by one.
for type in "unsigned char" float; do
    cat >turned.spec <<EOS
void turned(int N, int C, const $type x[N][C], $type y[C][N])
{
    for (int i = 0; i < N; i++)
        for (int c = 0; c < C; c++)
            y[c][i] = x[i][c];
}
EOS
    if [ "$type" = float ]; then
        few turned.spec '(int64_t)N <= 5'
    else
        few turned.spec '((int64_t)N <= 7 || (int64_t)C <= 7)'
    fi
done
