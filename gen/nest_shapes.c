/* A small evaluator of array extents decides how large drawn ones may be. */
#include "gen/nest_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/file.h"
#include "ir/diag.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

enum { SHAPES_LIMIT = 1 << 20 }; /* bytes of a file */

/* ---------------------------------------------------------------- from a file */

typedef struct Reading {
    Arena *arena;
    TuneSpec *specs;
    int nspecs, noperators; /* of all */
    Diag *diag;
    const char *text;
} Reading;

static Loc place(const Reading *r, const char *beg, size_t len)
{
    return (Loc){(uint32_t)(beg - r->text) + 1, (uint32_t)(beg - r->text) + 1 + (uint32_t)len};
}

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

static bool is_tuple(const char *s, size_t len, int numbers)
{
    int found = 0;
    for (size_t i = 0; i < len; found++) {
        const size_t digits = strspn(s + i, "0123456789");
        if (digits == 0 || digits > 12 || (i + digits < len && s[i + digits] != 'x') || i + digits + 1 == len)
            return false;
        i += digits + 1;
    }
    return found == numbers;
}

/* The spec that has an operator of this name, and its number there; NULL: none. */
static TuneSpec *spec_with(const Reading *r, const char *s, size_t len, int *op)
{
    for (int i = 0; i < r->nspecs; i++)
        for (*op = 0; *op < r->specs[i].program.noperators; ++*op) {
            const char *name = r->specs[i].program.unit->funcs[*op]->name;
            if (strlen(name) == len && memcmp(name, s, len) == 0)
                return &r->specs[i];
        }
    return NULL;
}

/* One line's words. */
static bool read_line(const Reading *r, const char *line, size_t len)
{
    static const char blank[] = " \t\r";
    const char *end = line + len, *first = line + strspn(line, blank);
    if (first >= end)
        return true;
    const char *next = first + strcspn(first, " \t\r\n#"), *last = next + strspn(next, blank);
    const bool named_first = last < end;
    int op = 0;
    TuneSpec *spec = named_first ? spec_with(r, first, (size_t)(next - first), &op) : r->specs;
    if (!spec) {
        diag_error(r->diag, place(r, first, (size_t)(next - first)),
                   r->nspecs > 1 ? "write an operator of the specs, then its extents" : "write an operator of the spec, then its extents",
                   "there is no operator '%.*s'", (int)(next - first), first);
        return false;
    }
    const char *tuple = named_first ? last : first, *behind = tuple + strcspn(tuple, " \t\r\n#");
    const Func *f = spec->program.unit->funcs[op];
    if ((!named_first && r->noperators > 1) || !is_tuple(tuple, (size_t)(behind - tuple), integers_of(f))) {
        const char *help = arena_printf(r->arena, "write %s%s", r->noperators > 1 ? arena_printf(r->arena, "%s ", f->name) : "",
                                        named(r->arena, f));
        diag_error(r->diag, place(r, first, (size_t)(behind - first)), help, "these are no extents");
        return false;
    }
    NestShape *shape = arena_alloc(r->arena, sizeof *shape);
    *shape = (NestShape){op, arena_strndup(r->arena, tuple, (size_t)(behind - tuple))};
    vec_push(r->arena, &spec->shapes, shape);
    return true;
}

static bool read_shapes(Arena *arena, TuneSpec *specs, int nspecs, const char *path)
{
    size_t len;
    Reading r = {.arena = arena, .specs = specs, .nspecs = nspecs, .text = file_read(arena, path, SHAPES_LIMIT, &len)};
    int found = 0;
    if (!r.text)
        return false;
    r.diag = diag_new(arena, path, r.text, len, stderr);
    for (int i = 0; i < nspecs; i++)
        r.noperators += specs[i].program.noperators;
    for (const char *line = r.text; *line; line += *line == '\n') {
        if (!read_line(&r, line, strcspn(line, "\n#")))
            return false;
        line += strcspn(line, "\n");
    }
    for (int i = 0; i < nspecs; i++)
        found += specs[i].shapes.count;
    if (found)
        return true;
    diag_error(r.diag, (Loc){0, 0}, "write a line for each, such as 64x1000", "there are no extents in it");
    return false;
}

/* ---------------------------------------------------------------- drawn */

/* Integer arithmetic over the parameters; NAN: it is something else. */
static double value_of(const Node *n, const Map *values)
{
    const double *known = n->kind == N_VAR ? map_get(values, n->sym->id) : NULL;
    const double a = n->nkids > 0 && n->kind != N_LOAD ? value_of(n->kid[0], values) : 0;
    const double b = n->nkids > 1 && n->kind != N_LOAD ? value_of(n->kid[1], values) : 0;
    switch ((Kind)n->kind) {
    case N_INT: return (double)n->u.i;
    case N_VAR: return known ? *known : NAN;
    case N_CAST: return a;
    case N_NEG: return -a;
    case N_ADD: return a + b;
    case N_SUB: return a - b;
    case N_MUL: return a * b;
    case N_DIV: return b != 0 ? trunc(a / b) : NAN;
    case N_MOD: return b != 0 ? fmod(a, b) : NAN;
    default: return NAN;
    }
}

static double bytes_of(const Func *f, const Map *values)
{
    double all = 0;
    for (int i = 0; i < f->nparams; i++) {
        double count = f->params[i]->rank ? type_bytes(f->params[i]->type) : 0;
        for (int d = 0; d < f->params[i]->rank; d++)
            count *= value_of(f->params[i]->extent[d], values);
        all += isnan(count) || count < 0 ? 0 : count;
    }
    return all;
}

static bool is_in_extent(const Func *f, const Sym *sym)
{
    bool found = false;
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++)
            found = found || uses_sym(f->params[i]->extent[d], sym);
    return found;
}

/* The parameters' values at a scale: extents as large as the scale, each a little else than the last; those with a hint within it. */
static void scaled(Arena *arena, const Func *f, double scale, Map *values)
{
    int extents = 0;
    for (int i = 0; i < f->nparams; i++) {
        const Sym *s = f->params[i];
        if (s->rank || !type_is_integer(s->type))
            continue;
        const bool extent = is_in_extent(f, s);
        double *v = arena_new_array(arena, double, 1);
        *v = extent ? floor(scale * (1 + 0.1 * extents++)) : 1;
        if (s->has_hint)
            *v = fmin(fmax(*v, (double)s->hint_lo), (double)s->hint_hi);
        *map_at(arena, values, s->id) = v;
    }
}

static const char *extents_at(Arena *arena, const Func *f, double bytes)
{
    double low = 1, high = 1 << 28;
    Map values = {0};
    for (int i = 0; i < 60; i++) {
        const double middle = sqrt(low * high);
        scaled(arena, f, middle, &values);
        *(bytes_of(f, &values) > bytes ? &high : &low) = middle;
    }
    scaled(arena, f, low, &values);
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < f->nparams; i++) {
        const double *v = map_get(&values, f->params[i]->id);
        if (v)
            text_printf(&t, "%s%.0f", t.size ? "x" : "", *v);
    }
    return t.data ? t.data : "";
}

static void draw_shapes(Arena *arena, TuneSpec *spec)
{
    static const double sizes[] = {256 << 10, 4 << 20, 64 << 20};
    for (int op = 0; op < spec->program.noperators; op++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            NestShape *shape = arena_alloc(arena, sizeof *shape);
            *shape = (NestShape){op, extents_at(arena, spec->program.unit->funcs[op], sizes[i])};
            vec_push(arena, &spec->shapes, shape);
        }
}

bool nest_shapes(Arena *arena, TuneSpec *specs, int nspecs, const char *path)
{
    if (path)
        return read_shapes(arena, specs, nspecs, path);
    for (int i = 0; i < nspecs; i++)
        draw_shapes(arena, &specs[i]);
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
