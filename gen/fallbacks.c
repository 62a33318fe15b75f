/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Missed products are in the plan; other reductions are read off what became of the loops of host nests. */
#include "gen/fallbacks.h"

#include <stdio.h>
#include <string.h>

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/vectors/loop_table.h"

enum { FEW = 32 }; /* iterations that may as well run one by one */

static const char *cure_of(const char *why)
{
    static const char *const cures[][2] = {
#define CURE(why, cure) {why, cure},
#include "plan/vectors/cures.def"
#undef CURE
    };
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        if (strcmp(cures[i][0], why) == 0)
            return cures[i][1];
    return NULL;
}

/* Reasons that say that a loop has few iterations, or that it is faster so. */
static bool is_choice(const char *why) { return strstr(why, "few") || strstr(why, "far apart") || strstr(why, "masks"); }

/* A recurrence needs its order: no other way of writing it helps. */
static bool could_be_reduced(const char *why) { return strstr(why, "in which nothing is reduced") || strstr(why, "in several ways"); }

static bool is_short(Ir *ir, const Node *loop)
{
    const Node *trip = trip_count(ir, (Node *)loop);
    return trip && trip->kind == N_INT && trip->u.i <= FEW;
}

/* The reduction that `row` is, one element at a time; false: it is none, or has to be so. */
static bool reduction_of(Ir *ir, const LoopRow *row, bool strict, Fallback *f)
{
    Vec found = {0};
    const char *why = NULL;
    if (row->sets || !row->why || has_kind((Node *)row->loop->kid[2], N_FOR) || is_short(ir, row->loop) || is_choice(row->why))
        return false;
    const bool reduces = find_reductions(ir, (Node *)row->loop, strict, &found, &why);
    if (reduces ? !found.count || cure_of(row->why) == NULL || strcmp(row->why, "its iterations have an order") == 0
                : !why || !could_be_reduced(why))
        return false;
    *f = (Fallback){.loc = row->loop->loc,
                    .inner = row->loop->loc.beg,
                    .what = arena_printf(ir->arena, "the reduction over %s takes one element at a time", row->loop->sym->name),
                    .why = reduces ? row->why : why,
                    .cure = reduces ? cure_of(row->why) : NULL};
    return true;
}

static void tell(Ir *ir, const Fallback *f)
{
    int line, column;
    diag_line_column(ir->diag, f->loc, &line, &column);
    fprintf(stderr, "%s:%d:%d: note: %s: %s%s%s (--quiet: no such notes)\n", diag_name(ir->diag, f->loc), line, column, f->what, f->why,
            f->cure ? "; what helps: " : "", f->cure ? f->cure : "");
}

static bool is_told(const Vec *told, uint32_t inner)
{
    for (int i = 0; i < told->count; i++)
        if (((const Fallback *)told->items[i])->inner == inner)
            return true;
    return false;
}

void tell_fallbacks(Ir *ir, const Plan *plan, bool strict)
{
    Vec told = {0};
    for (int i = 0; plan && i < plan->fallbacks.count; i++) {
        const Fallback *f = plan->fallbacks.items[i];
        if (is_told(&told, f->inner))
            continue;
        vec_push(ir->arena, &told, plan->fallbacks.items[i]);
        tell(ir, f);
    }
    for (int i = 0; plan && i < host_nest_count(plan); i++) {
        const Vec *rows = &host_nest_at(plan, i)->vectors.table;
        Fallback *f = arena_new_array(ir->arena, Fallback, 1);
        bool found = false;
        for (int j = 0; j < rows->count && !found; j++)
            found = reduction_of(ir, rows->items[j], strict, f) && !is_told(&told, f->inner);
        if (!found)
            continue;
        vec_push(ir->arena, &told, f);
        tell(ir, f);
    }
}
