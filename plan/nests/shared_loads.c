/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements are the same where their subscripts and guards are as sums. Iterations that meet the same elements in the same order meet them
 * together: the order of all is one that fits each, wherever there is such. */
#include "plan/nests/shared_loads.h"

#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

/* Something loaded that depends on the iteration. */
typedef struct Element {
    Node *value; /* of the first iteration that has it */
    Sym *sym;
    Vec behind;  /* Element: what iterations meet next; those that meet it so stand more than once */
    int before;  /* of how many such it is the next */
    bool loaded;
} Element;

/* A statement of an iteration, and the elements in it. */
typedef struct Item {
    Node *stmt;
    Vec elements;
} Item;

typedef struct Iteration {
    Vec items;
    Vec stores;    /* what comes last: from the first store on */
    Element *last; /* that it has met */
    int done;
} Iteration;

typedef struct Sharing {
    Ir *ir;
    Sym *const *vars;
    int nvars;
    Map elements; /* by the id of their form: Element */
    Vec order;    /* Element: as they were found */
    Map others;   /* by the id of their form: what does not depend on the iteration */
    Map values;   /* by symbol id: Node *, the element of which a scalar is the name */
    Map named;    /* by an element's symbol's id: Element */
    bool *assigned; /* per symbol id */
    Map own;        /* by symbol id: what blocks declare or assign, and elements */
    LoadCount count;
    Iteration *at;
    Item *item;
} Sharing;

/* ---------------------------------------------------------------- names */

typedef struct Naming {
    Ir *ir;
    bool *assigned; /* per symbol id */
    Map values;     /* by symbol id: Node * */
    bool pure;
} Naming;

static bool note_assigned(void *user, Node *n)
{
    bool *assigned = user;
    if (n->kind == N_ASSIGN)
        assigned[n->sym->id] = true;
    return !is_expr(n);
}

static bool *assigned_in(Ir *ir, Node *block)
{
    bool *assigned = arena_new_array(ir->arena, bool, ir->nsyms + 1);
    walk(&(Walker){.pre = note_assigned, .user = assigned}, block);
    return assigned;
}

static bool search_impure(void *user, Node *n)
{
    Naming *s = user;
    s->pure = s->pure && n->kind != N_LOAD && n->kind != N_CALL && !(n->kind == N_VAR && s->assigned[n->sym->id]);
    return s->pure;
}

static bool is_pure(Naming *s, Node *e)
{
    s->pure = true;
    walk(&(Walker){.pre = search_impure, .user = s}, e);
    return s->pure;
}

static bool note_value(void *user, Node *n)
{
    Naming *s = user;
    if (n->kind == N_DECL && n->nkids && n->sym->rank == 0 && type_is_integer(n->sym->type) && n->sym->type == n->kid[0]->type &&
        !s->assigned[n->sym->id] && is_pure(s, n->kid[0]))
        *map_at(s->ir->arena, &s->values, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

static Node *drop_name(void *user, Node *n)
{
    const Naming *s = user;
    return n->kind == N_DECL && map_get(&s->values, n->sym->id) ? NULL : n;
}

Node *without_integer_names(Ir *ir, Node *block)
{
    Naming s = {.ir = ir, .assigned = assigned_in(ir, block)};
    walk(&(Walker){.pre = note_value, .user = &s}, block);
    return expand_names(ir, &s.values, rewrite(&(Rewriter){.ir = ir, .post = drop_name, .user = &s}, block));
}

/* ---------------------------------------------------------------- elements */

static Node *canonical(void *user, Node *n)
{
    Ir *ir = user;
    Node *kids[2];
    Poly *sum = n->nkids == 2 ? guard_sum(ir, n) : NULL;
    if (sum)
        return mk_binary(ir, N_GE, poly_node(ir, sum), mk_int(ir, T_INDEX, 0));
    if (n->kind != N_LOAD)
        return n;
    Node **at = n->nkids <= 2 ? kids : arena_new_array(ir->arena, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++)
        at[i] = poly_node(ir, poly_of(ir, n->kid[i]));
    return with_kids(ir, n, n->nkids, at);
}

static bool loads(const Node *e) { return (e->has & HAS_LOAD) != 0; }

typedef struct OneLoad {
    const Sharing *s;
    int loads;
    bool fits;
} OneLoad;

static bool search_other(void *user, Node *n)
{
    OneLoad *one = user;
    one->loads += n->kind == N_LOAD;
    one->fits = one->fits && n->kind != N_CALL && n->kind != N_DIV && n->kind != N_MOD &&
                !(n->kind == N_VAR && map_get(&one->s->own, n->sym->id));
    return one->fits;
}

/* May it stand by itself, before the loop's own scalars have their values? */
static bool has_one_load(const Sharing *s, Node *e)
{
    OneLoad one = {s, 0, true};
    walk(&(Walker){.pre = search_other, .user = &one}, e);
    return one.fits && one.loads == 1;
}

/* A load, perhaps converted or without its zero point, and guarded as zeros around an image are. Products differ by their other factor. */
static bool is_element(const Sharing *s, Node *e)
{
    switch ((Kind)e->kind) {
    case N_LOAD:
    case N_CAST:
    case N_NEG:
    case N_ADD:
    case N_SUB: return has_one_load(s, e);
    case N_SEL: return !loads(e->kid[0]) && has_one_load(s, e);
    default: return false;
    }
}

static bool is_own(const Sharing *s, Node *e)
{
    for (int i = 0; i < s->nvars; i++)
        if (uses_sym(e, s->vars[i]))
            return true;
    return false;
}

static Element *element_of(Sharing *s, Node *e)
{
    Ir *ir = s->ir;
    Node *form = rewrite(&(Rewriter){.ir = ir, .post = canonical, .user = ir}, e);
    Element *known = map_get(&s->elements, form->id);
    if (known || !is_own(s, form)) {
        s->count.common += !known && !map_get(&s->others, form->id);
        *map_at(ir->arena, &s->others, form->id) = form;
        return known;
    }
    Element *made = arena_alloc(ir->arena, sizeof *made);
    *made = (Element){.value = e, .sym = sym_new(ir, S_LOCAL, e->type, "element", e->loc)};
    made->sym->is_const = true;
    *map_at(ir->arena, &s->elements, form->id) = made;
    *map_at(ir->arena, &s->named, made->sym->id) = made;
    *map_at(ir->arena, &s->own, made->sym->id) = made->sym;
    vec_push(ir->arena, &s->order, made);
    s->count.own++;
    return made;
}

/* The iteration meets it behind what it has met before. */
static void meet(Sharing *s, Element *e)
{
    Element *last = s->at->last;
    s->at->last = e;
    if (!last || last == e)
        return;
    vec_push(s->ir->arena, &last->behind, e);
    e->before++;
}

/* What conditions keep from being loaded stays there. */
static Node *share(void *user, Node *n)
{
    Sharing *s = user;
    Element *e = loads(n) && is_element(s, n) ? element_of(s, n) : NULL;
    if (!e)
        return !loads(n) || n->kind == N_LOAD || n->kind == N_SEL || n->kind == N_LAND || n->kind == N_LOR ? n : NULL;
    meet(s, e);
    return mk_var(s->ir, e->sym);
}

/* ---------------------------------------------------------------- iterations */

static bool note_own(void *user, Node *n)
{
    Sharing *s = user;
    if (n->kind == N_ASSIGN || n->kind == N_DECL)
        *map_at(s->ir->arena, &s->own, n->sym->id) = n->sym;
    return !is_expr(n);
}

static bool note_use(void *user, Node *n)
{
    Sharing *s = user;
    Element *e = n->kind == N_VAR ? map_get(&s->named, n->sym->id) : NULL;
    if (e)
        vec_push(s->ir->arena, &s->item->elements, e);
    return true;
}

static void note_statement(Sharing *s, Node *n)
{
    Ir *ir = s->ir;
    Item *item = s->item = arena_alloc(ir->arena, sizeof *item);
    *item = (Item){.stmt = expand_names(ir, &s->values, n)};
    Node *made = item->stmt = rewrite(&(Rewriter){.ir = ir, .pre = share, .user = s}, item->stmt);
    walk(&(Walker){.pre = note_use, .user = s}, made);
    if (made->kind == N_DECL && made->nkids && made->kid[0]->kind == N_VAR && item->elements.count && !s->assigned[made->sym->id] &&
        made->sym->type == made->kid[0]->type) {
        *map_at(ir->arena, &s->values, made->sym->id) = made->kid[0];
        return;
    }
    const bool behind = s->at->stores.count || has_kind(made, N_STORE);
    vec_push(ir->arena, behind ? &s->at->stores : &s->at->items, item);
}

static bool is_ready(const Item *item)
{
    for (int i = 0; i < item->elements.count; i++)
        if (!((Element *)item->elements.items[i])->loaded)
            return false;
    return true;
}

static void go_on(Ir *ir, Iteration *it, Vec *out)
{
    while (it->done < it->items.count && is_ready(it->items.items[it->done]))
        vec_push(ir->arena, out, ((Item *)it->items.items[it->done++])->stmt);
}

/* How many iterations meet it right behind the last one. */
static int times_behind(const Element *last, const Element *e)
{
    int times = 0;
    for (int i = 0; last && i < last->behind.count; i++)
        times += last->behind.items[i] == e;
    return times;
}

/* Of those that nobody has to meet others before, the one that the most meet behind the last one; where orders contradict one another, the
 * first. */
static Element *next_element(const Sharing *s, const Element *last)
{
    Element *best = NULL, *any = NULL;
    int most = -1;
    for (int i = 0; i < s->order.count; i++) {
        Element *e = s->order.items[i];
        if (e->loaded)
            continue;
        any = any ? any : e;
        if (e->before || times_behind(last, e) <= most)
            continue;
        best = e;
        most = times_behind(last, e);
    }
    return best ? best : any;
}

static void load(Ir *ir, Element *e, Vec *out)
{
    e->loaded = true;
    for (int i = 0; i < e->behind.count; i++)
        ((Element *)e->behind.items[i])->before--;
    vec_push(ir->arena, out, mk_decl(ir, e->sym, e->value, e->value->loc));
}

Node *share_loads(Ir *ir, Node *const *block, int count, Sym *const *vars, int nvars, LoadCount *loads)
{
    Sharing s = {.ir = ir, .vars = vars, .nvars = nvars};
    Iteration *all = arena_new_array(ir->arena, Iteration, count);
    Vec out = {0};
    for (int i = 0; i < count; i++) {
        s.at = &all[i];
        s.assigned = assigned_in(ir, block[i]);
        walk(&(Walker){.pre = note_own, .user = &s}, block[i]);
        for (int k = 0; k < block[i]->nkids; k++)
            note_statement(&s, block[i]->kid[k]);
    }
    Element *last = NULL;
    for (int left = s.order.count; left >= 0; left--) {
        for (int i = 0; i < count; i++)
            go_on(ir, &all[i], &out);
        if (left)
            load(ir, last = next_element(&s, last), &out);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < all[i].stores.count; k++)
            vec_push(ir->arena, &out, ((Item *)all[i].stores.items[k])->stmt);
    *loads = s.count;
    return mk_block(ir, out.count, (Node **)out.items, block[0]->loc);
}
