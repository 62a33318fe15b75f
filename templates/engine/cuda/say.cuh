/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Text of explanations. */
#pragma once
#include "host_config.cuh"

/* Text that is cut off where its buffer ends, but counted whole. */
typedef struct {
    char *buf;
    size_t size, length;
} mik_text;

static void mik_say(mik_text *text, const char *format, ...)
{
    const int fits = text->length < text->size;
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(fits ? text->buf + text->length : NULL, fits ? text->size - text->length : 0, format, values);
    va_end(values);
    text->length += n > 0 ? (size_t)n : 0;
}
