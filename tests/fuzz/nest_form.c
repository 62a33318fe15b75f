/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nests of one form each, as the planner tells them apart: maps, rows, columns, transposes, scans, lookups, triangles, whole sums. What
 * one stores the next ones may load. */
#include "random_nest.h"

/* Axes in an order of their own, so many of them. */
static int draw_axes(Nest *n, int *axes, int count)
{
    Gen *g = n->g;
    for (int i = 0; i < count; i++) {
        bool again;
        do {
            axes[i] = (int)draw(g, AXES);
            again = false;
            for (int j = 0; j < i; j++)
                again |= axes[j] == axes[i];
        } while (again);
    }
    if (chance(g, 70)) /* as a rule N outside of M outside of K, so that nests share loops */
        for (int i = 0; i < count; i++)
            axes[i] = i;
    return count;
}

static int dims_along(Array *a, const int *axes, int count)
{
    for (int i = 0; i < count; i++)
        a->dims[i] = axis_dim(axes[i]);
    return count;
}

/* Changes what an output's dimensions have beside a loop's range. */
static void spread_dims(Nest *n, Array *a)
{
    Gen *g = n->g;
    for (int i = 0; i < a->rank; i++) {
        const uint32_t kind = draw(g, 100);
        if (kind < 7)
            a->dims[i].spare = 1 + (int)draw(g, 2);
        else if (kind < 11)
            a->dims[i].factor = 2;
        else if (kind < 13)
            a->dims[i].kind = D_REVERSED;
        else if (kind < 15)
            a->dims[i].kind = D_OVER, a->dims[i].by = 2;
    }
}

static void turn_dims(Array *a)
{
    const Dim last = a->dims[a->rank - 1];
    for (int i = a->rank - 1; i > 0; i--)
        a->dims[i] = a->dims[i - 1];
    a->dims[0] = last;
}

static Array *output_along(Nest *n, const int *axes, int count)
{
    Array *a = new_output(n, count);
    dims_along(a, axes, count);
    spread_dims(n, a);
    return a;
}

static Array *draw_output(Nest *n, const int *axes, int count)
{
    if (n->narrays + 4 >= MOST_ARRAYS || chance(n->g, 25))
        for (int i = 0; i < n->narrays; i++)
            if (n->arrays[i].role == A_OUTPUT && !n->arrays[i].declaration && place_text(n, &n->arrays[i]))
                return &n->arrays[i];
    return n->narrays + 1 < MOST_ARRAYS ? output_along(n, axes, count) : NULL;
}

/* ------------------------------------------------------------------------------------ maps */

static void store_once(Nest *n, Array *a)
{
    const char *place = chance(n->g, 20) ? element_text(n, a) : place_text(n, a);
    if (place)
        store(n, a, place);
}

static void store_either(Nest *n, Array *a)
{
    Gen *g = n->g;
    open_if(n, pure_condition(g, 1).text);
    Place p = enter(n);
    const Locals l = local_scalars(n, (int)draw(g, 2));
    store_once(n, a);
    drop_unused(n, &l);
    leave(n, p);
    if (chance(g, 60)) {
        g->indent--;
        line(g, "} else {");
        g->indent++;
        store_once(n, a);
    }
    close_if(n);
}

static void map_body(Nest *n, const int *axes, int count)
{
    Gen *g = n->g;
    const Place p = enter(n);
    offer(n, 2 + (int)draw(g, 4));
    const Locals l = local_scalars(n, (int)draw(g, 3));
    for (int stores = 1 + (int)draw(g, 2); stores > 0; stores--) {
        Array *a = draw_output(n, axes, count);
        if (a && chance(g, 20))
            store_either(n, a);
        else if (a)
            store_once(n, a);
    }
    drop_unused(n, &l);
    leave(n, p);
}

static void map(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int count = draw_axes(n, axes, 1 + (int)draw(g, 3));
    Place p = enter(n);
    for (int i = 0; i < count; i++)
        open_loop(n, axes[i]);
    map_body(n, axes, count);
    close_loops(n, p);
}

/* An intermediate array, of which later nests load what this one stores. */
static void local_map(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int count = draw_axes(n, axes, 1 + (int)draw(g, 2));
    if (n->narrays + 4 >= MOST_ARRAYS)
        return;
    Array *a = new_local(n, count);
    dims_along(a, axes, count);
    line(g, format(g, "%s;", declaration_of(n, a)));
    Place p = enter(n);
    for (int i = 0; i < count; i++)
        open_plain(n, axes[i]);
    offer(n, 2 + (int)draw(g, 3));
    store(n, a, place_text(n, a));
    close_loops(n, p);
    a->is_ready = true, a->at = n->g->len;
}

static void use_local(Nest *n, const Array *local)
{
    Array *a = new_array(n, A_OUTPUT, local->element, local->rank);
    Place p = enter(n);
    for (int i = 0; i < local->rank; i++)
        a->dims[i] = local->dims[i], open_plain(n, local->dims[i].axis);
    const char *to = place_text(n, a);
    line(n->g, format(n->g, "%s = %s;", to, place_text(n, local)));
    close_loops(n, p);
}

void use_locals(Nest *n)
{
    for (int i = 0; i < n->narrays; i++)
        if (n->arrays[i].role == A_LOCAL && !is_said(n, n->arrays[i].name, n->arrays[i].at))
            use_local(n, &n->arrays[i]);
}

static void transpose(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int count = draw_axes(n, axes, 2 + (int)draw(g, 2));
    Array *a = new_output(n, count);
    dims_along(a, axes, count);
    turn_dims(a);
    Place p = enter(n);
    for (int i = 0; i < count; i++)
        open_plain(n, axes[i]);
    offer(n, 1 + (int)draw(g, 2));
    store(n, a, place_text(n, a));
    close_loops(n, p);
}

/* ------------------------------------------------------------------------------------ rows and columns */

enum { MOST_GATHERED = 3 };

/* Loops over axes; what they gather up is visible behind them. How many scalars these are. */
static int pass(Nest *n, const int *axis, int loops, Gathered *s)
{
    Gen *g = n->g;
    const int more = (int)draw(g, MOST_GATHERED), count = chance(g, 50) ? 1 + more : 1;
    for (int i = 0; i < count; i++)
        s[i] = declare_gathered(n, true);
    Place p = enter(n);
    for (int i = 0; i < loops; i++)
        open_loop(n, axis[i]);
    offer(n, 2 + (int)draw(g, 2));
    for (int i = 0; i < count; i++)
        gather_up(n, &s[i]);
    close_loops(n, p);
    for (int i = 0; i < count; i++)
        offer_gathered(n, &s[i]);
    return count;
}

static void row(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int outer = (int)draw(g, 3), count = draw_axes(n, axes, outer + 1);
    Place p = enter(n);
    for (int i = 0; i < outer; i++)
        open_loop(n, axes[i]);
    Gathered s[2 * MOST_GATHERED];
    int gathered = 0;
    for (int passes = 1 + (int)draw(g, 2); passes > 0; passes--)
        gathered += pass(n, &axes[outer], 1, &s[gathered]);
    const int rows = n->nactive;
    if (outer && chance(g, 60))
        map_body(n, axes, outer);
    if (!outer || chance(g, 60)) {
        open_loop(n, axes[outer]);
        map_body(n, axes, count);
        close_loop(n);
        n->nactive = rows;
    }
    for (int i = 0; i < gathered; i++)
        use_gathered(n, &s[i]);
    close_loops(n, p);
}

/* One step of a column: sums, or the greatest. */
static void add_to_column(Nest *n, const Array *a)
{
    Gen *g = n->g;
    const Type type = a->element->type;
    const char *place = place_text(n, a);
    if (!is_float_type(type))
        line(g, format(g, "%s %s %s;", place, type == INT || type == LONG ? "^=" : "+=", fit(g, integer(g, 1), 0, 1000).text));
    else if (chance(g, 70))
        line(g, format(g, "%s += %s;", place, small_term(n, type, false).text));
    else
        line(g, format(g, "%s = fmax%s(%s, %s);", place, type == FLOAT ? "f" : "", place, small_term(n, type, false).text));
}

/* Several columns at a time: an output that a loop outside gathers up. */
static void column(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    draw_axes(n, axes, 2);
    Array *a = new_output(n, 1);
    a->dims[0] = axis_dim(axes[1]), a->is_ready = true, a->is_soft = !n->is_strict && is_float_type(a->element->type);
    Place p = enter(n);
    if (chance(g, 70)) {
        open_plain(n, axes[1]);
        line(g, format(g, "%s = 0;", place_text(n, a)));
        close_loops(n, p);
    }
    const int outer = chance(g, 80) ? 0 : 1;
    open_loop(n, axes[outer]);
    open_loop(n, axes[1 - outer]);
    offer(n, 2);
    add_to_column(n, a);
    close_loops(n, p);
}

/* ------------------------------------------------------------------------------------ scans */

static void scan(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int outer = (int)draw(g, 2), count = draw_axes(n, axes, outer + 1);
    Array *a = n->narrays + 5 < MOST_ARRAYS ? output_along(n, axes, count) : NULL;
    if (!a)
        return;
    Place p = enter(n);
    for (int i = 0; i < outer; i++)
        open_loop(n, axes[i]);
    Gathered s = declare_gathered(n, is_float_type(a->element->type));
    open_loop(n, axes[outer]);
    offer(n, 2);
    const bool before = chance(g, 30);
    if (!before)
        gather_up(n, &s);
    Place inside = enter(n);
    offer_gathered(n, &s);
    const bool fits = !s.is_soft || s.type >= a->element->type; /* differences of floats are too large for doubles */
    a->is_soft |= s.is_soft && fits;
    line(g, format(g, "%s = %s;", place_text(n, a), fits ? s.name : "1"));
    leave(n, inside);
    if (before)
        gather_up(n, &s);
    close_loop(n);
    n->nactive--;
    s.at = g->len;
    use_gathered(n, &s);
    close_loops(n, p);
}

/* Each element from its neighbour, along one of two loops. */
static void recurrence(Nest *n)
{
    static const char *const from[] = {"%s[%s - 1][%s]", "%s[%s][%s - 1]", "%s[%s - 1][%s - 1]"};
    Gen *g = n->g;
    Array *a = new_output(n, 2);
    a->element = element_of(chance(g, 60) ? FLOAT : chance(g, 50) ? UINT : INT), a->is_ready = true, a->is_soft = false;
    a->lo = type_min(a->element->type), a->hi = type_max(a->element->type);
    dims_along(a, (const int[]){0, 1}, 2);
    Place p = enter(n);
    const bool down = chance(g, 30);
    open_head(n, (Active){0, "i", 1, 0, false}, down ? "for (int i = N - 1; i >= 1; i--)" : "for (int i = 1; i < N; i++)", 1);
    open_head(n, (Active){1, "j", 1, 0, false}, chance(g, 30) ? "for (int j = M - 1; j >= 1; j--)" : "for (int j = 1; j < M; j++)", 1);
    offer(n, 2);
    const char *last = format(g, from[draw(g, 3)], a->name, "i", "j");
    if (a->element->type == FLOAT)
        line(g, format(g, "%s[i][j] = %s * 0.5f + %s;", a->name, last, operand(g, floating(g, FLOAT, 1), 12, true)));
    else
        line(g, format(g, "%s[i][j] = %s %% 7 + %s;", a->name, last, fit(g, integer(g, 1), 0, 1000).text));
    close_loops(n, p);
}

/* ------------------------------------------------------------------------------------ lookups, triangles, whole sums */

/* Elements that an array of subscripts names, several times perhaps. */
static void scatter(Nest *n)
{
    Gen *g = n->g;
    if (n->narrays + 6 >= MOST_ARRAYS)
        return;
    Array *at = new_array(n, A_INPUT, element_of(INT), 1);
    at->dims[0] = axis_dim(0), at->is_ready = false;
    Array *a = new_output(n, 1 + (int)draw(g, 2));
    a->dims[0] = (Dim){.kind = D_LOOKUP, .axis = 2, .factor = 1, .from = 0, .at = at->name};
    a->dims[1] = axis_dim(1);
    a->is_ready |= chance(g, 50);
    Place p = enter(n);
    open_plain(n, 0);
    if (a->rank == 2)
        open_loop(n, 1);
    offer(n, 2);
    store(n, a, place_text(n, a));
    close_loops(n, p);
}

static void triangle(Nest *n)
{
    static const char *const heads[] = {"for (int j = 0; j < i; j++)", "for (int j = 0; j <= i; j++)", "for (int j = i; j < N; j++)",
                                        "for (int j = i + 1; j < N; j++)", "for (int j = i; j >= 0; j--)"};
    Gen *g = n->g;
    Place p = enter(n);
    open_plain(n, 0);
    const bool gathers = chance(g, 50);
    Gathered s = {0};
    if (gathers)
        s = declare_gathered(n, true);
    Place row = enter(n);
    open_head(n, (Active){0, "j", 0, 0, false}, heads[draw(g, 5)], 0);
    offer(n, 3);
    if (gathers)
        gather_up(n, &s);
    else
        map_body(n, (const int[]){0, 0}, 2);
    close_loops(n, row);
    if (gathers) {
        offer_gathered(n, &s);
        map_body(n, (const int[]){0}, 1);
        use_gathered(n, &s);
    }
    close_loops(n, p);
}

/* Everything in a few numbers, which threads may share. */
static void whole(Nest *n)
{
    Gen *g = n->g;
    int axes[AXES];
    const int loops = draw_axes(n, axes, 1 + (int)draw(g, 3));
    if (n->narrays + 3 >= MOST_ARRAYS)
        return;
    Place p = enter(n);
    Gathered s[MOST_GATHERED];
    const int gathered = pass(n, axes, loops, s);
    Array *a = new_output(n, 1);
    a->dims[0] = (Dim){.kind = D_CONSTANT, .by = 1};
    store(n, a, place_text(n, a));
    for (int i = 0; i < gathered; i++)
        use_gathered(n, &s[i]);
    leave(n, p);
}

void random_form(Nest *n)
{
    static const struct {
        void (*print)(Nest *n);
        int weight;
    } forms[] = {{map, 22},       {local_map, 16}, {transpose, 8}, {row, 20},  {column, 9}, {scan, 6},
                 {recurrence, 3}, {scatter, 3},    {triangle, 4},  {whole, 6}, {window, 9}};
    int at = (int)draw(n->g, 106), i = 0;
    for (; at >= forms[i].weight; i++)
        at -= forms[i].weight;
    if (n->narrays + 16 < MOST_ARRAYS)
        forms[i].print(n);
}
