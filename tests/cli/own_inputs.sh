#!/usr/bin/env bash
# No run writes over a file that it reads, by whatever name and option, nor two outputs into one file.
#
#   own_inputs.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf in out work templates
mkdir -p in/inc in/sub out
cat >in/x.spec <<'SPEC'
#include "part.h"
void scale(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = FACTOR * x[i];
}
SPEC
echo '#define FACTOR 2' >in/inc/part.h
echo 'void scale_all(int n, float *y) { for (int i = 0; i < n; i++) y[i] = y[i] * (n * 2); }' >in/loop.c
cp in/loop.c in/other.c
echo 'Copyright: nobody' >in/notice
echo '64' >in/shapes
printf '%s\n' '--target=c -Iinc' >in/words
"$mikgen" --target=c -Iin/inc in/x.spec -o in/made.c
cp -r "$root/templates" templates

# lost OUTPUT ARGUMENT...: refused, and all that there was is there as it was. In a copy, where links to each input lie, and what the
# command $prepare makes.
prepare=:
lost() {
    local output=$1
    shift
    rm -rf work
    cp -r in work
    cd work
    ln -s x.spec soft && ln -s sub/../x.spec far && ln x.spec hard && ln -s inc/part.h part && ln loop.c twin.c
    eval "$prepare"
    find . -type f -exec md5sum {} + | sort >../before
    refuse_command "$output: error: this " "$@"
    rm printed message
    find . -type f -exec md5sum {} + | sort | cmp - ../before || fail "files have changed: $*"
    cd ..
}

for name in x.spec ./x.spec "$PWD/work/x.spec" sub/../x.spec soft far hard inc/part.h part notice; do
    lost "$name" "$mikgen" --target=c -Iinc --license-header=notice x.spec -o "$name"
done
for options in --emit=header --emit=reference --emit=ir --emit=plan --emit=selfcheck --emit=python --explain-licm --dump-after=licm; do
    lost hard "$mikgen" --target=c -Iinc $options x.spec -o hard
done
lost words "$mikgen" @words x.spec -o words
lost x.spec "$mikgen" --target=c -Iinc --depfile=x.spec x.spec -o x.c
lost inc/part.h "$mikgen" --target=c -Iinc --depfile=inc/part.h x.spec --output-dir=.
prepare='ln x.spec sub/x_dyn.c'
lost sub/x_dyn.c "$mikgen" --target=c -Iinc x.spec --output-dir=sub
prepare='mkdir page && ln -s ../x.spec page/index.html'
lost page/index.html "$mikgen" --target=c -Iinc --max-kernels=1 --report=page --shapes=shapes x.spec
prepare='cp "$root/examples/gemm_f32/gemm_f32.spec" g.spec && ln g.spec sub/mikgen_engine.h'
lost sub/mikgen_engine.h "$mikgen" --target=c --max-kernels=1 --emit=engine g.spec -o sub
prepare=:
lost soft sh -c "'$mikgen' --target=c -Iinc - <x.spec -o soft"
lost '<stdout>' sh -c "exec '$mikgen' --target=c -Iinc x.spec >>x.spec"
lost "$PWD/templates/source.c.j2" "$mikgen" --templates="$PWD/templates" --target=c -Iinc x.spec -o "$PWD/templates/source.c.j2"
cmp templates/source.c.j2 "$root/templates/source.c.j2" || fail "a template is lost"

# C files.
for name in loop.c ./loop.c twin.c; do
    lost $name "$mikgen" --keep-loops loop.c -o $name
    lost $name "$mikgen" --extract=list loop.c -o $name
    lost $name "$mikgen" --keep-loops --explain-licm loop.c -o $name
    lost $name "$mikgen" --keep-loops --explain-licm . -o $name
    lost $name "$mikgen" cc --log=$name -- cc -c loop.c -o loop.o
done
lost other.c "$mikgen" --keep-loops --explain-licm loop.c other.c -o other.c

# What is explained.
lost hard "$mikgen" --target=c -Iinc --explain=100 x.spec -o hard
lost hard "$mikgen" --target=c -Iinc --explain=100 --format=svg x.spec -o hard

# Profiles.
cp "$root/tune/profiles/zen4_f32.profile" in/p.profile
lost p.profile "$mikgen" --target=c -Iinc --profile=p.profile x.spec -o p.profile
for name in soft hard x.spec shapes inc/part.h; do
    lost "$name" "$mikgen" tune --target=c -Iinc --quick --fresh --shapes=shapes x.spec -o "$name"
done
lost x.spec "$mikgen" tune --target=c -Iinc --quick --measurements=x.spec x.spec -o p.profile
lost hard "$mikgen" tune --target=c -Iinc --quick --report=hard x.spec -o p.profile
lost p.profile "$mikgen" tune --target=c -Iinc --quick --report=p.profile x.spec -o p.profile

# Two outputs.
lost sub/../x.c "$mikgen" --target=c -Iinc x.spec -o x.c --depfile=sub/../x.c
prepare='ln -s x_dyn.c x_dyn.h'
lost ./x_dyn.h "$mikgen" --target=c -Iinc x.spec --output-dir=.

# A file that its own command names.
prepare='"$mikgen" --target=c -Iinc --license-header=notice x.spec -o again.c && ln -f again.c notice'
lost again.c "$mikgen" --regenerate=again.c inc

# What is no file, another one, and what is there from last time.
cd in
"$mikgen" --target=c -Iinc x.spec -o /dev/null
"$mikgen" --target=c -Iinc - <x.spec -o ../out/x.c
"$mikgen" --target=c -Iinc - <x.spec -o ../out/x.c --depfile=../out/x.d
"$mikgen" --target=c -Iinc /dev/stdin <x.spec -o ../out/x.c
"$mikgen" --target=c -Iinc x.spec -o /dev/stdout --depfile=/dev/stdout >../out/both
grep -q '^/dev/stdout: ' ../out/both && grep -q 'void scale\|int scale' ../out/both || fail "standard output gets both"
"$mikgen" --target=c -Iinc x.spec -o ../out/y.c && "$mikgen" --target=c -Iinc x.spec -o ../out/y.c || fail "the same output again"
cp ../out/y.c ../out/z.c
"$mikgen" --regenerate=../out/y.c x.spec inc || fail "--regenerate"
