#!/usr/bin/env bash
# Programs of tests/rewritten do the same once they are rewritten, by --keep-loops and by `mikgen cc`, with gcc and with clang.
#
#   rewritten.sh MIKGEN FOLDER [PROGRAM...]
#
# Lines of a program: `// has: TEXT` and `// lacks: TEXT`, what of the rewritten text; `// levels: -O0`, at which levels of optimisation it
# means what it says (-O0 -O2); `// links: -lm`; `// markers`: only line markers keep its output, so `mikgen cc` alone runs.
# The rewritten text has no warning that the program does not give, and rewritten again it is the same.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
mikgen=$1
here=$(cd "$(dirname "$0")/../rewritten" && pwd)
cd "$2" || exit 2
rm -rf ./*
shift 2
[ $# -gt 0 ] || set -- "$here"/*.c
compilers=(gcc)
command -v clang-19 >/dev/null && compilers+=(clang-19)

failed=0 ran=0
fail() { echo "FAILED: $*"; failed=1; }
# says NAME PROGRAM: what the program's lines `// NAME: ...` say
says() { sed -n "s,^// $1: ,,p" "$2"; }

for program; do
    name=$(basename "$program" .c)
    cp "$program" "$name.c"
    "$mikgen" --keep-loops "$name.c" -o "$name.out.c" 2>messages || { fail "$name: $(cat messages)"; continue; }
    ! grep -q 'missed: function' messages || fail "$name: not all of it is rewritten: $(cat messages)"
    "$mikgen" --keep-loops "$name.out.c" | diff -u "$name.out.c" - || fail "$name: the second time changes more"
    while IFS= read -r text; do
        grep -v '^//' "$name.out.c" | grep -qF -- "$text" || fail "$name: the output does not say '$text'"
    done < <(says has "$program")
    while IFS= read -r text; do
        ! grep -v '^//' "$name.out.c" | grep -qF -- "$text" || fail "$name: the output says '$text'"
    done < <(says lacks "$program")
    levels=$(says levels "$program") links=$(says links "$program")
    for compiler in "${compilers[@]}"; do
        for level in ${levels:--O0 -O2}; do
            # shellcheck disable=SC2086 # several options
            $compiler -std=gnu11 -Wall -Wno-unknown-pragmas -Wno-unused-local-typedefs -ffp-contract=off $level "$name.c" -o before $links 2>before.log || fail "$name: $(cat before.log)"
            ./before >before.txt || fail "$name: $compiler $level: the program itself fails"
            # shellcheck disable=SC2086
            "$mikgen" cc --strict -- $compiler -std=gnu11 -w -ffp-contract=off $level "$name.c" -o after $links || fail "$name: mikgen cc -- $compiler"
            ./after >after.txt
            diff before.txt after.txt || fail "$name: mikgen cc -- $compiler $level: it does something else"
            ran=$((ran + 1))
            ! grep -qx '// markers' "$program" || continue
            # shellcheck disable=SC2086
            $compiler -std=gnu11 -Wall -Wno-unknown-pragmas -Wno-unused-local-typedefs -ffp-contract=off $level "$name.out.c" -o after $links 2>after.log || fail "$name: $(cat after.log)"
            ./after >after.txt
            diff before.txt after.txt || fail "$name: $compiler $level: it does something else"
            [ -s before.log ] || [ ! -s after.log ] || fail "$name: $compiler $level warns: $(cat after.log)"
        done
    done
done
echo "$ran runs"
[ $failed = 0 ] && [ $ran != 0 ]
