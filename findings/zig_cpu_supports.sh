#!/usr/bin/env bash
# __builtin_cpu_supports under `zig cc` on x86-64.
#
# Surprise: with ziglang 0.17.1 it compiles and links, and answers 0 for everything, for "sse2" too, which each x86-64 has. So it does where zig
# links an object that gcc has compiled, which by gcc's own linking answers 1. With 0.17.0 the program does not link: __cpu_model is missing.
# Code that chooses its fastest variant so runs its slowest, without a word. Asking CPUID by <cpuid.h> works with both.
#
# Seen with ziglang 0.17.0 and 0.17.1 from PyPI and Debian's gcc 12.2:
#
#   gcc: sse2 1, cpuid 1
#   zig 0.17.1: sse2 0, cpuid 1
#   zig 0.17.1 links gcc's object: sse2 0, cpuid 1
#   zig 0.17.0: undefined symbol: __cpu_model
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache
for version in 0.17.1 0.17.0; do
    python3 -m pip install -q --disable-pip-version-check --no-deps --target $version ziglang==$version 2>log || { cat log; exit 1; }
done
cat >ask.c <<'END_OF_FILE'
#include <cpuid.h>
#include <stdio.h>
int main(void)
{
    unsigned a, b, c, d;
    __cpuid(1, a, b, c, d);
    printf("sse2 %d, cpuid %u\n", !!__builtin_cpu_supports("sse2"), d >> 26 & 1);
    return 0;
}
END_OF_FILE
cat >want <<'END_OF_FILE'
gcc: sse2 1, cpuid 1
zig 0.17.1: sse2 0, cpuid 1
zig 0.17.1 links gcc's object: sse2 0, cpuid 1
zig 0.17.0: undefined symbol: __cpu_model
END_OF_FILE
{
    gcc -c ask.c -o ask.o
    gcc ask.o -o ask
    echo "gcc: $(./ask)"
    0.17.1/ziglang/zig cc ask.c -o ask
    echo "zig 0.17.1: $(./ask)"
    0.17.1/ziglang/zig cc ask.o -o ask
    echo "zig 0.17.1 links gcc's object: $(./ask)"
    echo "zig 0.17.0: $(0.17.0/ziglang/zig cc ask.c -o ask 2>&1 | grep -o 'undefined symbol: __cpu_model' | head -1)"
} >seen
cat seen
diff want seen || { echo "it has changed"; exit 1; }
