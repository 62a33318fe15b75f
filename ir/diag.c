/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages with line, column, the line itself and a caret, in the style of compilers. */
#include "ir/diag.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ir/utf8.h"

enum { LINE_MAX_SHOWN = 160 };

/* A source file; its bytes have the places base .. base + len - 1. */
typedef struct SourceFile {
    const char *name, *text;
    size_t len, base;
    uint32_t *newlines; /* where they are; NULL until a line is asked for */
    size_t count;       /* of them */
} SourceFile;

struct Diag {
    Arena *arena;
    Vec files; /* SourceFile *, by base */
    FILE *out;
    int errors;
};

uint32_t diag_add(Arena *arena, Diag *d, const char *name, const char *text, size_t len)
{
    SourceFile *f = arena_new_array(arena, SourceFile, 1), *last = d->files.count ? d->files.items[d->files.count - 1] : NULL;
    *f = (SourceFile){
        .name = name, .text = text, .len = len, .base = last ? last->base + last->len + 1 : 0}; /* the end of a text is a place, too */
    vec_push(arena, &d->files, f);
    return (uint32_t)f->base;
}

Diag *diag_new(Arena *arena, const char *name, const char *text, size_t len, FILE *out)
{
    Diag *d = arena_new_array(arena, Diag, 1);
    d->arena = arena;
    d->out = out;
    diag_add(arena, d, name, text, len);
    return d;
}

/* The file of a place; the first one for no place. */
static SourceFile *file_of(const Diag *d, Loc loc)
{
    SourceFile *f = d->files.items[0];
    for (int i = 1; i < d->files.count; i++) {
        SourceFile *next = d->files.items[i];
        if (loc.beg && loc.beg - 1 >= next->base)
            f = next;
    }
    return f;
}

/* Start of the line that holds byte `at`. */
static size_t line_start(const SourceFile *f, size_t at)
{
    while (at > 0 && f->text[at - 1] != '\n')
        at--;
    return at;
}

static void find_newlines(Arena *arena, SourceFile *f)
{
    for (size_t i = 0; i < f->len; i++)
        f->count += f->text[i] == '\n';
    f->newlines = arena_new_array(arena, uint32_t, f->count + 1);
    for (size_t i = 0, n = 0; i < f->len; i++)
        if (f->text[i] == '\n')
            f->newlines[n++] = (uint32_t)i;
}

/* How many newlines are in front of byte `at`. */
static size_t newlines_before(const SourceFile *f, size_t at)
{
    size_t low = 0, high = f->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (f->newlines[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void diag_line_column(const Diag *d, Loc loc, int *line, int *column)
{
    SourceFile *f = file_of(d, loc);
    *line = *column = 0;
    if (!loc.beg || loc.beg - 1 - f->base > f->len)
        return;
    size_t at = loc.beg - 1 - f->base;
    if (!f->newlines)
        find_newlines(d->arena, f);
    const size_t before = newlines_before(f, at);
    *line = (int)before + 1;
    *column = (int)(at - (before ? f->newlines[before - 1] + 1 : 0)) + 1;
}

const char *diag_name(const Diag *d, Loc loc) { return file_of(d, loc)->name; }

const char *diag_spec(const Diag *d, Loc loc)
{
    const char *name = diag_name(d, loc), *slash = strrchr(name, '/');
    return d->files.count == 1 ? "the spec" : slash ? slash + 1 : name;
}

const char *diag_text(const Diag *d, Loc loc, size_t *len)
{
    const SourceFile *f = file_of(d, loc);
    bool known = loc.beg && loc.end >= loc.beg && loc.end - 1 - f->base <= f->len;
    *len = known ? loc.end - loc.beg : 0;
    return known ? f->text + (loc.beg - 1 - f->base) : "";
}

const char *diag_text_before(const Diag *d, Loc loc, size_t *len)
{
    const SourceFile *f = file_of(d, loc);
    const bool known = loc.beg && loc.beg - 1 - f->base <= f->len;
    *len = known ? loc.beg - 1 - f->base : 0;
    return f->text;
}

/* Bytes of the UTF-8 character at `s`, of which `room` are there; 0 when it is none, or a control character. */
static size_t character(const char *s, size_t room)
{
    const unsigned char c = (unsigned char)s[0];
    return c < 0x20 || c == 0x7f ? 0 : utf8_bytes(s, room);
}

/* How many columns show_source prints for the bytes from `from` up to `to`. */
static int columns(const SourceFile *f, size_t from, size_t to)
{
    int n = 0;
    for (size_t i = from; i < to; n++) {
        size_t size = character(f->text + i, f->len - i);
        i += size ? size : 1;
    }
    return n;
}

/* The source line and, under it, a caret and tildes for the part of the range on that line. */
static void show_source(const Diag *d, Loc loc)
{
    const SourceFile *f = file_of(d, loc);
    size_t at = loc.beg - 1 - f->base, to = loc.end - 1 - f->base, beg = line_start(f, at), end = beg;
    while (end < f->len && f->text[end] != '\n' && f->text[end] != '\r' && end - beg < LINE_MAX_SHOWN)
        end++;
    if (at > end)
        return;
    fputs("    ", d->out);
    for (size_t i = beg; i < end;) {
        size_t size = character(f->text + i, end - i);
        if (size)
            fwrite(f->text + i, 1, size, d->out);
        else
            fputc(f->text[i] == '\t' ? ' ' : '?', d->out);
        i += size ? size : 1;
    }
    int width = columns(f, at, to < end ? to : end);
    fprintf(d->out, "\n    %*s^", columns(f, beg, at), "");
    for (int i = 1; i < width; i++)
        fputc('~', d->out);
    fputc('\n', d->out);
}

/* "gemm.spec:4:25: error: ..." and the place in the text. */
static void report(Diag *d, Loc loc, const char *severity, const char *format, va_list args)
{
    int line, column;
    diag_line_column(d, loc, &line, &column);
    if (line)
        fprintf(d->out, "%s:%d:%d: %s: ", file_of(d, loc)->name, line, column, severity);
    else
        fprintf(d->out, "%s: %s: ", file_of(d, loc)->name, severity);
    vfprintf(d->out, format, args);
    fputc('\n', d->out);
    if (line)
        show_source(d, loc);
}

void diag_verror(Diag *d, Loc loc, const char *help, const char *format, va_list args)
{
    d->errors++;
    report(d, loc, "error", format, args);
    if (help)
        fprintf(d->out, "help: %s\n", help);
}

void diag_remark(Diag *d, Loc loc, const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(d, loc, kind, format, args);
    va_end(args);
}

void diag_error(Diag *d, Loc loc, const char *help, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_verror(d, loc, help, format, args);
    va_end(args);
}

int diag_errors(const Diag *d) { return d->errors; }

void internal_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("mikgen: internal error: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n" FAULT_OF_MIKGEN, stderr);
    va_end(args);
    exit(2);
}
