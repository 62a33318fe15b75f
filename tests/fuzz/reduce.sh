#!/usr/bin/env bash
# Deletes lines and blocks of one random program for as long as it still shows a finding of programs.sh.
#
#   reduce.sh MIKGEN RANDOM_PROGRAM FOLDER NUMBER FINDING [MIKGEN OPTION...]
#
# NUMBER is the program's. FINDING:
#   differs   input and output leave different results behind   ($CC, default gcc, compiles both; $LEVEL, default -O0)
#   fixed     the output is not a fixed point
#   warns     the output gives a warning of a kind that the input does not give, or does not compile
#   fails     mikgen does not accept the program
# The reduced program is FOLDER/reduced.c.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 5 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") generator=$(realpath "$2") folder=$3 number=$4 finding=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" && cd "$folder" || exit 2
. "$here/delete_lines.sh"
compiler=${CC:-gcc} trap=-fsanitize-undefined-trap-on-error
[ "$compiler" = gcc ] || trap=-fsanitize-trap=undefined
common="-std=gnu11 -I$here -Wno-unknown-pragmas"
checks="-ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all $trap ${LEVEL:--O0}"
export ASAN_OPTIONS=detect_leaks=0

"$generator" "$number" 1 start.c calls.inc || exit 2
printf '#include "programs.h"\nextern Run run_0, run_1;\nextern Run *const variants[];\nRun *const variants[] = {run_0, run_1, 0};\n' >variants.c
# shellcheck disable=SC2086 # several options
[ "$finding" != differs ] || "$compiler" $common $checks -c "$here/programs_main.c" variants.c || exit 2

# compile FILE VARIANT OPTION...
compile() {
    local file=$1 k=$2
    shift 2
    # shellcheck disable=SC2086
    "$compiler" $common "$@" -DPROGRAMS="\"$PWD/$file\"" -DCALLS="\"$PWD/calls.inc\"" -DVARIANT="run_$k" -c "$here/variant.c" -o "v$k.o" 2>"v$k.log"
}

# Does this file show the finding?
shows() {
    local file=$1
    shift
    # shellcheck disable=SC2086
    compile "$file" 0 -w $checks || return 1
    if [ "$finding" = fails ]; then
        "$mikgen" --keep-loops "-I$here" "$@" "$file" >out.c 2>out.err && return 1
        return 0
    fi
    "$mikgen" --keep-loops "-I$here" "$@" "$file" >out.c 2>out.err || return 1
    case $finding in
    differs)
        # shellcheck disable=SC2086
        compile out.c 1 -w $checks && "$compiler" $common $checks programs_main.o variants.o v0.o v1.o -lm -o one &&
            ! timeout 60 ./one "$number" 1 "${TRIES:-12}" 3>where >differences 2>&1
        ;;
    fixed) "$mikgen" --keep-loops "-I$here" "$@" out.c >again.c 2>again.err && ! cmp -s out.c again.c ;;
    warns)
        compile "$file" 0 -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable
        compile out.c 1 -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable || return 0
        [ -n "$(comm -13 <(grep -o '\[-W[^]]*\]' v0.log | sort -u) <(grep -o '\[-W[^]]*\]' v1.log | sort -u))" ]
        ;;
    *) exit 2 ;;
    esac
}

cp start.c reduced.c
shows reduced.c "$@" || { echo "program $number does not show it"; exit 1; }
head=$(grep -n -m1 '^static ' reduced.c | cut -d: -f1)
delete_lines reduced.c "$head" "$@"
shows reduced.c "$@"
sed -n "$head,\$p" reduced.c
