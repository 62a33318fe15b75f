#!/usr/bin/env bash
# A file that zig cc compiles, without options, whose sanitizer stops the program: the self-check runs to its end, by the instruction
# sets that gcc's program finds; and so it does where zig links what gcc has compiled.
#
#   zig_native.sh MIKGEN FOLDER PACKAGES
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
packages=$3
# shellcheck source=tests/zig.sh
. "$(dirname "$0")/../zig.sh" "$packages"
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$1" "$2"
for name in gemm_f32 softmax; do
    spec=$root/examples/$name/$name.spec
    "$mikgen" --target=c --max-kernels=1 -o ${name}_dyn.c "$spec"
    "$mikgen" --target=c --emit=header -o ${name}_dyn.h "$spec"
    "$mikgen" --target=c --max-kernels=1 --emit=selfcheck -o ${name}_check.c "$spec"
    "$mikgen" --emit=reference -o ${name}_reference.c "$spec"
    for compiler in gcc "$zig cc"; do
        $compiler -D$name=${name}_reference -c ${name}_reference.c
        $compiler -Wall -Wextra -Werror -c ${name}_dyn.c # one by one: of several zig makes one object
        $compiler -Wall -Wextra -Werror -c ${name}_check.c
        for linker in gcc "$zig cc"; do
            case $compiler-$linker in *"zig cc-gcc") continue ;; esac # of the sanitizer's functions it has none
            $linker ${name}_check.o ${name}_dyn.o ${name}_reference.o -lm -lpthread -o ${name}_check
            ./${name}_check --tuples=1 >log || { tail -5 log; fail "$name compiled by $compiler, linked by $linker"; }
            grep '^instruction sets:' log >sets
            [ -f ${name}_sets ] || cp sets ${name}_sets # of gcc's program
            diff ${name}_sets sets || fail "$name compiled by $compiler and linked by $linker runs by other instruction sets"
        done
    done
    cat sets
done
