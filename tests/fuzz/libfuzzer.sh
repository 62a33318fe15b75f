#!/usr/bin/env bash
# libFuzzer on one of its targets: spec, source (source-to-source mode), profile, model (the trees of tune/models) or options (command
# lines, response files, banners).
#
#   libfuzzer.sh TARGET [SECONDS]            SECONDS: default $MIKGEN_FUZZ_SECONDS, or 5
#   libfuzzer.sh --minimise TARGET           puts into tests/fuzz/corpus/TARGET what earlier runs have found, as far as it reaches more
#
# Starts from tests/fuzz/corpus/TARGET, and puts in words that the tool's own tables have; what reaches more of the program is kept in
# BUILD/corpus/TARGET, from which the next run goes on, and what fails lies in BUILD/findings. BUILD: $MIKGEN_FUZZ_BUILD, default build/fuzz.
# $MIKGEN_FUZZ_SEEDS: further folders to start from, as "tests/specs examples/gemm". A night on five cores, one for each target:
#
#   for t in spec source profile model options; do tests/fuzz/libfuzzer.sh $t 28800 >night.$t & done; wait
#
# To see a finding again: BUILD/tests/fuzz_TARGET FILE.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 1 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/build.sh"
command -v clang-19 >/dev/null || { echo "skipped: there is no clang-19"; exit 77; }
build=${MIKGEN_FUZZ_BUILD:-$here/../../build/fuzz} minimise=false
[ "$1" != --minimise ] || { minimise=true; shift; }
target=$1 seconds=${2:-${MIKGEN_FUZZ_SECONDS:-5}} corpus=$here/corpus/$1
[ -f "$here/fuzz_$target.c" ] || { echo "there is no target '$target'" >&2; exit 2; }
build_fuzz "$build" "fuzz_$target"
build=$(cd "$build" && pwd)
program=$build/tests/fuzz_$target kept=$build/corpus/$target
mkdir -p "$kept" "$build/findings"

if $minimise; then
    rm -rf "$kept.least"
    mkdir "$kept.least"
    "$program" -merge=1 -use_counters=0 -max_len=4096 -close_fd_mask=2 "$kept.least" "$corpus" "$kept" 2>&1 | grep -a 'MERGE-OUTER: [0-9]* new'
    rm -rf "$corpus"
    mv "$kept.least" "$corpus"
    exit
fi

# The words of a target as libFuzzer reads them: those in quotes in the files that know them, and of C what specs are made of.
words() {
    local root=$here/../.. files
    case $target in
    spec)
        files="gen/front/wishes.c gen/front/text/spec_prelude.c"
        tr ' ' '\n' <<<'void int float double half bf16 bool const static restrict for if else return while break continue switch
            struct typedef enum unsigned char short long int8_t uint8_t int64_t size_t #pragma mikgen target( hint( #include #define
            ?: && || << >> += -= *= /= <<= ++ -- -> == != <= >= [] () {} ; 0x 1e 1.0f ULL sqrtf( expf( fmaxf( fabs( INT_MAX NAN INFINITY' |
            grep . | sed 's/.*/"&"/'
        ;;
    source)
        files="gen/front/text/source_prelude.c"
        tr ' ' '\n' <<<'void int float double bool const static restrict volatile register extern inline for if else return while do break
            continue goto switch case default: struct typedef enum union unsigned char short long int8_t uint8_t int64_t size_t #pragma
            #include #define #if #else #endif <stdlib.h> <string.h> <math.h> __global__ __device__ __shared__ __syncthreads(); threadIdx.x
            blockIdx.x blockDim.x *p p-> *p++ (*p) &a[i] ?: && || << >> += -= *= /= <<= ++ -- -> == != <= >= [] () {} ; , sizeof( 0x
            1e 1.0f ULL sqrtf( printf( memcpy( asm( __attribute__((unused)) /* */ // \\' | grep . | sed 's/["\\]/\\&/g; s/.*/"&"/'
        ;;
    profile) files="plan/profile/*.c plan/*.def plan/targets.c plan/vector_shape.c ir/placements.def" ;;
    model) files="tune/search/trees.c tune/nests/*.def plan/vector_shape.c" ;;
    options)
        files="gen/driver/options.c gen/driver/pipeline.c plan/targets.c"
        sed -n 's/^    {"\([a-z0-9-]*\)", .*/"--\1="/p' "$root/gen/driver/options.c"
        ;;
    esac
    # shellcheck disable=SC2086 # several files
    (cd "$root" && grep -oh '"[A-Za-z0-9_.-]\+"' $files; cd "$root" && sed -n 's/^[A-Z_]*(\([a-z0-9_]*\),.*/"\1"/p' $files) | sort -u
}

words >"$build/$target.dict"
status=0
# Clang allocates and frees the same few megabytes in each execution: what is freed is not kept for long, nor where it came from. To see
# that of a finding, run it without this.
export ASAN_OPTIONS=malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# shellcheck disable=SC2086 # several folders
"$program" -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=4096 -close_fd_mask=2 -print_final_stats=1 \
    -dict="$build/$target.dict" -artifact_prefix="$build/findings/$target." "$kept" "$corpus" ${MIKGEN_FUZZ_SEEDS:-} \
    >"$build/$target.log" 2>&1 || status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
edges=$(grep -ao ' cov: [0-9]*' "$build/$target.log" | tail -1)
echo "fuzz_$target: ${runs:-no} executions in $seconds s, ${edges##* } edges, $(find "$kept" -type f | wc -l) files kept"
[ $status = 0 ] || grep -aE 'ERROR|SUMMARY|runtime error|internal error|Test unit written' "$build/$target.log" | head
exit $status
