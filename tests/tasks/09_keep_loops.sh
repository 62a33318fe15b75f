#!/usr/bin/env bash
# Move what does not change out of the loops of C code that exists.
# By: docs/source-to-source.md
#
#   09_keep_loops.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
cat >blur.c <<'END'
/* A comment that stays. */
void blur(const float *restrict in, float *restrict out, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            out[y * w + x] = (in[(y - 1) * w + x] + in[y * w + x] + in[(y + 1) * w + x]) / 3.0f;
}
END
mikgen --keep-loops blur.c -o moved.c
grep -q 'A comment that stays' moved.c || fail "the comment is gone"
grep -q 'const int .* = ' moved.c || { cat moved.c; fail "nothing has moved"; }
mikgen --keep-loops --explain-licm blur.c >moves
[ -s moves ] || fail "no explanation"
printf '#include <string.h>\nvoid before(const float *, float *, int, int);\nvoid after(const float *, float *, int, int);\nint main(void) { static float a[999], b[999], c[999]; for (int i = 0; i < 999; i++) a[i] = (float)(i * 37 %% 101); before(a, b, 37, 27); after(a, c, 37, 27); return memcmp(b, c, sizeof b) != 0; }\n' >main.c
cc -O0 -c -Dblur=before blur.c
cc -O0 -c -Dblur=after moved.c
cc -O0 main.c blur.o moved.o -o main
./main || fail "results differ"
