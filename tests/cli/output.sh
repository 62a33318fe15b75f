#!/usr/bin/env bash
# What comes out: the same bytes every time and everywhere, whole files, and only the entry points as symbols.
#
#   output.sh MIKGEN FOLDER
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

cc -std=c99 -O0 -c first.c -o first.o
nm -g --defined-only first.o | awk '{print $3}' | sort >symbols
printf 'gemm_f32%s\n' '' _explain _with _workspace | diff - symbols || fail "other symbols than the entry points"
"$mikgen" --target=c --prefix=my_ "$spec" >prefixed.c
cc -std=c99 -O0 -c prefixed.c -o prefixed.o
nm -g --defined-only prefixed.o | awk '{print $3}' | grep -v '^my_gemm_f32' && fail "--prefix misses a symbol"

echo 'Copyright: the user' >notice
"$mikgen" --target=c --license-header=notice "$spec" | head -3 | grep -q 'Copyright: the user' || fail "--license-header"
"$mikgen" --target=c --emit=header "$spec" >gemm_f32_dyn.h
printf '#include "gemm_f32_dyn.h"\nint main() { return 0; }\n' >use.cc
g++ -std=c++11 -Wall -Wextra -Werror -c use.cc -o use.o || fail "the header is not C++"
