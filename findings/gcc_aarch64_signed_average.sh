#!/usr/bin/env bash
# Averages of signed bytes that were cut to bytes before, gcc 12.2 for AArch64, vectorized.
#
# Surprise: y[n] = ((int8_t)(a[n] - 3) + (int8_t)(b[n] - 3)) >> 1, of int8_t, is right at -O0 and -O2, and wrong at -O3. The vectorizer finds
# a halving addition, which AArch64 has as one instruction, signed and unsigned. The main loop of 16 bytes takes the unsigned one, uhadd; the
# loop for the rest, of 8 bytes, takes shadd. So lengths below 16 are right, and longer ones are wrong wherever the operands' signs
# differ. Without the cuts, (a[n] + b[n]) >> 1, both loops take shadd.
#
# Seen with Debian 12's gcc-12-aarch64-linux-gnu 12.2.0-14cross1 and qemu-user 7.2, of all 65,536 pairs:
#
#   cut: -O0 0 wrong, -O2 0 wrong, -O3 32768 wrong
#   whole: -O0 0 wrong, -O2 0 wrong, -O3 0 wrong
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in gcc-12-aarch64-linux-gnu=12.2.0-14cross1 libc6-dev-arm64-cross qemu-user; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "${package%%=*}" 2>/dev/null || true)" = installed ] ||
        apt-get install -y -qq "$package" >log 2>&1 || { cat log; exit 1; }
done
cat >average.c <<'END_OF_FILE'
#include <stdint.h>
#include <stdio.h>
__attribute__((noinline)) void average(int N, const int8_t *restrict a, const int8_t *restrict b, int8_t *restrict y)
{
    for (int n = 0; n < N; n++)
        y[n] = (int8_t)((OPERAND(a[n]) + OPERAND(b[n])) >> 1);
}
int main(void)
{
    static int8_t a[65536], b[65536], y[65536];
    int wrong = 0;
    for (int n = 0; n < 65536; n++)
        a[n] = (int8_t)(n & 255), b[n] = (int8_t)(n >> 8);
    average(65536, a, b, y);
    for (int n = 0; n < 65536; n++) {
        volatile int x = OPERAND(a[n]), z = OPERAND(b[n]);
        wrong += y[n] != (x + z) >> 1;
    }
    printf("%d", wrong);
}
END_OF_FILE
counts() {
    local separator=" "
    printf '%s:' "$1"
    for level in -O0 -O2 -O3; do
        aarch64-linux-gnu-gcc-12 -std=c99 "$level" -static "-DOPERAND(x)=$2" average.c -o average
        printf '%s%s %s wrong' "$separator" "$level" "$(qemu-aarch64 ./average)"
        separator=", "
    done
    printf '\n'
}
cat >want <<'END_OF_FILE'
cut: -O0 0 wrong, -O2 0 wrong, -O3 32768 wrong
whole: -O0 0 wrong, -O2 0 wrong, -O3 0 wrong
END_OF_FILE
{
    counts cut '(int8_t)((x)-3)'
    counts whole '(x)'
} >seen
cat seen
diff want seen || { echo "it has changed"; exit 1; }
