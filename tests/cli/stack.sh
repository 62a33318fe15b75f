#!/usr/bin/env bash
# --stack: what it takes, what the file says, and that local arrays beyond it move to the workspace.
#
#   stack.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"

# Two arrays that fit each by itself.
cat >f.spec <<'END'
void f(int N, const float x[N][512], float y[N][512])
{
    for (int i = 0; i < N; i++) {
        float a[512], b[768];
        for (int j = 0; j < 512; j++)
            a[j] = x[i][511 - j];
        for (int j = 0; j < 768; j++)
            b[j] = a[j & 511];
        for (int j = 0; j < 512; j++)
            y[i][j] = a[j] + b[767 - j];
    }
}
END
refuse "from 15360 to 1048576, not '15359'" --target=c --stack=15359 f.spec
refuse "from 15360 to 1048576, not '1048577'" --target=c --stack=1048577 f.spec
refuse "not '16k'" --target=c --stack=16k f.spec
refuse "this one is CUDA" --stack=20000 f.spec
refuse "does not go with it" --keep-loops --stack=20000 f.spec

"$mikgen" --target=c f.spec >usual.c
"$mikgen" --target=c --stack=16384 f.spec >same.c
"$mikgen" --target=c --stack=65536 f.spec >large.c
cmp usual.c same.c || fail "the default is not 16384"
grep -q 'at most 16384 bytes of stack' usual.c || fail "the file does not say what it takes"
grep -q 'at most 65536 bytes of stack' large.c && grep -q -- '--stack=65536' large.c || fail "the file does not tell of --stack"
grep -q 'float a\[512\]' usual.c || fail "the first array has left the stack"
! grep -q 'float b\[768\]' usual.c || fail "both arrays are on the stack"
grep -q 'float b\[768\]' large.c || fail "--stack=65536 keeps too little"

# The spec's own arrays are on the stack of the self-check: 12 MB of them, where a program has 8 by default.
cat >g.spec <<'EOF'
void g(int M, int N, const float x[M][N], float y[M][N])
{
    float t[M][N];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = 2 * x[i][N - 1 - j];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            y[i][j] = t[i][j] + t[M - 1 - i][j];
}
EOF
for file in source:g_dyn.c header:g_dyn.h selfcheck:check.c reference:reference.c; do
    "$mikgen" --target=c --emit="${file%%:*}" g.spec >"${file#*:}"
done
gcc -std=gnu11 -O1 -w -c -Dg=g_reference reference.c
gcc -std=gnu11 -O1 -w check.c g_dyn.c reference.o -lm -lpthread -o check
(ulimit -S -s 8192 && ./check --time 1500x2000) >said || true
grep -q '1 passed, 0 failed' said || fail "the self-check has too little stack for the spec: $(cat said)"
