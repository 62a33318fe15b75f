/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops and conditions around a place, and what is visible inside. */
#include "random_nest.h"

#include <stdio.h>
#include <stdlib.h>

Place enter(Nest *n) { return (Place){n->g->nvars, n->nsoft, n->nactive, n->g->nfacts}; }

void leave(Nest *n, Place p)
{
    forget(n->g, p.nfacts, -1);
    n->g->nvars = p.nvars, n->nsoft = p.nsoft, n->nactive = p.nactive;
}

void open_head(Nest *n, Active a, const char *head, int64_t lo)
{
    Gen *g = n->g;
    if (n->nactive == MOST_ACTIVE) {
        fprintf(stderr, "random_nest: too many loops\n");
        exit(1);
    }
    line(g, format(g, "%s {", head));
    g->indent++;
    n->active[n->nactive++] = a;
    add(g, (Var){.name = a.var, .type = INT, .lo = lo, .hi = MOST_EXTENT - 1, .fixed = true, .is_counter = true});
}

static const char *loop_name(Nest *n)
{
    static const char *const names[MOST_ACTIVE] = {"i", "j", "k", "l", "m", "p", "q", "r"};
    return names[n->nactive];
}

void open_plain(Nest *n, int axis)
{
    Gen *g = n->g;
    const char *i = loop_name(n);
    open_head(n, (Active){axis, i, 0, 0, true}, format(g, "for (int %s = 0; %s < %s; %s++)", i, i, extent_name[axis], i), 0);
}

static void open_down(Nest *n, int axis)
{
    Gen *g = n->g;
    const char *i = loop_name(n);
    open_head(n, (Active){axis, i, 0, 0, true}, format(g, "for (int %s = %s - 1; %s >= 0; %s--)", i, extent_name[axis], i, i), 0);
}

static void open_part(Nest *n, int axis)
{
    Gen *g = n->g;
    const char *i = loop_name(n), *extent = extent_name[axis];
    const int low = (int)draw(g, 3), high = (int)draw(g, 3), step = 1 + (int)draw(g, 3);
    const Active a = {axis, i, low, high, false};
    if (chance(g, 70) && (low || high))
        open_head(n, a, format(g, "for (int %s = %d; %s < %s - %d; %s++)", i, low, i, extent, high, i), low);
    else
        open_head(n, (Active){axis, i, low, 0, false}, format(g, "for (int %s = %d; %s < %s; %s += %d)", i, low, i, extent, i, step), low);
}

void open_loop(Nest *n, int axis)
{
    const uint32_t kind = draw(n->g, 100);
    if (kind < 80)
        open_plain(n, axis);
    else if (kind < 88)
        open_down(n, axis);
    else
        open_part(n, axis);
}

void close_loop(Nest *n)
{
    n->g->indent--;
    line(n->g, "}");
}

void close_loops(Nest *n, Place p)
{
    for (; n->nactive > p.nactive; n->nactive--)
        close_loop(n);
    leave(n, p);
}

void open_if(Nest *n, const char *condition)
{
    line(n->g, format(n->g, "if (%s) {", condition));
    n->g->indent++;
    n->guards++;
}

void close_if(Nest *n)
{
    n->g->indent--;
    line(n->g, "}");
    n->guards--;
}
