/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a spec of random operators of several nests that hand arrays on, the same for the same numbers:
 *
 *   random_stages FIRST COUNT [KIND]
 *
 * Operators nest<FIRST> ... go to standard output. Stages are maps, stencils, normalized rows, scans, products, turned and
 * updated arrays; an element of a local array is read only where an earlier stage has stored it. KIND, which says what random_nest draws,
 * changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { MOST_ARRAYS = 24, MOST_STAGES = 6 };

/* A matrix of M rows: which of them, and of its columns, have been stored. `lo` first and `hi` last ones have not. */
typedef struct Matrix {
    const char *name;
    bool is_wide;                 /* of N columns, else K */
    bool is_local, is_const;
    int row_lo, row_hi, column_lo, column_hi;
} Matrix;

typedef struct Stages {
    Gen *g;
    bool has_batch;               /* all of it once for each b */
    Matrix matrices[MOST_ARRAYS];
    int nmatrices;
    int nrows, ncolumns, noutputs, nlocals; /* local vectors of M, of N; outputs; local matrices */
    const char *params, *locals;
} Stages;

/* ---------------------------------------------------------------- arrays */

/* Texts of subscripts and ends. */
static const char *columns_of(bool is_wide) { return is_wide ? "N" : "K"; }

static const char *dims(const Stages *s, bool is_wide) { return format(s->g, "%s[M][%s]", s->has_batch ? "[B]" : "", columns_of(is_wide)); }

static Matrix *add_matrix(Stages *s, Matrix matrix)
{
    s->matrices[s->nmatrices] = matrix;
    return &s->matrices[s->nmatrices++];
}

/* One that a stage stores to: a new local one, an output, or one that there is, as it is. */
static Matrix *target(Stages *s, bool is_wide, bool wants_local)
{
    Gen *g = s->g;
    if (wants_local) {
        Matrix *m = add_matrix(s, (Matrix){.name = format(g, "T%d", s->nlocals++), .is_wide = is_wide, .is_local = true});
        s->locals = format(g, "%s    float %s%s;\n", s->locals, m->name, dims(s, is_wide));
        return m;
    }
    Matrix *m = add_matrix(s, (Matrix){.name = format(g, "Y%d", s->noutputs++), .is_wide = is_wide});
    s->params = format(g, "%s, float %s%s", s->params, m->name, dims(s, is_wide));
    return m;
}

/* A matrix to read, most often one of the last. */
static Matrix *source(Stages *s, bool is_wide)
{
    for (int tries = 0;; tries++) {
        const int at = chance(s->g, 70) && tries < 8 ? s->nmatrices - 1 - (int)draw(s->g, 2) : (int)draw(s->g, (uint32_t)s->nmatrices);
        if (at >= 0 && s->matrices[at].is_wide == is_wide)
            return &s->matrices[at];
    }
}

static const char *at(const Stages *s, const Matrix *m, const char *row, const char *column)
{
    return format(s->g, "%s%s[%s][%s]", m->name, s->has_batch ? "[b]" : "", row, column);
}

static const char *moved(const Stages *s, const char *name, int by)
{
    return by == 0 ? name : format(s->g, "%s %c %d", name, by > 0 ? '+' : '-', by > 0 ? by : -by);
}

/* ---------------------------------------------------------------- loops */

/* Rows and columns that a stage goes over: from lo to so many before the end. */
typedef struct Range {
    int row_lo, row_hi, column_lo, column_hi;
} Range;

static int most(int a, int b) { return a > b ? a : b; }

/* Reading m so far away must find what has been stored. */
static void narrow(Range *r, const Matrix *m, int rows, int columns)
{
    r->row_lo = most(r->row_lo, m->row_lo - rows);
    r->row_hi = most(r->row_hi, m->row_hi + rows);
    r->column_lo = most(r->column_lo, m->column_lo - columns);
    r->column_hi = most(r->column_hi, m->column_hi + columns);
}

static const char *until(const Stages *s, const char *end, int by) { return moved(s, end, -by); }

static void row_loop(const Stages *s, const Range *r)
{
    Gen *g = s->g;
    if (s->has_batch)
        line(g, "for (int b = 0; b < B; b++)"), g->indent++;
    line(g, format(g, "for (int m = %d; m < %s; m++) {", r->row_lo, until(s, "M", r->row_hi)));
    g->indent++;
}

static void end_loop(const Stages *s)
{
    s->g->indent--;
    line(s->g, "}");
    s->g->indent -= s->has_batch;
}

static void column_loop(const Stages *s, const Range *r, bool is_wide, const char *statement)
{
    Gen *g = s->g;
    line(g, format(g, "for (int n = %d; n < %s; n++)", r->column_lo, until(s, columns_of(is_wide), r->column_hi)));
    g->indent++;
    line(g, statement);
    g->indent--;
}

static void is_stored(Matrix *m, const Range *r)
{
    if (!m->is_local) /* callers' elements have values anyway */
        return;
    m->row_lo = r->row_lo, m->row_hi = r->row_hi, m->column_lo = r->column_lo, m->column_hi = r->column_hi;
}

/* ---------------------------------------------------------------- stages */

static int near(Gen *g, int range) { return chance(g, 50) ? 0 : (int)draw(g, (uint32_t)(2 * range + 1)) - range; }

/* Of elements of some matrices at (m, n) and near there. */
static const char *value(Stages *s, Range *r, bool is_wide, int range)
{
    Gen *g = s->g;
    const char *text = NULL;
    for (int left = 1 + (int)draw(g, 3); left > 0; left--) {
        const Matrix *m = source(s, is_wide);
        const int rows = near(g, range), columns = near(g, range);
        narrow(r, m, rows, columns);
        const char *element = at(s, m, moved(s, "m", rows), moved(s, "n", columns));
        element = chance(g, 20)   ? format(g, "fmaxf(%s, 0.25f)", element)
                  : chance(g, 20) ? format(g, "(m + n) %% 3 * %s", element)
                                  : element;
        text = !text ? element : format(g, "%s %s %s", text, chance(g, 60) ? "+" : "-", element);
    }
    return format(g, "0.5f * (%s)", text);
}

static void map(Stages *s, bool is_local)
{
    const bool is_wide = chance(s->g, 60);
    Range r = {0};
    const char *text = value(s, &r, is_wide, chance(s->g, 50) ? 2 : 0);
    Matrix *to = target(s, is_wide, is_local);
    row_loop(s, &r);
    column_loop(s, &r, is_wide, format(s->g, "%s = %s;", at(s, to, "m", "n"), text));
    end_loop(s);
    is_stored(to, &r);
}

/* Rows by what was gathered up of them, in one loop over rows or in two. */
static void normalize(Stages *s, bool is_local)
{
    Gen *g = s->g;
    const int form = (int)draw(g, 3);
    const bool is_wide = chance(g, 60), apart = chance(g, 50);
    const Matrix *from = source(s, is_wide);
    Range r = {0};
    narrow(&r, from, 0, 0);
    const char *element = at(s, from, "m", "n"), *kept = format(g, "R%d%s[m]", s->nrows, s->has_batch ? "[b]" : "");
    Matrix *to = target(s, is_wide, is_local);
    if (apart)
        s->locals = format(g, "%s    float R%d%s[M];\n", s->locals, s->nrows++, s->has_batch ? "[B]" : "");
    row_loop(s, &r);
    line(g, format(g, "float x = %s;", form == 1 ? "-INFINITY" : "0"));
    column_loop(s, &r, is_wide,
                form == 0   ? format(g, "x += %s;", element)
                : form == 1 ? format(g, "x = fmaxf(x, %s);", element)
                            : format(g, "x += %s * %s;", element, element));
    if (apart) {
        line(g, format(g, "%s = x;", kept));
        end_loop(s);
        row_loop(s, &r);
    }
    const char *by = apart ? kept : "x";
    column_loop(s, &r, is_wide, format(g, "%s = %s - 0.125f * %s;", at(s, to, "m", "n"), element, by));
    end_loop(s);
    is_stored(to, &r);
}

/* Sums along k: one or two for an element; then its row may be changed by what was gathered up of it. */
static void product(Stages *s, bool is_local)
{
    Gen *g = s->g;
    const Matrix *from = source(s, false);
    Range r = {0};
    narrow(&r, from, 0, 0);
    const bool by_lines = chance(g, 50);
    Range inner = r;
    r.column_lo = r.column_hi = 0;
    Matrix *to = target(s, true, is_local);
    const bool has_two = chance(g, 30), has_row = chance(g, 30);
    const char *element = at(s, to, "m", "n");
    row_loop(s, &r);
    if (has_row)
        line(g, "float r = -INFINITY;");
    line(g, "for (int n = 0; n < N; n++) {");
    g->indent++;
    line(g, has_two ? "float x = 0, z = 0;" : "float x = 0;");
    line(g, format(g, "for (int k = %d; k < %s; k++) {", inner.column_lo, until(s, "K", inner.column_hi)));
    line(g, format(g, "    x += %s * %s;", at(s, from, "m", "k"), by_lines ? "V[n][k]" : "W[k][n]"));
    if (has_two)
        line(g, format(g, "    z += %s * %s;", at(s, from, "m", "k"), chance(g, 50) ? "V[n][k]" : "W[k][n]"));
    line(g, "}");
    line(g, format(g, "%s = %s;", element, has_two ? "0.25f * x + fmaxf(z, 0.0f)" : chance(g, 50) ? "x" : "0.25f * x"));
    if (has_row)
        line(g, format(g, "r = fmaxf(r, %s);", element));
    g->indent--;
    line(g, "}");
    if (has_row)
        column_loop(s, &(Range){0}, true, format(g, "%s = %s - 0.125f * r;", element, element));
    end_loop(s);
    is_stored(to, &r);
}

/* An update in place; what breaks rows, upside down or hanging on the one before; a constant for each column. */
static void other(Stages *s, bool is_local)
{
    Gen *g = s->g;
    const bool is_wide = chance(g, 60);
    Matrix *from = source(s, is_wide);
    Range r = {0};
    narrow(&r, from, 0, 0);
    const int form = (int)draw(g, 4);
    if (form == 0 && !from->is_const) {
        row_loop(s, &r);
        column_loop(s, &r, is_wide, format(g, "%s *= 0.5f;", at(s, from, "m", "n")));
        end_loop(s);
        return;
    }
    if (form == 1)
        r.row_lo = r.row_hi = most(r.row_lo, r.row_hi);
    if (form == 2)
        r.row_lo++;
    Matrix *to = target(s, is_wide, is_local && form != 2);
    const char *element = at(s, from, "m", "n"), *stored = at(s, to, "m", "n");
    row_loop(s, &r);
    column_loop(s, &r, is_wide,
                form == 1   ? format(g, "%s = %s;", stored, at(s, from, "M - 1 - m", "n"))
                : form == 2 ? format(g, "%s = 0.5f * %s + %s;", stored, at(s, to, "m - 1", "n"), element)
                            : format(g, "%s = %s + c[n %% 5];", stored, element));
    end_loop(s);
    is_stored(to, &r);
}

static void operator_of(Stages *s, long number)
{
    Gen *g = s->g;
    g->seed = (uint64_t)number * 0x2545f4914f6cdd1du + 1;
    g->indent = 1, g->ntext = g->len = 0, g->out[0] = '\0';
    *s = (Stages){.g = g, .has_batch = chance(g, 25), .params = "", .locals = ""};
    add_matrix(s, (Matrix){.name = "X", .is_wide = true, .is_const = true});
    add_matrix(s, (Matrix){.name = "A", .is_const = true});
    for (int left = 2 + (int)draw(g, MOST_STAGES - 1); left > 0; left--) {
        static void (*const stages[])(Stages *, bool) = {map, map, map, normalize, normalize, product, product, other};
        const bool is_local = left > 1 && chance(g, 80);
        stages[draw(g, 8)](s, is_local);
    }
    if (s->noutputs == 0)
        map(s, false);
    const char *batch = s->has_batch ? "[B]" : "";
    printf("void nest%ld(%sint M, int N, int K, const float c[5], const float X%s[M][N], const float A%s[M][K], const float W[K][N], "
           "const float V[N][K]%s)\n{\n%s%s}\n\n",
           number, s->has_batch ? "int B, " : "", batch, batch, s->params, s->locals, g->out);
}

int main(int argc, char **argv)
{
    Stages *s = calloc(1, sizeof *s);
    Gen *g = calloc(1, sizeof *g);
    char *out = malloc(TEXTS), *text = malloc(TEXTS);
    if (argc < 3 || !s || !g || !out || !text) {
        fputs("usage: random_stages FIRST COUNT [KIND]\n", stderr);
        return 2;
    }
    g->out = out, g->text = text;
    const long first = atol(argv[1]), count = atol(argv[2]);
    puts("#include <math.h>\n");
    for (long number = first; number < first + count; number++) {
        s->g = g;
        operator_of(s, number);
    }
    free(out), free(text), free(g), free(s);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
