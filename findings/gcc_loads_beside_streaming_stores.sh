#!/usr/bin/env bash
# Loads that do not change in a loop with non-temporal stores, gcc and clang on x86-64.
#
# Surprise: _mm256_stream_ps() is a built-in function that gcc expects to write anywhere, restrict or not. An int that a loop reads again and
# again is loaded in each iteration beside it, and before the loop beside a usual store. clang loads it once in both.
#
# Seen with Debian's gcc 12.2 and ziglang 0.13.0 (clang 18.1.6) from PyPI:
#
#   gcc: streaming store in the loop, usual store before it
#   clang: streaming store before it, usual store before it
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export ZIG_GLOBAL_CACHE_DIR=$folder/cache ZIG_LOCAL_CACHE_DIR=$folder/cache
python3 -m pip install -q --disable-pip-version-check --no-deps --target zig ziglang==0.13.0 2>log || { cat log; exit 1; }
cat >want <<'END_OF_FILE'
gcc: streaming store in the loop, usual store before it
clang: streaming store before it, usual store before it
END_OF_FILE
# of STORE: a loop that copies and negates a row, which an index picks.
of() {
    printf '#include <immintrin.h>\n'
    printf 'void f(float *restrict y, const int *restrict row, const float *restrict t, long n)\n{\n'
    printf '    for (long i = 0; i < n; i += 8)\n'
    printf '        %s(y + i, _mm256_sub_ps(_mm256_setzero_ps(), _mm256_loadu_ps(t + 768L * row[0] + i)));\n}\n' "$1"
}
of _mm256_stream_ps >stream.c
of _mm256_store_ps >usual.c
# Where the index is loaded: behind the last label before the store, or not.
place() {
    "${@:2}" -O2 -mavx2 -S "$1.c" -o "$1.s"
    awk '/^\.?L[A-Z0-9_]*:/ { inside = 0 }
         /movslq/ { inside = 1 }
         /vmovntps|vmovaps.*ymm[0-9]*, *[-0-9]*\(/ { exit }
         END { print inside ? "in the loop" : "before it" }' "$1.s"
}
all() { echo "streaming store $(place stream "$@"), usual store $(place usual "$@")"; }
{
    echo "gcc: $(all gcc)"
    echo "clang: $(all zig/ziglang/zig cc -target x86_64-linux-musl)"
} >seen
cat seen
diff want seen || { echo "it has changed"; exit 1; }
