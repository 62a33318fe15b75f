#!/usr/bin/env bash
# Do the generators of random programs and specs print the same whatever compiled them? A draw that stands where C leaves the order open
# shows by this: gcc and Clang evaluate arguments from different ends.
#
#   same.sh FOLDER "GENERATOR SOURCE..."...      as "build/tests/random_stages random_stages.c random_float.c", sources of this folder
#
# Both compile the sources; programs 1 to 300 of what they make, and of GENERATOR, which the build has made, are compared.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) folder=$1
shift
command -v gcc >/dev/null && command -v clang >/dev/null || { echo "skipped: there are not both gcc and clang"; exit 77; }
mkdir -p "$folder" && cd "$folder"

# compiled NAME SOURCE...: NAME.gcc and NAME.clang; what several share is compiled once.
compiled() {
    local name=$1 compiler source objects
    shift
    for compiler in gcc clang; do
        objects=()
        for source; do
            objects+=("$(basename "$source" .c).$compiler.o")
            [ "${objects[-1]}" -nt "$here/$(basename "$source")" ] ||
                "$compiler" -std=c11 -D_GNU_SOURCE -w -c "$here/$(basename "$source")" -o "${objects[-1]}"
        done
        "$compiler" "${objects[@]}" -o "$name.$compiler"
    done
}

# printed PROGRAM: what it prints for numbers 1 to 300, a number at a line's end
printed() {
    case $1 in
    *random_program*) "$1" 1 300 "$(basename "$1").c" "$(basename "$1").inc" && cat "$(basename "$1").c" "$(basename "$1").inc" ;;
    *random_nest*) "$1" 1 300 && "$1" 1 300 strict bf16 ;;
    *) "$1" 1 300 ;;
    esac
}

rm -f ./*.o
different=0
for words; do
    read -r generator sources <<<"$words"
    name=$(basename "$generator")
    # shellcheck disable=SC2086 # several sources
    compiled "$name" $sources
    printed "$generator" >"$name.out"
    for compiler in gcc clang; do
        printed "./$name.$compiler" >"$name.$compiler.out"
        cmp -s "$name.out" "$name.$compiler.out" && continue
        different=$((different + 1))
        echo "$name: compiled by $compiler it prints something else:"
        diff "$name.out" "$name.$compiler.out" | head -5 || true
    done
    echo "$name: $(grep -cE '^(void|unsigned|static|long|int|float) .*\(' "$name.out") functions, $(wc -c <"$name.out") bytes"
done
exit $((different > 0))
