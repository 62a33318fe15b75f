#!/usr/bin/env bash
# What builds use: files named after specs, rules for make, response files; generated files compared with what their banners' commands give.
#
#   builds.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
cp "$root/tests/specs/transpose.spec" "$root/examples/gemm_f32/gemm_f32.spec" .
run() { "$mikgen" --target=c --max-kernels=2 "$@"; }

# --output-dir: what -o and --emit give, for each spec.
mkdir out "a folder"
run --output-dir=out --depfile=out/all.d transpose.spec gemm_f32.spec
for name in transpose gemm_f32; do
    run $name.spec | cmp - out/${name}_dyn.c || fail "--output-dir: another source"
    run --emit=header $name.spec | cmp - out/${name}_dyn.h || fail "--output-dir: another header"
done
printf '%s\n' 'out/transpose_dyn.c out/transpose_dyn.h: \' '  transpose.spec' 'out/gemm_f32_dyn.c out/gemm_f32_dyn.h: \' '  gemm_f32.spec' |
    diff - out/all.d || fail "--depfile of two specs"
[ "$(ls out | wc -l)" = 5 ] || fail "--output-dir: other files: $(ls out)"
run --output-dir="a folder" --emit=header transpose.spec
[ "$(ls "a folder")" = transpose_dyn.h ] || fail "--output-dir with --emit"
"$mikgen" --target=cuda --output-dir="a folder" transpose.spec
[ -s "a folder/transpose_dyn.cu" ] && [ -s "a folder/transpose_dyn.cuh" ] || fail "--output-dir of CUDA"

# Runs at the same time share nothing: files of all of them are whole, and none is left over.
mkdir together
for _ in 1 2 3 4; do
    run --output-dir=together --depfile=together/d transpose.spec &
done
wait
cmp together/transpose_dyn.c out/transpose_dyn.c && cmp together/transpose_dyn.h out/transpose_dyn.h || fail "four runs at the same time"
[ "$(ls together | wc -l)" = 3 ] || fail "files are left over: $(ls together)"

# An error in the last of several specs leaves nothing.
mkdir none
printf 'void f(int N, float x[N])\n{\n    while (N)\n        x[0] = 1;\n}\n' >while.spec
refuse "while.spec:3:12: error:" --target=c --output-dir=none --depfile=none/d transpose.spec while.spec
[ -z "$(ls none)" ] || fail "files in spite of an error: $(ls none)"

# --depfile: all that an output depends on, in names as make reads them.
mkdir inc
echo '#define ONE 1' >'inc/on e#$.h'
printf '#include "on e#$.h"\nvoid f(int n, int *x) { for (int i = 0; i < n; i++) x[i] = ONE; }\n' >kept.c
"$mikgen" --keep-loops -Iinc kept.c -o out/kept.c --depfile=kept.d
printf '%s\n' 'out/kept.c: \' '  kept.c \' '  inc/on\ e\#$$.h' | diff - kept.d || fail "--depfile with an included file"
echo Notice >'a folder/notice'
profile=$(ls "$root"/tune/profiles/*.profile | head -1)
run --license-header="a folder/notice" --profile="$profile" transpose.spec -o "a folder/noted.c" --depfile=noted.d
printf '%s\n' 'a\ folder/noted.c: \' '  transpose.spec \' "  $profile \\" '  a\ folder/notice' | diff - noted.d || fail "--depfile of a notice"
run --emit=engine transpose.spec gemm_f32.spec -o out --depfile=engine.d
head -1 engine.d | grep -qxF 'out/mikgen_engine.c out/mikgen_engine.h: \' || fail "--depfile of an engine"
make -f kept.d -n out/kept.c >made && grep -q 'Nothing to be done' made || fail "make does not read kept.d"
touch 'inc/on e#$.h'
printf 'all: out/kept.c\nout/kept.c:\n\techo again\ninclude kept.d\n' >Makefile
make -n | grep -q 'echo again' || fail "make does not see that an included file is newer"

# Response files.
printf -- '--target=c\t"--max-kernels=2"\n transpose.spec -o '\''a folder/it'\''"'\''"s.c\n@more' >words
: >more
"$mikgen" @words
cmp out/transpose_dyn.c "a folder/it's.c" || fail "a response file gives other bytes"
cp transpose.spec @x.spec
run -- @x.spec | grep -q '@x.spec' || fail "behind -- there are no response files"
printf 'one\n  "two\n' >open
echo @round >round
refuse "open:2:3: error: this quote is not closed" @open
refuse "round: error: response files name one another more than 16 deep" @round
refuse "missing: error: No such file or directory" @missing

# --check: the same bytes from any folder; what differs is shown.
same() { "$mikgen" --check "$@" >printed 2>message || { cat printed message; fail "--check $*"; }; [ ! -s printed ] && [ ! -s message ] || fail "--check says something"; }
same out/transpose_dyn.c # its spec is in the current folder
same out/gemm_f32_dyn.h
(cd inc && same ../out/transpose_dyn.c .. && same ../out/transpose_dyn.c ../transpose.spec)
cp out/transpose_dyn.c . && (cd inc && same ../transpose_dyn.c) # or beside it
same "a folder/noted.c" "$profile"
for emit in selfcheck header python cpp rust; do
    run --emit=$emit transpose.spec -o $emit.txt && same $emit.txt
done
same out/mikgen_engine.c
same out/mikgen_engine.h
cp transpose.spec "its name's.spec"
run --prefix=my_ --fp=strict --licm=halide "its name's.spec" -o named.c && same named.c
sed -i 's/while the/while THE/; 30s/^/ /' out/transpose_dyn.c
cp out/transpose_dyn.c changed.c
status=0
"$mikgen" --check out/transpose_dyn.c >printed 2>message || status=$?
[ $status = 1 ] && grep -q '^out/transpose_dyn.c:[0-9]*: error: this is not what its command gives: mikgen --target=c --max-kernels=2 transpose.spec' message ||
    { cat message; fail "--check of a changed file: $status"; }
head -1 printed | grep -qx -- '--- out/transpose_dyn.c' || fail "--check prints no diff"
patch -s changed.c printed && cmp changed.c transpose_dyn.c || fail "--check prints a wrong diff"
PATH=/nonexistent "$mikgen" --check out/transpose_dyn.c >printed 2>message && fail "--check without diff"
grep -q '^out/transpose_dyn.c:[0-9]*: error: this is not' message && [ ! -s printed ] || fail "--check without diff: no message"

# --regenerate writes it anew, and leaves what is right alone.
"$mikgen" --regenerate out/transpose_dyn.c && cmp out/transpose_dyn.c transpose_dyn.c || fail "--regenerate"
touch -d 2001-01-01 out/transpose_dyn.c
"$mikgen" --regenerate out/transpose_dyn.c
[ "$(date -r out/transpose_dyn.c +%Y)" = 2001 ] || fail "--regenerate writes what has not changed"
echo 'int x;' >>out/transpose_dyn.c && cp while.spec transpose.spec && cp out/transpose_dyn.c before.c
refuse "transpose.spec:3:12: error:" --regenerate out/transpose_dyn.c
cmp out/transpose_dyn.c before.c || fail "--regenerate leaves something else after an error"
cp "its name's.spec" transpose.spec

# Refusals.
sed 's/transpose\.spec/gone.spec/' transpose_dyn.c >moved.c
refuse "moved.c: error: its command names gone.spec, which is neither beside it nor in the current folder" --check moved.c
refuse "nothing in its command is in gemm_f32.spec" --check transpose_dyn.c gemm_f32.spec
refuse "transpose.spec: error: this file has no banner of mikgen's" --check transpose.spec
run - <transpose.spec >stdin.c
refuse "stdin.c: error: this was generated from standard input" --check stdin.c
refuse "/dev/null: error: this is not a regular file" --check /dev/null
sed 's/$/\r/' transpose_dyn.c >lines.c
refuse "lines.c: error: its lines end otherwise than mikgen writes them" --check lines.c
for word in '-o x.c' --explain=1,2 --help tune '@words' '--depfile=x'; do
    sed "s|mikgen --target=c|mikgen --target=c $word|" transpose_dyn.c >foreign.c
    status=0
    "$mikgen" --check foreign.c >printed 2>message </dev/null || status=$?
    [ $status = 1 ] && [ ! -s printed ] && [ ! -e x.c ] && [ ! -e x ] || { cat message; fail "a banner with $word: $status"; }
    grep -q 'help: ' message || fail "a banner with $word: no help"
done
refuse "missing.c: error: No such file or directory" --check missing.c
refuse "standard input has no place to look for specs" --check -
refuse "--check and --regenerate=b are two things" --check a --regenerate b
refuse "--target does not go with --check and --regenerate" --target=c --check transpose_dyn.c
refuse "tune does not go with --check and --regenerate" tune --check transpose_dyn.c
refuse "option --check needs a value" --check
refuse "-o and --output-dir=out both say where the output goes" --output-dir=out -o x.c transpose.spec
refuse "--output-dir writes sources and headers: --emit does not go with it" --output-dir=out --emit=plan transpose.spec
refuse "--output-dir writes sources and headers: --keep-loops does not go with it" --output-dir=out --keep-loops kept.c
refuse "--output-dir writes sources and headers: --explain does not go with it" --output-dir=out --explain=1,2 transpose.spec
refuse "--output-dir: 'inc/../transpose.spec' and a spec in front of it would be one file" --output-dir=out transpose.spec inc/../transpose.spec
refuse "--output-dir names files after specs, and standard input has no name" --output-dir=out -
refuse "gone/transpose_dyn.c: error: No such file or directory" --target=c --max-kernels=2 --output-dir=gone transpose.spec
refuse "--output-dir needs a folder" --output-dir= transpose.spec
refuse "--depfile says what files depend on, and the output is none" --depfile=x transpose.spec
refuse "--depfile needs a file" --depfile= transpose.spec
refuse "--explain writes no file: --depfile does not go with it" --depfile=x -o y --explain=1,2 transpose.spec
refuse "--depfile does not go with it" tune --target=c --depfile=x transpose.spec

# Names that would be an option, a response file, standard input or a command come back from the banner as names.
for name in -x.spec @x.spec tune - 'two words.spec'; do
    cp "$root/tests/specs/transpose.spec" "./$name"
    "$mikgen" --target=c -o named_dyn.c "./$name"
    "$mikgen" --check named_dyn.c || fail "--check of a file that is made from $name"
    "$mikgen" --check named_dyn.c . || fail "--check of a file that is made from $name, with its folder"
    rm "./$name"
done
