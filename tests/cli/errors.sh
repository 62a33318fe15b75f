#!/usr/bin/env bash
# An error ends with status 1, one located message, no output and no file; and says what to do.
#
#   errors.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"

printf 'void f(int N, float x[N])\n{\n    while (N)\n        x[0] = 1;\n}\n' >while.spec
printf 'void f(int N, float x[N])\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1\n}\n' >syntax.spec
: >empty.spec

refuse "while.spec:3:12: error:" while.spec
refuse_by_clang "syntax.spec:4:17: error:" syntax.spec
refuse "empty.spec: error: there is no operator in this file" empty.spec
refuse "missing.spec: error: No such file or directory" missing.spec
refuse ".: error: this is a directory" .
head -c 10000000 /dev/zero | tr '\0' x >big.spec
refuse "big.spec: error: the file is larger than 4 MB" big.spec
printf 'void f(int N, float x[N])\n{\377\001\000}\n' >junk.spec
refuse "junk.spec:2:4: error: the file holds a zero byte: it is not text" junk.spec
cp junk.spec junk.c
for command in --keep-loops --extract=f --explain-licm; do
    refuse "junk.c:2:4: error: the file holds a zero byte: it is not text" $command junk.c
done

# A file that may not be read; root may read everything, so another user has to try.
printf 'void f(int N, float x[N]) { x[0] = 1; }\n' >secret.spec
chmod 000 secret.spec
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $as test -x "$mikgen" && $as test -x .; then
    status=0
    $as "$mikgen" secret.spec >out 2>message </dev/null || status=$?
    [ $status = 1 ] && [ ! -s out ] && grep -qF "secret.spec: error: Permission denied" message || fail "a file without read permission"
else
    echo "note: no other user can reach $mikgen here, so a file without read permission was not tried"
fi
refuse "--target" --target=fortran while.spec
refuse "--no-such-option" --no-such-option while.spec
refuse "spec"

# Modules for other languages call C files.
printf 'void f(int N, float x[N])\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1;\n}\n' >gpu.spec
printf 'void f(int N, float x[N], long double y[N])\n{\n    for (int i = 0; i < N; i++)\n        y[i] = x[i];\n}\n' >long.spec
for language in python cpp rust; do
    refuse "gpu.spec:1:6: error: modules for other languages call C files, and this operator is for CUDA" --emit=$language gpu.spec
    refuse "modules for other languages call C files, and this one is CUDA" --emit=$language --target=cuda gpu.spec
    refuse "--keep-loops rewrites a file in its own language" --keep-loops --emit=$language gpu.spec
    refuse "no spec given" --target=c --emit=$language
done
refuse "long.spec:1:39: error: Rust has no long double" --target=c --emit=rust long.spec
refuse "--emit has no value 'java'" --emit=java gpu.spec

# Traces.
refuse "the options of calls from --emit=python have no hooks: --trace does not go with it" --target=c --trace --emit=python gpu.spec
refuse "the options of calls from --emit=rust have no hooks" --target=c --trace --emit=rust gpu.spec
refuse "--keep-loops rewrites a file in its own language and makes no kernels: --trace does not go with it" --keep-loops --trace gpu.spec
refuse "mikgen tune measures and prints no code: --trace does not go with it" tune --target=c --trace gpu.spec -o gpu.profile
refuse "--emit=trace is about no operator: 'gpu.spec' does not go with it" --emit=trace gpu.spec
refuse "--emit=trace is about no operator: --target does not go with it" --emit=trace --target=c
refuse "--emit=trace is about no operator: --trace does not go with it" --emit=trace --trace

# Files that options name.
printf 'void f(int N, float x[N])\n{\n    for (int i = 0; i < N; i++)\n        x[i] = 1;\n}\n' >good.spec
refuse "no operator of good.spec has micro-kernels: they have no engine to share" --target=c --emit=engine -o . good.spec
refuse "--templates=/nonexist: /nonexist/render.py: No such file or directory" --target=c --templates=/nonexist good.spec
refuse "--templates=good.spec: good.spec/render.py: Not a directory" --target=c --templates=good.spec good.spec
refuse "--templates=.: ./render.py: No such file or directory" tune --target=c --templates=. good.spec
{ printf 'text\0'; } >zero
printf 'Copyright \351\n' >latin
printf '\300\257 \n' >long_form
printf 'cut \342\202' >cut
printf '\355\240\200' >surrogate
head -c 70000 /dev/zero | tr '\0' a >large
ln -sf /dev/zero endless
refuse "/dev/zero: error: this is not a regular file" --target=c --license-header=/dev/zero good.spec
refuse "endless: error: this is not a regular file" --target=c --license-header=endless good.spec
refuse ".: error: this is a directory" --target=c --license-header=. good.spec
refuse "missing: error: No such file or directory" --target=c --license-header=missing good.spec
refuse "large: error: this file is larger than 64 KB" --target=c --license-header=large good.spec
refuse "zero: error: this is no text in UTF-8: see byte 5" --target=c --license-header=zero good.spec
refuse "latin: error: this is no text in UTF-8: see byte 11" --target=c --license-header=latin good.spec
refuse "long_form: error: this is no text in UTF-8: see byte 1" --target=c --license-header=long_form good.spec
refuse "cut: error: this is no text in UTF-8: see byte 5" --target=c --license-header=cut good.spec
refuse "surrogate: error: this is no text in UTF-8: see byte 1" --target=c --license-header=surrogate good.spec
rm -f file
refuse "error:" -o file while.spec
[ ! -e file ] || fail "a file is left behind by an error"
[ "$(find . -name '*tmp*' | wc -l)" = 0 ] || fail "a temporary file is left behind"
