#!/usr/bin/env bash
# mikgen tune makes a complete profile, goes on after an interrupt, and refuses what it cannot use; mikgen --profile
# takes what it made, merges, and prints the same bytes for the same profiles.
#
#   tune.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

spec=$root/examples/gemm_f32/gemm_f32.spec
tune=("$mikgen" tune --target=c --cc=./cached-cc --quick --max-kernels=2 --n-pred=70)
emit=("$mikgen" --target=c --max-kernels=2)

# A compiler that remembers its last output, of what measures kernels.
cat >cached-cc <<'EOF'
#!/bin/sh
for word; do case $word in *.c) source=$word ;; */tune) program=$word ;; -shared | -ldl) exec cc "$@" ;; esac; done
cmp -s "$source" cached.c || { cc "$@" && cp "$source" cached.c && cp "$program" cached; } || exit 1
cp cached "$program"
EOF
chmod +x cached-cc

# A complete profile: two kernels and everything else for each instruction set.
"${tune[@]}" "$spec" -o a.profile 2>progress
[ "$(head -1 a.profile)" = "mikgen-profile 1" ] || fail "no header"
grep -q '^# measured on ' a.profile || fail "no word about the machine"
! grep -F "$PWD" a.profile || fail "a path in the profile"
grep -q '^100 %  ' progress || { cat progress; fail "no progress is shown"; }
isas=$(awk '$1 == "kernel" { print $3 }' a.profile | sort -u)
echo "$isas" | grep -qx portable || fail "no portable kernels"
for isa in $isas; do
    [ "$(grep -c "^kernel f32 $isa " a.profile)" = 2 ] || fail "not two kernels for $isa"
    grep -q "^dot f32 $isa step [0-9.e+-]* tile [0-9.e+-]* sum [0-9.e+-]*$" a.profile || fail "no dot record for $isa"
    for field in pack gather far conflict far_a conflict_a read; do
        grep -q "^move f32 $isa .*\b$field [0-9.]" a.profile || fail "no cost '$field' for $isa"
    done
done

# Every number of the engine for what this machine has beside portable kernels, of which the program that is emitted has those that are
# not usual, by instruction set.
numbers=$(sed -n 's/^ENGINE_[A-Z]*(\([a-z0-9_]*\),.*/\1/p' "$root/plan/engine_knobs.def")
[ "$(wc -w <<<"$numbers")" -ge 20 ] || fail "the list of the engine's blocking parameters is not read"
for isa in $isas; do
    [ "$isa" != portable ] || continue
    for number in $numbers; do
        grep -q "^engine f32 $isa .*\b$number [0-9]*\b" a.profile || fail "no number '$number' for $isa"
    done
    printf 'mikgen-profile 1\nengine f32 %s kc 320 prefetch_distance 5 doubt 28\n' "$isa" >engine.profile
    "${emit[@]}" --profile=a.profile --profile=engine.profile "$spec" -o engine.c
    sed -n "/^static const mik_f32_isa mik_f32_$isa = /,/^};/p" engine.c >table
    grep -q ', 320, ' table && grep -q '\.doubt = 0.28f, .*\.prefetch_distance = 5,' table || fail "the engine's blocking parameters for $isa are not emitted"
    sed -n "/^static const mik_f32_isa mik_f32_portable = /,/^};/p" engine.c | grep -q '\.prefetch_distance = 8, ' || fail "they are portable kernels', too"
    grep -q 'isa->fitted\.prefetch_distance' engine.c || fail "nothing reads the numbers"
    cc -O0 -Wall -Wextra -Werror -c engine.c -o engine.o || fail "with numbers of its own the file does not compile"
    "${emit[@]}" --emit=plan --profile=engine.profile "$spec" | grep -q '"prefetch_distance": "5"' || fail "--emit=plan does not show the numbers"
done
printf 'mikgen-profile 1\nengine f32 avx2 prefetch_distance 8 doubt 14 kc 512\n' >usual.profile
"${emit[@]}" --profile=usual.profile "$spec" >usual.c
! grep -q 'fitted\.' usual.c || fail "usual numbers are members of tables"

# What is there is not measured again; what is missing is, alone.
lines() { grep -v '^# complete for ' "$1"; } # which is about one command
cp a.profile before
"${tune[@]}" "$spec" -o a.profile 2>/dev/null
cmp a.profile before || fail "a complete profile changed"
sed 's/\(^engine .*\) band [0-9]*/\1/' before >a.profile
"${tune[@]}" "$spec" -o a.profile 2>/dev/null
[ "$(grep -c '^engine.* band [0-9]' a.profile)" = "$(grep -c '^engine' before)" ] || fail "a missing number of the engine is still missing"
diff <(lines before | sed 's/ band [0-9]*//') <(lines a.profile | sed 's/ band [0-9]*//') || fail "numbers of the engine that were there changed"
gone=$(grep -m1 '^kernel f32 portable ' a.profile | cut -d' ' -f1-4)
grep -v "^$gone \|^dot f32 portable" before | sed 's/ conflict [0-9.e+-]*//' >a.profile
"${tune[@]}" "$spec" -o a.profile 2>/dev/null
grep -q "^$gone g " a.profile && grep -q '^dot f32 portable ' a.profile || fail "what was missing is still missing"
grep -c ' conflict ' a.profile | grep -qx "$(echo "$isas" | wc -l)" || fail "a missing field is still missing"
diff <(lines before | grep -v "^$gone \|^dot f32 portable" | sed 's/ conflict [0-9.e+-]*//') \
    <(lines a.profile | grep -v "^$gone \|^dot f32 portable" | sed 's/ conflict [0-9.e+-]*//') || fail "what was there changed"

# One instruction set alone, on standard output; measured afresh; measured again, where the shorter times win.
"${tune[@]}" --isa=portable "$spec" 2>/dev/null >portable.profile
[ "$(awk '$1 == "kernel" { print $3 }' portable.profile | sort -u)" = portable ] || fail "--isa=portable measured others too"
cp before fresh.profile
"${tune[@]}" --isa=portable --fresh "$spec" -o fresh.profile 2>/dev/null
! grep -q avx fresh.profile || fail "--fresh kept something"
size=$(echo "$gone" | cut -d' ' -f4)
sed "s/^\(kernel f32 portable $size g\) .*/\1 .01 .01 .01 .01 9e9 9e9 9e9 9e9/" fresh.profile >again.profile
"${tune[@]}" --isa=portable --again "$spec" -o again.profile 2>/dev/null
grep -q "^kernel f32 portable $size g 0.01 0.01 0.01 0.01 " again.profile || fail "--again lost the shorter times"
! grep -q 9e+09 again.profile || fail "--again kept the longer times"

# Ctrl-C keeps what is measured; the same command goes on from there. The measuring program sleeps before the first inner
# product, until it is interrupted.
cat >sleepy-cc <<'EOF'
#!/bin/sh
./cached-cc "$@" || exit 1
for program; do case $program in */tune) break ;; esac; done
mv "$program" ./measuring
cat >"$program" <<'END'
#!/bin/sh
while read -r line; do
    case $line in dots*) touch asleep; sleep 1000 ;; esac
    echo "$line"
done | ./measuring "$@"
END
chmod +x "$program"
EOF
chmod +x sleepy-cc
interrupt '[ -e asleep ]' "${tune[@]}" --isa=portable --cc=./sleepy-cc "$spec" -o c.profile
cp c.profile before
[ "$(grep -c '^kernel ' before)" = 2 ] && ! grep -q '^dot' before || fail "an interrupt keeps something else than what is measured"
"${emit[@]}" --profile=c.profile "$spec" -o out.c || fail "the profile of an interrupted run is not accepted"
"${tune[@]}" --isa=portable "$spec" -o c.profile 2>/dev/null
grep -q '^dot' c.profile || fail "the second run did not complete the first"
[ -z "$(grep -vxFf c.profile before)" ] || fail "the second run measured again"

# What the profile says is what is emitted: same bytes for the same profiles, the last one wins.
"${emit[@]}" --profile=a.profile "$spec" -o one.c
"${emit[@]}" --profile=./a.profile "$spec" -o two.c
cmp one.c two.c || fail "the same profile gives different bytes"
grep -q 'mikgen --target=c --max-kernels=2 --profile=a.profile gemm_f32.spec' one.c || fail "the banner does not name the profile"
printf 'mikgen-profile 1\nkernel f32 portable %s g 11 22 33 44 55 66 77 88\n' "$size" >b.profile
line="mik_f32_${size}_portable, .*{11,22,33,44,55,66,77,88}"
"${emit[@]}" --profile=a.profile --profile=b.profile "$spec" -o merged.c
grep -q "$line" merged.c || fail "the last profile does not win"
"${emit[@]}" --profile=b.profile --profile=a.profile "$spec" -o merged.c
! grep -q "$line" merged.c || fail "the first profile wins"
cat a.profile b.profile >both.profile
"${emit[@]}" --profile=both.profile "$spec" -o merged.c
grep -q "$line" merged.c || fail "the last line does not win"
"${emit[@]}" --profile=a.profile "$spec" -o over.c
for isa in $isas; do
    [ "$(grep -c "_$isa, .*{$(awk -v isa="$isa" '$1 == "kernel" && $3 == isa { print $6 }' a.profile | head -1)," over.c)" -ge 1 ] ||
        fail "g of the profile is not in the table of $isa"
done

# The built-in profiles change costs, and not which kernels there are; none is without them; others take their place.
"${emit[@]}" "$spec" -o built_in.c
"${emit[@]}" --profile=none "$spec" -o none.c
grep -q 'mikgen --target=c --max-kernels=2 --profile=none gemm_f32.spec' none.c || fail "the banner does not say that there is no profile"
kernels() { grep -o '^static void mik_f32_[0-9]*x[0-9]*_[a-z0-9]*(' "$1"; }
cmp <(kernels built_in.c) <(kernels none.c) || fail "the built-in profiles choose kernels"
! cmp -s <(grep -v '^ \* .*mikgen' built_in.c) <(grep -v '^ \* .*mikgen' none.c) || fail "the built-in profiles change nothing"
cp a.profile whole.profile
for isa in avx512 avx2; do # built-in profiles speak for what this machine lacks
    grep -q "^kernel f32 $isa " a.profile || cat "$root"/tune/profiles/*_f32.profile | grep " f32 $isa " >>whole.profile
done
"${emit[@]}" --profile=whole.profile "$spec" -o whole.c
"${emit[@]}" --profile=none --profile=whole.profile "$spec" | sed 's/ --profile=none//' | cmp - whole.c || fail "a built-in profile shows beside another"
"${emit[@]}" --profile=a.profile --profile=none "$spec" | sed 's/ --profile=a.profile//' | cmp - none.c || fail "a profile before none shows"

# The profiles that come with the source are accepted, and change what is emitted.
for profile in "$root"/tune/profiles/*.profile; do
    LC_ALL=C sort "$profile" | uniq -d | grep . && fail "a line is there twice in $profile"
    "${emit[@]}" --profile="$profile" "$spec" -o shipped.c || fail "$profile is not accepted"
    case $profile in *f32*)
        ! diff <(sed 's/ --profile=[^ ]*//' shipped.c) <("${emit[@]}" --profile=none "$spec" | sed 's/ --profile=none//') >/dev/null ||
            fail "$profile changes nothing" ;;
    esac
done

# Profiles of GPUs, which the C target ignores, as the CUDA target does those of processors.
printf 'mikgen-profile 1\nblock f32 sm_90 64x64x16_sm80 fixed 1.5 step 2.25 alone 3.125\ngpu sm_90 bandwidth 1234 reached 0.9 launch 7 meeting 2000 partial 0.02\n' >gpu.profile
"$mikgen" --target=cuda --profile=a.profile --profile=gpu.profile "$spec" -o with.cu
"$mikgen" --target=cuda --profile=gpu.profile "$spec" | sed 's/ --profile=gpu.profile/ --profile=a.profile&/' | cmp - with.cu ||
    fail "the profile of a processor shows on a GPU"
grep -A1 '_64x64x16_sm80"' with.cu | grep -q ', {1500, 2250, 3125}} *},$' || fail "the rates of the profile are not in the table"
grep -q '^    {1.234, 0.9, 7000, 2000000, 20},$' with.cu || fail "the costs of the profile are not emitted"
"${emit[@]}" --profile=a.profile --profile=gpu.profile "$spec" | sed 's/ --profile=gpu.profile//' | cmp - one.c ||
    fail "the profile of a GPU shows on a processor"
rm gpu.profile

# Operands that the operation itself has to fetch.
"${tune[@]}" "$root/examples/conv2d/conv2d.spec" --isa=portable --budget=1 -o conv.profile 2>/dev/null
grep -q '^move f32 portable .*\bconvert [0-9.]' conv.profile || fail "no cost of fetching for a convolution"

# What is no profile.
printf 'mikgen-profile 1\n# x\nkernel f32 avx3 1x8 g 1 2 3 4 5 6 7 8\n' >bad.profile
refuse "bad.profile:3:12: error: there is no instruction set 'avx3'" --target=c --profile=bad.profile "$spec" -o out2.c
[ ! -e out2.c ] || fail "a file in spite of an error"
cp bad.profile before
refuse "bad.profile:3:12: error" tune --target=c "$spec" -o bad.profile
cmp bad.profile before || fail "a file that is no profile was overwritten"
printf 'mikgen-profile 1\0\n' >zero.profile
refuse "zero.profile:1:17: error: there is a zero byte" --target=c --profile=zero.profile "$spec"
refuse "missing.profile: error: No such file" --target=c --profile=missing.profile "$spec"
printf 'mikgen-profile 1\n# measured on an abacus; by hand\n' >other.profile
refuse "measured on an abacus" tune --target=c --cc=./cached-cc --quick --max-kernels=2 "$spec" -o other.profile

# What does not go together.
refuse "--cc does not go with --target=cuda" tune --target=cuda --cc=gcc "$spec" -o gpu.profile
refuse "--isa does not go with --target=cuda" tune --target=cuda --isa=avx2 "$spec" -o gpu.profile
refuse "nvcc, which is ./missing: No such file" tune --target=cuda --nvcc=./missing "$spec" -o gpu.profile
refuse "--nvcc does not go with --target=c" tune --target=c --nvcc=./missing "$spec" -o none.profile
refuse "--device does not go with --target=c" tune --target=c --device=0 "$spec" -o none.profile
refuse "--budget goes with mikgen tune only" --budget=5 "$spec"
refuse "--device takes a number from 0" tune --target=cuda --device=-1 "$spec" -o gpu.profile
printf 'void scan(int n, float x[n]) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }\n' >scan.spec
refuse "nothing about it can be chosen" tune --target=c scan.spec -o none.profile
refuse "--cc" tune --target=c --cc=no-such-compiler "$spec" -o none.profile
refuse "--quick goes with mikgen tune only" --quick "$spec"
refuse "--emit does not go with it" tune --emit=plan "$spec"
refuse "--isa has no value 'avx3'" tune --target=c --isa=avx3 "$spec"
[ ! -e none.profile ] && [ ! -e gpu.profile ] || fail "a profile in spite of an error"
"$mikgen" tune --help | grep -q -- --fresh || fail "tune --help says nothing"
"$mikgen" --help | grep -q -- --profile || fail "--help says nothing of profiles"
