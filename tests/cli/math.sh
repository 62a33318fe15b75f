#!/usr/bin/env bash
# --math: an option overrides a spec's pragma, --fp=strict refuses functions of wider bounds, and what is none of the three words is refused.
#
#   math.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"

cat >plain.spec <<'END'
void f(int N, const float x[N], const float y[N], float z[N])
{
    for (int i = 0; i < N; i++)
        z[i] = sinf(x[i]) / y[i];
}
END
echo 'void g(int N, const float x[N], float y[N]) { for (int i = 0; i < N; i++) y[i] = expf(x[i]); }' >exp.spec
{ echo '#pragma mikgen math(fast)'; cat plain.spec; } >fast.spec

# calls PATTERN OPTIONS...: the file calls such functions; calls - OPTIONS...: none of vectors.
calls() {
    local pattern=$1
    shift
    "$mikgen" --target=c "$@" -o out.c || fail "exit status $? of $*"
    if [ "$pattern" = - ]; then
        ! grep -qE 'f32z16_(sin|quotient)' out.c || fail "vectors of functions: $*"
    else
        grep -qE "$pattern" out.c || fail "no $pattern: $*"
    fi
}
calls 'f32z16_quotient\(f32z16_sin_fast\(' --math=fast plain.spec
grep -q -- '--math=fast' out.c || fail "the command that made the file lacks --math=fast"
calls 'f32z16_quotient\(f32z16_sin_fast\(' fast.spec
calls 'f32z16_sin\(.*\) / ' plain.spec
calls 'f32y8_exp_fast\(' --math=fast exp.spec
calls 'f32y8_exp\(' exp.spec
calls 'f32z16_sin\(.*\) / ' --math=vector fast.spec
calls - --math=libm fast.spec
calls - --fp=strict fast.spec

refuse "--math has no value 'exact'" --target=c --math=exact plain.spec
refuse "did you mean 'fast'?" --target=c --math=fats plain.spec
refuse "--math=fast does not go with it" --target=c --fp=strict --math=fast plain.spec
refuse "--math does not go with it" --keep-loops --math=fast plain.spec
sed -i 's/fast/quick/' fast.spec
refuse "fast.spec:1:21: error: functions of <math.h> are neither 'vector', 'fast' nor 'libm'" --target=c fast.spec
