#!/usr/bin/env bash
# mikgen tune --target=cuda against a GPU that is made up: a program that answers as the measuring program would on a device whose
# kernels have the rates that their names say. The profile must hold these rates. Needs neither nvcc nor a GPU.
#
#   tune_cuda.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

# A compiler that looks at nothing. $DEVICE: what the device says of itself; every 43rd launch is disturbed. $REFUSES: kernels that refuse
# the product, and end the program where they are launched all the same.
cat >nvcc <<'EOF'
#!/bin/sh
echo "$*" | sed 's/[^ ]*tune/tune/g' >>compiled
for program; do :; done
cp measuring "$program"
EOF
cat >measuring <<'EOF'
#!/bin/bash
launch=1500 answers=0
while read -r what type name blocks steps; do
    IFS=x_ read -r m n _ <<<"$name"
    case $what in device | launch | peak | stream) m=0 n=0 ;; esac
    case $name in *_pair_* | 128x128x128_splitk_*) pair=2 ;; *_splitk_*) pair=4 ;; *) pair=1 ;; esac # multiprocessors for a tile
    resident=$((m * n >= 128 * 128 ? 1 : m * n >= 64 * 64 ? 2 : 4)) outputs=$((m * n / pair))
    fixed=$((1000 + m * 10)) step=$((20 + m * n / 64)) alone=$((50 + m * n / 30))
    answers=$((answers + 1)) refused=0
    case "$type $name" in ${REFUSES-}) refused=1 ;; esac
    case $what in block | split) [ $refused = 0 ] || { echo "a kernel: invalid argument" >&2; exit 1; } ;; esac
    case $what in
        device) echo "$DEVICE" ;;
        resident) case $name in 8x*_sm90a) echo 0 ;; *) echo $resident ;; esac ;;
        try) [ $refused = 1 ] && echo "invalid argument" || echo ok ;;
        shape) echo "$blocks $((blocks > 1 && steps > 100 ? 100 : steps))" ;;
        launch) echo $launch ;;
        peak) echo 4800 ;;
        stream) echo 0.00025 ;;
        block)
            rate=$alone
            shared=$((blocks > 1 ? blocks * pair / 100 : 0))
            [ $((shared * step)) -lt $alone ] || rate=$((shared * step))
            echo $(((launch + fixed + steps * rate) * (answers % 43 ? 1 : 2)))
            ;;
        split) echo $((launch + fixed + steps / blocks * alone + 1700 + (2 + blocks) * outputs * 4 / 50)) ;;
        *) echo -1 ;;
    esac
    [ "$what" != "${SLOW-}" ] || sleep 0.1
    if [ "$what" = "${SLEEP-}" ]; then
        touch asleep
        sleep 1000
    fi
done
EOF
chmod +x nvcc measuring
export DEVICE="gpu 90 100 13.0 Made Up"
tune=("$mikgen" tune --target=cuda --nvcc=./nvcc --quick)
spec=$root/examples/gemm/gemm.spec

# Rates, one line for each kernel; those that the device cannot run have none.
"$mikgen" tune --target=cuda --nvcc=./nvcc "$spec" -o a.profile 2>progress || { cat progress; fail "it does not run"; }
grep -qx -- '-std=c++17 -O3 tune.cu -o tune' compiled && grep -qx -- '-std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a tune.cu -o tune' compiled ||
    { cat compiled; fail "not compiled for the device"; }
grep -qx '# sm_90 measured on Made Up, 100 multiprocessors; nvcc 13.0' a.profile || fail "no word about the device"
grep -qx 'gpu sm_90 bandwidth 4000 reached 0.8333 launch 1500 meeting 1[67][0-9][0-9] partial 0.0[12][0-9]*' a.profile || { cat a.profile; fail "not the costs of the GPU"; }
"$mikgen" --target=cuda --max-kernels=0 "$spec" -o plain.cu
kernels=$(grep -o '{"mik_gemm_f16f32_[^"]*"' plain.cu | sed 's/.*f32_//; s/"//')
[ "$(grep -c '^block' a.profile)" = "$(echo "$kernels" | grep -vc '^8x.*_sm90a')" ] || fail "not all kernels, or other ones"
awk '$1 == "block" {
    split($4, side, /[x_]/)
    m = side[1]; n = side[2]; outputs = m * n
    resident = outputs >= 128 * 128 ? 1 : outputs >= 64 * 64 ? 2 : 4
    fixed = 1000 + m * 10; step = 20 + int(outputs / 64); alone = 50 + int(outputs / 30)
    if (resident * step < alone)
        step = alone / resident
    if (!near($6, fixed, 0.05) || !near($8, step, 0.02) || !near($10, alone, 0.02)) {
        print "FAILED: " $0 "\ninstead of fixed " fixed " step " step " alone " alone
        exit 1
    }
}
function near(x, y, part) { return x - y <= part * y && y - x <= part * y }' a.profile

# Once more: nothing is compiled, and nothing changes. With other options, --again, another compiler something is.
cp a.profile before
rm compiled
"$mikgen" tune --target=cuda --nvcc=./nvcc "$spec" -o a.profile 2>message || { cat message; fail "a complete profile is an error"; }
grep -q 'nothing is left to measure: a.profile is complete' message || { cat message; fail "a complete profile is not known"; }
[ ! -e compiled ] && cmp a.profile before || fail "a complete profile is measured again"
compiles() {
    local what=$1
    shift
    rm -f compiled
    cp before changed.profile
    "$@" -o changed.profile 2>message || { cat message; fail "$what"; }
    [ -e compiled ] && ! grep -q 'is left to measure' message || { cat message; fail "nothing is measured: $what"; }
}
compiles "--again" "$mikgen" tune --target=cuda --nvcc=./nvcc --again "$spec"
compiles "another kind of GPU" "$mikgen" tune --target=cuda --nvcc=./nvcc --arch=sm_90 "$spec"
cp nvcc other-nvcc
echo ': # longer' >>other-nvcc
compiles "another compiler" "$mikgen" tune --target=cuda --nvcc=./other-nvcc "$spec"
sed -i '/^block/{x;s/^/x/;/^x$/!{x;b};x;d}' before
cp before a.profile
compiles "a line is gone" "$mikgen" tune --target=cuda --nvcc=./nvcc "$spec"
[ "$(grep -c '^block' changed.profile)" -gt "$(grep -c '^block' before)" ] || fail "a line is still gone"
[ "$(tail -1 message)" = "mikgen: written to changed.profile, for mikgen --target=cuda --profile=changed.profile gemm.spec" ] || { cat message; fail "the last line"; }

# The same profile, the same bytes; the last line wins; what it says is emitted.
cp changed.profile a.profile
grep -v '^# complete' a.profile >before
rm compiled
"${tune[@]}" --arch=sm_90 "$spec" -o a.profile 2>/dev/null
grep -v '^# complete' a.profile | cmp - before || fail "a complete profile changed"
[ "$(wc -l <compiled)" = 1 ] || fail "a small program asks for the device in spite of --arch"

# Several specs: the types of all of them, each once.
"${tune[@]}" --max-kernels=2 "$root/examples/gemm_f32/gemm_f32.spec" "$spec" "$spec" -o types.profile 2>message || { cat message; fail "several specs"; }
for type in f16 f32; do
    [ "$(grep -c "^block $type sm_90 " types.profile)" -ge 2 ] || { cat types.profile; fail "no kernels of $type"; }
done
[ -z "$(grep '^block' types.profile | cut -d' ' -f1-4 | sort | uniq -d)" ] || fail "kernels are measured twice"

# A measuring program that is compiled already gives the same, and nothing is compiled.
rm compiled
PATH=/usr/bin:/bin "$mikgen" tune --target=cuda --program=./measuring "$spec" -o p.profile 2>message || { cat message; fail "--program does not run"; }
[ ! -e compiled ] || fail "something is compiled in spite of --program"
diff <(grep '^block' a.profile | cut -d' ' -f1-4) <(grep '^block' p.profile | cut -d' ' -f1-4) || fail "--program measures other kernels"
refuse_command "the measuring program cannot be started: No such file" "$mikgen" tune --target=cuda --program=./nowhere "$spec" -o none.profile
refuse_command "--program goes with mikgen tune only" "$mikgen" --target=cuda --program=./measuring "$spec" -o none.profile

"$mikgen" --target=cuda --profile=a.profile "$spec" -o with.cu
grep -q '^    {4, 0.8333, 1500000, 1[67][0-9]*, [12][0-9.]*},$' with.cu || fail "the costs are not emitted"

# Ctrl-C keeps the lines that are complete, and the same command goes on from there.
interrupt '[ -e asleep ]' SLEEP=split "${tune[@]}" "$spec" -o c.profile
grep -q '^block' c.profile && ! grep -q meeting c.profile || fail "an interrupt keeps something else than what is measured"
"${tune[@]}" "$spec" -o c.profile 2>/dev/null
grep -q meeting c.profile || fail "the second run did not complete the first"

# When the time is over, too.
SLOW=block "${tune[@]}" --budget=1 "$spec" -o slow.profile 2>message || { cat message; fail "too little time is an error"; }
grep -q 'the time did not suffice for [0-9]* lines' message && grep -q '^help: the same command' message || { cat message; fail "no word about the time"; }
grep -q '^block' slow.profile || fail "nothing is kept"
[ "$(grep -c '^block' slow.profile)" -lt "$(grep -c '^block' a.profile)" ] || fail "measuring went on"
"${tune[@]}" "$spec" -o slow.profile 2>/dev/null
[ "$(grep -c '^block' slow.profile)" = "$(grep -c '^block' a.profile)" ] || fail "the second run did not complete the first"

# Every type that the spec multiplies is one of the profile.
"${tune[@]}" --allow-tf32 "$root/examples/conv2d/conv2d.spec" 2>/dev/null >b.profile
grep -q '^block tf32 sm_90 .*_any_sm80 ' b.profile || fail "no lines for tf32"

# A kernel that refuses operands which lie as the product's do is left out, with a line that says so; all others are measured.
"$mikgen" --target=cuda --allow-tf32 --max-kernels=0 "$root/examples/gemm_f32/gemm_f32.spec" -o plain.cu
kernels=$(grep -o '{"mik_gemm_f32_tf32f32_[^"]*"' plain.cu | sed 's/.*tf32f32_//; s/"//')
[ "$(echo "$kernels" | grep -c _sm90a)" -ge 5 ] || fail "only these kernels of tf32: $kernels"
for refuses in "tf32 *_sm90a" "tf32 *"; do
    REFUSES=$refuses "${tune[@]}" --allow-tf32 "$root/examples/gemm_f32/gemm_f32.spec" >r.profile 2>message || { cat message; fail "a kernel that refuses ends the run"; }
    for kernel in $kernels; do
        told=0 measured=0
        ! grep -qx "mikgen: note: tf32 $kernel is not measured: it refuses operands that lie as they do here (invalid argument)" message || told=1
        ! grep -q "^block tf32 sm_90 $kernel " r.profile || measured=1
        # shellcheck disable=SC2254 # patterns
        case "tf32 $kernel" in "tf32 8x"*_sm90a) expected=00 ;; $refuses) expected=10 ;; *) expected=01 ;; esac
        [ $told$measured = $expected ] || { cat message r.profile; fail "$kernel: told $told, measured $measured"; }
    done
done
for newer in 100:sm_90 120:sm_89; do
    DEVICE="gpu ${newer%:*} 100 13.0 Newer" "${tune[@]}" --fresh "$spec" -o newer.profile 2>/dev/null
    grep -q "^block f16 ${newer#*:} " newer.profile || fail "a newer GPU is not of the kind that it is most like"
done
grep -q 'compute_120,code=sm_120 ' compiled || fail "not compiled for a newer device"

# What cannot be measured.
DEVICE="gpu 75 40 13.0 Old" refuse_command "Old, is of compute capability 7.5" "${tune[@]}" "$spec" -o none.profile
DEVICE="error 35 the driver is old" refuse_command "the driver is old (CUDA's error 35)" "${tune[@]}" "$spec" -o none.profile
DEVICE="error 0 2" refuse_command "there is no device 7: this machine has 2" "${tune[@]}" --device=7 "$spec" -o none.profile
DEVICE="hello" refuse_command "answers 'hello'" "${tune[@]}" "$spec" -o none.profile
refuse_command "nvcc, which is ./none" "${tune[@]}" --nvcc=./none "$spec" -o none.profile
sed 's/Made Up/Another/' a.profile >other.profile
refuse_command "sm_90 measured on Another" "${tune[@]}" "$spec" -o other.profile
grep -q '^# sm_90 measured on Another' other.profile || fail "the profile changed in spite of an error"
"${tune[@]}" --fresh "$spec" -o other.profile 2>/dev/null
! grep -q Another other.profile || fail "--fresh kept something"
