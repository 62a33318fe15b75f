#include "ir/diag.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_SHOWN = 160 };

struct Diag {
    const char *name, *text;
    size_t len;
    FILE *out;
    int errors;
};

Diag *diag_new(Arena *arena, const char *name, const char *text, size_t len, FILE *out)
{
    Diag *d = arena_alloc(arena, sizeof *d);
    d->name = name;
    d->text = text;
    d->len = len;
    d->out = out;
    return d;
}

/* Start of the line that holds byte `at`. */
static size_t line_start(const Diag *d, size_t at)
{
    while (at > 0 && d->text[at - 1] != '\n')
        at--;
    return at;
}

void diag_line_column(const Diag *d, Loc loc, int *line, int *column)
{
    *line = *column = 0;
    if (!loc.beg || loc.beg - 1 > d->len)
        return;
    size_t at = loc.beg - 1;
    *line = 1;
    for (size_t i = 0; i < at; i++)
        *line += d->text[i] == '\n';
    *column = (int)(at - line_start(d, at)) + 1;
}

/* The source line and, under it, a caret and tildes for the part of the range on that line. */
static void show_source(const Diag *d, Loc loc)
{
    size_t at = loc.beg - 1, beg = line_start(d, at), end = beg;
    while (end < d->len && d->text[end] != '\n' && d->text[end] != '\r' && end - beg < LINE_MAX_SHOWN)
        end++;
    if (at > end)
        return;
    fputs("    ", d->out);
    for (size_t i = beg; i < end; i++) {
        unsigned char c = (unsigned char)d->text[i];
        fputc(c == '\t' ? ' ' : c < 32 || c == 127 ? '?' : c, d->out);
    }
    fputs("\n    ", d->out);
    for (size_t i = beg; i < at; i++)
        if (((unsigned char)d->text[i] & 0xC0) != 0x80)
            fputc(' ', d->out);
    fputc('^', d->out);
    for (size_t i = at + 1; i < end && i + 1 < loc.end; i++)
        if (((unsigned char)d->text[i] & 0xC0) != 0x80)
            fputc('~', d->out);
    fputc('\n', d->out);
}

void diag_verror(Diag *d, Loc loc, const char *help, const char *format, va_list args)
{
    d->errors++;
    int line, column;
    diag_line_column(d, loc, &line, &column);
    if (line)
        fprintf(d->out, "%s:%d:%d: error: ", d->name, line, column);
    else
        fprintf(d->out, "%s: error: ", d->name);
    vfprintf(d->out, format, args);
    fputc('\n', d->out);
    if (line)
        show_source(d, loc);
    if (help)
        fprintf(d->out, "help: %s\n", help);
}

void diag_error(Diag *d, Loc loc, const char *help, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_verror(d, loc, help, format, args);
    va_end(args);
}

int diag_errors(const Diag *d)
{
    return d->errors;
}

void internal_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("mikgen: internal error: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\nThis is a fault of mikgen, not of the input.\n", stderr);
    va_end(args);
    exit(2);
}
