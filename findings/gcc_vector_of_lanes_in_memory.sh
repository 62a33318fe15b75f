#!/usr/bin/env bash
# Vectors of integers that lie apart, written as GNU C initializers, gcc 12.2 for x86-64 with AVX2.
#
# Surprise: (i64x4){p[0], p[s], p[2 * s], p[3 * s]} is put together in registers, by vmovq and vpinsrq, while the stride is a variable. With a
# stride that is a constant, which is less work, gcc 12 loads the elements to general registers, stores them one by one on the stack, and
# reads the vector back from there. That load is wider than the stores before it, so it waits until they are in the cache. Eight
# lanes of 32 bits likewise. Floats and doubles stay in registers. Intrinsics (_mm_loadl_epi64, _mm_insert_epi32) stay there, too: a loop
# of population counts over such vectors took 2.4 times as long without them on a Zen 3.
#
# Seen with Debian 12's gcc-12 12.2.0-14+deb12u1, -O2; is the vector read from the stack?
#
#   int32_t: any stride no, a constant stride yes
#   int64_t: any stride no, a constant stride yes
#   float: any stride no, a constant stride no
#   double: any stride no, a constant stride no
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
package=gcc-12=12.2.0-14+deb12u1
[ "$(dpkg-query -W -f='${db:Status-Status} ${Version}' gcc-12 2>/dev/null || true)" = "installed ${package#*=}" ] ||
    apt-get install -y -qq "$package" >log 2>&1 || { cat log; exit 1; }
cat >lanes.c <<'END_OF_FILE'
#include <stdint.h>
typedef ELEMENT lanes __attribute__((vector_size(32)));
__attribute__((target("avx2"))) void load_apart(lanes *x, const ELEMENT *p, int64_t s)
{
    s = STRIDE;
#if LANES == 8
    *x = (lanes){p[0], p[s], p[2 * s], p[3 * s], p[4 * s], p[5 * s], p[6 * s], p[7 * s]};
#else
    *x = (lanes){p[0], p[s], p[2 * s], p[3 * s]};
#endif
}
END_OF_FILE
# from_stack ELEMENT LANES STRIDE
from_stack() {
    gcc-12 -O2 -S "-DELEMENT=$1" "-DLANES=$2" "-DSTRIDE=$3" lanes.c -o lanes.s
    grep -Eq '^\s+v[a-z0-9]+\s+-?[0-9]*\(%r[sb]p\), .*%ymm' lanes.s && echo yes || echo no
}
cat >want <<'END_OF_FILE'
int32_t: any stride no, a constant stride yes
int64_t: any stride no, a constant stride yes
float: any stride no, a constant stride no
double: any stride no, a constant stride no
END_OF_FILE
for type in "int32_t 8" "int64_t 4" "float 8" "double 4"; do
    # shellcheck disable=SC2086 # a type and its number of lanes
    set -- $type
    echo "$1: any stride $(from_stack "$1" "$2" s), a constant stride $(from_stack "$1" "$2" 8)"
done >seen
cat seen
diff want seen || { echo "it has changed"; exit 1; }
