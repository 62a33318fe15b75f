#!/usr/bin/env bash
# Everything that is to be known about a GPU, in nine minutes: builds all, checks, and times generated kernels against cuBLAS,
# cuBLASLt and cuDNN. Each part has a slice of the time; the important ones come first, and whatever is finished is written.
#
#   bench/gpu.sh MIKGEN FOLDER [PART...]
#
#   generate    (on any machine) all .cu files and the self-checks' references, so that MIKGEN can be "-" afterwards
#   build       (on any machine) all programs; sizes and seconds of the generated files for sm_80, sm_90a and PTX
#   slim        (not by default) removes objects, so that less of FOLDER is carried to another machine; programs stay
#   check       edge shapes in all types, every number of rows from 1 to 8192, every program of some shapes
#   f16         the 1433 products
#   more        f16: rounded, llama, decode, unaligned, cubes, consecutive
#   types       bf16, f32, tf32
#   oracle      every program against the chosen one
#   conv        convolutions
#   self        the emitted self-checks against the specs
#   sanitize    compute-sanitizer: memcheck, racecheck, synccheck
#   decisions   what a decision takes on this processor
#
# No PART: all, in this order; with MIKGEN "-" nothing is generated, nor built if FOLDER has the programs. Parts may be spread over
# several calls: FOLDER is used again; SECONDS_ALL (default 520) is for the parts of one call together.
# Writes OUT/GPU.csv, OUT/GPU_conv.csv, OUT/GPU_oracle.csv and OUT/GPU.txt, named after the GPU; with PARTs also after these. OUT:
# default bench/results. For what is not set here see bench/cuda/build.sh; BENCH_OPTIONS: more options for all runs.
# CONV_SPEC, CONV_T, CONV_ELEMENT: see bench/cuda_conv.sh.
set -u -o pipefail
[ $# -ge 2 ] || { sed -n '2,28s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command="bench/gpu.sh $*" start=$PWD
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1 folder=$2
shift 2
[ "$mikgen" = - ] || mikgen=$(realpath "$mikgen")
mkdir -p "$folder" "${OUT:=$root/bench/results}"
folder=$(realpath --relative-to=. "$folder") OUT=$(realpath "$OUT")
begin=$SECONDS all=${SECONDS_ALL:-520} failures=0
parts=("$@")
[ $# -gt 0 ] || parts=(generate build check f16 more types oracle conv self sanitize decisions)
if [ "$mikgen" = - ] && [ $# = 0 ]; then
    parts=("${parts[@]:1}")
    [ ! -x "$folder/cuda_gemm" ] || parts=("${parts[@]:1}")
fi

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

# last LINES COMMAND...: only the end of what it prints is shown.
last() {
    local lines=$1 before=$failures
    shift
    timed "$@" >"$folder/log" 2>&1
    tail -n "$lines" "$folder/log"
    [ $failures = "$before" ] || echo "FAILED: $*"
}

program() {
    local name=$1
    shift
    # shellcheck disable=SC2086 # several options
    timed "$folder/$name" --data="$root/bench/shapes" ${BENCH_OPTIONS:-} "$@"
}

# rows FILE: adds the rows of a part to the table.
rows() {
    [ -e "$1" ] || return 0
    if [ -e "$csv" ]; then tail -n +2 "$1" >>"$csv"; else cp "$1" "$csv"; fi
    rm "$1"
}

selfchecked="examples/gemm/gemm bench/cuda/gemm_bf16 examples/gemm_f32/gemm_f32 examples/gemm_bias_gelu/gemm_bias_gelu \
    examples/batched_gemm/batched_gemm examples/conv2d/conv2d"

# As in tests/gpu/gpu.sh: the reference traps where it would leave an array. Only clang knows bf16. In FOLDER/self.
generate_selfcheck() {
    local spec=$root/$1.spec name reference renames
    name=$(basename "$1")
    reference="gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error -fexcess-precision=16"
    if grep -q bf16 "$spec"; then
        command -v clang-19 >/dev/null || { echo "$name is left out: bf16 needs clang-19"; return 0; }
        reference="clang-19 -std=gnu11 -O1 -fsanitize-trap=all -Xclang -ffloat16-excess-precision=none"
        cp "$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name)" "$name.a"
    fi
    "$mikgen" --target=cuda "$spec" >"${name}_dyn.cu" && "$mikgen" --target=cuda --emit=header "$spec" >"${name}_dyn.cuh" &&
        "$mikgen" --target=cuda --emit=selfcheck "$spec" >"${name}_check.cu" && "$mikgen" --emit=reference "$spec" >"${name}_reference.c" ||
        return 1
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.cu")
    # shellcheck disable=SC2086 # several options
    $reference -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero $renames -c "${name}_reference.c" -o "${name}_reference.o"
}

part_generate() {
    local spec
    (
        cd "$folder" && . "$root/bench/cuda/build.sh" || exit 1
        for type in $types; do generate_type "$type" || exit 1; done
        generate "$(cd "$start" && realpath "${CONV_SPEC:-$root/examples/conv2d/conv2d.spec}")" conv
    ) || { echo "FAILED: generate"; failures=$((failures + 1)); }
    mkdir -p "$folder/self"
    for spec in $selfchecked; do
        (cd "$folder/self" && generate_selfcheck "$spec") || { echo "FAILED: $spec"; failures=$((failures + 1)); }
    done
}

build_selfchecks() {
    local name names=() library
    cd "$folder/self" || return 1
    . "$root/bench/cuda/build.sh"
    for name in *_reference.o; do [ ! -e "$name" ] || names+=("${name%_reference.o}"); done
    for name in "${names[@]}"; do
        # shellcheck disable=SC2086 # several options
        make "${name}_dyn.o" "${name}_dyn.cu" -- "$nvcc" -std=c++17 -O3 $archs -c "${name}_dyn.cu" -o "${name}_dyn.o"
        # shellcheck disable=SC2086
        make "${name}_check.o" "${name}_check.cu" -- "$nvcc" -std=c++17 -O2 $archs -I. -c "${name}_check.cu" -o "${name}_check.o"
    done
    for name in "${names[@]}"; do
        library=
        [ ! -e "$name.a" ] || library=$name.a
        # shellcheck disable=SC2086
        link "$name" $library -- "${name}_check" "${name}_dyn" "${name}_reference"
    done
}

part_build() {
    local script spec before=$SECONDS
    for script in cuda cuda_oracle cuda_conv; do
        "$root/bench/$script.sh" - "$folder" --build || { echo "FAILED: $script"; failures=$((failures + 1)); }
    done
    "$root/bench/cuda_model.sh" - "$folder" --build || failures=$((failures + 1))
    (build_selfchecks) || { echo "FAILED: self-checks"; failures=$((failures + 1)); }
    echo "built in $((SECONDS - before)) seconds. Generated files, sm_80, sm_90a and PTX of compute_80:"
    for spec in gemm gemm_bf16 gemm_f32 gemm_tf32 conv; do
        [ ! -e "$folder/${spec}_dyn.o" ] || printf '%-10s %5d KB of source, %6d KB of object, compiled in %s seconds\n' $spec \
            $(($(stat -c %s "$folder/${spec}_dyn.cu") / 1024)) $(($(stat -c %s "$folder/${spec}_dyn.o") / 1024)) \
            "$(cat "$folder/${spec}_dyn.o.seconds")"
    done
}

part_slim() {
    rm -f "$folder"/*.o "$folder"/self/*_dyn.o "$folder"/self/*_check.o
    du -sh "$folder"
}

part_check() {
    take 50 || return
    program cuda_gemm --brief --check-only --class=edges --limit-seconds=$((slice / 2))
    program cuda_gemm --brief --check-only --class=consecutive --type=f16 --limit-seconds=$((slice / 4))
    program cuda_oracle_f16 --check-only --shape=200x136x264,257x129x515,1x4096x1024,1024x1x4096,7x1000x3000,2049x2056x72 \
        --limit-seconds=$((slice / 4))
}

part_f16() {
    take 150 || return
    (sleep $((slice / 4)) && echo && clocks && echo) &
    program cuda_gemm --type=f16 --class=1433 --limit-seconds=$slice --csv="$folder/rows.csv"
    wait
    rows "$folder/rows.csv"
}

part_more() {
    local class
    for class in llama:10 decode:15 unaligned:8 cubes:6 rounded:25 consecutive:6; do
        take "${class#*:}" || return
        program cuda_gemm --brief --no-host --type=f16 --class="${class%:*}" --limit-seconds=$slice --csv="$folder/rows.csv" --worst=5
        rows "$folder/rows.csv"
    done
}

part_types() {
    local type
    for type in bf16 f32 tf32; do
        take 25 || return
        program cuda_gemm --brief --type=$type --class=1433,llama,cubes --limit-seconds=$slice --csv="$folder/rows.csv" --worst=5
        rows "$folder/rows.csv"
    done
}

part_oracle() {
    take 80 || return
    program cuda_oracle_f16 --limit-seconds=$slice --csv="${csv%.csv}_oracle.csv"
}

part_conv() {
    take 45 || return
    # shellcheck disable=SC2086 # several options
    timed "$folder/cuda_conv" --layers="$root/bench/shapes/cnn_layers.csv" ${BENCH_OPTIONS:-} --limit-seconds=$slice --csv="${csv%.csv}_conv.csv"
}

part_self() {
    local spec name
    for spec in $selfchecked; do
        name=$(basename "$spec")
        [ -e "$folder/self/$name" ] || continue
        take 15 || return
        echo "$name:"
        last 4 "$folder/self/$name" --tuples=20
    done
}

part_sanitize() {
    local tool sanitizer
    sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    [ -x "$sanitizer" ] || { echo "compute-sanitizer is not here"; return; }
    for tool in memcheck racecheck synccheck; do
        take 20 || return
        echo "$tool:"
        last 12 "$sanitizer" --tool $tool --error-exitcode 9 "$folder/cuda_oracle_f16" --data="$root/bench/shapes" --check-only --hot \
            --launch=plain --shape=136x136x200,65x33x129,1x256x512,130x1x600 --limit-seconds=$((slice / 2))
        last 12 "$sanitizer" --tool $tool --error-exitcode 9 "$folder/cuda_gemm" --data="$root/bench/shapes" --check-only --hot \
            --launch=plain --shape=136x264x200,65x33x129,1x256x512,8x1024x1024,130x1x600 --limit-seconds=$((slice / 2))
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
rm -f "$csv"
# Should calls that queue up behind a waiting kernel not work on this machine, they run as they come.
probe() {
    timeout 100 "$folder/cuda_gemm" --data="$root/bench/shapes" --brief --no-host --rounds=1 --type=f16 --shape=64x64x64 >"$folder/log" 2>&1
    if [ $? -gt 1 ] || grep -q 'THE DEVICE FAILED' "$folder/log"; then
        cat "$folder/log"
        echo "calls are not queued up: --launch=plain"
        BENCH_OPTIONS="${BENCH_OPTIONS:-} --launch=plain"
    fi
}

{
    if [ $on_gpu = 1 ]; then
        heading
        [ ! -x "$folder/cuda_gemm" ] || probe
    fi
    for part in "${parts[@]}"; do
        echo
        echo "==== $part, after $((SECONDS - begin)) seconds ===="
        "part_$part"
    done
    echo
    echo "$failures failures, $((SECONDS - begin)) seconds"
    [ $failures = 0 ]
} 2>&1 | tee "$OUT/$name.txt"
