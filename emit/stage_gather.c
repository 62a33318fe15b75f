/* SPDX-License-Identifier: GPL-3.0-or-later */
/* STEM_gather_a and STEM_gather_b: what templates/c/gather.c.j2 wants to know of an operand. */
#include "emit/stage.h"

#include "depend/index.h"
#include "plan/contract/gather.h"

typedef struct Lines {
    const Contraction *c;
    Role role; /* R_M or R_N */
} Lines;

static bool is_of(const Lines *l, int dim) { return l->c->dims[dim].role == l->role || l->c->dims[dim].role == R_K; }

/* gather->FIELD[i] = ... for the loops of the role and of k. */
static void set_loops(const Lines *l, FunctionText *t, Text *out, const char *field, Node *const *values)
{
    int at = 0;
    for (int i = 0; i < l->c->ndims; i++)
        if (is_of(l, i)) {
            if (!is_int(values[i], 0))
                text_printf(out, "    gather->%s[%d] = %s;\n", field, at, emit_expr(&t->emitter, values[i]));
            at++;
        }
}

static Node **extents(const StageInput *in)
{
    const Contraction *c = in->contraction;
    Node **out = arena_new_array(in->ir->arena, Node *, c->ndims);
    for (int i = 0; i < c->ndims; i++)
        out[i] = c->dims[i].extent;
    return out;
}

static int count_role(const Contraction *c, Role role)
{
    int n = 0;
    for (int i = 0; i < c->ndims; i++)
        n += c->dims[i].role == role;
    return n;
}

json_t *stage_gather(const StageInput *in, const Gather *g, Role role, const char *suffix)
{
    const Contraction *c = in->contraction;
    const Lines l = {.c = c, .role = role};
    const bool image = c->winograd && g == c->a.gather;
    Sym *flat = linear_sym(in->ir, in->linear, g->array);
    Node *zero = ix_int(in->ir, 0), **extent = extents(in);
    Vec also = {0};
    vec_push(in->ir->arena, &also, mk_load(in->ir, flat, 1, &zero));
    for (int i = 0; i < c->ndims; i++) {
        if (!is_of(&l, i))
            continue;
        vec_push(in->ir->arena, &also, extent[i]);
        vec_push(in->ir->arena, &also, g->move[i]);
        for (int j = 0; j < g->nconditions; j++)
            vec_push(in->ir->arena, &also, g->along[j][i]);
    }
    for (int j = 0; j < g->nconditions; j++)
        vec_push(in->ir->arena, &also, g->least[j]);
    FunctionSpec spec = {.qualifiers = "static", .result = "void", .also = (Node **)also.items, .nalso = also.count};
    Text body;
    FunctionText t = stage_begin(in, &spec, arena_printf(in->ir->arena, "%s_%s", image ? "image" : "gather", suffix),
                                 ", mik_gather *gather", &body);
    text_printf(&body, "    memset(gather, 0, sizeof *gather);\n    gather->array = %s;\n", names_find(t.emitter.names, flat));
    text_printf(&body, "    gather->lines = %d, gather->steps = %d, gather->conditions = %d;\n", count_role(c, role), count_role(c, R_K),
                g->nconditions);
    set_loops(&l, &t, &body, "extent", extent);
    set_loops(&l, &t, &body, "move", g->move);
    for (int j = 0; j < g->nconditions; j++) {
        text_printf(&body, "    gather->least[%d] = %s;\n", j, emit_expr(&t.emitter, g->least[j]));
        set_loops(&l, &t, &body, arena_printf(in->ir->arena, "along[%d]", j), g->along[j]);
    }
    if (!image)
        text_puts(&body, "    mik_simplify_gather(gather);\n");
    return function_finish(&t, body.data, NULL);
}
