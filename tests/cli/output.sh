#!/usr/bin/env bash
# What comes out: the same bytes every time and everywhere, whole files, and only the entry points as symbols.
#
#   output.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
spec=$root/examples/gemm_f32/gemm_f32.spec
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

"$mikgen" --version | grep -q '^mikgen [0-9]' || fail "--version"
"$mikgen" --help | grep -q -- '--target' || fail "--help"

"$mikgen" --target=c "$spec" >first.c
cp "$spec" .
mkdir -p elsewhere
(cd elsewhere && env -i TZ=Asia/Tokyo LC_ALL=C "$mikgen" --target=c ../gemm_f32.spec) >second.c
cmp first.c second.c || fail "another folder and environment give other bytes"
"$mikgen" --target=c -o third.c "$spec"
cmp first.c third.c || fail "-o writes something else"

# Links are written through, whether what they point to exists or not; what is no regular file is written to.
small=$root/tests/specs/transpose.spec
"$mikgen" --target=c "$small" >plain.c
rm -rf there link.c far.c new.c round.c pipe
mkdir there
echo old >there/target.c
ln -s there/target.c link.c
ln -s link.c far.c
ln -s there/new.c new.c
ln -s round.c round.c
mkfifo pipe
"$mikgen" --target=c -o far.c "$small"
[ -L far.c ] && [ -L link.c ] && [ ! -L there/target.c ] && cmp plain.c there/target.c || fail "-o replaces a link"
"$mikgen" --target=c -o new.c "$small"
[ -L new.c ] && cmp plain.c there/new.c || fail "-o does not make what a link points to"
! "$mikgen" --target=c -o round.c "$small" 2>message || fail "-o writes to a link that points to itself"
grep -qF 'round.c: error: Too many levels of symbolic links' message || { cat message; fail "a link that points to itself"; }
{ echo before; "$mikgen" --target=c -o /dev/stdout "$small"; echo after; } >around.c
{ echo before; cat plain.c; echo after; } | cmp - around.c || fail "-o /dev/stdout starts the file anew"
"$mikgen" --target=c -o /dev/stdout "$small" | cmp - plain.c || fail "-o /dev/stdout, a pipe"
"$mikgen" --target=c -o /dev/fd/7 "$small" 7>seventh.c
cmp plain.c seventh.c || fail "-o /dev/fd/7"
cat pipe >piped.c &
"$mikgen" --target=c -o pipe "$small"
wait
[ -p pipe ] && cmp plain.c piped.c || fail "-o of a pipe"
"$mikgen" --target=c -o /dev/null "$small" && [ -c /dev/null ] || fail "-o /dev/null"
[ -z "$(ls there | grep -v '^new.c$\|^target.c$')" ] || fail "temporary files stay behind"

cc -std=c99 -O0 -c first.c -o first.o
nm -g --defined-only first.o | awk '{print $3}' | sort >symbols
printf 'gemm_f32%s\n' '' _explain _explain_with _with _workspace | diff - symbols || fail "other symbols than the entry points"
"$mikgen" --target=c --prefix=my_ "$spec" >prefixed.c
cc -std=c99 -O0 -c prefixed.c -o prefixed.o
nm -g --defined-only prefixed.o | awk '{print $3}' | grep -v '^my_gemm_f32' && fail "--prefix misses a symbol"

echo 'Copyright: the user' >notice
"$mikgen" --target=c --license-header=notice "$spec" | head -3 | grep -q 'Copyright: the user' || fail "--license-header"
printf '/* \303\251 \342\202\254 \360\237\230\200 /* */ */\n' >notice # a comment itself, in characters of all lengths
"$mikgen" --target=c --license-header=notice -o notice.c "$small"
cc -std=c99 -Wall -Wextra -Werror -c notice.c -o notice.o || fail "--license-header with a comment"
"$mikgen" --target=c --emit=header "$spec" >gemm_f32_dyn.h
printf '#include "gemm_f32_dyn.h"\nint main() { return 0; }\n' >use.cc
g++ -std=c++11 -Wall -Wextra -Werror -c use.cc -o use.o || fail "the header is not C++"
