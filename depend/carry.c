/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of a loop body, collected with their conditions and bounds, then each pair put to isl. */
#include "depend/carry.h"

#include <ctype.h>

#include "depend/digits.h"
#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

enum { MAX_PAIRS = 20000 };

typedef struct Search {
    Ir *ir;
    Node *loop;
    Accesses in;
} Search;

/* ---------------------------------------------------------------- pairs */

/* Does a difference of subscripts say that iterations differ, or that they are never equal? */
static bool keeps_apart(const Form *difference, int ndims, int var_x, int var_y)
{
    for (int i = 0; i < ndims; i++)
        if (difference->coef[i] != 0 && i != var_x && i != var_y)
            return false;
    int64_t c = difference->coef[var_x];
    if (c == 0 && difference->coef[var_y] == 0)
        return difference->constant != 0;
    return c != 0 && c == -difference->coef[var_y] && difference->constant == 0;
}

/* Constraints for `x` and `y` touching the same element; false when they cannot. */
static bool same_element(Search *s, System *sys, const Access *x, const Access *y)
{
    int var_x = system_iterator(sys, 0, s->loop->sym), var_y = system_iterator(sys, 1, s->loop->sym);
    for (int d = 0; d < x->node->sym->rank; d++) {
        Form difference[MOST_DIGITS];
        if (remainders_differ(&s->in, x->node->kid[d], y->node->kid[d]))
            return false;
        const int digits = subscript_differences(&s->in, sys, x, y, d, difference);
        for (int i = 0; i < digits; i++) {
            if (keeps_apart(&difference[i], sys->ndims, var_x, var_y))
                return false;
            system_equal(sys, difference[i]);
        }
    }
    return true;
}

/* May `x` in one iteration meet `y` in a later one? */
static bool meets_later(Search *s, const System *base, bool forward)
{
    System sys = *base;
    Form later = {{0}, 0};
    bool up = s->loop->u.i > 0;
    later.coef[system_iterator(&sys, 0, s->loop->sym)] = forward == up ? -1 : 1;
    later.coef[system_iterator(&sys, 1, s->loop->sym)] = forward == up ? 1 : -1;
    system_at_least(&sys, later, 1);
    return !system_is_empty(&sys);
}

static void conflict(Carried *why, const Access *from, const Access *to)
{
    *why = (Carried){.from = from->node, .to = to->node, .from_stmt = from->stmt, .to_stmt = to->stmt};
}

static bool pair_meets(Search *s, const Access *x, const Access *y, Carried *why)
{
    System sys;
    system_init(&sys, s->ir);
    if (!same_element(s, &sys, x, y))
        return false;
    add_path(&s->in, &sys, 0, x->path);
    add_path(&s->in, &sys, 1, y->path);
    if (meets_later(s, &sys, true)) {
        conflict(why, x, y);
        return true;
    }
    if (x != y && meets_later(s, &sys, false)) {
        conflict(why, y, x);
        return true;
    }
    return false;
}

static const Access *access_of(const Search *s, const Node *node)
{
    for (int i = 0; i < s->in.all.count; i++)
        if (((Access *)s->in.all.items[i])->node == node)
            return s->in.all.items[i];
    return NULL;
}

/* Do they spell the same element? */
static bool spelled_alike(const Search *s, const Access *x, const Access *y)
{
    for (int d = 0; d < x->node->sym->rank; d++)
        if (!poly_equal(poly_of(s->ir, x->node->kid[d]), poly_of(s->ir, y->node->kid[d])))
            return false;
    return true;
}

static bool is_change(void *user, Node *n)
{
    Node *body = user;
    return n->kind == N_CALL || ((n->kind == N_VAR || n->kind == N_LOAD) && writes_sym(body, n->sym));
}

/* May the loop's bounds be others in its last iteration than in its first? */
static bool bounds_change(Node *loop)
{
    return any_node(loop->kid[0], is_change, loop->kid[2]) || any_node(loop->kid[1], is_change, loop->kid[2]);
}

/* What bounds say of variables of loops around, which are parameters of what is inside. */
static void add_around(Search *s, System *sys, const Vec *around)
{
    for (int i = 0; i < around->count; i++) {
        const Path path = {.loop = around->items[i]};
        Node *var = mk_var(s->ir, path.loop->sym);
        Form within, inside;
        if (bounds_change(path.loop) || !access_form(&s->in, sys, 0, &path, var, &within) ||
            !access_form(&s->in, sys, 0, NULL, var, &inside))
            continue;
        add_path(&s->in, sys, 0, &path);
        system_equal(sys, form_sub(&within, &inside));
    }
}

bool touched_otherwise(Ir *ir, const Vec *around, Node *loop, Node *store)
{
    Search s = {ir, loop, find_accesses(ir, loop)};
    const Access *x = access_of(&s, store);
    for (int i = 0; x && !s.in.failed && i < s.in.all.count; i++) {
        const Access *y = s.in.all.items[i];
        if (y->node->sym != store->sym || spelled_alike(&s, x, y))
            continue;
        System sys;
        system_init(&sys, ir);
        bool apart = false;
        for (int d = 0; d < store->sym->rank; d++) {
            Form difference[MOST_DIGITS];
            apart = apart || remainders_differ(&s.in, store->kid[d], y->node->kid[d]);
            const int digits = subscript_differences(&s.in, &sys, x, y, d, difference);
            for (int j = 0; j < digits; j++)
                system_equal(&sys, difference[j]);
        }
        add_around(&s, &sys, around);
        add_path(&s.in, &sys, 0, x->path);
        add_path(&s.in, &sys, 1, y->path);
        if (!apart && !system_is_empty(&sys))
            return true;
    }
    return !x || s.in.failed;
}

bool meet_across_iterations(Ir *ir, Node *loop, const Node *x, const Node *y)
{
    Search s = {ir, loop, find_accesses(ir, loop)};
    Carried why;
    bool known = false;
    for (int i = 0; i < s.in.all.count && !s.in.failed; i++)
        for (int j = 0; j < s.in.all.count; j++) {
            const Access *a = s.in.all.items[i], *b = s.in.all.items[j];
            if (a->node != x || b->node != y)
                continue;
            known = true;
            if (pair_meets(&s, a, b, &why))
                return true;
        }
    return !known;
}

/* By an access's number: the next one to the same array, and the next that stores to it; -1: there is none. */
typedef struct Followers {
    int *any, *store;
} Followers;

static Followers find_followers(Ir *ir, const Accesses *in)
{
    Followers f = {arena_new_array(ir->scratch, int, in->all.count), arena_new_array(ir->scratch, int, in->all.count)};
    Map any = {0}, store = {0}; /* by symbol id: number, plus 1, of the first of those after access i */
    for (int i = in->all.count - 1; i >= 0; i--) {
        const Node *access = ((const Access *)in->all.items[i])->node;
        void **next = map_at(ir->scratch, &any, access->sym->id), **next_store = map_at(ir->scratch, &store, access->sym->id);
        f.any[i] = (int)(intptr_t)*next - 1;
        f.store[i] = (int)(intptr_t)*next_store - 1;
        *next = (void *)(intptr_t)(i + 1);
        if (access->kind == N_STORE)
            *next_store = *next;
    }
    return f;
}

bool carries_through_arrays(Ir *ir, Node *region, Node *loop, Carried *why)
{
    Search s = {ir, loop, find_accesses(ir, region)};
    const Followers next = find_followers(ir, &s.in);
    int pairs = 0;
    for (int i = 0; i < s.in.all.count && pairs <= MAX_PAIRS; i++) {
        const Access *x = s.in.all.items[i];
        const bool stores = x->node->kind == N_STORE;
        for (int j = stores ? i : next.store[i]; j >= 0 && pairs <= MAX_PAIRS; j = stores ? next.any[j] : next.store[j]) {
            if (pair_meets(&s, x, s.in.all.items[j], why))
                return true;
            pairs++;
        }
    }
    const bool failed = s.in.failed || pairs > MAX_PAIRS;
    if (failed)
        *why = (Carried){.other = "it does more than can be looked through"};
    return failed;
}

/* ---------------------------------------------------------------- texts */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The access as the spec spells it, without blanks where words do not need them. */
static const char *access_text(Ir *ir, const Node *access)
{
    size_t len;
    const char *text = diag_text(ir->diag, access->loc, &len);
    Text out;
    text_init(&out, ir->arena);
    int depth = 0, closed = 0;
    for (size_t i = 0; i < len && closed < access->sym->rank; i++) {
        depth += (text[i] == '[') - (text[i] == ']');
        closed += text[i] == ']' && depth == 0;
        bool blank = isspace((unsigned char)text[i]);
        if (!blank || (out.size && is_word(out.data[out.size - 1]) && i + 1 < len && is_word(text[i + 1])))
            text_putc(&out, blank ? ' ' : text[i]);
    }
    return closed == access->sym->rank && closed ? out.data : access->sym->name;
}

static int line_of(Ir *ir, const Node *access, const Node *stmt)
{
    bool inside = access->loc.beg >= stmt->loc.beg && access->loc.beg < stmt->loc.end;
    Loc loc = inside ? access->loc : stmt->kind == N_DECL && !stmt->loc.beg ? stmt->sym->loc : stmt->loc;
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
}

const char *place_text(Ir *ir, const Node *access, const Node *stmt)
{
    return arena_printf(ir->arena, "%s at line %d", access_text(ir, access), line_of(ir, access, stmt));
}

const char *carried_text(Ir *ir, const Carried *why)
{
    if (why->scalar)
        return arena_printf(ir->arena, "%s outlives the iteration that assigns it", why->scalar->name);
    if (!why->from)
        return why->other;
    bool writes = why->from->kind == N_STORE, then = why->to->kind == N_STORE;
    return arena_printf(ir->arena, "%s %s what %s %s in a later iteration", place_text(ir, why->from, why->from_stmt),
                        writes ? "writes" : "reads", place_text(ir, why->to, why->to_stmt),
                        writes && then ? "writes again"
                        : then         ? "writes"
                                       : "reads");
}
