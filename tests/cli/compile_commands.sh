#!/usr/bin/env bash
# -p: how a source is compiled is what compile_commands.json says; for --keep-loops, --extract, tables of loops, `mikgen cc`, and CUDA.
#
#   compile_commands.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"
rm -rf ./*
unset MIKGEN_CC_OPTIONS CC NVCC CPATH
mkdir -p 'src/in c' src/system by_hand/deep links

# ---------------------------------------------------------------- a project under CMake
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(blur C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_library(blur OBJECT src/blur.c)
target_include_directories(blur PRIVATE "src/in c")
target_include_directories(blur SYSTEM PRIVATE src/system)
target_compile_definitions(blur PRIVATE SCALE=4 "TEXT=\"a b\"")
target_compile_options(blur PRIVATE -include first.h)
set_target_properties(blur PROPERTIES C_STANDARD 90 C_EXTENSIONS OFF)
END
cat >src/blur.c <<'END'
#include <scale.h>
#include <bias.h>
#include <string.h>
#ifdef __STDC_VERSION__
#error "C90 has none"
#endif
#ifndef __STRICT_ANSI__
#error "extensions"
#endif
void blur(const float *a, float *c, int n)
{
    int i, j;
    for (j = 0; j < n; ++j)
        for (i = 0; i < n; ++i)
            c[j * n + i] = 3 < i && j < SCALE * TWO + FIRST ? a[j * n + i] : sizeof TEXT + BIAS;
}
END
echo '#define TWO 2' >'src/in c/scale.h'
echo '#define BIAS 1' >src/system/bias.h
echo '#define FIRST 32' >'src/in c/first.h'
cmake -S . -B build >cmake.log || { cat cmake.log; fail "CMake does not configure"; }

# says TEXT ARGUMENT...: the output has the text
says() {
    local text=$1
    shift
    "$mikgen" "$@" >out || fail "exit status $?: $*"
    grep -qF -- "$text" out || { cat out; fail "the output lacks '$text': $*"; }
}
says 'const int t0 = j < 40;' --keep-loops -p build src/blur.c
! grep -q stdbool out || fail "C90 gets a header of C99"
cp out expected
(cd src && "$mikgen" --keep-loops -p../build blur.c) | cmp - expected || fail "from another folder it is something else"
"$mikgen" --keep-loops -p build/CMakeFiles "$PWD/src/../src/blur.c" | cmp - expected || fail "a folder above is not looked at, or the file's name is"
ln -s ../src/blur.c links/blur.c
"$mikgen" --keep-loops -p build links/blur.c | cmp - expected || fail "a link is another file"
says 'const int t0 = j < 50;' --keep-loops -p build -DSCALE=9 src/blur.c
says 'j < 4 * 2 + 32' --extract=blur --extent=a:n,n --extent=c:n,n -p build src/blur.c
"$mikgen" --keep-loops -p build src/blur.c -o out.c --depfile=out.d
for name in src/blur.c build/compile_commands.json 'src/in\\ c/scale.h' 'src/in\\ c/first.h'; do
    grep -q "$name" out.d || { cat out.d; fail "the rule lacks $name"; }
done
refuse 'is the input build/compile_commands.json' --keep-loops -p build src/blur.c -o build/compile_commands.json
says 'blur                         2     1' --keep-loops --explain-licm -p build src/blur.c links/blur.c
says '2 loops in 1 file' --keep-loops --explain-licm -p build src
(cd src && "$mikgen" cc --log=log -p ../build blur.c)
grep -q 'blur.c: rewritten: 1 of 1' src/log || { cat src/log; fail "mikgen cc rewrites nothing"; }
[ -s build/CMakeFiles/blur.dir/src/blur.c.o ] || fail "mikgen cc makes no object where the build does"

# ---------------------------------------------------------------- databases by hand
cat >by_hand/deep/f.c <<'END'
void f(const float *restrict a, float *restrict c, int n)
{
    for (int i = 0; i < 8 * WIDTH; i++)
        c[i] = a[i] * (n * (WIDTH + 0));
}
END
echo '-DWIDTH=3' >by_hand/deep/words
# database DIRECTORY COMMAND FILE [MORE]
database() { printf '[{"directory": "%s", %s, "file": "%s"}%s]\n' "$1" "$2" "$3" "${4-}" >by_hand/compile_commands.json; }
here=$PWD/by_hand/deep
database "$here" '"arguments": ["gcc", "-DWIDTH=2", "-c", "f.c"]' f.c
says 'n * 2' --keep-loops -p by_hand by_hand/deep/f.c
says 'n * 2' --keep-loops -p by_hand/deep by_hand/deep/f.c
database "$here" '"command": "ccache gcc -D WIDTH=5 -c ./f.c"' ./f.c
says 'n * 5' --keep-loops -p by_hand by_hand/deep/f.c
database "$here" '"command": "gcc @words -c ../deep/f.c"' ../deep/f.c
says 'n * 3' --keep-loops -p by_hand by_hand/deep/f.c
database "$here" '"command": "gcc -DWIDTH=6 -c f.c"' f.c ", {\"directory\": \"$here\", \"command\": \"gcc -DWIDTH=7 -c f.c\", \"file\": \"f.c\"}"
says 'n * 6' --keep-loops -p by_hand by_hand/deep/f.c
database "$here" '"command": "no-such-cc -DWIDTH=4 -c f.c"' f.c
refuse "'no-such-cc', the command's compiler, does not say" --keep-loops -p by_hand by_hand/deep/f.c
says 'n * 4' --keep-loops -p by_hand --cc=gcc by_hand/deep/f.c
# What the command says of overflow and of exceptions counts.
database "$here" '"command": "gcc -DWIDTH=n -ftrapv -c f.c"' f.c
says '(n * n)' --keep-loops -p by_hand by_hand/deep/f.c
grep -q unsigned out && fail "arithmetic that traps becomes unsigned"
database "$here" '"command": "gcc -DWIDTH=1 -fwrapv -c f.c"' f.c
refuse 'as its command compiles it: signed arithmetic may overflow' --keep-loops -p by_hand by_hand/deep/f.c
database "$here" '"command": "g++ -DWIDTH=1 -c f.c"' f.c
refuse 'as its command compiles it: it is a compiler of C++' --keep-loops -p by_hand by_hand/deep/f.c

# ---------------------------------------------------------------- what is wrong
database "$here" '"command": "gcc -c f.c"' f.c
refuse 'by_hand/compile_commands.json: error: it has no command for src/blur.c' --keep-loops -p by_hand src/blur.c
cp by_hand/deep/f.c f.c
refuse "no command for 'f.c', but for $here/f.c" --keep-loops -p by_hand f.c
refuse 'no command for f.c' cc -p build f.c
database "$here/gone" '"command": "gcc -c ../f.c"' ../f.c
refuse "folder '$here/gone' is not there" --keep-loops -p by_hand by_hand/deep/f.c
refuse "folder '$here/gone' is not there" cc -p by_hand by_hand/deep/f.c
database deep '"command": "gcc -c f.c"' f.c
refuse "its folder 'deep' is no absolute path" --keep-loops -p by_hand by_hand/deep/f.c
printf '[\n  {"directory": "/",\n   "file": x}\n]\n' >by_hand/compile_commands.json
refuse "by_hand/compile_commands.json:3:12: error: this is no compilation database: invalid token near 'x'" --keep-loops -p by_hand f.c
for broken in '{}=it is no list' '[1]=entry 1 lacks a string "directory"' '[{"directory": "/", "command": "cc"}]=entry 1 lacks a string "file"' \
    '[{"directory": "/", "file": "f.c"}]=lacks a "command", or "arguments"' \
    '[{"directory": "/", "file": "f.c", "arguments": ["cc", 1]}]=entry 1 lacks "arguments" that are all strings'; do
    echo "${broken%%=*}" >by_hand/compile_commands.json
    refuse "by_hand/compile_commands.json: error: this is no compilation database: " --keep-loops -p by_hand f.c
    grep -qF -- "${broken#*=}" message || { cat message; fail "the message lacks ${broken#*=}"; }
done
refuse "no compile_commands.json in '/' or above it" --keep-loops -p / f.c
refuse "no compile_commands.json in 'none' or above it" --keep-loops -p none f.c
refuse '-p needs a folder' --keep-loops -p '' f.c
refuse '-p goes with --keep-loops and --extract only' --target=c -p build f.c
refuse 'standard input is no file' --keep-loops -p build -
refuse '--sysroot=/: -p takes this' --keep-loops -p build --sysroot=/ src/blur.c
refuse 'mikgen cc -p build compiles one file' cc -p build
refuse 'there is no option -prefix=x' -prefix=x f.c

# ---------------------------------------------------------------- CUDA
cat >src/scale.cu <<'END'
#include "width.h"
__global__ void scale(float *a, int n)
{
    for (int i = 0; i < WIDTH; i++)
        a[i] = a[i] * (float)(n / (DIVISOR + 0));
}
END
mkdir -p src/cuda
echo '#define WIDTH 64' >src/cuda/width.h
printf '[{"directory": "%s", "command": "nvcc -forward-unknown-to-host-compiler -DDIVISOR=7 -Icuda -x cu -c scale.cu", "file": "scale.cu"}]' "$PWD/src" >by_hand/compile_commands.json
says '(float)(n / 7)' --keep-loops --explain-licm -p by_hand src/scale.cu
says '(float)(n / 9)' --keep-loops --explain-licm -DDIVISOR=9 -p by_hand src/scale.cu
