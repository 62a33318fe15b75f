/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has been printed of a function so far: adding to it, and looking for names in it. */
#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put(Gen *g, const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    int n = vsnprintf(g->out + g->len, TEXTS - g->len, pattern, args);
    va_end(args);
    if (n < 0 || g->len + (size_t)n + 1 > TEXTS)
        exit(1);
    g->len += (size_t)n;
}

void line(Gen *g, const char *text) { put(g, "%*s%s\n", g->indent * 4, "", text); }

bool is_name_char(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool says(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if ((p == text || !is_name_char(p[-1])) && !is_name_char(p[n]))
            return true;
    return false;
}

/* The text of the function so far says the name. */
bool is_mentioned(const Gen *g, const char *name) { return says(g->out, name); }
