#!/usr/bin/env bash
# mikgen tune finds where local arrays are computed best, then searches the nests that there are then; goes on after an interrupt, and leaves
# it to one run where nests are shared out.
#
#   tune_placements.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
cd "$2"
rm -rf ./*

# One of 64 elements is read: computed there alone they take a small part of the time. Nothing is to be gained of `none`.
cat >few.spec <<'EOS'
void few(int n, const float x[64 * n], const float z[64 * n], float y[n])
{
    float s[64 * n], t[64 * n];
    for (int i = 0; i < 64 * n; i++)
        s[i] = expf(x[i]) + 1.0f;
    for (int i = 0; i < 64 * n; i++)
        t[i] = expf(z[i]) - 1.0f;
    for (int i = 0; i < n; i++)
        y[i] = s[64 * i] * t[64 * i];
}
void none(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 1.0f;
}
EOS
printf 'few 200\nfew 1000\nnone 1000\n' >few.shapes

# What is measured is no matter of how busy this machine is: a call of expf() lasts a microsecond here, far longer than all else.
cat >weigh.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static long long calls;

float expf(float x);
float expf(float x)
{
    calls++;
    return x + 1;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *);
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(clock, t);
    const long long ns = t->tv_nsec + 1000 * calls;
    t->tv_sec += ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return status;
}
EOC
cc -O1 -fno-builtin -shared -fPIC weigh.c -o weigh.so
tune=("$mikgen" tune --target=c --quick --trials=2 --isa=portable --cc="cc -O1 -Wl,--no-as-needed,-rpath=. ./weigh.so" --shapes=few.shapes
    few.spec)

number() { sed -n "s/^\/\/ $1, \([0-9a-f]*\): .*/\1/p"; }
few=$("$mikgen" --target=c --dump-after=nests few.spec | number few)
[ -n "$few" ] || fail "--dump-after=nests shows no choice"

# Both arrays gain, and more so together: one, the other, both, and what else there is, less than eight ways with the planned one. Of 128
# calls for an element two are left.
"${tune[@]}" -o a.profile 2>progress || { cat progress; fail "it does not run"; }
grep -qE "few, where arrays are computed: [3-7] measured; s inlined, t inlined, [2-9][0-9]\.[0-9]+ times as fast as planned" progress || { cat progress; fail "what is told"; }
grep -qE "^fuse $few 0 inlined 1 inlined ns [0-9.e+]+\$" a.profile || { cat a.profile; fail "no line"; }
[ "$(grep -c '^fuse ' a.profile)" = 1 ] || { cat a.profile; fail "a line about an operator without a choice"; }

# The nests that are searched are those that the profile's line gives.
"$mikgen" --target=c --profile=a.profile --dump-after=nests few.spec | sed -n 's/^\/\/ .*_nest[0-9]*, line [0-9]*, \([0-9a-f]*\);.*/\1/p' | sort >placed
sed -n 's/^nest portable \([0-9a-f]*\) .*/\1/p' a.profile | sort | cmp - placed || { cat a.profile placed; fail "other nests are searched"; }
"$mikgen" --target=c --profile=a.profile --remarks few.spec -o placed.c 2>remarks
[ "$(grep -c "optimized: the profile has chosen 'inlined'" remarks)" = 2 ] || { cat remarks; fail "the profile's line is not used"; }

# What is there is not measured again, and still gives these nests; with --again it is.
cp a.profile before
"${tune[@]}" -o a.profile 2>progress
cmp a.profile before || fail "a complete profile changed"
! grep -q 'measured' progress || { cat progress; fail "something is measured again"; }
sed '/^nest/d' before >a.profile
"${tune[@]}" -o a.profile 2>progress
! grep -q 'where arrays' progress || { cat progress; fail "a known placement is measured again"; }
diff <(sed 's/ .*//' before) <(sed 's/ .*//' a.profile) || fail "other lines when the placement is known"
"${tune[@]}" --again -o a.profile 2>progress
grep -q 'few, where arrays are computed' progress || { cat progress; fail "--again"; }

# That nothing is to be gained is known, too.
sed "s/^fuse $few .*/fuse $few ns 1/" before >planned.profile
"${tune[@]}" -o planned.profile 2>progress
grep -qx "fuse $few ns 1" planned.profile || { cat planned.profile; fail "a placement as planned is measured again"; }

# Shards share out nests, of which they must know the same.
"${tune[@]}" --shard=1/2 -o shard.profile 2>progress
! grep -q '^fuse' shard.profile || fail "a shard places arrays"

# Ctrl-C: what is found is kept, and the same command goes on.
interrupt "grep -qs ^fuse c.profile" "${tune[@]}" --trials=64 -o c.profile
line=$(grep '^fuse' c.profile)
"${tune[@]}" -o c.profile 2>progress
! grep -q 'where arrays' progress && grep -qx "$line" c.profile || { cat c.profile; fail "it does not go on"; }
[ "$(grep -c '^nest' c.profile)" -ge 2 ] || { cat c.profile; fail "it does not go on with the nests"; }
