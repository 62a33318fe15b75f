#!/usr/bin/env bash
# --stack: what it takes, what the file says, and that local arrays beyond it move to the workspace.
#
#   stack.sh MIKGEN FOLDER
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
