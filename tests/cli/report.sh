#!/usr/bin/env bash
# mikgen --report: the page is whole, needs nothing from outside, says what it should; in Chromium, where there is one, without a fault.
#
#   report.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
here=$(cd "$(dirname "$0")" && pwd)
cd "$2"
rm -rf page again pictures missing

# A product, loops by vectors, what moves, and characters that pages must not take for their own.
cat >layer.spec <<'SPEC'
#include <math.h>

/* y = softmax(a < b ? x W : 0) & more, "row" by row. */
void layer(int T, int D, int E, const float x[T][D], const float w[D][E], float y[T][E])
{
    float h[T][E];
    for (int t = 0; t < T; t++)
        for (int e = 0; e < E; e++) {
            float sum = 0;
            for (int d = 0; d < D; d++)
                sum += x[t][d] * w[d][e];
            h[t][e] = sum;
        }
    for (int t = 0; t < T; t++) {
        float top = -INFINITY, sum = 0;
        for (int e = 0; e < E; e++)
            top = fmaxf(top, h[t][e]);
        for (int e = 0; e < E; e++)
            sum += expf(h[t][e] - top);
        for (int e = 0; e < E; e++)
            y[t][e] = expf(h[t][e] - top) / sum;
    }
}
SPEC
report="$mikgen --target=c --max-kernels=2 --threads=3"
$report --report=page layer.spec || fail "--report"
mkdir pictures
python3 "$here/report.py" page layer.spec pictures moves || fail "the page"
python3 "$here/pictures.py" svg pictures/*.svg || fail "pictures"
for words in 'contraction: rows over t, columns over e, sums over d' 'not a contraction: ' 'the built-in profiles' 'lanes, 32 vector registers' \
    'Gop/s, ' 'hoisted in front of the loop'; do
    grep -qF "$words" page/index.html || fail "the page does not say '$words'"
done
[ "$(ls page)" = index.html ] || fail "more than one file: $(ls page)"

# The same bytes, also over an old page and in another place; and the calls of a file.
mkdir again
echo old >again/index.html
$report --report="$PWD/again" layer.spec
cmp page/index.html again/index.html || fail "not the same bytes"
printf '3x4x5\n# none\n70x80x90\n' >shapes
$report --report=again --shapes=shapes --profile=none layer.spec
grep -o 'figure data-title="[^"]*"' again/index.html | tr '\302\240' '  ' >titles
[ "$(grep -c . titles)" = 2 ] && grep -q 'T 70, D 80, E 90, 3 threads' titles || { cat titles; fail "--shapes"; }
grep -q 'analytical terms alone' again/index.html || fail "--profile=none"

refuse "missing/deep: error: No such file or directory" --target=c --max-kernels=2 --report=missing/deep layer.spec
: >file
refuse "file/index.html: error: Not a directory" --target=c --max-kernels=2 --report=file layer.spec
NVCC=/missing refuse "--report: " --target=cuda --max-kernels=2 --report=missing layer.spec
for word in -o=x --explain=1,2,3 --emit=header --remarks --output-dir=x --dump-after=licm --explain-licm; do
    refuse "--report writes a page into a folder and nothing else: ${word%%=*} does not go with it" --target=c --report=missing ${word/-o=/-o } layer.spec
done
refuse "--shapes goes with mikgen tune and --report only" --target=c --shapes=shapes layer.spec
printf '3xfour\n' >shapes
refuse "shapes:1:" --target=c --max-kernels=2 --report=missing --shapes=shapes layer.spec
printf 'void f(int n, float x[n])\n{\n    while (n)\n        x[0] = 1;\n}\n' >wrong.spec
refuse "wrong.spec:3:12: error:" --target=c --report=missing wrong.spec
[ ! -e missing ] || fail "a folder in spite of an error"

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
    echo "no Chromium: the page was not shown"
    exit 0
fi
"$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir="$PWD/profile" --window-size=1300,3000 \
    --screenshot="$PWD/page.png" "file://$PWD/page/index.html" 2>console || { cat console; fail "Chromium"; }
! grep CONSOLE console || fail "the console is not empty"
[ -s page.png ] || fail "no screenshot"
