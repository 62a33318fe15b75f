#!/usr/bin/env bash
# Which instruction sets a processor has, the emitted file finds out by itself: it wants nothing of a run-time library for that, and on
# processors that lack some, emulated, it runs the right ones, and says so.
#
#   processor.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
[ "$(uname -m)" = x86_64 ] || { echo "skipped: this is no x86-64"; exit 77; }

# Files with kernels, with loops by vectors alone, with numbers of 16 bits, with dot products; and an engine.
"$mikgen" --target=c --max-kernels=1 -o gemm_f32_dyn.c "$root/examples/gemm_f32/gemm_f32.spec"
"$mikgen" --target=c -o softmax_dyn.c "$root/examples/softmax/softmax.spec"
"$mikgen" --target=c --max-kernels=1 -o halves.c "$root/examples/gemm/gemm.spec"
"$mikgen" --target=c --max-kernels=1 -o dots.c "$root/tests/specs/gemm_int8.spec"
"$mikgen" --target=c --max-kernels=1 --emit=engine --families=f32,bf16 -o .
"$mikgen" --target=c --engine=shared -o shared.c "$root/examples/gemm_bias_gelu/gemm_bias_gelu.spec"
for compiler in gcc clang-19; do
    for file in gemm_f32_dyn softmax_dyn halves dots mikgen_engine shared; do
        ! grep -n '__builtin_cpu' $file.c || fail "$file.c asks the compiler's run-time library"
        $compiler -std=c99 -O0 -Wall -Wextra -Werror -c $file.c -o $file.o
        ! nm -u $file.o | grep -E '__cpu_|__get_cpu|__isa_' || fail "$compiler: $file.o asks a run-time library"
    done
done

# The self-check's arrays lie against pages that are not there, where qemu's masked loads fault, and so this calls them.
for name in gemm_f32 softmax; do
    "$mikgen" --target=c --emit=header -o ${name}_dyn.h "$root/examples/$name/$name.spec"
done
gcc -std=c99 -O1 -Wall -Wextra -Werror -I. "$root/tests/emitted/processor.c" gemm_f32_dyn.c softmax_dyn.c -lm -o processor

# on CPU FOUND KERNELS LOOPS: what qemu's processor of that name has, and what then runs.
on() {
    printf 'instruction sets found: %s\nkernels: %s\nloops: %s\n' "$2" "$3" "$4" >want
    qemu-x86_64 -cpu "$1" ./processor >log 2>warnings || { cat log; fail "on $1"; }
    diff want log || fail "on $1 other sets are found or run"
}
on Nehalem none portable portable
on SandyBridge none portable portable
on Haswell "avx2 fma f16c" "portable avx2" "portable avx2"
on max,-avx512f,-f16c "avx2 fma" "portable avx2" portable
on max,-avx512f,-fma "avx2 f16c" portable portable
on max,-avx512f,-avx2 "fma f16c" portable portable
on max,-xsave none portable portable # the operating system saves no registers of AVX
./processor

# Others are asked nothing: NEON is part of each AArch64, and of 32-bit ones no set is used.
for machine in aarch64 arm s390x; do
    compiler=$machine-linux-gnu kernels=portable found=none
    case $machine in
    aarch64) found=neon kernels="portable neon" ;;
    arm) compiler=arm-linux-gnueabihf ;;
    esac
    command -v $compiler-gcc qemu-$machine >/dev/null || { echo "not for $machine"; continue; }
    $compiler-gcc -std=c99 -O1 -Wall -Wextra -Werror -I. "$root/tests/emitted/processor.c" gemm_f32_dyn.c softmax_dyn.c -lm -o processor.$machine
    printf 'instruction sets found: %s\nkernels: %s\nloops: %s\n' $found "$kernels" "$kernels" >want
    qemu-$machine -L /usr/$compiler ./processor.$machine >log || fail "on $machine"
    diff want log || fail "on $machine other sets are found or run"
done
