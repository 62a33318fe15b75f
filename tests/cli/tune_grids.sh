#!/usr/bin/env bash
# mikgen tune --target=cuda of loops, against a GPU that is made up: a program that answers as the measuring program would on a device
# where the times of some configurations are known. The profile must hold these. Needs neither nvcc nor a GPU.
#
#   tune_grids.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

cat >two.spec <<'EOS'
void rows(int m, int n, const float x[m][n], float y[m])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += x[i][j];
        y[i] = s;
    }
}
void turn(int m, int n, const float x[m][n], float y[n][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j][i] = x[i][j];
}
EOS
printf 'rows 600x80\nrows 5x5000\nturn 40x50\n' >two.shapes

# A compiler that reads nothing but which configurations the program has. $DEVICE: what the device says of itself.
cat >nvcc <<'EOS'
#!/bin/sh
echo "$*" | sed 's/[^ ]*tune/tune/g' >>compiled
for word; do case $word in *.cu) source=$word ;; *) program=$word ;; esac; done
sed -n '/^static const char \*const choices\[\] = {$/,/^};$/s/^    "\([0-9a-f]\{16\} .*\)",$/\1/p' "$source" >choices
cp measuring "$program"
EOS
cat >measuring <<'EOS'
#!/bin/bash
while read -r what first second _; do
    if [ "$what $first" = "${SLEEP-}" ]; then
        touch asleep
        sleep 1000
    fi
    [ "$what" != "${SLOW-}" ] || sleep 0.3
    case $what in
        device) echo "$DEVICE" ;;
        forms) wc -l <choices ;;
        form) sed -n "${first}p" choices ;;
        extents) echo 1000 ;;
        time)
            form=$(sed -n "${second}p" choices)
            case "$second $form" in "0 "*) echo 1000 ;; *" rows 2") echo 500 ;; *" lanes 64") echo 800 ;; *" rows 1") echo 0 ;; *) echo 1500 ;; esac
            ;;
        *) echo -1 ;;
    esac
done
EOS
chmod +x nvcc measuring
export DEVICE="gpu 90 100 13.0 Made Up"
tune=("$mikgen" tune --target=cuda --nvcc=./nvcc --shapes=two.shapes)

# A line for each nest: rows with what is best for warps and what is best for blocks, their mean time; what nothing beats is as planned.
"${tune[@]}" --measurements=two.csv --report=two.html two.spec -o a.profile 2>progress || { cat progress; fail "it does not run"; }
[ "$(cat compiled)" = "$(printf -- '-std=c++17 -O3 tune.cu -o tune\n-std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a tune.cu -o tune')" ] ||
    { cat compiled; fail "not compiled for the device, or not once"; }
grep -qx '# sm_90 measured on Made Up, 100 multiprocessors; nvcc 13.0' a.profile || fail "no word about the device"
grep -qx 'grid sm_90 [0-9a-f]\{16\} rows 2 lanes 64 ns 632.5' a.profile || { cat a.profile; fail "not the best of rows"; }
grep -qx 'grid sm_90 [0-9a-f]\{16\} ns 1000' a.profile || { cat a.profile; fail "what is planned is not kept"; }
[ "$(grep -c '^grid' a.profile)" = 2 ] || fail "other lines besides"
grep -qx '100 %  turn_nest1_tile, sm_90: 4 measured, 1.00 times as fast as planned' progress || { cat progress; fail "no progress is shown"; }
[ "$(head -1 two.csv)" = nest,gpu,extents,threads,wide,pieces,rows,lanes,column,tile,ns,planned_ns ] || fail "the table has another head"
[ "$(grep -c '^rows_nest1_warp,sm_90,600x80,' two.csv)" = 7 ] && [ "$(grep -c '^rows_nest1_block,sm_90,5x5000,' two.csv)" = 6 ] ||
    { cat two.csv; fail "not all configurations are measured, and the best once more"; }
python3 "$root/tests/cli/tune_report.py" two.html two.csv || fail "the page says something else than the table"
grep -q 'Made Up' two.html && grep -q 'occupancy' two.html || fail "no word about the device, or about features"

# It is what is emitted; a complete profile is not measured again, and nothing compiled but what asks for the device.
"$mikgen" --target=cuda two.spec -o planned.cu
"$mikgen" --target=cuda --profile=a.profile two.spec -o tuned.cu
kernel() { sed -n "/__launch_bounds__/{N;/^[^\n]*\nmik_$2(/{N;N;N;p}}" "$1"; }
kernel planned.cu rows_nest1_warp | grep -q 'blockIdx.x \* 8 ' && kernel tuned.cu rows_nest1_warp | grep -q 'blockIdx.x \* 2 ' ||
    fail "warps are not as measured"
kernel planned.cu rows_nest1_block | grep -q 'launch_bounds__(256,' && kernel tuned.cu rows_nest1_block | grep -q 'launch_bounds__(64,' ||
    fail "blocks are not as measured"
cmp <(kernel planned.cu turn_nest1_tile) <(kernel tuned.cu turn_nest1_tile) || fail "what is as planned is another"
cp a.profile before
rm compiled
"${tune[@]}" two.spec -o a.profile 2>message
cmp a.profile before || fail "a complete profile changed"
[ ! -e compiled ] && grep -q 'nothing is left to measure: a.profile is complete' message || { cat message; fail "a complete profile is compiled for"; }
# What is complete depends on the command.
same() { diff <(grep -v '^# complete' "$1") <(grep -v '^# complete' before); }
grep -v ' rows 2 ' before >a.profile
"${tune[@]}" --arch=sm_90 two.spec -o a.profile 2>/dev/null
same a.profile || fail "what was missing is not added"
[ "$(cut -d' ' -f1 choices | sort -u | wc -l)" = 1 ] || { cat choices; fail "what is known is compiled"; }

# All ways to search find these; a few measurements; parts.
for search in all random; do
    "${tune[@]}" --arch=sm_90 --search=$search two.spec 2>/dev/null >$search.profile
    same $search.profile || { cat $search.profile; fail "--search=$search finds something else"; }
done
"${tune[@]}" --quick two.spec 2>/dev/null >quick.profile
[ "$(grep -c '^grid' quick.profile)" = 2 ] || fail "--quick finds nothing"
for shard in 1 2; do
    "${tune[@]}" --arch=sm_90 --shard=$shard/2 two.spec 2>/dev/null >shard$shard.profile
    [ "$(grep -c '^grid' shard$shard.profile)" = 1 ] || fail "shard $shard has not one nest"
done
cmp <(grep -hv '^# complete' shard1.profile shard2.profile | sort -u) <(grep -v '^# complete' before | sort) || fail "shards find something else"

# A program that is compiled already, of all nests.
"${tune[@]}" --arch=sm_90 two.spec 2>/dev/null >whole.profile
rm compiled
PATH=/usr/bin:/bin "$mikgen" tune --target=cuda --program=./measuring --shapes=two.shapes two.spec -o p.profile 2>message || { cat message; fail "--program does not run"; }
same p.profile && [ ! -e compiled ] || fail "--program finds something else, or something is compiled"
sed -i '/lanes 512/d' choices
refuse_command "the measuring program has no rows_nest1_block with lanes 512" "$mikgen" tune --target=cuda --program=./measuring --shapes=two.shapes two.spec
: >choices
refuse_command "--program=./measuring measures kernels of GEMMs, and the spec has none" "$mikgen" tune --target=cuda --program=./measuring two.spec -o none.profile

# Ctrl-C keeps the nests that are done, and the same command goes on from there.
interrupt '[ -e asleep ]' SLEEP="extents 1" "${tune[@]}" --report=cut.html two.spec -o c.profile
[ "$(grep -c '^grid' c.profile)" = 1 ] && grep -q ' rows 2 lanes 64 ' c.profile || fail "an interrupt keeps something else than what is done"
"${tune[@]}" two.spec -o c.profile 2>/dev/null
same c.profile || fail "the second run did not complete the first"

# When the time is over no nest is begun.
SLOW=time "${tune[@]}" --quick --budget=1 two.spec -o slow.profile 2>/dev/null || fail "too little time is an error"
[ "$(grep -c '^grid' slow.profile)" -lt 2 ] || fail "measuring went on"

# What cannot be measured.
DEVICE="error 100 no CUDA-capable device is detected" refuse_command "no GPU can be used: no CUDA-capable device is detected (CUDA's error 100)" "${tune[@]}" two.spec -o none.profile
DEVICE="error 100 no CUDA-capable device is detected" refuse_command "no GPU can be used" "${tune[@]}" --arch=sm_90 two.spec -o none.profile
DEVICE="gpu 75 40 13.0 Old" refuse_command "Old, is of compute capability 7.5" "${tune[@]}" two.spec -o none.profile
sed 's/Made Up/Another/' before >other.profile
refuse_command "sm_90 measured on Another" "${tune[@]}" --again two.spec -o other.profile
refuse_command "--isa does not go with --target=cuda" "${tune[@]}" --isa=avx2 two.spec -o none.profile
refuse_command "--measurements names a file that can be written" "${tune[@]}" --measurements=no/table.csv two.spec -o none.profile
refuse_command "there is no operator 'row'" "$mikgen" tune --target=cuda --nvcc=./nvcc --shapes=<(echo 'row 1x1') two.spec -o none.profile
printf 'void one(float x[1]) { x[0] = 2; }\n' >one.spec
refuse_command "nothing about it can be chosen" "$mikgen" tune --target=cuda --nvcc=./nvcc one.spec -o none.profile
echo "loops of a GPU that is none: $(wc -l <two.csv) measurements"
