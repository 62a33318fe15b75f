/* SPDX-License-Identifier: GPL-3.0-or-later */
/* STEM_gather_a and STEM_gather_b: what templates/c/gather.c.j2 wants to know of an operand. */
#include "emit/stage.h"

#include "depend/index.h"
#include "plan/contract/gather.h"

typedef struct Lines {
    const Contraction *c;
    int dim[MAX_LOOPS]; /* the contraction's loops, the lines' and then those of k */
    int lines, steps;
} Lines;

static void add_dims(Lines *l, Role role, int *count)
{
    for (int i = 0; i < l->c->ndims; i++)
        if (l->c->dims[i].role == role) {
            l->dim[l->lines + l->steps] = i;
            (*count)++;
        }
}

/* Lines of a role, R_M or R_N, and steps in the order in which they fold. */
static Lines lines_of(const Contraction *c, Role role)
{
    Lines l = {.c = c};
    add_dims(&l, role, &l.lines);
    add_dims(&l, R_K, &l.steps);
    return l;
}

/* Puts those of the steps' loops first on which conditions depend; how many these are. */
static int put_bound_first(Lines *l, const Gather *g)
{
    int dim[MAX_LOOPS], bound = 0;
    for (int i = 0; i < l->steps; i++)
        bound += gather_tells(g, l->dim[l->lines + i]);
    for (int i = 0, first = 0, last = bound; i < l->steps; i++) {
        const int d = l->dim[l->lines + i];
        dim[gather_tells(g, d) ? first++ : last++] = d;
    }
    for (int i = 0; i < l->steps; i++)
        l->dim[l->lines + i] = dim[i];
    return bound;
}

/* gather->FIELD[i] = ... for the loops of the role and of k. */
static void set_loops(const Lines *l, FunctionText *t, Text *out, const char *field, Node *const *values)
{
    for (int i = 0; i < l->lines + l->steps; i++)
        if (!is_int(values[l->dim[i]], 0))
            text_printf(out, "    gather->%s[%d] = %s;\n", field, i, emit_expr(&t->emitter, values[l->dim[i]]));
}

static Node **extents(const StageInput *in)
{
    const Contraction *c = in->contraction;
    Node **out = arena_new_array(in->ir->arena, Node *, c->ndims);
    for (int i = 0; i < c->ndims; i++)
        out[i] = c->dims[i].extent;
    return out;
}

/* STEM_NAME(args, gather). whole: loops and conditions stay as they are. */
static json_t *describe(const StageInput *in, const Gather *g, const Lines *l, const char *name, bool whole)
{
    Sym *flat = linear_sym(in->ir, in->linear, g->array);
    Node *zero = ix_int(in->ir, 0), **extent = extents(in);
    Vec also = {0};
    vec_push(in->ir->arena, &also, mk_load(in->ir, flat, 1, &zero));
    for (int i = 0; i < l->lines + l->steps; i++) {
        const int d = l->dim[i];
        vec_push(in->ir->arena, &also, extent[d]);
        vec_push(in->ir->arena, &also, g->move[d]);
        for (int j = 0; j < g->nconditions; j++)
            vec_push(in->ir->arena, &also, g->along[j][d]);
    }
    for (int j = 0; j < g->nconditions; j++)
        vec_push(in->ir->arena, &also, g->least[j]);
    FunctionSpec spec = {.qualifiers = "static", .result = "void", .also = (Node **)also.items, .nalso = also.count};
    Text body;
    FunctionText t = stage_begin(in, &spec, name, ", mik_gather *gather", &body);
    text_printf(&body, "    memset(gather, 0, sizeof *gather);\n    gather->array = %s;\n", names_find(t.emitter.names, flat));
    text_printf(&body, "    gather->lines = %d, gather->steps = %d, gather->conditions = %d;\n", l->lines, l->steps, g->nconditions);
    set_loops(l, &t, &body, "extent", extent);
    set_loops(l, &t, &body, "move", g->move);
    for (int j = 0; j < g->nconditions; j++) {
        text_printf(&body, "    gather->least[%d] = %s;\n", j, emit_expr(&t.emitter, g->least[j]));
        set_loops(l, &t, &body, arena_printf(in->ir->arena, "along[%d]", j), g->along[j]);
    }
    if (!whole)
        text_puts(&body, "    mik_simplify_gather(gather);\n");
    return function_finish(&t, body.data, NULL);
}

json_t *stage_gather(const StageInput *in, const Gather *g, Role role, const char *suffix)
{
    const Contraction *c = in->contraction;
    const Lines l = lines_of(c, role);
    const bool image = c->winograd && g == c->a.gather;
    return describe(in, g, &l, arena_printf(in->ir->arena, "%s_%s", image ? "image" : "gather", suffix), image);
}

/* Elements from iteration to iteration of an A in place, for each loop of the contraction. */
static Node **moves_of_a(const StageInput *in)
{
    const Contraction *c = in->contraction;
    Node **move = arena_new_array(in->ir->arena, Node *, c->ndims), *apart[R_COUNT];
    for (int r = 0; r < R_COUNT; r++)
        apart[r] = r == R_M || r == R_K ? c->a.stride[r] : ix_int(in->ir, 0);
    for (int i = c->ndims - 1; i >= 0; i--) {
        const LoopDim *d = &c->dims[i];
        move[i] = apart[d->role];
        apart[d->role] = ix_mul(in->ir, apart[d->role], d->extent);
    }
    return move;
}

int stage_turned(const StageInput *in, json_t *hooks)
{
    const Contraction *c = in->contraction;
    const Gather filter = {.array = c->a.array, .move = moves_of_a(in)};
    Lines image = lines_of(c, R_N), rows = lines_of(c, R_M);
    put_bound_first(&rows, c->b.gather);
    const int inner = put_bound_first(&image, c->b.gather);
    json_array_append_new(hooks, describe(in, c->b.gather, &image, "gather_turned", false));
    json_array_append_new(hooks, describe(in, &filter, &rows, "filter_turned", true));
    return inner;
}
