#!/usr/bin/env bash
# mikgen tune with several specs: one profile with the kernels of all their contractions and all their loops, each once; names that two
# specs have are told apart; a fault in one of them ends it all.
#
#   tune_specs.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

# `clear` has the loops of `fill`; there are two of `invert`, with other loops.
product() {
    cat <<END
void $1(int m, int n, int k, const $2 A[m][k], const $2 B[k][n], $2 C[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            $2 sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[i][l] * B[l][j];
            C[i][j] = sum;
        }
}
END
}
map() { printf 'void %s(int n, %s X[n])\n{\n    for (int i = 0; i < n; i++)\n        X[i] = %s;\n}\n' "$@"; }
{ map fill float 'X[i] / 7'; map invert float '1 / X[i]'; product times float; } >first.spec
{ map invert float 'X[i] * X[i]'; map clear float 'X[i] / 7'; product times float; product times_f64 double; } >second.spec
printf 'fill 512\nclear 512\ninvert 100\ninvert_2 300\ntimes 4x4x4\ntimes_2 4x4x4\ntimes_f64 4x4x4\n' >all.shapes
tune=("$mikgen" tune --target=c --quick --isa=portable --cc='cc -O0' --shapes=all.shapes --max-kernels=1 --n-pred=8)

"${tune[@]}" --report=all.html --measurements=all.csv first.spec second.spec -o all.profile 2>message || { cat message; fail "it does not run"; }
grep -q "second.spec:1:6: note: 'invert' is called 'invert_2' in this run: first.spec has one, too" message || { cat message; fail "no note"; }
[ "$(grep -c '^kernel f32 ' all.profile)" = 1 ] && [ "$(grep -c '^kernel f64 ' all.profile)" = 1 ] || { cat all.profile; fail "not a kernel of each type"; }
[ "$(grep -c '^ *[0-9]* %  f32 portable, inner products' message)" = 1 ] || { cat message; fail "kernels are not measured once"; }
tail -n +2 all.csv | cut -d, -f1,3 | sort -u >measured
for nest in fill_nest1,512 invert_nest1,100 invert_2_nest1,300; do
    grep -qx "$nest" measured || { cat measured; fail "$nest is not measured"; }
done
! grep clear measured || fail "the same loops are measured in two specs"
nests=$(cut -d, -f1 measured | sort -u | wc -l)
[ "$(grep -c '^nest ' all.profile)" = "$nests" ] || { cat all.profile; fail "not a line for each of $nests nests"; }
grep -q '<h1>first.spec second.spec</h1>' all.html && grep -q '<h2>invert_2_nest1, portable' all.html || fail "the page lacks a spec"
grep -q '^100 %' message || fail "progress does not count all nests"
for spec in first second; do
    "$mikgen" --target=c --profile=all.profile --max-kernels=1 $spec.spec -o $spec.c || fail "the profile is not taken"
done

# Nothing is left to measure, together or one by one; shards share the nests of all specs out.
cp all.profile before
"${tune[@]}" --measurements=none.csv first.spec second.spec -o all.profile 2>/dev/null
"${tune[@]}" --shapes=<(grep -v '_2\|fill' all.shapes) second.spec -o all.profile 2>/dev/null
lines() { grep -v '^# complete for ' "$1"; } # which is about one command
cmp <(lines all.profile) <(lines before) && [ "$(wc -l <none.csv)" = 1 ] || fail "what is known is measured again"
grep -v '^nest' before >kernels.profile
for shard in 1 2; do
    cp kernels.profile part$shard.profile
    "${tune[@]}" --shard=$shard/2 first.spec second.spec -o part$shard.profile 2>/dev/null
    grep -q '^nest' part$shard.profile || fail "shard $shard has nothing to do"
done
cmp <(grep -h '^nest' part?.profile | cut -d' ' -f2-3 | sort) <(grep '^nest' before | cut -d' ' -f2-3 | sort) || fail "shards find other nests"

# Loops that take the place of a product where it is small: measured where they run, not searched where nothing runs them. Drawn extents
# are such that a call takes a tenth of a second at most: 64 MB of this one's arrays would be minutes.
convolution=$root/examples/conv2d/conv2d.spec large=1x14x14x32x32x3x3x1x1 small=1x20x20x1x1x1x1x1x0
printf 'fill 512\nconv2d %s\n' $large >large.shapes
{ cat large.shapes; echo "conv2d $small"; } >both.shapes
map fill float 'X[i] / 7' >fill.spec
second=("$mikgen" tune --target=c --quick --isa=portable --cc='cc -O0' --max-kernels=1 --shard=2/2)
"${second[@]}" --shapes=large.shapes fill.spec $convolution -o large.profile 2>message || { cat message; fail "it does not run"; }
grep -qx 'mikgen: note: conv2d_nest1 is not searched: no call at these extents runs its loops' message || { cat message; fail "no word about loops that do not run"; }
! grep '^nest' large.profile || fail "loops that do not run are searched"
"${second[@]}" --shapes=both.shapes --measurements=both.csv fill.spec $convolution -o both.profile 2>message || { cat message; fail "it does not run"; }
[ "$(tail -n +2 both.csv | cut -d, -f1,3 | sort -u)" = conv2d_nest1,$small ] || fail "loops are measured where they do not run"
[ "$(grep -c '^nest' both.profile)" = 1 ] || fail "loops that run are not searched"
"${second[@]}" fill.spec $convolution -o drawn.profile 2>message || { cat message; fail "drawn extents"; }

# A constant array has to be in one of them.
"${tune[@]}" --constant=B first.spec second.spec -o all.profile 2>message || { cat message; fail "--constant"; }
refuse "no operator has an array" tune --target=c --constant=Q first.spec second.spec -o no.profile

# Faults.
printf 'void f(int n, float X[n])\n{\n    X[0] = g(n);\n}\n' >wrong.spec
refuse "wrong.spec:3:12: error: " tune --target=c first.spec wrong.spec -o no.profile
refuse "missing.spec" tune --target=c first.spec missing.spec -o no.profile
{ echo '#pragma mikgen target(cuda)'; map other float 1; } >cuda.spec
{ echo '#pragma mikgen target(c)'; map fill float 1; } >c.spec
refuse "cuda.spec:2:6: error: this spec is for CUDA, an earlier one for C" tune c.spec cuda.spec -o no.profile
printf 'invert_3 10\n' >wrong.shapes
refuse "wrong.shapes:1:1: error: there is no operator 'invert_3'" tune --target=c --shapes=wrong.shapes first.spec second.spec -o no.profile
printf '10\n' >wrong.shapes
refuse "wrong.shapes:1:1: error: these are no extents" tune --target=c --shapes=wrong.shapes c.spec second.spec -o no.profile
printf 'void scan(int n, float x[n]) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }\n' >scan.spec
sed 's/scan/scan2/' scan.spec >scan2.spec
refuse "nothing about it can be chosen" tune --target=c scan.spec scan2.spec -o no.profile
[ ! -e no.profile ] || fail "a profile in spite of an error"
