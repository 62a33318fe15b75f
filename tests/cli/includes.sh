#!/usr/bin/env bash
# What specs include: where it is looked for, rules for make, banners, the reference.
#
#   includes.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
run() { "$mikgen" --target=c "$@"; }

# Beside the file that includes, and in the folders of -I.
mkdir -p specs/near "far away"
cat >specs/s.spec <<'END'
#include <math.h>
#include "near/a.h"
#include "b.h"
#include "near/a.h"
void s(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = a(x[i]) + b(x[i]);
}
END
printf '#pragma once\n#include "c.h" // beside this one\nstatic float a(float x) { return fabsf(x) * TWO; }' >specs/near/a.h
printf '#ifndef TWO\n#define TWO 2\n#endif\n' >specs/near/c.h
printf 'static float b(float x) { return x + 1; }\n' >"far away/b.h"
refuse "specs/s.spec:3:10: error: 'b.h' is not found" --target=c specs/s.spec
run -I "far away" specs/s.spec -o s_dyn.c --depfile=s.d
printf '%s\n' 's_dyn.c: \' '  specs/s.spec \' '  specs/near/a.h \' '  specs/near/c.h \' '  far\ away/b.h' | diff - s.d || fail "--depfile"

# The same bytes from anywhere; what is beside wins.
(cd specs && run -I "../far away/" s.spec) | cmp - s_dyn.c || fail "another file from the folder"
run -I "$PWD/far away" "$PWD/specs/s.spec" | cmp - s_dyn.c || fail "another file from paths"
mkdir other
printf '#error "the wrong one"\n' >other/a.h
run -I other -I "far away" specs/s.spec | sed "s/ -Iother//" | cmp - s_dyn.c || fail "-I before what is beside"
run -I / -I "far away" specs/s.spec | sed "s, -I/,," | cmp - s_dyn.c || fail "-I / is none in the file's command"

# The banner covers what is included.
"$mikgen" --check=s_dyn.c specs "far away" || fail "--check of what was made just now"
printf 'static float b(float x) { return x + 1 ; }\n' >"far away/b.h"
if "$mikgen" --check=s_dyn.c specs "far away" >diff 2>message || ! grep -q '^+.*FNV-1a' diff; then
    fail "--check with a changed include: $(cat diff message)"
fi
"$mikgen" --regenerate=s_dyn.c specs "far away"
run -I "far away" specs/s.spec | cmp - s_dyn.c || fail "--regenerate"

# The reference needs none of the files.
run --emit=reference -I "far away" specs/s.spec >reference.c
! grep -q '# *include "' reference.c || fail "the reference includes files"
mkdir alone
(cd alone && ${CC:-cc} -std=gnu11 -Wall -Werror -Wno-unused-function -c ../reference.c -o reference.o) || fail "the reference does not compile"
