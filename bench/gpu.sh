#!/usr/bin/env bash
# Everything that is to be known about a GPU, in nine minutes: builds all, checks, and times generated kernels against cuBLAS,
# cuBLASLt and cuDNN. Each part has a slice of the time; the important ones come first, and whatever is finished is written.
#
#   bench/gpu.sh MIKGEN FOLDER [PART...]
#
#   generate    (on any machine) all .cu files and the self-checks' references, so that MIKGEN can be "-" afterwards
#   build       (on any machine) all programs; sizes and seconds of the generated files for sm_80, sm_90a and PTX
#   slim        (not by default) packs MIKGEN and removes objects, so that less of FOLDER is carried to another machine
#   kernels     each kernel alone, operands stored in four ways; one that hangs or is wrong is named, and left out of all that follows
#   check       edge shapes in all types, every number of rows from 1 to 8192, every program of some shapes
#   fit         the model: mikgen tune, into OUT/GPU.profile
#   nests       loops: mikgen tune on some of bench/nests/specs ($NESTS), tuned over planned
#   f16         the 1433 products
#   more        f16: rounded, llama, decode, unaligned, cubes, consecutive
#   types       bf16, f32, tf32, s8, e4m3
#   oracle      every program against the chosen one
#   sanitize    compute-sanitizer: memcheck, synccheck, racecheck
#   conv        convolutions
#   self        the emitted self-checks against the specs
#   decisions   what a decision takes on this processor
#
# No PART: all, in this order; with MIKGEN "-" nothing is generated, nor built if FOLDER has the programs. Parts may be spread over
# several calls: FOLDER is used again, with what the kernels part has found; SECONDS_ALL (default 520) is for the parts of one call
# together. A GPU's machine that has no mikgen gets FOLDER from another one:
#
#   bench/gpu.sh build/mikgen FOLDER generate build slim     some minutes; FOLDER has some 12 MB for each of $TYPES, mikgen for the fit among them
#   bench/gpu.sh - FOLDER                                    there; OUT=... for what comes back
#
# With ten minutes of a GPU, build before, and a call for each of these, so that one that is cut short takes nothing along:
#
#   kernels check self     a minute or two: what is wrong is known, and left out of the others
#   nests                  two minutes: what is gained by measuring loops, and whether features rank them well
#   fit                    three minutes, only where kernels are new or the GPU is; its profile is for the next build
#   f16 more               four minutes
#   conv types             two or three minutes
#   oracle                 where f16 is slow at shapes whose kernels are not
#   sanitize               where a check has failed
#
# Writes OUT/GPU.csv, OUT/GPU_conv.csv, OUT/GPU_oracle.csv, OUT/GPU.profile and OUT/GPU.txt, named after the GPU; with PARTs also after
# these; tables grow while they are measured, and what a failing check said is in OUT/GPU-failureN.log. OUT: default bench/results.
# For what is not set here see bench/cuda/build.sh; BENCH_OPTIONS: more options for all runs; WITHOUT="f16f32_256x256x64_pair_sm90a ...":
# kernels that are left out besides; KERNEL_SECONDS: how long a kernel may take before it counts as hanging (default 10); PATIENCE: how
# long a shape (default 20). CONV_SPEC, CONV_T, CONV_ELEMENT: see bench/cuda_conv.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-License-Identifier: GPL-3.0-or-later
set -u -o pipefail
[ $# -ge 2 ] || { sed -n '2,45s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command="bench/gpu.sh $*" start=$PWD
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1 folder=$2
shift 2
[ "$mikgen" = - ] || mikgen=$(realpath "$mikgen")
mkdir -p "$folder" "${OUT:=$root/bench/results}"
folder=$(realpath --relative-to=. "$folder") OUT=$(realpath "$OUT")
begin=$SECONDS all=${SECONDS_ALL:-520} failures=0
parts=("$@")
[ $# -gt 0 ] || parts=(generate build kernels check fit nests f16 more types oracle sanitize conv self decisions)
if [ "$mikgen" = - ] && [ $# = 0 ]; then
    parts=("${parts[@]:1}")
    [ ! -x "$folder/cuda_gemm" ] || parts=("${parts[@]:1}")
fi

types=${TYPES:-f16 bf16 f32 tf32 s8 e4m3}
for part in kernels fit nests self; do . "$root/bench/gpu/$part.sh"; done

# take SECONDS: how many of them there are, as $slice; false: next to nothing.
take() {
    local left=$((all - (SECONDS - begin)))
    slice=$(($1 < left ? $1 : left))
    [ $slice -ge 5 ] || { echo "no time is left for this part"; return 1; }
}

# timed COMMAND...: ended when it takes much longer than $slice. Counts a failure, and goes on.
timed() {
    timeout -k 5 $((slice + 25)) "$@"
    local status=$?
    [ $status = 0 ] || { echo "FAILED ($status): $*"; failures=$((failures + 1)); }
}

# last LINES COMMAND...: only the end of what it prints is shown; all of it is kept in OUT when it fails.
last() {
    local lines=$1 before=$failures kept
    shift
    timed "$@" >"$folder/log" 2>&1
    tail -n "$lines" "$folder/log"
    [ $failures != "$before" ] || return 0
    kept=${csv%.csv}-failure$failures.log
    cp "$folder/log" "$kept"
    echo "FAILED: $*; all that it said: ${kept##*/}"
}

# program NAME SECONDS OPTION...: one of the folder's, which measures for so long. What breaks the device, or is not back after $PATIENCE
# seconds, ends the process, is told, and counts as a failure; a new one goes on behind it.
program() {
    local name=$1 end=$((SECONDS + $2)) from=0 left status data=(--data="$root/bench/shapes")
    shift 2
    [ "$name" != cuda_conv ] || data=(--layers="$root/bench/shapes/cnn_layers.csv")
    while [ -n "$from" ]; do
        left=$((end - SECONDS))
        [ $left -ge 5 ] || [ "$from" = 0 ] || { echo "no time is left to go on with --from=$from"; return; }
        # shellcheck disable=SC2086 # several options
        timeout -k 5 $((left + 25)) "$folder/$name" "${data[@]}" ${BENCH_OPTIONS:-} "$@" --limit-seconds=$left --patience="${PATIENCE:-20}" \
            --from="$from" 2>&1 | tee "$folder/log"
        status=${PIPESTATUS[0]}
        [ "$status" = 0 ] || { echo "FAILED ($status): $name $*"; failures=$((failures + 1)); }
        from=$(sed -n 's/^\(THE DEVICE FAILED\|NOT BACK\).*; go on with --from=\([0-9]*\)$/\2/p' "$folder/log" | tail -n 1)
    done
}

# Adds the rows of a part to the table. Until then they are in a file of OUT's, which is all there is if this script is ended.
rows() {
    [ -e "$csv.part" ] || return 0
    if [ -e "$csv" ]; then tail -n +2 "$csv.part" >>"$csv"; else cp "$csv.part" "$csv"; fi
    rm "$csv.part"
}

part_generate() {
    local spec name
    (
        cd "$folder" && . "$root/bench/cuda/build.sh" || exit 1
        for type in $types; do
            generate_type "$type" && generate_layouts "$type" || exit 1
        done
        for type in $(measured); do generate_tune "$type" || exit 1; done
        for name in $nests_tuned; do generate_nests "$name" || exit 1; done
        generate "$(cd "$start" && realpath "${CONV_SPEC:-$root/examples/conv2d/conv2d.spec}")" conv
    ) || { echo "FAILED: generate"; failures=$((failures + 1)); }
    mkdir -p "$folder/self"
    for spec in $selfchecked; do
        (cd "$folder/self" && generate_selfcheck "$spec") || { echo "FAILED: $spec"; failures=$((failures + 1)); }
    done
}

part_build() {
    local script spec type before=$SECONDS
    for script in cuda cuda_oracle cuda_conv; do
        "$root/bench/$script.sh" - "$folder" --build || { echo "FAILED: $script"; failures=$((failures + 1)); }
    done
    "$root/bench/cuda_model.sh" - "$folder" --build || failures=$((failures + 1))
    for type in $types; do
        KERNELS_TYPE=$type "$root/bench/cuda_kernels.sh" - "$folder" --build || { echo "FAILED: cuda_kernels_$type"; failures=$((failures + 1)); }
    done
    (build_tune) || { echo "FAILED: measuring programs"; failures=$((failures + 1)); }
    (build_nests) || { echo "FAILED: measuring programs of loops"; failures=$((failures + 1)); }
    (build_selfchecks) || { echo "FAILED: self-checks"; failures=$((failures + 1)); }
    echo "built in $((SECONDS - before)) seconds. Generated files, sm_80, sm_90a and PTX of compute_80:"
    for spec in gemm gemm_bf16 gemm_f32 gemm_tf32 gemm_s8 gemm_e4m3 conv; do
        [ ! -e "$folder/${spec}_dyn.o" ] || printf '%-10s %5d KB of source, %6d KB of object, compiled in %s seconds\n' $spec \
            $(($(stat -c %s "$folder/${spec}_dyn.cu") / 1024)) $(($(stat -c %s "$folder/${spec}_dyn.o") / 1024)) \
            "$(cat "$folder/${spec}_dyn.o.seconds")"
    done
}

part_slim() {
    [ "$mikgen" = - ] || pack_mikgen
    rm -f "$folder"/*.o "$folder"/*_bench.cu "$folder"/{layouts,tune}_*_dyn.cu "$folder"/nests_*.cu "$folder"/self/*_{dyn,check}.o "$folder"/self/*_bench.cu
    local program
    for program in "$folder"/cuda_* "$folder"/tune_* "$folder"/nests_* "$folder"/self/*; do [ ! -x "$program" ] || strip "$program" 2>/dev/null; done
    du -sh "$folder"
}

part_check() {
    take 50 || return
    program cuda_gemm $((slice / 2)) --brief --check-only --class=edges
    program cuda_gemm $((slice / 4)) --brief --check-only --class=consecutive --type=f16
    program cuda_oracle_f16 $((slice / 4)) --check-only --shape=200x136x264,257x129x515,1x4096x1024,1024x1x4096,7x1000x3000,2049x2056x72
}

part_f16() {
    take 150 || return
    local later
    (sleep $((slice / 4)) >/dev/null 2>&1 && echo && clocks && echo) &
    later=$!
    program cuda_gemm $slice --type=f16 --class=1433 --csv="$csv.part"
    kill $later 2>/dev/null
    wait
    rows
}

part_more() {
    local class
    for class in llama:10 decode:15 unaligned:8 cubes:6 rounded:25 consecutive:6; do
        take "${class#*:}" || return
        program cuda_gemm $slice --brief --no-host --type=f16 --class="${class%:*}" --csv="$csv.part" --worst=5
        rows
    done
}

part_types() {
    local type
    for type in bf16 f32 tf32 s8 e4m3; do
        take 20 || return
        program cuda_gemm $slice --brief --type=$type --class=1433,llama,cubes --csv="$csv.part" --worst=5
        rows
    done
}

part_oracle() {
    take 80 || return
    program cuda_oracle_f16 $slice --csv="${csv%.csv}_oracle.csv"
}

part_conv() {
    take 45 || return
    program cuda_conv $slice --csv="${csv%.csv}_conv.csv"
}

part_sanitize() {
    local tool sanitizer
    sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    [ -x "$sanitizer" ] || { echo "compute-sanitizer is not here"; return; }
    for tool in memcheck synccheck racecheck; do
        take 20 || return
        slice=$((slice / 2)) # for each of two programs
        echo "$tool:"
        last 12 "$sanitizer" --tool $tool --error-exitcode 9 "$folder/cuda_oracle_f16" --data="$root/bench/shapes" --check-only --hot \
            --launch=plain --shape=136x136x200,65x33x129,1x256x512,130x1x600 --limit-seconds=$slice
        last 12 "$sanitizer" --tool $tool --error-exitcode 9 "$folder/cuda_gemm" --data="$root/bench/shapes" --check-only --hot \
            --launch=plain --shape=136x264x200,65x33x129,1x256x512,8x1024x1024,130x1x600 --limit-seconds=$slice
    done
}

part_decisions() {
    local type
    for type in f16 bf16 f32 tf32; do
        [ ! -x "$folder/cuda_model_$type" ] || "$folder/cuda_model_$type" --data="$root/bench/shapes" --type=$type --decisions
    done
}

clocks() {
    nvidia-smi --query-gpu=clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw,power.limit --format=csv,noheader |
        sed 's/^/clocks SM, memory, at most SM, memory; degrees, power and its limit: /'
}

# What has been measured, on what, and how.
heading() {
    echo "$command"
    nvidia-smi --query-gpu=name,driver_version,memory.total,ecc.mode.current --format=csv,noheader
    clocks
    (cd "$folder" && . "$root/bench/cuda/build.sh" && "$nvcc" --version | tail -2 | head -1)
    sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1
    grep -h -m1 'Generated by mikgen' "$folder"/gemm_dyn.cu
}

on_gpu=0
for part in "${parts[@]}"; do
    declare -F "part_$part" >/dev/null || { echo "there is no part $part" >&2; exit 2; }
    case $part in generate | build | slim) ;; *) on_gpu=1 ;; esac
done
name=build
[ $on_gpu = 1 ] || OUT=$folder
if [ -x "$folder/cuda_gemm" ]; then
    LD_LIBRARY_PATH=$(. "$root/bench/cuda/build.sh" && library_path "$folder/cuda_gemm" && library_path "$folder/cuda_conv")${LD_LIBRARY_PATH:-}
    export LD_LIBRARY_PATH
fi
if [ $on_gpu = 1 ]; then
    nvidia-smi -L >/dev/null 2>&1 || { echo "skipped: there is no GPU here"; exit 77; }
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 | tr '[:upper:] ' '[:lower:]_' | sed 's/^nvidia_//; s/[^a-z0-9_]//g')
fi
[ $# = 0 ] || name=$name-$(IFS=-; echo "$*")
csv=$OUT/$name.csv
rm -f "$csv" "$csv.part"
# Should calls that queue up behind a waiting kernel not work on this machine, they run as they come. That is so when the same call
# works without; when it does not, it is the call that does not work.
probe() {
    [ -x "$folder/cuda_gemm" ] && [ $probed = 0 ] || return 0
    probed=1
    if tiny; then return; fi
    if tiny --launch=plain; then
        echo "calls are not queued up: --launch=plain"
        BENCH_OPTIONS="${BENCH_OPTIONS:-} --launch=plain"
    else
        cat "$folder/log"
        echo "FAILED: a product of 64x64x64 does not come back, nor without the queue"
        failures=$((failures + 1))
    fi
}
tiny() {
    timeout -k 5 "${TINY_SECONDS:-60}" "$folder/cuda_gemm" --data="$root/bench/shapes" --brief --no-host --rounds=1 --type=f16 --shape=64x64x64 \
        "$@" >"$folder/log" 2>&1
    [ $? -le 1 ] && ! grep -q 'THE DEVICE FAILED' "$folder/log"
}

probed=0
take_without
{
    if [ $on_gpu = 1 ]; then
        heading
    fi
    for part in "${parts[@]}"; do
        echo
        echo "==== $part, after $((SECONDS - begin)) seconds ===="
        case $part in generate | build | slim | kernels | fit | nests | self | decisions) ;; *) probe ;; esac
        "part_$part"
    done
    echo
    echo "$failures failures, $((SECONDS - begin)) seconds"
    [ $failures = 0 ]
} 2>&1 | tee "$OUT/$name.txt"
