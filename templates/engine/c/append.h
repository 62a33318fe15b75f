/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Texts of explanations. */
#pragma once
#include "problem.h"

/* Appends to the text in buf as snprintf would, whatever of it has room; *used is the length without the limit. */
MIK_FORMAT(4, 5) static void mik_f32_say(char *buf, size_t size, size_t *used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = *used < size ? vsnprintf(buf + *used, size - *used, format, args) : vsnprintf(NULL, 0, format, args);
    va_end(args);
    *used += n > 0 ? (size_t)n : 0;
}
