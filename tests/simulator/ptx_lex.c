/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of PTX (PTX ISA 4.2 to 4.5). */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

void ptx_error(Parser *p, const char *format, ...)
{
    if (p->failed)
        return;
    p->failed = true;
    int n = snprintf(p->error, p->error_size, "%s: line %d: ", p->module->source, p->line);
    va_list list;
    va_start(list, format);
    vsnprintf(p->error + n, p->error_size - (size_t)n, format, list);
    va_end(list);
    p->at = p->end;
}

void *ptx_new(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p) {
        fputs("simulator: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

const char *ptx_copy(const char *text, size_t length)
{
    char *copy = ptx_new(length + 1);
    memcpy(copy, text, length);
    return copy;
}

void ptx_skip_line(Parser *p)
{
    while (p->at < p->end && *p->at != '\n')
        p->at++;
}

void ptx_skip(Parser *p)
{
    while (p->at < p->end) {
        if (*p->at == '\n') {
            p->line++;
            p->at++;
        } else if (isspace((unsigned char)*p->at)) {
            p->at++;
        } else if (p->at[0] == '/' && p->at + 1 < p->end && p->at[1] == '/') {
            ptx_skip_line(p);
        } else if (p->at[0] == '/' && p->at + 1 < p->end && p->at[1] == '*') {
            for (p->at += 2; p->at + 1 < p->end && !(p->at[0] == '*' && p->at[1] == '/'); p->at++)
                p->line += *p->at == '\n';
            p->at += 2;
        } else {
            return;
        }
    }
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

bool ptx_accept(Parser *p, const char *text)
{
    ptx_skip(p);
    size_t length = strlen(text);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0)
        return false;
    if (is_word(text[0]) && p->at + length < p->end && is_word(p->at[length]))
        return false;
    p->at += length;
    return true;
}

void ptx_expect(Parser *p, const char *text)
{
    if (!ptx_accept(p, text))
        ptx_error(p, "expected %s before \"%.20s\"", text, p->at < p->end ? p->at : "the end");
}

/* Opcodes hold :: between their parts, labels are followed by a single colon. */
const char *ptx_word(Parser *p)
{
    ptx_skip(p);
    const char *start = p->at;
    if (start >= p->end || isdigit((unsigned char)*start) || !is_word(*start))
        return NULL;
    while (p->at < p->end) {
        if (p->at + 2 < p->end && p->at[0] == ':' && p->at[1] == ':' && is_word(p->at[2]))
            p->at += 2;
        else if (!is_word(*p->at))
            break;
        p->at++;
    }
    return ptx_copy(start, (size_t)(p->at - start));
}

static uint64_t hex(Parser *p, int digits)
{
    char text[20] = {0};
    memcpy(text, p->at, (size_t)digits);
    p->at += digits;
    return strtoull(text, NULL, 16);
}

bool ptx_number(Parser *p, Operand *number)
{
    ptx_skip(p);
    bool minus = false;
    const char *start = p->at;
    if (p->at < p->end && (*p->at == '-' || *p->at == '+'))
        minus = *p->at++ == '-';
    ptx_skip(p);
    if (p->at + 10 < p->end && p->at[0] == '0' && (p->at[1] == 'f' || p->at[1] == 'F')) {
        p->at += 2;
        number->kind = O_F32;
        number->value = (int64_t)(hex(p, 8) ^ (minus ? 0x80000000u : 0));
        return true;
    }
    if (p->at + 18 < p->end && p->at[0] == '0' && (p->at[1] == 'd' || p->at[1] == 'D')) {
        p->at += 2;
        number->kind = O_F64;
        number->value = (int64_t)(hex(p, 16) ^ (minus ? 1ull << 63 : 0));
        return true;
    }
    if (p->at >= p->end || !isdigit((unsigned char)*p->at)) {
        p->at = start;
        return false;
    }
    char *end;
    errno = 0;
    uint64_t value;
    if (p->at[0] == '0' && (p->at[1] == 'b' || p->at[1] == 'B'))
        value = strtoull(p->at + 2, &end, 2);
    else
        value = strtoull(p->at, &end, 0);
    if (*end == '.' || ((*end == 'e' || *end == 'E') && p->at[1] != 'x')) {
        double d = strtod(p->at, &end);
        d = minus ? -d : d;
        number->kind = O_F64;
        memcpy(&number->value, &d, sizeof d);
    } else {
        if (*end == 'U')
            end++;
        number->kind = O_INT;
        number->value = (int64_t)(minus ? 0 - value : value);
    }
    p->at = end;
    return true;
}

int64_t ptx_integer(Parser *p)
{
    Operand number = {0};
    if (!ptx_number(p, &number) || number.kind != O_INT)
        ptx_error(p, "expected a number");
    return number.value;
}
