#!/usr/bin/env bash
# Every file of templates/engine/c, vec, sets, check and tune compiles as it stands, given those that it includes, under gcc and clang, and those
# for NEON for AArch64.
#
#   engine.sh gcc|clang [PART OF]       of the files one in OF only, from number PART on
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
only=$1 part=${2:-0} of=${3:-1}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root/templates/engine"
failures=0 number=0
compiles() {
    local file=$1
    shift
    # The functions are static, as in a generated file; a file by itself does not call its own, and may have macros alone.
    printf '#include "%s"\nextern int declared;\n' "$file" | "$@" -std=c99 -O1 -Wall -Wextra -Wpedantic -Wno-unused-function -Werror -fsyntax-only -x c - || {
        echo "FAILED: $file by $*"
        failures=$((failures + 1))
    }
}
for file in c/*.h vec/*.h sets/*/*.h sets/*/loops/*.h check/*.h tune/*.h; do
    number=$((number + 1))
    [ $((number % of)) = "$part" ] || continue
    case $file in
        sets/neon/*) set -- aarch64-linux-gnu-gcc "clang-19 --target=aarch64-linux-gnu" ;;
        *) case $(uname -m) in
               x86_64) set -- gcc clang-19 ;;
               *) set -- "clang-19 --target=x86_64-linux-gnu" ;;
           esac ;;
    esac
    for compiler in "$@"; do
        [[ $compiler == *$only* ]] || continue
        # shellcheck disable=SC2086 # a compiler with its option
        compiles "$file" $compiler
    done
done
[ "$failures" = 0 ] && echo "the files of the engine compile by themselves"
