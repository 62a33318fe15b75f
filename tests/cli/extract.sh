#!/usr/bin/env bash
# --extract: its options, and that a program whose function calls what was made of it prints the same.
#
#   extract.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf ./*
. "$root/tests/refuse.sh"

echo 'void f(float *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }' >f.c
refuse '--target does not go with it' --extract=f --target=c f.c
refuse '--keep-loops does not go with it' --extract=f --keep-loops f.c
refuse '--hint does not go with it' --extract=f --hint=n:0:9 f.c
refuse 'one file at a time' --extract=f f.c f.c
refuse "not 'f:x'" --extract=f:x f.c
refuse "not ':3'" --extract=:3 f.c
refuse "not 'x'" --extract=f --extent=x f.c
refuse '--extent goes with --extract only' --extent=x:n f.c
echo 'void f(float *x, int n) { for (int i = 0; i < n; i++) x[i] = y; }' >wrong.c
refuse "'y' is not declared" --extract=f wrong.c

# ---------------------------------------------------------------- what they compute
for name in sums product macro rows; do
    { cat "$root/tests/golden/extract/$name.c" "$root/tests/extract/${name}_main.c"; } >$name.c
    words=(-DROWS=40 -DCOLUMNS=30)
    [ $name = macro ] && words+=(--mikgen=--extent=scale:COLUMNS)
    [ $name = rows ] && words+=(--mikgen=--extent=a:m,n --mikgen=--extent=x:n)
    python3 "$root/tests/extract/replace.py" "$mikgen" $name.c $name work "${words[@]}" || fail "$name"
done
cat "$root/tests/extract/part_main.c" >>part.c
cp "$root/tests/golden/extract/part.c" whole.c
"$mikgen" --extract=part:9 '--extent=v:n+n' whole.c -o part.spec
"$mikgen" --target=c --max-kernels=1 part.spec -o part_dyn.c
cc -std=c99 -Wall -Wextra -Werror part.c part_dyn.c -lm -o part && ./part || fail "a loop of a function"
