# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: how a MODE compiles what mikgen emits, and runs it. Sets compile, link, libraries, run, gcc, clang, level.
#
#   gcc        emitted C compiled by gcc, as a user would, warnings as errors; with $MIKGEN_LEVEL in the place of -O2
#   quick      the same without optimization, for many programs in little time
#   clang      the same by clang-19
#   sanitize   the same by clang-19 with AddressSanitizer and UndefinedBehaviorSanitizer
#   neon       the same for AArch64 by gcc, everything run by qemu; the kernels in portable C run as well
#   neon_clang the emitted C for AArch64 by clang-19
#
# $MIKGEN_RUN_THROUGH: a command that runs the programs, such as an emulator of processors with AVX-512. They are linked with -static then.
gcc=gcc clang=clang-19 run= level=${MIKGEN_LEVEL:--O2}
case $mode in
neon*)
    cross=aarch64-linux-gnu
    gcc=$cross-gcc clang="clang-19 --target=$cross" run="qemu-aarch64 -L /usr/$cross"
    ;;
esac
case $mode in
quick) compile="$gcc -std=c99 -O0" ;;
gcc | neon) compile="$gcc -std=c99 $level" ;;
clang | neon_clang) compile="$clang -std=c99 $level" ;;
sanitize) compile="$clang -std=c99 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
*) echo "there is no mode $mode" >&2; exit 2 ;;
esac
link=$compile libraries="-lm -lpthread" warnings="-Wall -Wextra -Werror"
[ "$mode" != neon_clang ] || link=$gcc
[ -z "${MIKGEN_RUN_THROUGH-}" ] || link="$link -static" run=$MIKGEN_RUN_THROUGH
