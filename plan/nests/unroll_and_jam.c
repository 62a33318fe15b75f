/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between the rows has a symbol for each of them; loops, branches and scalars that do not are there once. */
#include "plan/nests/unroll_and_jam.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Row {
    Sym *of[MOST_ROWS];
} Row;

typedef struct Blocking {
    Ir *ir;
    Node *loop;
    int rows;
    bool *apart;  /* per symbol id: differs between the rows */
    bool *stored; /* arrays that the body stores to */
    bool grown;
    Map own;      /* by symbol id: Row, what the loop's variable and symbols that the body declares are called */
    Map early;    /* by symbol id: N_DECL of the body that bounds depend on */
    Vec before;
    Node *agrees;
} Blocking;

/* ---------------------------------------------------------------- what differs */

static bool reads_apart(void *user, Node *n)
{
    const Blocking *b = user;
    return (n->kind == N_VAR && b->apart[n->sym->id]) || (n->kind == N_LOAD && b->stored[n->sym->id]);
}

static bool is_apart(const Blocking *b, Node *e) { return any_node(e, reads_apart, (void *)b); }

static void set_apart(Blocking *b, const Sym *sym)
{
    b->grown = b->grown || !b->apart[sym->id];
    b->apart[sym->id] = true;
}

static bool set_all_apart(void *user, Node *n)
{
    if (n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_FOR)
        set_apart(user, n->sym);
    return !is_expr(n);
}

static bool spread(void *user, Node *n)
{
    Blocking *b = user;
    if ((n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids && is_apart(b, n->kid[0]))
        set_apart(b, n->sym);
    if (n->kind == N_IF && is_apart(b, n->kid[0]))
        walk(&(Walker){.pre = set_all_apart, .user = b}, n);
    return !is_expr(n);
}

static Row *add_names(Blocking *b, const Sym *sym)
{
    Row *all = arena_alloc(b->ir->arena, sizeof *all);
    *all = (Row){{NULL}};
    *map_at(b->ir->arena, &b->own, sym->id) = all;
    return all;
}

static bool note_body(void *user, Node *n)
{
    Blocking *b = user;
    if (n->kind == N_STORE)
        b->stored[n->sym->id] = true;
    if (n->kind == N_DECL || loop_declares(n))
        add_names(b, n->sym);
    return !is_expr(n);
}

static void find_apart(Blocking *b)
{
    b->apart = arena_new_array(b->ir->arena, bool, b->ir->nsyms + 1);
    b->stored = arena_new_array(b->ir->arena, bool, b->ir->nsyms + 1);
    b->apart[b->loop->sym->id] = true;
    walk(&(Walker){.pre = note_body, .user = b}, b->loop->kid[2]);
    do {
        b->grown = false;
        walk(&(Walker){.pre = spread, .user = b}, b->loop->kid[2]);
    } while (b->grown);
}

/* ---------------------------------------------------------------- names */

/* Of a row; what is the same in all has the first one's. */
static Sym *named(Blocking *b, Sym *old, int row)
{
    Row *all = map_get(&b->own, old->id);
    if (!b->apart[old->id])
        row = 0;
    if (!all->of[row]) {
        all->of[row] = sym_new(b->ir, old->kind, old->type, old->name, old->loc);
        all->of[row]->is_const = old->is_const;
        all->of[row]->spelling = old->spelling;
    }
    return all->of[row];
}

static void keep_name(Blocking *b, Sym *sym) { add_names(b, sym)->of[0] = sym; }

typedef struct Renaming {
    Blocking *b;
    int row;
} Renaming;

static Node *rename_symbol(void *user, Node *n)
{
    const Renaming *r = user;
    const bool scalar = n->kind == N_VAR || n->kind == N_ASSIGN || n->kind == N_DECL || n->kind == N_FOR;
    if (!scalar || !map_get(&r->b->own, n->sym->id))
        return n;
    return with_sym_kids(r->b->ir, n, named(r->b, n->sym, r->row), n->nkids, n->kid);
}

static Node *in_row(Blocking *b, Node *n, int row)
{
    Renaming r = {b, row};
    return rewrite(&(Rewriter){.ir = b->ir, .post = rename_symbol, .user = &r}, n);
}

/* ---------------------------------------------------------------- where bounds agree */

static bool is_trap(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_DIV || n->kind == N_MOD;
}

static bool may_trap(Node *e) { return any_node(e, is_trap, NULL); }

static Node *declaration(const Blocking *b, const Sym *sym)
{
    Node *body = b->loop->kid[2];
    for (int i = 0; body->kind == N_BLOCK && i < body->nkids; i++)
        if (body->kid[i]->kind == N_DECL && body->kid[i]->sym == sym && body->kid[i]->nkids)
            return body->kid[i];
    return NULL;
}

static bool assigns_early(void *user, Node *n)
{
    const Blocking *b = user;
    return n->kind == N_ASSIGN && map_get(&b->early, n->sym->id);
}

typedef struct Early {
    Blocking *b;
    bool fails;
} Early;

static bool note_early(void *user, Node *n);

/* What the expression depends on, of the body's own constants. */
static bool declare_early(Blocking *b, Node *e)
{
    Early early = {b, may_trap(e)};
    walk(&(Walker){.pre = note_early, .user = &early}, e);
    return !early.fails;
}

static bool note_early(void *user, Node *n)
{
    Early *early = user;
    Blocking *b = early->b;
    if (n->kind != N_VAR || early->fails || n->sym == b->loop->sym || map_get(&b->early, n->sym->id))
        return !early->fails;
    Node *decl = declaration(b, n->sym);
    if (!decl) {
        early->fails = map_get(&b->own, n->sym->id) != NULL;
        return true;
    }
    early->fails = !declare_early(b, decl->kid[0]);
    *map_at(b->ir->arena, &b->early, n->sym->id) = decl;
    keep_name(b, n->sym);
    vec_push(b->ir->arena, &b->before, decl);
    return true;
}

/* How many of its operands grow or fall with the row: minima and maxima of one such operand are the same from the first row to the last
 * where they are the same in these two. */
static int growing(const Blocking *b, Node *e)
{
    Poly *coef, *rest;
    const Node *decl = e->kind == N_VAR ? map_get(&b->early, e->sym->id) : NULL;
    if (decl)
        return growing(b, decl->kid[0]);
    if (!is_apart(b, e))
        return 0;
    if (e->kind == N_MIN || e->kind == N_MAX)
        return growing(b, e->kid[0]) + growing(b, e->kid[1]);
    if (e->kind == N_CAST && type_is_integer(e->kid[0]->type) && type_bits(e->type) >= type_bits(e->kid[0]->type))
        return growing(b, e->kid[0]);
    return poly_affine(b->ir, poly_of(b->ir, e), &b->loop->sym, 1, &coef, &rest) && !is_apart(b, poly_node(b->ir, rest)) ? 1 : 2;
}

/* Does it grow or fall with every row, as the bound of a triangle does? */
static bool never_agrees(const Blocking *b, Node *e)
{
    Poly *coef, *rest;
    int64_t by;
    return poly_affine(b->ir, poly_of(b->ir, e), &b->loop->sym, 1, &coef, &rest) && poly_const(coef, &by) && by != 0 &&
           !is_apart(b, poly_node(b->ir, rest));
}

static void agree(Blocking *b, Node *e, int row)
{
    Node *same = mk_binary(b->ir, N_EQ, in_row(b, e, row), in_row(b, e, 0));
    for (Node *said = b->agrees; said->kind == N_LAND; said = said->kid[0])
        if (said->kid[1] == same)
            return;
    b->agrees = mk_binary(b->ir, N_LAND, b->agrees, same);
}

static bool compare(Blocking *b, Node *e)
{
    if (!is_apart(b, e))
        return true;
    while (e->kind == N_CAST)
        e = e->kid[0];
    if (never_agrees(b, e) || !declare_early(b, e))
        return false;
    for (int row = growing(b, e) == 1 ? b->rows - 1 : 1; row < b->rows; row++)
        agree(b, e, row);
    return true;
}

/* Of loops that all rows have together. */
static bool compare_bounds(Blocking *b, Node *n)
{
    Bounds bounds;
    if (is_expr(n) || (n->kind == N_IF && is_apart(b, n->kid[0])))
        return true;
    if (n->kind == N_FOR && (!for_bounds(n, &bounds) || !loop_declares(n) || !compare(b, bounds.lo) || !compare(b, bounds.hi)))
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!compare_bounds(b, n->kid[i]))
            return false;
    return true;
}

static bool never_assigned_early(const Blocking *b) { return !any_stmt(b->loop->kid[2], assigns_early, (void *)b); }

/* Has somebody used the name that a symbol has in the row? */
static bool is_named(const Blocking *b, const Sym *sym, int row)
{
    const Row *all = map_get(&b->own, sym->id);
    return all && all->of[row];
}

/* The rows' own numbers and what the condition depends on, as far as it is used; what others are made of comes first. */
static Node *what_comes_before(Blocking *b)
{
    Ir *ir = b->ir;
    Sym *var = b->loop->sym;
    Vec out = {0}, last_first = {0};
    for (int i = b->before.count - 1; i >= 0; i--) {
        Node *decl = b->before.items[i];
        for (int row = b->rows - 1; row >= 0; row--)
            if (is_named(b, decl->sym, row))
                vec_push(ir->arena, &last_first, in_row(b, decl, row));
    }
    for (int row = 1; row < b->rows; row++) {
        if (!is_named(b, var, row))
            continue;
        Node *number = mk_cast(ir, var->type, ix_add(ir, widen(ir, mk_var(ir, var)), ix_int(ir, row)));
        Sym *sym = named(b, var, row);
        sym->kind = S_LOCAL;
        sym->is_const = true;
        vec_push(ir->arena, &out, mk_decl(ir, sym, number, b->loop->loc));
    }
    for (int i = last_first.count - 1; i >= 0; i--)
        vec_push(ir->arena, &out, last_first.items[i]);
    return mk_block(ir, out.count, (Node **)out.items, b->loop->loc);
}

/* ---------------------------------------------------------------- bodies */

static bool put_together(Blocking *b, Node *n, Vec *out);

static void put_rows(Blocking *b, Node *n, int rows, Vec *out)
{
    for (int row = 0; row < rows; row++)
        vec_push(b->ir->arena, out, in_row(b, n, row));
}

static Node *block_together(Blocking *b, Node *n)
{
    Vec body = {0};
    return put_together(b, n, &body) ? mk_block(b->ir, body.count, (Node **)body.items, n->loc) : NULL;
}

static bool loop_together(Blocking *b, Node *n, Vec *out)
{
    Sym *var = named(b, n->sym, 0);
    Node *kids[] = {in_row(b, n->kid[0], 0), in_row(b, n->kid[1], 0), block_together(b, n->kid[2])};
    if (!kids[2])
        return false;
    vec_push(b->ir->arena, out, with_sym_kids(b->ir, n, var, 3, kids));
    return true;
}

static bool branch_together(Blocking *b, Node *n, Vec *out)
{
    Node *kids[3] = {in_row(b, n->kid[0], 0), NULL, NULL};
    for (int i = 1; i < n->nkids; i++)
        if (!(kids[i] = block_together(b, n->kid[i])))
            return false;
    vec_push(b->ir->arena, out, with_kids(b->ir, n, n->nkids, kids));
    return true;
}

static bool put_together(Blocking *b, Node *n, Vec *out)
{
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (!put_together(b, n->kid[i], out))
                return false;
        return true;
    case N_DECL:
        if (n->sym->rank)
            return false;
        if (!map_get(&b->early, n->sym->id))
            put_rows(b, n, b->apart[n->sym->id] ? b->rows : 1, out);
        return true;
    case N_ASSIGN: put_rows(b, n, b->apart[n->sym->id] ? b->rows : 1, out); return true;
    case N_STORE: put_rows(b, n, b->rows, out); return true;
    case N_FOR: return loop_together(b, n, out);
    case N_IF:
        if (!is_apart(b, n->kid[0]))
            return branch_together(b, n, out);
        put_rows(b, n, b->rows, out);
        return true;
    default: return false;
    }
}

/* Without what is declared before it. */
static Node *rest_of_body(const Blocking *b)
{
    Node *body = b->loop->kid[2];
    Vec out = {0};
    if (body->kind != N_BLOCK)
        return body;
    for (int i = 0; i < body->nkids; i++)
        if (body->kid[i]->kind != N_DECL || !map_get(&b->early, body->kid[i]->sym->id))
            vec_push(b->ir->arena, &out, body->kid[i]);
    return mk_block(b->ir, out.count, (Node **)out.items, body->loc);
}

bool unroll_and_jam(Ir *ir, Node *loop, int rows, RowBlock *block)
{
    Blocking b = {.ir = ir, .loop = loop, .rows = rows};
    Bounds bounds;
    if (!for_bounds(loop, &bounds) || bounds.step != 1 || bounds.cmp != N_LT)
        return false;
    find_apart(&b);
    keep_name(&b, loop->sym);
    Node *left = ix_sub(ir, widen(ir, bounds.hi), widen(ir, mk_var(ir, loop->sym)));
    b.agrees = mk_binary(ir, N_GE, left, ix_int(ir, rows));
    if (!compare_bounds(&b, loop->kid[2]) || !never_assigned_early(&b))
        return false;
    block->agrees = b.agrees;
    block->together = block_together(&b, loop->kid[2]);
    block->before = what_comes_before(&b);
    block->one = rest_of_body(&b);
    return block->together != NULL;
}

bool comes_in_blocks(Ir *ir, Node *loop, int rows, const RowBlock *block)
{
    const Node *count = trip_count(ir, loop);
    Bounds b;
    for_bounds(loop, &b);
    Node *left = ix_sub(ir, widen(ir, b.hi), widen(ir, mk_var(ir, loop->sym)));
    return count && count->kind == N_INT && count->u.i > 0 && count->u.i % rows == 0 &&
           block->agrees == mk_binary(ir, N_GE, left, ix_int(ir, rows));
}

/* Of a loop whose iterations come in blocks: by as many at a time. */
static Node *rows_without_rest(Ir *ir, Node *loop, int rows, const RowBlock *block)
{
    Node *body[] = {block->before, block->together};
    Node *strided = mk_for(ir, loop->sym, loop->kid[0], loop->kid[1], rows, mk_block(ir, 2, body, loop->loc), true, loop->loc);
    strided->aux = (uint16_t)(loop->aux & ~FOR_ROWS);
    return strided;
}

Node *rows_in_blocks(Ir *ir, Node *loop, int rows, const RowBlock *block)
{
    if (comes_in_blocks(ir, loop, rows, block))
        return rows_without_rest(ir, loop, rows, block);
    Sym *next = sym_new(ir, S_LOCAL, T_INDEX, "next", loop->loc);
    Node *var = widen(ir, mk_var(ir, loop->sym)), *done = mk_assign(ir, next, ix_add(ir, var, ix_int(ir, rows)), N_NONE, loop->loc);
    Node *many[] = {block->together, done};
    Node *branch = mk_if(ir, block->agrees, mk_block(ir, 2, many, loop->loc), block->one, loop->loc);
    Vec out = {0};
    for (int i = 0; i < block->before->nkids; i++)
        vec_push(ir->arena, &out, block->before->kid[i]);
    vec_push(ir->arena, &out, branch);
    Node *body = mk_block(ir, out.count, (Node **)out.items, loop->loc);
    Node *kids[] = {loop->kid[0], loop->kid[1], mk_if(ir, mk_binary(ir, N_GE, var, mk_var(ir, next)), body, NULL, loop->loc)};
    Node *all[] = {mk_decl(ir, next, widen(ir, loop->kid[0]), loop->loc), with_kids(ir, loop, 3, kids)};
    return mk_block(ir, 2, all, loop->loc);
}
