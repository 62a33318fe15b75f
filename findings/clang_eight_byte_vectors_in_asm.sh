#!/usr/bin/env bash
# Vectors of 8 bytes as operands of assembly in an SSE register, gcc and clang on x86-64.
#
# Surprise: both keep two floats as a vector_size(8) in an xmm register, and add or multiply them there. Yet clang has no such register for an
# asm operand of that type: of "+x", and of "+v" with AVX-512VL, it says that it could not allocate an output register, at every level of
# optimization. A vector of 16 bytes is taken, and so is a double, which has the same 8 bytes. gcc takes them all. An empty asm that keeps a
# rounded product apart from a later addition so stops to compile for the one vector type that is half a register.
#
# Seen with ziglang 0.13.0 (clang 18.1.6) and 0.15.1 (clang 20.1.2) from PyPI, and Debian's gcc 12.2:
#
#   gcc: 8 bytes yes, double yes, 16 bytes yes
#   zig 0.13.0: 8 bytes no, double yes, 16 bytes yes
#   zig 0.15.1: 8 bytes no, double yes, 16 bytes yes
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache
for version in 0.13.0 0.15.1; do
    python3 -m pip install -q --disable-pip-version-check --no-deps --target $version ziglang==$version 2>log || { cat log; exit 1; }
done
operand() { printf 'typedef %s;\nvector kept(vector x, vector y)\n{\n    vector p = x * y;\n    __asm__("" : "+x"(p));\n    return p;\n}\n' "$1" >"$2.c"; }
operand 'float vector __attribute__((vector_size(8)))' eight
operand 'double vector' double
operand 'float vector __attribute__((vector_size(16)))' sixteen
cat >want <<'END_OF_FILE'
gcc: 8 bytes yes, double yes, 16 bytes yes
zig 0.13.0: 8 bytes no, double yes, 16 bytes yes
zig 0.15.1: 8 bytes no, double yes, 16 bytes yes
END_OF_FILE
# takes NAME COMMAND...: says "yes", or "no" where that is what the compiler says.
takes() {
    local name=$1
    shift
    if "$@" -O2 -c "$name.c" -o "$name.o" 2>message; then echo yes; return; fi
    grep -q "couldn't allocate output register for constraint 'x'" message && echo no || { cat message; }
}
all() { echo "8 bytes $(takes eight "$@"), double $(takes double "$@"), 16 bytes $(takes sixteen "$@")"; }
{
    echo "gcc: $(all gcc)"
    for version in 0.13.0 0.15.1; do echo "zig $version: $(all $version/ziglang/zig cc -target x86_64-linux-musl)"; done
} >seen
cat seen
diff want seen || { echo "it has changed"; exit 1; }
