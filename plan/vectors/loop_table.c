/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are read off what vector_loop() has made. */
#include "plan/vectors/loop_table.h"

#include <inttypes.h>

#include "depend/reduce.h"
#include "ir/diag.h"
#include "ir/walk.h"
#include "plan/vectors/class_forms.h"
#include "plan/vectors/vector_loop.h"

/* ---------------------------------------------------------------- what has been made */

typedef struct Made {
    bool tiles, gathers, stores, non_temporal;
} Made;

static bool note_made(void *user, Node *n)
{
    Made *m = user;
    const Node *apart = n->kind == N_GATHER ? n->kid[1] : n->kind == N_SCATTER ? n->kid[2] : NULL;
    m->tiles = m->tiles || n->kind == N_TILE;
    m->gathers = m->gathers || (apart && type_is_vector(apart->type));
    m->stores = m->stores || n->kind == N_VSTORE || n->kind == N_INTERLEAVE || n->kind == N_ROW_STORE || n->kind == N_SCATTER;
    m->non_temporal = m->non_temporal || (n->kind == N_VSTORE && n->aux == VSTORE_NON_TEMPORAL);
    return true;
}

typedef struct Sums {
    Ir *ir;
    bool strict;
    int inside, own; /* reductions of loops inside, of the loop itself */
    const Node *loop;
} Sums;

/* Loops inside that have loops inside again only hand on what these reduce. */

static bool count_sums(void *user, Node *n)
{
    Sums *s = user;
    Vec found = {0};
    const char *why;
    if (n->kind != N_FOR)
        return !is_expr(n);
    const bool own = n == s->loop;
    if (!own && has_kind(n->kid[2], N_FOR))
        return true;
    if (find_reductions(s->ir, n, s->strict && own, &found, &why))
        *(own ? &s->own : &s->inside) += found.count;
    return true;
}

static const char *form_of(const LoopTrial *t, const Made *made, const Sums *sums)
{
    if (!t->vectors)
        return t->loop->aux & (FOR_PARALLEL | FOR_PEELED) ? "scalar loops" : "recurrence";
    if (made->tiles)
        return "transpose tile";
    if (t->beside_border || t->loop->aux & FOR_PEELED)
        return "window";
    if (made->gathers)
        return "gather";
    return sums->own ? "row" : sums->inside ? "column" : "map";
}

/* Each set may have a loop of its own for the spec's, and a border is on two sides. */
static bool is_same_loop(const LoopRow *row, const LoopTrial *t)
{
    return row->loop->loc.beg == t->loop->loc.beg && row->rows == t->rows && (row->loop->aux & FOR_PEELED) == (t->loop->aux & FOR_PEELED);
}

static LoopRow *row_of(Ir *ir, Vec *table, const LoopTrial *t)
{
    for (int i = 0; i < table->count; i++)
        if (is_same_loop(table->items[i], t))
            return table->items[i];
    LoopRow *row = arena_alloc(ir->arena, sizeof *row);
    *row = (LoopRow){.loop = t->loop, .rows = t->rows};
    vec_push(ir->arena, table, row);
    return row;
}

void note_loop(Ir *ir, Vec *table, const LoopTrial *t)
{
    LoopRow *row = row_of(ir, table, t);
    Made made = {0};
    Sums sums = {.ir = ir, .strict = t->strict, .loop = t->loop};
    const bool first = !row->form || (t->vectors && !row->sets);
    row->sets |= t->vectors ? 1u << t->set : 0;
    if (!first)
        return;
    walk(&(Walker){.pre = count_sums, .user = &sums}, (Node *)t->loop);
    if (t->vectors)
        walk(&(Walker){.pre = note_made, .user = &made}, t->vectors);
    const int copies = t->layout.copies > t->layout.rest ? t->layout.copies : t->layout.rest;
    row->form = form_of(t, &made, &sums);
    row->why = t->vectors ? NULL : t->why;
    row->lanes = t->vectors ? vector_shape(t->set, t->half ? LANES_64 : vector_loop_width(ir, (Node *)t->loop, NULL)).lanes : 1;
    row->layout = t->layout;
    row->accumulators = copies * (sums.own ? sums.own : sums.inside);
    row->guards = t->loop->aux & FOR_PEELED ? "border" : t->beside_border ? "interior" : "-";
    row->stores = made.non_temporal ? "non-temporal" : made.stores ? "cached" : "-";
}

/* ---------------------------------------------------------------- as text */

static const char *set_names(Ir *ir, unsigned sets)
{
    const char *names = "";
    for (int i = 0; i < SET_COUNT; i++)
        if (sets & 1u << i)
            names = arena_printf(ir->arena, "%s%s%s", names, *names ? " " : "", vector_sets[i].name);
    return names;
}

static int line_of(Ir *ir, Loc loc)
{
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
}

static void print_head(Ir *ir, const HostNest *nest, Text *out)
{
    text_printf(out, "// %s, line %d, %016" PRIx64 "; threads: ", nest->stem, line_of(ir, nest->loc), nest->fingerprint);
    for (int i = 0; i < nest->cut.loops; i++)
        text_printf(out, "%s%s", i ? " and " : "", nest->cut.var[i]->name);
    text_puts(out, nest->cut.loops ? ", in tasks of MIK_LOOP_TASK_NS" : "none");
    text_printf(out, "%s\n", nest->vectors.is_non_temporal ? "; non-temporal stores of outputs from MIK_NON_TEMPORAL_BYTES on" : "");
}

static void print_row(Ir *ir, const LoopRow *r, Text *out)
{
    const Layout *l = &r->layout;
    text_printf(out, "// %-8s %4d  %-14s ", r->loop->sym->name, line_of(ir, r->loop->loc), r->form);
    if (r->why) {
        text_printf(out, "%s\n", r->why);
        return;
    }
    text_printf(out, "%-20s %5d %4d %6d%s %4d %12d  %-8s %s\n", set_names(ir, r->sets), r->lanes, r->rows ? r->rows : 1, l->copies,
                l->streams ? "s" : " ", l->rest, r->accumulators, r->guards, r->stores);
}

/* What is chosen otherwise than planned, for each set. */
static void print_chosen(Ir *ir, const ChosenForms *forms, Text *out)
{
    for (int set = 0; set < SET_COUNT; set++) {
        const char *chosen = chosen_words(ir->arena, forms, (VectorSetId)set);
        if (chosen)
            text_printf(out, "// %s: %s\n", vector_sets[set].name, chosen);
    }
}

void print_loop_table(Ir *ir, const HostNest *nest, Text *out)
{
    print_head(ir, nest, out);
    print_chosen(ir, &nest->chosen, out);
    const Vec *table = &nest->vectors.table;
    if (table->count)
        text_printf(out, "// %-8s %4s  %-14s %-20s %5s %4s %7s %4s %12s  %-8s %s\n", "loop", "line", "template", "vectors", "lanes", "rows",
                    "copies", "rest", "accumulators", "guards", "stores");
    for (int i = 0; i < table->count; i++)
        print_row(ir, table->items[i], out);
}
