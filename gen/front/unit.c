/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units side by side: operators in order, one target, one name for each. */
#include "gen/front/unit.h"

#include <string.h>

/* The operator of the unit with this name, or NULL. */
static const Func *operator_called(const Unit *unit, const char *name)
{
    for (int i = 0; i < unit->nfuncs; i++)
        if (strcmp(unit->funcs[i]->name, name) == 0)
            return unit->funcs[i];
    return NULL;
}

static void check_name(Ir *ir, const Unit *unit, const Func *f)
{
    const Func *other = operator_called(unit, f->name);
    int line, column;
    if (!other)
        return;
    diag_line_column(ir->diag, other->loc, &line, &column);
    diag_error(ir->diag, f->loc, "give every operator of a file its own name", "'%s' is defined in %s, line %d, too", f->name,
               diag_name(ir->diag, other->loc), line);
}

static bool are_alike(const StructType *a, const StructType *b)
{
    bool same = a->bytes == b->bytes && a->nmembers == b->nmembers;
    for (int i = 0; same && i < a->nmembers; i++) {
        const Member *m = &a->members[i], *n = &b->members[i];
        same = strcmp(m->name, n->name) == 0 && m->type == n->type && !m->inner == !n->inner && m->rank == n->rank &&
               (!m->inner || are_alike(m->inner, n->inner));
        for (int d = 0; same && d < m->rank; d++)
            same = m->dims[d] == n->dims[d];
    }
    return same;
}

/* A struct of one name is the same in all specs: a file defines it once. */
static void check_structs(Ir *ir, const Unit *unit, const Func *f)
{
    for (int p = 0; p < f->nparams; p++)
        for (int i = 0; i < unit->nfuncs; i++)
            for (int q = 0; q < unit->funcs[i]->nparams; q++) {
                const Sym *one = whole_param(f->params[p]), *other = whole_param(unit->funcs[i]->params[q]);
                if (one->elements && other->elements && strcmp(one->elements->tag, other->elements->tag) == 0 &&
                    !are_alike(one->elements, other->elements)) {
                    diag_error(ir->diag, one->loc, "give each its own name, or generate a file for each spec",
                               "'struct %s' is another one in %s", one->elements->tag, diag_name(ir->diag, other->loc));
                    return;
                }
            }
}

/* One wish of two specs; `what` for the message. */
static void join_wish(Ir *ir, const char *what, const char **wish, const char *other, const Func *f)
{
    if (*wish && other && strcmp(*wish, other) != 0)
        diag_error(ir->diag, f->loc, "generate a file for each, or change a pragma",
                   "this spec's pragma wants the %s %s, an earlier spec's %s", what, other, *wish);
    *wish = *wish ? *wish : other;
}

void unit_join(Ir *ir, Unit *unit, const Unit *other)
{
    Func **funcs = arena_new_array(ir->arena, Func *, unit->nfuncs + other->nfuncs + 1);
    for (int i = 0; i < other->nfuncs; i++) {
        check_name(ir, unit, other->funcs[i]);
        check_structs(ir, unit, other->funcs[i]);
    }
    join_wish(ir, "target", &unit->wishes.target, other->wishes.target, other->funcs[0]);
    if (!unit->wishes.sets)
        unit->wishes.set_locs = other->wishes.set_locs;
    join_wish(ir, "instruction sets", &unit->wishes.sets, other->wishes.sets, other->funcs[0]);
    join_wish(ir, "functions of <math.h>", &unit->wishes.math, other->wishes.math, other->funcs[0]);
    join_wish(ir, "architecture", &unit->wishes.arch, other->wishes.arch, other->funcs[0]);
    if (unit->nfuncs)
        memcpy(funcs, unit->funcs, sizeof *funcs * (size_t)unit->nfuncs);
    memcpy(funcs + unit->nfuncs, other->funcs, sizeof *funcs * (size_t)other->nfuncs);
    unit->funcs = funcs;
    unit->nfuncs += other->nfuncs;
}
