#!/usr/bin/env bash
# --emit=reference: it rounds where C says that operations do, whatever a compiler does by itself, and asks no compiler for types that the spec
# does not use.
#
#   reference.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/fresh.sh
. "$here/../fresh.sh"
has() { grep -qF -- "$2" "$1" || fail "$1 has no line with: $2"; }

# Where the casts are.
cat >r.spec <<'END'
#include "shared.h"
#define SUM(a, b) (a) + (b)
void r(int n, const real x[n], const real y[n], real u[n], real v[n], int k[n])
{
    for (int i = 0; i < n; i++) {
        u[i] = x[i] + y[i] + THREE * x[i];
        v[i] = SUM(x[i], y[i]) * n;
        k[i] += x[i];
        k[i] = sizeof(x[i] + y[i]) + helper(x[i]);
    }
}
END
cat >shared.h <<'END'
#define THREE 3
typedef half real;
static real helper(real a) { return a * a + 1; }
END
"$mikgen" --emit=reference r.spec >reference.c
has reference.c 'typedef _Float16 half;'
has reference.c 'static real helper(real a) { return (_Float16)((_Float16)(a * a) + 1); }'
has reference.c 'u[i] = (_Float16)((_Float16)(x[i] + y[i]) + (_Float16)(THREE * x[i]));'
has reference.c 'v[i] = (_Float16)(( x [ i ] ) + (_Float16)(( y [ i ] ) * (_Float16)(n)));'
has reference.c '({ __auto_type mik_at = &(k[i] ); *mik_at = (_Float16)((_Float16)*mik_at + ( x[i])); });'
has reference.c 'sizeof(x[i] + y[i])'
for compiler in gcc clang-19; do
    $compiler -std=gnu11 -Wall -Wextra -Werror -Wno-sign-compare -fsyntax-only reference.c || fail "$compiler does not take the reference"
done

# Where there are instructions for halves, two operations stay two.
for compiler in "gcc -mavx512fp16 -mavx512vl" "clang-19 -mavx512fp16 -mavx512vl" "clang-19 --target=aarch64-linux-gnu -march=armv8.2-a+fp16"; do
    grep -v '^#include' reference.c | $compiler -std=gnu11 -O2 -w -S -x c - -o r.s
    grep -qE 'mulsh|mulph|fmul.*h[0-9]' r.s || fail "$compiler has no product of halves"
    ! grep -qE 'vfn?m(add|sub)|fn?m(add|sub|la|ls)' r.s || fail "$compiler makes one operation of two"
done

# What only some compilers have is there only if it is named, in whatever way.
cat >plain.spec <<'END'
#include <tgmath.h>
void plain(int half, const float bf16[half], float e4m3[half])
{
    for (int i = 0; i < half; i++)
        e4m3[i] = sqrt(bf16[i]) * 2 + (half > 3);
}
END
"$mikgen" --emit=reference plain.spec >plain.c
! grep -qE '_Float16 half|__bf16|__nv_fp8' plain.c || fail "the reference declares types that the spec does not use"
"$mikgen" --emit=reference r.spec | grep -qE '__bf16|__nv_fp8' && fail "it declares bf16 or floats of 8 bits beside half"
clang-19 --target=s390x-linux-gnu -std=gnu11 -w -fsyntax-only -x c - <<END || fail "clang does not take it for s390x"
$(grep -v '^#include' plain.c | sed 's/sqrt(/(/; 1i typedef _Bool bool;')
END
named() { # named TYPEDEF TEXT OPTION...: a spec with this text
    local typedef=$1 text=$2
    shift 2
    printf 'void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) { %s } }\n' "$text" >f.spec
    "$mikgen" --emit=reference "$@" f.spec >f.c
    has f.c "$typedef"
}
named 'typedef _Float16 half;' 'y[i] = (half)x[i];'
named 'typedef _Float16 half;' 'y[i] = (REAL)x[i];' -DREAL=half
named 'typedef _Float16 half;' 'y[i] = x[i] * sizeof(half);'
named 'typedef __bf16 bf16;' 'y[i] = (bf16)x[i];'
named '} __nv_fp8_e4m3, e4m3;' 'y[i] = e4m3_to_float(float_to_e4m3(x[i]));'

# The numbers: a sum of three, as the compilers compute it by themselves and as they do with the option that makes them round.
cat >s.spec <<'END'
void s(int n, const half x[n], const half y[n], const half z[n], half u[n])
{
    for (int i = 0; i < n; i++)
        u[i] = x[i] + y[i] + z[i];
}
END
cat >main.c <<'END'
#include <stdio.h>
#include <string.h>
void s(int n, const _Float16 *, const _Float16 *, const _Float16 *, _Float16 *);
int main(void)
{
    for (unsigned i = 1; i < 40000; i += 7) {
        const unsigned short bits[3] = {(unsigned short)(i * 40503 % 31000), (unsigned short)(i * 9973 % 31000), (unsigned short)(i * 12289 % 31000 + 0x8000)};
        _Float16 v[3], u;
        unsigned short result;
        memcpy(v, bits, sizeof v);
        s(1, v, v + 1, v + 2, &u);
        memcpy(&result, &u, sizeof u);
        printf("%x\n", result);
    }
    return 0;
}
END
"$mikgen" --emit=reference s.spec >s.c
build() { "$@" -std=gnu11 -O2 -w main.c s.c -o s && ./s >"$out"; }
for compiler in gcc clang-19; do
    rounding="-fexcess-precision=16"
    [ $compiler = gcc ] || rounding="-Xclang -ffloat16-excess-precision=none"
    out=defaults.$compiler build $compiler
    # shellcheck disable=SC2086 # two words
    out=rounding.$compiler build $compiler $rounding
    cmp defaults.$compiler rounding.$compiler || fail "$compiler by itself computes something else than with $rounding"
done
cmp defaults.gcc defaults.clang-19 || fail "gcc and clang differ"
echo "--emit=reference is what C says"
