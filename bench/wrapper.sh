#!/usr/bin/env bash
# Projects built by `mikgen cc` and run by their own tests, beside the same build without it: PolyBench, by configure and by CMake.
#
#   wrapper.sh MIKGEN FOLDER TREE...
#
# FOLDER gets a copy of each TREE for each build. What a tree is its files say: utilities/polybench.c (every program of PolyBench, whose output
# is compared), CMakeLists.txt (built and tested by ctest) or configure (make check, make test); the last two both, where both are there.
# Prints a line for each: sources that were rewritten, how many the compiler got as they are though they have loops, seconds of both builds.
#
#   CC       the compiler (default: gcc)
#   CFLAGS   as of a build (default: -O2)
#   JOBS     processes at once (default: 2)
#   DATASET  of PolyBench (default: MINI)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
cc=${CC:-gcc} jobs=${JOBS:-2} flags=${CFLAGS:--O2} dataset=${DATASET:-MINI}
unset CC CFLAGS MIKGEN_CC_OPTIONS
failed=0

# timed NAME COMMAND...: its seconds in $seconds; what it says goes to FOLDER/NAME.log
timed() {
    local log=$folder/$1.log beg end
    shift
    beg=$(date +%s.%N)
    "$@" >"$log" 2>&1 </dev/null || { echo "FAILED: $*: see $log"; failed=1; }
    end=$(date +%s.%N)
    seconds=$(echo "$end $beg" | awk '{printf "%.1f", $1 - $2}')
}

copy() { rm -rf "${folder:?}/$2" && mkdir "$folder/$2" && cp -a "$1/." "$folder/$2"; }

# told NAME PLAIN WRAPPED: a line of the table
told() {
    local log=$folder/$1.sources
    printf '%-28s %4d rewritten, %4d with loops as they are, %4d refused by mikgen, %d by the compiler, build %s s without, %s s with\n' "$1" \
        "$(grep -c ': rewritten' "$log")" "$(grep -cE 'as it is: (nothing moves|its headers)' "$log")" \
        "$(grep -c 'cannot be rewritten' "$log")" "$(grep -c 'the compiler refuses' "$log")" "$2" "$3"
}

polybench() {
    local tree=$1 name=$2 source base options plain=0
    options="$flags -I$tree/utilities -DPOLYBENCH_DUMP_ARRAYS -D${dataset}_DATASET $tree/utilities/polybench.c -lm"
    mkdir -p "$folder/$name"
    rm -f "$folder/$name.sources"
    build() { # PREFIX ENDING
        while read -r source; do
            base=$(basename "$source" .c)
            # shellcheck disable=SC2086
            (cd "$(dirname "$source")" && $1 $cc "$base.c" $options -o "$folder/$name/$base$2") || return 1
        done < <(find "$tree" -name '*.c' ! -path '*/utilities/*' ! -name '*.orig.c')
    }
    timed "$name-plain" build "" .plain
    plain=$seconds
    options="$flags -I$tree/utilities -DPOLYBENCH_DUMP_ARRAYS -D${dataset}_DATASET $tree/utilities/polybench.o -lm"
    # shellcheck disable=SC2086
    $cc $flags -DPOLYBENCH_DUMP_ARRAYS -c "$tree/utilities/polybench.c" -o "$folder/$name/polybench.o"
    options=${options/"$tree/utilities/polybench.o"/"$folder/$name/polybench.o"}
    timed "$name-wrapped" build "$mikgen cc --log=$folder/$name.sources --" .wrapped
    for source in "$folder/$name"/*.plain; do
        "$source" 2>"$folder/plain.txt" >&2
        "${source%.plain}.wrapped" 2>"$folder/wrapped.txt" >&2
        cmp "$folder/plain.txt" "$folder/wrapped.txt" || { echo "FAILED: $source: another result"; failed=1; }
    done
    told "$name" "$plain" "$seconds"
}

by_configure() {
    local tree=$1 name=$2 plain target=test
    rm -f "$folder/$name.sources"
    ls "$tree"/*.am >/dev/null 2>&1 && target=check
    copy "$tree" "$name-plain"
    copy "$tree" "$name-wrapped"
    (cd "$folder/$name-plain" && CC=$cc CFLAGS=$flags ./configure) >"$folder/$name-configure.log" 2>&1
    (cd "$folder/$name-wrapped" && CC="$mikgen cc --log=$folder/$name.sources -- $cc" CFLAGS=$flags ./configure) >>"$folder/$name-configure.log" 2>&1
    rm -f "$folder/$name.sources" # configure's own programs
    timed "$name-plain" make -j"$jobs" -C "$folder/$name-plain"
    plain=$seconds
    timed "$name-wrapped" make -j"$jobs" -C "$folder/$name-wrapped"
    told "$name" "$plain" "$seconds"
    timed "$name-test" make -j"$jobs" -C "$folder/$name-wrapped" $target
    tail -3 "$folder/$name-test.log" | sed 's/^/    /'
}

by_cmake() {
    local tree=$1 name=$2 plain
    rm -f "$folder/$name.sources"
    copy "$tree" "$name-source"
    rm -rf "${folder:?}/$name-plain" "$folder/$name-wrapped"
    {
        cmake -S "$folder/$name-source" -B "$folder/$name-plain" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$flags" -DCMAKE_BUILD_TYPE=None
        cmake -S "$folder/$name-source" -B "$folder/$name-wrapped" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$flags" -DCMAKE_BUILD_TYPE=None \
            "-DCMAKE_C_COMPILER_LAUNCHER=$mikgen;cc;--log=$folder/$name.sources;--"
    } >"$folder/$name-configure.log" 2>&1 || { echo "FAILED: cmake: see $folder/$name-configure.log"; failed=1; }
    rm -f "$folder/$name.sources"
    timed "$name-plain" cmake --build "$folder/$name-plain" -j "$jobs"
    plain=$seconds
    timed "$name-wrapped" cmake --build "$folder/$name-wrapped" -j "$jobs"
    told "$name" "$plain" "$seconds"
    timed "$name-test" ctest --test-dir "$folder/$name-wrapped" -j "$jobs"
    grep 'tests passed' "$folder/$name-test.log" | sed 's/^/    /'
}

for tree; do
    tree=$(realpath "$tree")
    name=$(basename "$tree")
    [ ! -e "$tree/utilities/polybench.c" ] || polybench "$tree" "$name"
    [ ! -x "$tree/configure" ] || by_configure "$tree" "$name-configure"
    [ ! -e "$tree/CMakeLists.txt" ] || by_cmake "$tree" "$name-cmake"
done
exit $failed
