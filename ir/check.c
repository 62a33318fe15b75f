/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function for each kind of node says what its types and operands must be. */
#include "ir/check.h"

#include <stdlib.h>
#include <string.h>

#include "ir/kept_sym.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* What a symbol is at the moment. */
typedef struct State {
    bool visible;      /* declared and in scope */
    bool looping;      /* the variable of an open loop */
    const Sym **named; /* kept functions: what its name now means, shared by all of that name; NULL: one of the file */
} State;

typedef struct Checker {
    const Ir *ir;
    const char *pass, *func;
    unsigned form; /* TreeForm */
    bool inlined, is_hook, is_kept;
    bool in_loop;      /* break has something to leave               */
    bool sees_outside; /* what is declared nowhere comes from around */
    Map *states;       /* by Sym.id: State */
} Checker;

static State *state(const Checker *c, const Sym *sym)
{
    void **at = map_at(c->ir->arena, c->states, sym->id);
    if (!*at) {
        State *s = arena_alloc(c->ir->arena, sizeof *s);
        s->visible = c->sees_outside;
        *at = s;
    }
    return *at;
}

#define REQUIRE(c, n, cond) \
    do { \
        if (!(cond)) \
            internal_error("after %s, in %s: %s node%s%s breaks the rule \"%s\"", (c)->pass, (c)->func, kind_info[(n)->kind].name, \
                           (n)->sym ? " of " : "", (n)->sym ? (n)->sym->name : "", #cond); \
    } while (0)

static void check_expr(const Checker *c, const Node *n);

static bool same_lanes(const Node *a, const Node *b) { return type_like(T_MASK, a->type) == type_like(T_MASK, b->type); }

/* Lanes have 32 bits or more: integers of fewer are there as int, and are cut where they are stored. */
static bool same_numbers(Type a, Type b)
{
    const bool in_int = type_is_integer(a) && type_is_integer(b) && type_bits(a) <= 32 && type_bits(b) <= 32;
    return a == b || (in_int && type_like(T_MASK, a) == type_like(T_MASK, b));
}

/* Floats are rounded to arrays of 16 bits, or 8, where they are stored. */
static bool may_be_stored(Type vector, Type array)
{
    const Type element = type_element(vector);
    return same_numbers(element, array) || (element == T_FLOAT && type_is_float(array) && type_bits(array) < 32);
}

static bool same_type(Type a, Type b) { return type_is_vector(a) ? same_numbers(a, b) : a == b; }

static bool is_mask(const Node *n) { return type_is_vector(n->type) && type_element(n->type) == T_MASK; }

/* Of an access to a vector: how many lanes, or which; the last kid. */
static void check_part(const Checker *c, const Node *n, const Node *vector, int at)
{
    if (n->nkids > at)
        REQUIRE(c, n, n->kid[at]->type == T_INDEX || (is_mask(n->kid[at]) && same_lanes(n->kid[at], vector)));
    REQUIRE(c, n, n->nkids <= at + 1 && n->kid[0]->type == T_INDEX);
}

static void check_mul_shift(const Checker *c, const Node *n)
{
    REQUIRE(c, n, type_bits(n->type) == 32 && same_numbers(n->type, n->kid[0]->type) && same_numbers(n->type, n->kid[1]->type));
    REQUIRE(c, n, n->kid[2]->kind == N_INT && n->kid[3]->kind == N_INT && n->kid[3]->u.i >= 0 && n->kid[3]->u.i <= 32);
}

static void check_narrow_operation(const Checker *c, const Node *n)
{
    const int bits = type_is_vector(n->type) ? lane_bits(type_lane_width(n->type)) : 0;
    REQUIRE(c, n, bits == 16 || (bits == 8 && n->kind != N_MUL_HIGH && n->kind != N_MUL_ROUND));
    REQUIRE(c, n, same_numbers(n->kid[0]->type, n->type) && same_numbers(n->kid[1]->type, n->type));
}

/* What only vectors have, and what is otherwise with them. */
static void check_vector(const Checker *c, const Node *n)
{
    const unsigned flags = kind_info[n->kind].flags;
    REQUIRE(c, n, c->form & TREE_VECTORS);
    switch ((Kind)n->kind) {
    case N_VAR: REQUIRE(c, n, state(c, n->sym)->visible && (Type)n->type == n->sym->type); break;
    case N_SPLAT: REQUIRE(c, n, type_element(n->type) == (Type)n->kid[0]->type); break;
    case N_IOTA: break;
    case N_FIRST: REQUIRE(c, n, is_mask(n) && n->kid[0]->type == T_INDEX); break;
    case N_VLOAD:
    case N_MEMBER: /* codes of floats of 8 bits may come from a tile of integers */
        REQUIRE(c, n,
                type_element(n->type) == n->sym->type || (type_is_fp8(n->type) && n->sym->type == T_INT) ||
                    (n->kind == N_MEMBER && group_word(n) && type_element(n->type) == T_INT && n->sym->type == T_UCHAR));
        check_part(c, n, n, 1);
        break;
    case N_ROW_LOAD:
        REQUIRE(c, n, type_element(n->type) == n->sym->type && n->kid[1]->type == T_INDEX);
        REQUIRE(c, n, (row_length(n->u.i) == 3 || row_length(n->u.i) == 4) && row_element(n->u.i) < row_length(n->u.i));
        break;
    case N_GATHER:
        REQUIRE(c, n, type_element(n->type) == n->sym->type);
        REQUIRE(c, n, n->kid[1]->type == T_INDEX || same_lanes(n, n->kid[1]));
        check_part(c, n, n, 2);
        break;
    case N_DOT:
        REQUIRE(c, n, type_element(n->type) == T_INT && type_lane_width(n->type) == LANES_32);
        REQUIRE(c, n, type_lane_width(n->kid[0]->type) == LANES_16);
        REQUIRE(c, n, same_lanes(n->kid[0], n->kid[1]) || n->kid[1]->type == n->type);
        break;
    case N_PARTIAL:
        REQUIRE(c, n, type_element(n->type) == T_INT && type_lane_width(n->type) == LANES_32);
        REQUIRE(c, n, lane_bits(type_lane_width(n->kid[0]->type)) < 32);
        REQUIRE(c, n, n->nkids == 1 || (type_lane_width(n->kid[0]->type) == LANES_8 && same_lanes(n->kid[0], n->kid[1])));
        break;
    case N_MUL_SHIFT: check_mul_shift(c, n); break;
    case N_LOW_INT:
        REQUIRE(c, n, type_element(n->type) == T_INT && type_element(n->kid[0]->type) == T_FLOAT && same_lanes(n, n->kid[0]));
        break;
    case N_AVERAGE:
    case N_ADD_SAT:
    case N_SUB_SAT:
    case N_MUL_HIGH:
    case N_MUL_ROUND: check_narrow_operation(c, n); break;
    case N_HEAD: REQUIRE(c, n, n->type == T_INDEX && n->kid[0]->type == T_INDEX); break;
    case N_ANY: REQUIRE(c, n, n->type == T_INT && is_mask(n->kid[0])); break;
    case N_FOLD: REQUIRE(c, n, (Type)n->type == type_element(n->kid[0]->type)); break;
    case N_CAST: REQUIRE(c, n, n->type != n->kid[0]->type && same_lanes(n, n->kid[0])); break;
    case N_SEL:
        REQUIRE(c, n, !type_is_vector(n->kid[0]->type) || (is_mask(n->kid[0]) && same_lanes(n, n->kid[0])));
        REQUIRE(c, n, same_numbers(n->kid[1]->type, n->type) && same_numbers(n->kid[2]->type, n->type));
        break;
    case N_CALL:
        REQUIRE(c, n, n->sym->kind == S_FUNC);
        for (int i = 0; i < n->nkids; i++)
            REQUIRE(c, n, same_lanes(n, n->kid[i]));
        break;
    default: /* arithmetic, lane by lane */
        REQUIRE(c, n, n->nkids > 0);
        for (int i = 0; i < n->nkids; i++)
            REQUIRE(c, n, same_numbers(n->kid[i]->type, n->kid[0]->type));
        REQUIRE(c, n, flags & F_REL ? is_mask(n) && same_lanes(n, n->kid[0]) : same_numbers(n->type, n->kid[0]->type));
    }
}

/* Is it of vectors, or does it make a scalar of one? */
static bool has_vectors(const Node *n) { return type_is_vector(n->type) || n->kind == N_HEAD || n->kind == N_ANY || n->kind == N_FOLD; }

static void check_binary(const Checker *c, const Node *n)
{
    const Node *a = n->kid[0], *b = n->kid[1];
    unsigned flags = kind_info[n->kind].flags;
    if (n->kind == N_LAND || n->kind == N_LOR) {
        REQUIRE(c, n, n->type == T_INT);
        return;
    }
    if (n->kind == N_SHL || n->kind == N_SHR) {
        REQUIRE(c, n, type_is_integer(a->type) && type_is_integer(b->type));
        REQUIRE(c, n, n->type == a->type);
        return;
    }
    REQUIRE(c, n, a->type == b->type);
    REQUIRE(c, n, n->type == (flags & F_REL ? T_INT : (Type)a->type));
    if (!(flags & F_REL)) /* C computes nothing in a type narrower than int */
        REQUIRE(c, n, type_promote(n->type) == (Type)n->type);
    if (n->kind == N_MOD || n->kind == N_AND || n->kind == N_OR || n->kind == N_XOR || n->kind == N_MIN || n->kind == N_MAX)
        REQUIRE(c, n, type_is_integer(n->type));
}

/* In kept functions names are printed as they are, so each must mean its symbol. */
static void check_name(const Checker *c, const Node *n)
{
    if (!c->is_kept || !n->sym || sym_is_text(n->sym))
        return;
    const Sym *named = *state(c, n->sym)->named;
    REQUIRE(c, n, !named || named == n->sym);
}

static void check_node_shape(const Checker *c, const Node *n)
{
    switch ((Kind)n->kind) {
    case N_INT: REQUIRE(c, n, type_is_integer(n->type)); break;
    case N_FLOAT: REQUIRE(c, n, type_is_float(n->type)); break;
    case N_VAR:
        REQUIRE(c, n, n->sym->kind == S_PARAM || n->sym->kind == S_LOCAL || n->sym->kind == S_LOOP);
        REQUIRE(c, n, (Type)n->type == n->sym->type);
        REQUIRE(c, n, state(c, n->sym)->visible);
        break;
    case N_LOAD:
        REQUIRE(c, n, n->sym->rank == n->nkids && n->nkids > 0);
        REQUIRE(c, n, !(c->form & TREE_LINEAR) || n->nkids == 1);
        for (int i = 0; i < n->nkids; i++)
            REQUIRE(c, n, type_is_integer(n->kid[i]->type));
        break;
    case N_REF: REQUIRE(c, n, !c->inlined || c->is_kept || n->sym->kind == S_LOCAL_ARRAY); break;
    case N_CALL: REQUIRE(c, n, n->sym->kind == S_FUNC && (n->sym->libm || !c->inlined || c->is_kept || c->is_hook)); break;
    case N_CAST: REQUIRE(c, n, n->type != n->kid[0]->type); break;
    case N_NEG: REQUIRE(c, n, n->type == n->kid[0]->type && type_promote(n->type) == (Type)n->type); break;
    case N_BNOT: REQUIRE(c, n, n->type == n->kid[0]->type && type_is_integer(n->type)); break;
    case N_LNOT: REQUIRE(c, n, n->type == T_INT); break;
    case N_SEL: REQUIRE(c, n, n->kid[1]->type == n->type && n->kid[2]->type == n->type); break;
    case N_BIT_REVERSE:
    case N_BYTE_REVERSE:
        REQUIRE(c, n, type_bits(n->type) >= 32);
        /* fall through */
    case N_POPCOUNT: REQUIRE(c, n, n->type == n->kid[0]->type && type_is_integer(n->type) && !type_is_signed(n->type)); break;
    case N_MUL_SHIFT: check_mul_shift(c, n); break;
    case N_LOW_INT: REQUIRE(c, n, n->type == T_INT && n->kid[0]->type == T_FLOAT); break;
    default: check_binary(c, n);
    }
}

static void check_expr(const Checker *c, const Node *n)
{
    REQUIRE(c, n, is_expr(n));
    REQUIRE(c, n, kind_info[n->kind].kids < 0 || kind_info[n->kind].kids == n->nkids);
    for (int i = 0; i < n->nkids; i++)
        check_expr(c, n->kid[i]);
    (has_vectors(n) ? check_vector : check_node_shape)(c, n);
    check_name(c, n);
}

static void check_stmt(const Checker *c, const Node *n);

/* The symbol that the name meant before. */
static const Sym *declare(const Checker *c, const Node *n)
{
    State *s = state(c, n->sym);
    REQUIRE(c, n, !s->visible);
    s->visible = true;
    if (!c->is_kept)
        return NULL;
    const Sym *before = *s->named;
    *s->named = n->sym;
    return before;
}

static void undeclare(const Checker *c, const Node *n, const Sym *before)
{
    State *s = state(c, n->sym);
    s->visible = false;
    if (c->is_kept)
        *s->named = before;
}

static void check_write(const Checker *c, const Node *n)
{
    REQUIRE(c, n, n->sym->rank > 0 || state(c, n->sym)->visible);
    REQUIRE(c, n, same_type(stmt_value(n)->type, n->sym->type));
    check_name(c, n);
    if (n->aux)
        REQUIRE(c, n, compound_operand(n) != NULL);
    for (int i = 0; i < n->nkids; i++)
        check_expr(c, n->kid[i]);
}

static void check_initial(const Checker *c, const Node *n)
{
    if (n->nkids) {
        check_expr(c, n->kid[0]);
        REQUIRE(c, n, same_type(n->kid[0]->type, n->sym->type));
    }
}

/* A block in a block that is no scope of its own, as none is among vectors. */
static bool is_transparent(const Checker *c, const Node *n) { return n->kind == N_BLOCK && c->form & TREE_VECTORS; }

/* A statement of a block. What the name that it declares meant before. */
static const Sym *check_item(const Checker *c, const Node *n)
{
    if (n->kind == N_DECL) {
        check_initial(c, n);
        return declare(c, n);
    }
    if (!is_transparent(c, n))
        check_stmt(c, n);
    for (int i = 0; is_transparent(c, n) && i < n->nkids; i++)
        check_item(c, n->kid[i]);
    return NULL;
}

/* Where the block ends. */
static void leave_item(const Checker *c, const Node *n, const Sym *before)
{
    if (n->kind == N_DECL)
        undeclare(c, n, before);
    for (int i = 0; is_transparent(c, n) && i < n->nkids; i++)
        leave_item(c, n->kid[i], NULL);
}

/* Declarations directly in a block end with it. `then`, if any, is checked before that. */
static void check_scope(const Checker *c, const Node *n, void (*then)(const Checker *c, const Node *loop), const Node *loop)
{
    const Sym **before = arena_new_array(c->ir->arena, const Sym *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        before[i] = check_item(c, n->kid[i]);
    if (then)
        then(c, loop);
    for (int i = n->nkids - 1; i >= 0; i--)
        leave_item(c, n->kid[i], before[i]);
}

static void check_for(const Checker *c, const Node *n)
{
    const Sym *before = NULL;
    check_expr(c, n->kid[0]);
    if (loop_declares(n))
        before = declare(c, n);
    REQUIRE(c, n, state(c, n->sym)->visible);
    check_name(c, n);
    REQUIRE(c, n, (Type)n->kid[0]->type == n->sym->type);
    REQUIRE(c, n, n->u.i != 0);
    REQUIRE(c, n, !state(c, n->sym)->looping);
    Checker inside = *c;
    inside.in_loop = true;
    state(c, n->sym)->looping = true;
    check_expr(c, n->kid[1]);
    check_stmt(&inside, n->kid[2]);
    state(c, n->sym)->looping = false;
    if (loop_declares(n))
        undeclare(c, n, before);
}

static void check_loop_parts(const Checker *c, const Node *n)
{
    Checker inside = *c;
    inside.in_loop = true;
    REQUIRE(c, n, n->kid[0]->kind == N_BLOCK && n->kid[2]->kind == N_BLOCK);
    check_expr(c, n->kid[1]);
    check_stmt(c, n->kid[2]);
    check_stmt(&inside, n->kid[3]);
}

/* They are not printed: a name may be hidden by another. */
static void check_named(const Checker *c, const Node *n)
{
    for (int i = 0; i < n->nkids; i++) {
        REQUIRE(c, n, n->kid[i]->kind == N_VAR || n->kid[i]->kind == N_REF);
        check_node_shape(c, n->kid[i]);
    }
}

/* Statements of vectors. */
static void check_vectors_stored(const Checker *c, const Node *n)
{
    REQUIRE(c, n, c->form & TREE_VECTORS);
    for (int i = 0; i < n->nkids; i++)
        check_expr(c, n->kid[i]);
    switch ((Kind)n->kind) {
    case N_VSTORE:
        REQUIRE(c, n, type_is_vector(n->kid[1]->type) && may_be_stored(n->kid[1]->type, n->sym->type));
        if (n->aux & VSTORE_NON_TEMPORAL)
            REQUIRE(c, n, n->nkids == 3 && n->kid[2]->type == T_INT && n->kid[0]->type == T_INDEX);
        else
            check_part(c, n, n->kid[1], 2);
        if (n->aux & VSTORE_SATURATES)
            REQUIRE(c, n, type_element(n->kid[1]->type) == T_SHORT && type_bits(n->sym->type) == 8);
        break;
    case N_SCATTER:
        REQUIRE(c, n, type_is_vector(n->kid[1]->type) && may_be_stored(n->kid[1]->type, n->sym->type));
        REQUIRE(c, n, n->kid[2]->type == T_INDEX || same_lanes(n->kid[1], n->kid[2]));
        check_part(c, n, n->kid[1], 3);
        break;
    case N_INTERLEAVE:
        REQUIRE(c, n, same_numbers(n->kid[1]->type, n->kid[2]->type) && may_be_stored(n->kid[1]->type, n->sym->type));
        check_part(c, n, n->kid[1], n->aux ? 1 + n->aux : 3);
        break;
    case N_ROW_STORE:
        REQUIRE(c, n, n->kid[1]->type == T_INDEX && (n->nkids == 5 || n->nkids == 6));
        for (int i = 2; i < n->nkids; i++)
            REQUIRE(c, n, same_numbers(n->kid[i]->type, n->kid[2]->type) && may_be_stored(n->kid[i]->type, n->sym->type));
        break;
    case N_TILE:
        REQUIRE(c, n, n->kid[0]->kind == N_REF);
        for (int i = 1; i < n->nkids; i++)
            REQUIRE(c, n, n->kid[i]->type == T_INDEX);
        break;
    default: REQUIRE(c, n, n->kid[0]->type == T_INDEX); /* N_PREFETCH */
    }
}

/* What only kept functions have. */
static void check_kept(const Checker *c, const Node *n)
{
    REQUIRE(c, n, c->is_kept);
    switch ((Kind)n->kind) {
    case N_LOOP: check_scope(c, n->kid[0], check_loop_parts, n); break;
    case N_SWITCH:
        check_expr(c, n->kid[0]);
        check_stmt(c, n->kid[1]);
        break;
    case N_BREAK:
    case N_CONTINUE: REQUIRE(c, n, c->in_loop); break;
    default: check_named(c, n); /* N_OPAQUE */
    }
}

static void check_stmt(const Checker *c, const Node *n)
{
    REQUIRE(c, n, !is_expr(n));
    REQUIRE(c, n, kind_info[n->kind].kids < 0 || kind_info[n->kind].kids == n->nkids);
    switch ((Kind)n->kind) {
    case N_BLOCK: check_scope(c, n, NULL, NULL); break;
    case N_DECL: /* alone in a branch or a loop: of no use, but no fault */
        check_initial(c, n);
        undeclare(c, n, declare(c, n));
        break;
    case N_ASSIGN:
        REQUIRE(c, n, n->sym->rank == 0 && !state(c, n->sym)->looping);
        REQUIRE(c, n, !(c->form & TREE_FIXED_PARAMETERS) || n->sym->kind != S_PARAM);
        check_write(c, n);
        break;
    case N_STORE:
        REQUIRE(c, n, n->sym->rank == n->nkids - 1);
        REQUIRE(c, n, !(c->form & TREE_LINEAR) || n->sym->rank == 1);
        check_write(c, n);
        break;
    case N_FOR: check_for(c, n); break;
    case N_IF:
        check_expr(c, n->kid[0]);
        for (int i = 1; i < n->nkids; i++)
            check_stmt(c, n->kid[i]);
        break;
    case N_CONTRACT:
    case N_LAUNCH:
        for (int i = 0; i < n->nkids; i++)
            check_expr(c, n->kid[i]);
        break;
    case N_EVAL:
        REQUIRE(c, n, !c->inlined || c->is_kept);
        REQUIRE(c, n, n->kid[0]->kind == N_CALL);
        check_expr(c, n->kid[0]);
        break;
    case N_RETURN:
        REQUIRE(c, n, !c->inlined || c->is_hook || c->is_kept);
        if (n->nkids)
            check_expr(c, n->kid[0]);
        break;
    case N_BARRIER: REQUIRE(c, n, c->is_kept || c->is_hook); break;
    case N_VSTORE:
    case N_SCATTER:
    case N_INTERLEAVE:
    case N_ROW_STORE:
    case N_TILE:
    case N_PREFETCH: check_vectors_stored(c, n); break;
    default: check_kept(c, n);
    }
}

/* Arrays need no declaration in the body: parameters and temporaries are reached from outside it. */
static Checker checker(const Ir *ir, const Func *f, unsigned form, const char *pass)
{
    Checker c = {.ir = ir, .pass = pass, .func = f->name, .form = form, .inlined = form & TREE_INLINED, .is_hook = form & TREE_PART};
    c.states = arena_alloc(ir->arena, sizeof *c.states);
    for (int i = 0; i < f->nparams; i++)
        state(&c, f->params[i])->visible = true;
    if (f->packed)
        state(&c, f->packed)->visible = true;
    return c;
}

static bool forget_declared(void *user, Node *n)
{
    if (n->kind == N_DECL || loop_declares(n))
        state(user, n->sym)->visible = false;
    return true;
}

static void see_outside(Checker *c, const Func *f)
{
    c->sees_outside = true;
    walk(&(Walker){.pre = forget_declared, .user = c}, f->body);
}

typedef struct Symbols {
    Arena *arena;
    Map seen;
    Vec all;
} Symbols;

static void collect_symbol(Symbols *s, Sym *sym)
{
    void **seen = map_at(s->arena, &s->seen, sym->id);
    if (!*seen)
        vec_push(s->arena, &s->all, sym);
    *seen = sym;
}

static bool collect_symbols(void *user, Node *n)
{
    if (n->sym)
        collect_symbol(user, n->sym);
    return true;
}

static int by_name(const void *a, const void *b) { return strcmp((*(Sym *const *)a)->name, (*(Sym *const *)b)->name); }

/* Gives the symbols of one name one place that says which of them it means. */
static void share_names(const Checker *c, const Func *f)
{
    Symbols s = {.arena = c->ir->arena};
    for (int i = 0; i < f->nparams; i++)
        collect_symbol(&s, f->params[i]);
    walk(&(Walker){.pre = collect_symbols, .user = &s}, f->body);
    if (s.all.count)
        qsort(s.all.items, (size_t)s.all.count, sizeof *s.all.items, by_name);
    const Sym **named = NULL;
    for (int i = 0; i < s.all.count; i++) {
        if (i == 0 || by_name(&s.all.items[i - 1], &s.all.items[i]) != 0)
            named = arena_new_array(s.arena, const Sym *, 1);
        state(c, s.all.items[i])->named = named;
    }
    for (int i = 0; i < f->nparams; i++)
        *state(c, f->params[i])->named = f->params[i];
}

void check_func(const Ir *ir, const Func *f, unsigned form, const char *pass)
{
    Checker c = checker(ir, f, form, pass);
    c.is_kept = f->is_kept;
    if (f->is_kept || c.is_hook)
        see_outside(&c, f);
    if (f->is_kept)
        share_names(&c, f);
    check_stmt(&c, f->body);
}
