/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digits one by one, decimal or hexadecimal, without an overflow. */
#include "ir/number.h"

#include <inttypes.h>

static int digit_of(char c, int base)
{
    const int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : base;
    return d < base ? d : -1;
}

bool number_within(const char *text, size_t len, int64_t low, int64_t high, int64_t *out)
{
    const char *p = text, *end = text + len;
    const bool negative = p < end && *p == '-';
    p += negative;
    const int base = end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 16 : 10;
    p += base == 16 ? 2 : 0;
    if (p == end)
        return false;
    int64_t value = 0; /* with its sign, as the least number has no positive counterpart */
    for (; p < end; p++) {
        const int digit = digit_of(*p, base);
        if (digit < 0 || __builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}

const char *number_expected(Arena *arena, const char *text, size_t len, int64_t low, int64_t high)
{
    return arena_printf(arena, "a number from %" PRId64 " to %" PRId64 ", not '%.*s'", low, high, (int)len, text);
}
