/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ir/utf8.h"

#include <stdint.h>

size_t utf8_bytes(const char *text, size_t left)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0x01}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *p = (const unsigned char *)text;
    for (size_t n = 1; left && n <= 4; n++) {
        if ((p[0] & forms[n - 1].mask) != forms[n - 1].lead)
            continue;
        uint32_t c = p[0] & (unsigned char)~forms[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            if (i >= left || (p[i] & 0xc0) != 0x80)
                return 0;
            c = c << 6 | (p[i] & 0x3f);
        }
        return c < forms[n - 1].least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
    }
    return 0;
}
