#!/usr/bin/env bash
# What is emitted, compiled by zig cc for other machines: no warnings, with -ffast-math neither; and what can be run here does what the spec says.
#
#   zig_targets.sh MIKGEN FOLDER PACKAGES TARGET [PART OF]
#
# PACKAGES: where wheels are kept. Of the examples, with few kernels, a few; with PART and OF all, one in OF from number PART on, without
# optimization, as clang's front end has its warnings; each fourth of these with.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 4 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
packages=$3 target=$4 part=${5:-} of=${6:-1}
# shellcheck source=tests/zig.sh
. "$(dirname "$0")/../zig.sh" "$packages"
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$1" "$2"

compile="$zig cc -target $target -std=c99 -O2 -Wall -Wextra -Werror"
kernels=--max-kernels=4 tuples=--tuples=1 number=0
specs=$(printf "$root/examples/%s.spec " gemm_f32/gemm_f32 softmax/softmax conv2d/conv2d)
[ -z "$part" ] || specs=$(printf '%s\n' "$root"/examples/*/*.spec | awk -v part="$part" -v of="$of" 'NR % of == part') tuples=--tuples=2
for spec in $specs; do
    name=$(basename "$(dirname "$spec")")_$(basename "$spec" .spec) number=$((number + 1)) how=$compile
    [ -z "$part" ] || how=${compile/-O2/-O0 -fno-sanitize=undefined}
    [ -z "$part" ] || [ $((number % 4)) != 1 ] || how=${compile/-O2/-O1}
    # shellcheck disable=SC2086 # perhaps no option
    "$mikgen" --target=c $kernels -o "$name.c" "$spec"
    $how -c "$name.c" || fail "$name for $target"
    rm -f "$name.o"
done
"$mikgen" --target=c $kernels -o softmax_softmax.c "$root/examples/softmax/softmax.spec"
$compile -ffast-math -c softmax_softmax.c || fail "softmax for $target with -ffast-math"

# Self-checks need POSIX; where it is missing, an example's own program.
run=
case $target in
riscv64-*) run=qemu-riscv64 ;;
armeb-*) run=qemu-armeb ;;
arm-*) run=qemu-arm ;;
powerpc64le-*) run=qemu-ppc64le ;;
loongarch64-*) run=qemu-loongarch64 ;;
s390x-*) run=qemu-s390x ;;
aarch64-linux-*) run=qemu-aarch64 ;;
wasm32-wasi*)
    wheel wasmtime $wasmtime
    for name in softmax gemm_f32; do
        "$mikgen" --target=c --max-kernels=4 --output-dir=. "$root/examples/$name/$name.spec"
        $zig cc -target "$target" -O2 -I. "$root/examples/$name/main.c" ${name}_dyn.c -o $name.wasm
        wasm $name.wasm || fail "$name for $target"
    done
    ;;
esac
[ -n "$run" ] || exit 0
command -v $run >/dev/null || { echo "not run: there is no $run"; exit 0; }
for name in gemm_f32 softmax; do
    spec=$root/examples/$name/$name.spec
    "$mikgen" --target=c --max-kernels=1 -o ${name}_dyn.c "$spec"
    "$mikgen" --target=c --emit=header -o ${name}_dyn.h "$spec"
    "$mikgen" --target=c --max-kernels=1 --emit=selfcheck -o ${name}_check.c "$spec"
    "$mikgen" --emit=reference -o ${name}_reference.c "$spec"
    $zig cc -target "$target" -std=gnu11 -O1 -w -ffp-contract=off -D_Float16=float -D$name=${name}_reference -c ${name}_reference.c
    $zig cc -target "$target" -std=c99 -O1 -Wall -Wextra -Werror -static ${name}_check.c ${name}_dyn.c ${name}_reference.o -lm -lpthread -o ${name}_check
    $run ./${name}_check $tuples || fail "$name on $target"
done
