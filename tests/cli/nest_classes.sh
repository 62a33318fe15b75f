#!/usr/bin/env bash
# Lines of profiles about classes of calls: the emitted file has a form for each, tests the bytes that a call touches, and takes the form that
# the profile names on both sides of each limit; --dump-after, --remarks and --emit=plan say what is chosen; a profile without such lines, or
# whose classes come to the same loops, adds nothing.
#
#   nest_classes.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

cat >scale.spec <<'EOS'
void scale(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
EOS
nest=$("$mikgen" --target=c --dump-after=nests scale.spec | sed -n 's/^\/\/ scale_nest1, line [0-9]*, \([0-9a-f]*\);.*/\1/p')

# profile FILE LINE...: lines about the nest.
profile() {
    local file=$1
    shift
    { echo "mikgen-profile 1"; for line; do echo "nest ${line/NEST/$nest} ns 1"; done; } >"$file"
}

profile classes.profile "portable NEST unroll 8" "portable NEST l2 unroll 2" "portable NEST memory unroll 4" "avx2 NEST l3 prefetch_distance 8"
"$mikgen" --target=c --profile=classes.profile scale.spec -o scale.c
for form in portable portable_l2 portable_memory avx2 avx2_l3 avx512; do
    grep -q "static void scale_nest1_$form(" scale.c || fail "there is no form $form"
done
grep -q 'define MIK_L2_BYTES 1048576' scale.c && grep -q 'define MIK_L3_BYTES 16777216' scale.c || fail "no limits that can be read"
grep -q 'mik_of_class(.*, 4.0 \* n + 4.0 \* n)' scale.c || fail "what a call touches is not tested"

# Each form says that it ran; portable ones run everywhere.
{
    echo '#include <stdio.h>'
    echo 'static const char *ran;'
    sed 's/^\(.*static void scale_nest1_\([a-z0-9_]*\)(const scale_args .*\)$/#define RAN "\2"\n\1/' scale.c |
        sed '/^#define RAN/{n;n;s/{/{ ran = RAN;\n#undef RAN/}'
    cat <<'EOS'
static float x[1 << 23], y[1 << 23];
int main(void)
{
    static const int limits[] = { 1 << 17, 1 << 21 };
    scale_options portable = { 0 };
    portable.isa = 1;
    for (int i = 0; i < 2; i++)
        for (int n = limits[i]; n < limits[i] + 2; n++) {
            x[n - 1] = (float)n;
            if (scale_with(&portable, n, x, y) || y[n - 1] != 2.0f * (float)n)
                return 1;
            printf("%d %s\n", n, ran);
        }
    return 0;
}
EOS
} >ran.c
"${CC:-cc}" -O1 -w ran.c -o ran -lm
./ran >ran.txt || fail "it computes something else"
diff - ran.txt <<'EOS' || fail "a class takes another form than its line says"
131072 portable_l2
131073 portable
2097152 portable
2097153 portable_memory
EOS

# What is chosen is said.
"$mikgen" --target=c --profile=classes.profile --dump-after=vectors scale.spec >dump
grep -qx '// portable: unroll 8; l2: unroll 2; memory: unroll 4' dump || { cat dump; fail "--dump-after does not say what is chosen"; }
grep -qx '// avx2: as planned; l3: prefetch_distance 8' dump || fail "--dump-after does not say what is chosen for another set"
"$mikgen" --target=c --profile=classes.profile --remarks scale.spec -o remarks.c 2>remarks
grep -q 'optimized: chosen for portable by the profile: unroll 8; l2: unroll 2; memory: unroll 4' remarks || fail "--remarks does not say what is chosen"
cmp <(grep -v 'profile=' scale.c) <(grep -v 'profile=' remarks.c) || fail "--remarks changes what is emitted"
"$mikgen" --target=c --profile=classes.profile --emit=plan scale.spec | tr -d ' \n' >plan
grep -q '"knobs":"unroll2","numbers":\[0\],"set":"portable"' plan || fail "--emit=plan does not say which class a form is for"

# Nothing is added where there is nothing to choose.
profile all.profile "portable NEST unroll 8"
profile same.profile "portable NEST unroll 8" "portable NEST l2 unroll 8" "portable NEST l3 unroll 8"
profile alike.profile "portable NEST unroll 8" "portable NEST l2 unroll 8 accumulators 4" # there are no sums
"$mikgen" --target=c --profile=all.profile scale.spec | grep -v 'profile=' >all.c
for file in same alike; do
    "$mikgen" --target=c --profile=$file.profile scale.spec | grep -v 'profile=' | cmp - all.c || fail "$file.profile adds something"
done
! grep -q mik_of_class all.c || fail "a test without classes"
# All have lines of their own, two of them the same: two forms.
profile own.profile "portable NEST unroll 1" "portable NEST l2 unroll 2" "portable NEST l3 unroll 8" "portable NEST memory unroll 2"
"$mikgen" --target=c --profile=own.profile scale.spec >own.c
[ "$(grep -c 'static void scale_nest1_portable' own.c)" = 2 ] || fail "not two forms"
# A later line about all classes takes the place of those about some.
cat classes.profile all.profile >merged.profile
"$mikgen" --target=c --profile=merged.profile scale.spec | grep -q 'scale_nest1_portable_l2' && fail "what is newer does not count"

# Wrong input.
profile wrong.profile "portable NEST l4 unroll 8"
"$mikgen" --target=c --profile=wrong.profile scale.spec >out 2>message && fail "a class that there is not"
grep -q "wrong.profile:2:32: error: a nest record has no field 'l4'" message && grep -q 'a class, l2, l3 or memory, goes right behind the nest' message ||
    { cat message; fail "another message"; }
[ ! -s out ] || fail "output in spite of an error"
