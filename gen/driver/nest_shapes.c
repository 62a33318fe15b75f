/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled ones are as large as their arrays, and the time that a call takes, may be. */
#include "gen/driver/nest_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depend/index.h"
#include "depend/poly.h"
#include "gen/driver/file.h"
#include "gen/driver/shape_work.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "ir/word_reader.h"

enum { SHAPES_LIMIT = 1 << 20 }; /* bytes of a file */
/* Of sampled extents: bytes of all arrays, nanoseconds of a call. */
static const double MOST_BYTES = 256 << 20, LEAST_NS = 20e3, MOST_NS = 100e6;

/* ---------------------------------------------------------------- from a file */

typedef struct Reading {
    Arena *arena;
    TuneSpec *specs;
    int nspecs, noperators; /* of all */
    Words words;
} Reading;

static int integers_of(const Func *f)
{
    int n = 0;
    for (int i = 0; i < f->nparams; i++)
        n += !f->params[i]->rank && type_is_integer(f->params[i]->type);
    return n;
}

/* "M x N" for a message: the integer parameters. */
static const char *named(Arena *arena, const Func *f)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < f->nparams; i++)
        if (!f->params[i]->rank && type_is_integer(f->params[i]->type))
            text_printf(&t, "%s%s", t.size ? "x" : "", f->params[i]->name);
    return t.data;
}

static bool is_tuple(Word word, int numbers)
{
    const size_t len = (size_t)word.len;
    int found = 0;
    for (size_t i = 0; i < len; found++) {
        const size_t digits = strspn(word.beg + i, "0123456789");
        if (digits == 0 || digits > 12 || (i + digits < len && word.beg[i + digits] != 'x') || i + digits + 1 == len)
            return false;
        i += digits + 1;
    }
    return found == numbers;
}

/* The spec that has an operator of this name, and its number there; NULL: none. */
static TuneSpec *spec_with(const Reading *r, Word name, int *op)
{
    for (int i = 0; i < r->nspecs; i++)
        for (*op = 0; *op < r->specs[i].program.noperators; ++*op)
            if (word_is(name, r->specs[i].program.unit->funcs[*op]->name))
                return &r->specs[i];
    return NULL;
}

/* One line's words. */
static bool read_line(Reading *r)
{
    const Word first = words_next(&r->words), second = words_next(&r->words), tuple = second.len ? second : first;
    int op = 0;
    TuneSpec *spec = second.len ? spec_with(r, first, &op) : r->specs;
    if (!first.len)
        return true;
    if (!spec)
        return words_refuse(&r->words, first,
                            r->nspecs > 1 ? "write an operator of the specs, then its extents"
                                          : "write an operator of the spec, then its extents",
                            "there is no operator '%.*s'", first.len, first.beg);
    const Func *f = spec->program.unit->funcs[op];
    const char *help = arena_printf(r->arena, "write %s%s", r->noperators > 1 ? arena_printf(r->arena, "%s ", f->name) : "",
                                    named(r->arena, f));
    if ((!second.len && r->noperators > 1) || !is_tuple(tuple, integers_of(f)))
        return words_refuse(&r->words, word_span(first, tuple), help, "these are no extents");
    NestShape *shape = arena_alloc(r->arena, sizeof *shape);
    *shape = (NestShape){op, arena_strndup(r->arena, tuple.beg, (size_t)tuple.len)};
    vec_push(r->arena, &spec->shapes, shape);
    return words_line_ends(&r->words, help);
}

static bool read_shapes(Arena *arena, TuneSpec *specs, int nspecs, const char *path)
{
    size_t len;
    const char *text = file_read(arena, path, SHAPES_LIMIT, &len);
    if (!text)
        return false;
    Reading r = {arena, specs, nspecs, 0, words_of(diag_new(arena, path, text, len, stderr), text)};
    int found = 0;
    for (int i = 0; i < nspecs; i++)
        r.noperators += specs[i].program.noperators;
    for (; *r.words.at; words_skip_line(&r.words))
        if (!read_line(&r))
            return false;
    for (int i = 0; i < nspecs; i++)
        found += specs[i].shapes.count;
    if (found)
        return true;
    diag_error(r.words.diag, (Loc){0, 0}, "write a line for each, such as 64x1000", "there are no extents in it");
    return false;
}

/* ---------------------------------------------------------------- sampled */

static double bytes_of(const Func *f, const Map *values)
{
    double all = 0;
    for (int i = 0; i < f->nparams; i++) {
        double count = f->params[i]->rank ? type_bytes(f->params[i]->type) : 0;
        for (int d = 0; d < f->params[i]->rank; d++)
            count *= shape_number(f->params[i]->extent[d], values);
        all += isnan(count) || count < 0 ? 0 : count;
    }
    return all;
}

/* What a parameter does to sizes: there are some that it makes larger, or smaller. */
typedef struct Growth {
    Ir *ir;
    const Sym *sym;
    bool
        grows; /* an array, or a loop of which it makes more iterations and never fewer: of steps of time, as of elements of local arrays */
    bool shrinks; /* likewise: the width of a window that slides over an array is such a parameter */
} Growth;

/* How a size changes with the parameter. */
static void note_size(Growth *g, const Poly *size)
{
    bool more = false, fewer = false;
    for (int i = 0; i < size->nterms; i++)
        for (int a = 0; a < size->terms[i].natoms; a++)
            if (uses_sym(size->terms[i].atoms[a], g->sym))
                *((int64_t)size->terms[i].coef > 0 ? &more : &fewer) = true;
    g->grows = g->grows || (more && !fewer);
    g->shrinks = g->shrinks || (fewer && !more);
}

static bool note_loop(void *user, Node *n)
{
    Growth *g = user;
    Bounds b;
    if (n->kind != N_FOR || !for_bounds(n, &b))
        return !is_expr(n);
    const Poly *lo = poly_of(g->ir, b.lo), *hi = poly_of(g->ir, b.hi);
    note_size(g, b.step > 0 ? poly_sub(g->ir, hi, lo) : poly_sub(g->ir, lo, hi));
    return true;
}

static Growth growth_of(Ir *ir, const Plan *plan, const Sym *sym)
{
    const Func *f = plan->func;
    Growth g = {.ir = ir, .sym = sym};
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++) {
            g.grows = g.grows || uses_sym(f->params[i]->extent[d], sym);
            note_size(&g, poly_of(ir, f->params[i]->extent[d]));
        }
    walk(&(Walker){.pre = note_loop, .user = &g}, plan->source);
    return g;
}

/* An operator's shapes as its scale grows. */
typedef struct Drawing {
    Ir *ir;
    const Plan *plan;
    bool is_timed; /* it is known about how long a call takes: not on a GPU */
    Map extents, windows, values; /* by symbol id: parameters that are extents, those that make others smaller; double * */
} Drawing;

enum { WIDEST_WINDOW = 16 };

/* The parameters' values at a scale: extents as large as the scale, each a little else than the last, but windows far below it, so that they
 * have room to slide; those with a hint within it. */
static void scale_to(Drawing *d, double scale)
{
    const Func *f = d->plan->func;
    Arena *arena = d->ir->arena;
    int extents = 0;
    for (int i = 0; i < f->nparams; i++) {
        const Sym *s = f->params[i];
        if (s->rank || !type_is_integer(s->type))
            continue;
        double *v = arena_new_array(arena, double, 1);
        *v = map_get(&d->extents, s->id) ? floor(scale * (1 + 0.1 * extents++)) : 1;
        if (map_get(&d->windows, s->id))
            *v = fmax(1, floor(fmin(sqrt(*v), WIDEST_WINDOW)));
        if (s->has_hint)
            *v = fmin(fmax(*v, (double)s->hint_lo), (double)s->hint_hi);
        *map_at(arena, &d->values, s->id) = v;
    }
}

static bool is_within(Drawing *d, double scale, double bytes, double ns)
{
    scale_to(d, scale);
    return bytes_of(d->plan->func, &d->values) <= bytes && (!d->is_timed || shape_work(d->ir, d->plan, &d->values) <= ns);
}

/* The greatest scale at which all arrays have so many bytes at most, and a call takes no longer. */
static double scale_within(Drawing *d, double bytes, double ns)
{
    double low = 1, high = 1 << 28;
    for (int i = 0; i < 60; i++) {
        const double middle = sqrt(low * high);
        *(is_within(d, middle, bytes, ns) ? &low : &high) = middle;
    }
    return low;
}

static const char *extents_at(Drawing *d, double scale)
{
    const Func *f = d->plan->func;
    Text t;
    scale_to(d, scale);
    text_init(&t, d->ir->arena);
    for (int i = 0; i < f->nparams; i++) {
        const double *v = map_get(&d->values, f->params[i]->id);
        if (v)
            text_printf(&t, "%s%.0f", t.size ? "x" : "", *v);
    }
    return t.data ? t.data : "";
}

/* Of so many bytes, unless a call would take too long for many to be measured, or so short that its start is most of it. */
static const char *draw(Drawing *d, double bytes)
{
    double scale = scale_within(d, bytes, MOST_NS);
    scale_to(d, scale);
    if (d->is_timed && shape_work(d->ir, d->plan, &d->values) < LEAST_NS)
        scale = scale_within(d, MOST_BYTES, 2 * LEAST_NS);
    return extents_at(d, scale);
}

/* Each once. */
int drawn_shapes(Ir *ir, const Plan *plan, const char **extents)
{
    static const double sizes[DRAWN_SHAPES] = {256 << 10, 4 << 20, 64 << 20};
    Drawing drawing = {.ir = ir, .plan = plan, .is_timed = !device_nest_count(plan)};
    const Func *f = plan->func;
    int n = 0;
    for (int i = 0; i < f->nparams; i++) {
        const Growth g = growth_of(ir, plan, f->params[i]);
        if (g.grows)
            *map_at(ir->arena, &drawing.extents, f->params[i]->id) = f->params[i];
        if (g.grows && g.shrinks)
            *map_at(ir->arena, &drawing.windows, f->params[i]->id) = f->params[i];
    }
    for (int i = 0; i < DRAWN_SHAPES; i++) {
        extents[n] = draw(&drawing, sizes[i]);
        n += n == 0 || strcmp(extents[n - 1], extents[n]) != 0;
    }
    return n;
}

static void draw_shapes(Ir *ir, TuneSpec *spec)
{
    for (int op = 0; op < spec->program.noperators; op++) {
        const char *extents[DRAWN_SHAPES];
        const int n = drawn_shapes(ir, spec->program.operators[op].plan, extents);
        for (int i = 0; i < n; i++) {
            NestShape *shape = arena_alloc(ir->arena, sizeof *shape);
            *shape = (NestShape){op, extents[i]};
            vec_push(ir->arena, &spec->shapes, shape);
        }
    }
}

bool nest_shapes(Ir *ir, TuneSpec *specs, int nspecs, const char *path)
{
    if (path)
        return read_shapes(ir->arena, specs, nspecs, path);
    for (int i = 0; i < nspecs; i++)
        draw_shapes(ir, &specs[i]);
    return true;
}

const FeatureValue *shape_values(Arena *arena, const Func *f, const char *extents, int *n)
{
    FeatureValue *values = arena_new_array(arena, FeatureValue, f->nparams + 1);
    *n = 0;
    for (int i = 0; i < f->nparams; i++)
        if (!f->params[i]->rank && type_is_integer(f->params[i]->type)) {
            char *end;
            values[(*n)++] = (FeatureValue){f->params[i], strtoll(extents, &end, 10)};
            extents = end + (*end == 'x');
        }
    return values;
}
