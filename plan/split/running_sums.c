/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop is taken apart into pieces; those whose sums over earlier blocks are contractions are cut. */
#include "plan/split/running_sums.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/contract/map.h"
#include "plan/fitted.h"
#include "plan/split/running_piece.h"

/* Iterations of a block, and of those that it consists of; rows of a panel. */
enum { BLOCK = 64, FINE_BLOCK = 8, PANEL_ROWS = 64 };

typedef struct Cutting {
    const NestContext *context;
    const PlanOptions *opt;
    Plan *plan;
    Vec *rest;
} Cutting;

/* ---------------------------------------------------------------- what a block does */

/* Iterations of the root before those whose numbers are the block's turns, these, those behind; all of them. */
typedef enum Part { PART_EARLIER, PART_BLOCK, PART_LATER, PART_ALL } Part;

/* Turns of a block, and of the block around it: the whole of turns if that is NULL. */
typedef struct Block {
    const struct Block *outer;
    Node *lo, *hi;
} Block;

typedef struct Span {
    Node *lo, *hi;
} Span;

/* The piece's turns of the block in a part of the root; false: it has none. */
static bool turns_in(const Running *r, const Piece *p, Part part, const Block *block, Span *out)
{
    const Counted *turn = turn_loop(r, p);
    *out = (Span){block->lo, block->hi};
    if (p->turn < 0)
        return part == PART_BLOCK || part == PART_ALL;
    if (part == PART_ALL)
        return true;
    const bool lo_moves = uses_sym(turn->lo, r->root.var), hi_moves = uses_sym(turn->hi, r->root.var);
    if (part == PART_BLOCK)
        *out = (Span){lo_moves ? turn->lo : block->lo, hi_moves ? turn->hi : block->hi};
    return !(part == PART_EARLIER && hi_moves) && !(part == PART_LATER && lo_moves);
}

static Span root_in(const Running *r, Part part, const Block *block)
{
    switch (part) {
    case PART_EARLIER: return (Span){r->root.lo, block->lo};
    case PART_BLOCK: return (Span){block->lo, block->hi};
    case PART_LATER: return (Span){block->hi, r->root.hi};
    default: return (Span){r->root.lo, r->root.hi};
    }
}

/* The sum over what other blocks have done, in the block around this one; or of this one. */
static Node *sum_over(const Running *r, const Piece *p, const Block *block, bool earlier)
{
    Ir *ir = r->context->ir;
    const Counted *sum = &p->sum_loop;
    const Block *outer = block->outer;
    Node *lo, *hi;
    if (turn_loop(r, p)->down) {
        lo = earlier ? block->hi : sum->lo;
        hi = !earlier ? block->hi : outer ? outer->hi : sum->hi;
    } else {
        lo = !earlier ? block->lo : outer ? outer->lo : sum->lo;
        hi = earlier ? block->lo : sum->hi;
    }
    Node *loop = loop_over(ir, sum, lo, hi, p->sum->kid[2]);
    loop->aux = (uint16_t)(loop->aux | (!earlier && outer ? FOR_FEW : 0));
    return loop;
}

/* The innermost loop's statements. */
static Node *leaf_of(const Running *r, const Piece *p, const Block *block, bool earlier)
{
    Ir *ir = r->context->ir;
    Vec out = {0};
    const bool begins = earlier && !block->outer;
    for (int i = 0; begins && i < p->before.count; i++)
        vec_push(ir->arena, &out, p->before.items[i]);
    if (!begins && p->take_over)
        vec_push(ir->arena, &out, p->take_over);
    if (p->sum)
        vec_push(ir->arena, &out, sum_over(r, p, block, earlier));
    if (earlier && p->hand_over)
        vec_push(ir->arena, &out, p->hand_over);
    for (int i = 0; !earlier && i < p->after.count; i++)
        vec_push(ir->arena, &out, p->after.items[i]);
    return mk_block(ir, out.count, (Node **)out.items, r->source->loc);
}

/* The piece's loops inside the root around `body`; `at`, if it is not negative, from `own->lo` to `own->hi`. */
static Node *inner_loops(const Running *r, const Piece *p, const Span *turns, int at, const Span *own, Node *body)
{
    for (int l = p->nloops - 1; l >= 0; l--) {
        const Counted *c = &p->loop[l];
        const Span whole = {c->lo, c->hi}, *range = l == p->turn ? turns : l == at ? own : &whole;
        body = loop_over(r->context->ir, c, range->lo, range->hi, body);
    }
    return body;
}

typedef struct Fresh {
    Ir *ir;
    Vec syms;
} Fresh;

static bool note_declared(void *user, Node *n)
{
    Fresh *f = user;
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux & FOR_DECLARES))
        vec_push(f->ir->arena, &f->syms, n->sym);
    return !is_expr(n);
}

/* The statement with loops and scalars of its own; loops' variables are pushed to `loops` unless it is NULL. */
static Node *fresh(Ir *ir, Node *n, Vec *loops)
{
    Fresh f = {.ir = ir};
    walk(&(Walker){.pre = note_declared, .user = &f}, n);
    for (int i = 0; i < f.syms.count; i++) {
        Sym *old = f.syms.items[i], *sym = sym_new(ir, old->kind, old->type, old->name, old->loc);
        n = rename_sym(ir, n, old, sym);
        if (loops && old->kind == S_LOOP)
            vec_push(ir->arena, loops, sym);
    }
    return n;
}

/* A loop whose one bound moves with the root, in the part of the root that is the block's: below or above it the block is whole. */
static bool find_triangle(const Running *r, const Piece *p, Part part, const Block *block, int *at, Span out[2])
{
    Ir *ir = r->context->ir;
    for (*at = 0; part == PART_BLOCK && *at < p->nloops; ++*at) {
        const Counted *c = &p->loop[*at];
        int64_t by;
        if (*at == p->turn)
            continue;
        if (follows(ir, c->lo, r->root.var, &by) && (by == 0 || by == 1) && !depends_on_loops(r, p, c->hi) && is_beyond(ir, c->hi, r->hi)) {
            out[0] = (Span){c->lo, block->hi};
            out[1] = (Span){block->hi, c->hi};
            return true;
        }
        if (follows(ir, c->hi, r->root.var, &by) && (by == 0 || by == 1) && !depends_on_loops(r, p, c->lo) && is_beyond(ir, r->lo, c->lo)) {
            out[0] = (Span){block->lo, c->hi};
            out[1] = (Span){c->lo, block->lo};
            return true;
        }
    }
    return false;
}

/* Nests of the piece's sums over earlier blocks. */
static void earlier_sums(const Running *r, const Piece *p, const Block *block, Vec *out)
{
    Ir *ir = r->context->ir;
    for (Part part = r->split ? PART_EARLIER : PART_ALL; part <= (r->split ? PART_LATER : PART_ALL); part++) {
        Span turns, own[2];
        int at = -1;
        if (!turns_in(r, p, part, block, &turns))
            continue;
        const int nests = find_triangle(r, p, part, block, &at, own) ? 2 : 1;
        const Span root = root_in(r, part, block);
        for (int i = 0; i < nests; i++) {
            Node *inner = inner_loops(r, p, &turns, nests == 2 ? at : -1, &own[i], leaf_of(r, p, block, true));
            vec_push(ir->arena, out, fresh(ir, loop_over(ir, &r->root, root.lo, root.hi, inner), NULL));
        }
    }
}

/* Are turns all that each iteration of the root's part goes through? If these iterations are independent, they are lanes: there is no
 * other loop than the sum, which is short. */
static bool turns_inside(const Running *r, Part part, const Block *block)
{
    bool inside = true;
    for (int i = 0; i < r->npieces; i++) {
        Span turns;
        if (turns_in(r, &r->piece[i], part, block, &turns))
            inside = inside && r->piece[i].nloops == 1 && r->piece[i].turn == 0;
    }
    return inside;
}

/* Where independent rows are lanes, several of them are turned round, so that what lanes have side by side lies side by side:
 *
 *     for (s = 0; s < (N - i0 + 63) / 64; s++) {
 *         for (r = 0; r < 64; r++) for (j = b; j < b + 8; j++) panel[s][j - b][r] = A[i0 + 64 * s + r][j];
 *         ... of panel ...
 *         for (r = 0; r < 64; r++) for (j = b; j < b + 8; j++) A[i0 + 64 * s + r][j] = panel[s][j - b][r];
 *     } */
typedef struct Panel {
    const Running *r;
    const Piece *p;
    const Block *block;
    Sym *array, *tile, *row;
    Node *mine, *earlier; /* the row's elements at its turn, and at an earlier one */
    Node *first;          /* of the rows */
    bool fits;
} Panel;

static Node *panel_at(const Panel *l, const Sym *turn)
{
    Ir *ir = l->r->context->ir;
    Node *sub[] = {mk_var(ir, l->tile), mk_binary(ir, N_SUB, mk_var(ir, (Sym *)turn), l->block->lo), mk_var(ir, l->row)};
    return mk_load(ir, l->array, 3, sub);
}

/* Does the load differ from all of the row's elements in the block? Turns, which the sum goes through as well, are no rows of this part. */
static bool is_of_block(const Panel *l, const Node *load)
{
    bool differs = false;
    for (int d = 0; d < load->nkids; d++) {
        const Node *own = l->mine->kid[d], *other = load->kid[d];
        differs = differs || (own->kind == N_VAR && own->sym == l->r->root.var && other->kind == N_VAR &&
                              (other->sym == turn_loop(l->r, l->p)->var || other->sym == l->p->sum_loop.var));
    }
    return differs && l->r->split;
}

static Node *load_from_panel(void *user, Node *n)
{
    Panel *l = user;
    if (n->kind != N_LOAD || n->sym != l->mine->sym)
        return n;
    if (n == l->mine)
        return panel_at(l, turn_loop(l->r, l->p)->var);
    if (n == l->earlier)
        return panel_at(l, l->p->sum_loop.var);
    l->fits = l->fits && is_of_block(l, n);
    return n;
}

static Node *in_panel(Panel *l, Node *n) { return rewrite(&(Rewriter){.ir = l->r->context->ir, .post = load_from_panel, .user = l}, n); }

/* for (row = 0; row < the rows that there are; row++) body, the root's variable being first + row. */
static Node *over_rows(const Panel *l, const Span *rows, Node *body)
{
    Ir *ir = l->r->context->ir;
    const Sym *root = l->r->root.var;
    Node *left = mk_binary(ir, N_SUB, rows->hi, l->first), *count = mk_binary(ir, N_MIN, mk_int(ir, root->type, PANEL_ROWS), left);
    const Counted loop = {.var = l->row, .loc = l->r->root.loc};
    body = substitute(ir, body, (Sym *)root, mk_binary(ir, N_ADD, l->first, mk_var(ir, l->row)));
    return loop_over(ir, &loop, mk_int(ir, root->type, 0), count, body);
}

static Node *panel_stmt(const Panel *l, Node *load, Node *value)
{
    return mk_store(l->r->context->ir, load->sym, load->nkids, load->kid, value, N_NONE, l->r->root.loc);
}

static bool search_other(void *user, Node *n)
{
    bool *only = user;
    *only = *only && (n->kind != N_VAR || n->sym->kind == S_PARAM);
    return *only;
}

static bool of_parameters(Node *e)
{
    bool only = true;
    walk(&(Walker){.pre = search_other, .user = &only}, e);
    return only;
}

/* Are there enough turns, and may the variable of blocks go beyond them? */
static Node *blocks_pay(const Running *r, const Block *whole)
{
    Ir *ir = r->context->ir;
    const Type type = r->root.var->type;
    const bool rows = !r->split && turns_inside(r, PART_ALL, whole);
    Node *many = mk_binary(ir, N_GE, r->hi,
                           plus(ir, r->lo,
                                rows       ? LEAST_ITERATIONS_OF_ROWS
                                : r->split ? LEAST_ITERATIONS_SPLIT
                                           : LEAST_ITERATIONS));
    Node *pays = mk_binary(ir, N_LAND, many, mk_binary(ir, N_LE, r->hi, mk_int(ir, type, type_max(type) - BLOCK)));
    if (!rows)
        return pays;
    pays = mk_binary(ir, N_LAND, mk_binary(ir, N_LE, r->root.hi, mk_int(ir, type, type_max(type) - PANEL_ROWS)), pays);
    return mk_binary(ir, N_LAND, mk_binary(ir, N_GE, r->root.hi, plus(ir, r->root.lo, LEAST_ROWS)), pays);
}

/* The rest of the only piece in a part by panels; NULL: it does more than sums and what is done with them. */
static Node *panels_of(const Cutting *cut, const Running *r, const Piece *p, const Block *block, const Span *turns, const Span *rows)
{
    Ir *ir = r->context->ir;
    const Counted *turn = turn_loop(r, p);
    const Type type = r->root.var->type;
    Node *store = p->after.count == 1 ? p->after.items[0] : NULL;
    if (uses_sym(turns->lo, r->root.var) || uses_sym(turns->hi, r->root.var)) /* rows have turns of their own */
        return NULL;
    if (!p->sum || !store || store->kind != N_STORE || mk_load(ir, store->sym, store->sym->rank, store->kid) != p->element ||
        !uses_sym(p->element, r->root.var) || !of_parameters(r->root.lo) || !of_parameters(r->root.hi))
        return NULL;
    Node *all = ix_sub(ir, widen(ir, r->root.hi), widen(ir, r->root.lo)), *round = ix_int(ir, PANEL_ROWS - 1);
    const Block whole = {NULL, r->lo, r->hi};
    Node *panels = mk_select(ir, blocks_pay(r, &whole), ix_div(ir, ix_add(ir, all, round), ix_int(ir, PANEL_ROWS)), ix_int(ir, 0));
    Node *extent[] = {panels, ix_int(ir, FINE_BLOCK), ix_int(ir, PANEL_ROWS)};
    Panel l = {.r = r, .p = p, .block = block, .mine = p->element, .fits = true};
    l.array = sym_new_array(ir, S_LOCAL_ARRAY, p->element->sym->type, "panel", 3, extent, r->root.loc);
    l.row = sym_new(ir, S_LOOP, type, "row", r->root.loc);
    l.tile = sym_new(ir, S_LOOP, type, "tile", r->root.loc);
    Node *tile = mk_var(ir, l.tile), *by = mk_int(ir, type, PANEL_ROWS);
    l.first = mk_binary(ir, N_ADD, rows->lo, mk_binary(ir, N_MUL, tile, by));
    l.earlier = substitute(ir, p->element, turn->var, mk_var(ir, p->sum_loop.var));
    Node *mine = panel_at(&l, turn->var), *sum = sum_over(r, p, block, false);
    Node *leaf[] = {mk_decl(ir, p->acc, mine, p->sum->loc), in_panel(&l, sum), panel_stmt(&l, mine, in_panel(&l, stmt_value(store)))};
    if (!l.fits)
        return NULL;
    Node *fill = loop_over(ir, turn, turns->lo, turns->hi, panel_stmt(&l, mine, p->element));
    Node *empty = loop_over(ir, turn, turns->lo, turns->hi, panel_stmt(&l, p->element, mine));
    Node *body[] = {mk_decl(ir, l.array, NULL, r->root.loc), over_rows(&l, rows, fill),
                    loop_over(ir, turn, turns->lo, turns->hi, over_rows(&l, rows, mk_block(ir, 3, leaf, r->root.loc))),
                    over_rows(&l, rows, empty)};
    for (int i = 1; i < 4; i++)
        body[i] = fresh(ir, body[i], cut->rest);
    vec_push(ir->arena, cut->rest, l.tile);
    Node *left = mk_binary(ir, N_SUB, rows->hi, rows->lo), *count = mk_binary(ir, N_DIV, plus(ir, left, PANEL_ROWS - 1), by);
    return mk_for(ir, l.tile, mk_int(ir, type, 0), mk_binary(ir, N_LT, tile, count), 1, mk_block(ir, 4, body, r->root.loc), true,
                  r->root.loc);
}

/* All else that the pieces do in their turns of the block in a part of the root, in the spec's order; NULL: there is nothing. */
static Node *rest_in(const Cutting *cut, const Running *r, Part part, const Block *block)
{
    Ir *ir = r->context->ir;
    const Piece *only = NULL;
    const Span root = root_in(r, part, block);
    Vec body = {0};
    Span turns;
    for (int i = 0; i < r->npieces; i++) {
        const Piece *p = &r->piece[i];
        if (!turns_in(r, p, part, block, &turns))
            continue;
        only = p;
        vec_push(ir->arena, &body, inner_loops(r, p, &turns, -1, NULL, leaf_of(r, p, block, false)));
    }
    if (!body.count)
        return NULL;
    Node *inner = mk_block(ir, body.count, (Node **)body.items, r->source->loc);
    Node *loop = fresh(ir, loop_over(ir, &r->root, root.lo, root.hi, inner), cut->rest);
    if (!turns_inside(r, part, block) || !loop_is_parallel(ir, loop))
        return loop;
    const bool alone = body.count == 1 && block->outer && turns_in(r, only, part, block, &turns);
    Node *panels = alone ? panels_of(cut, r, only, block, &turns, &root) : NULL;
    loop->aux |= FOR_VECTOR;
    return panels ? panels : loop;
}

static void rest_of(const Cutting *cut, const Running *r, const Block *block, Vec *out)
{
    for (Part part = r->split ? PART_EARLIER : PART_ALL; part <= (r->split ? PART_LATER : PART_ALL); part++) {
        Node *rest = rest_in(cut, r, part, block);
        if (rest)
            vec_push(r->context->ir->arena, out, rest);
    }
}

/* ---------------------------------------------------------------- blocks */

static bool is_product(const Cutting *cut, Node *nest)
{
    const Contraction *c = map_contraction(cut->context, cut->opt, nest);
    return c && has_rows_and_columns(c);
}

/* The variable of the loop over blocks: their first turn, or, running down, what is one above it. */
static Node *block_variable(const Running *r)
{
    Sym *sym = sym_new(r->context->ir, S_LOOP, r->root.var->type, "block", r->source->loc);
    sym->has_range = true;
    sym->lo = r->lo->u.i;
    sym->hi = type_max(sym->type) - BLOCK;
    return mk_var(r->context->ir, sym);
}

static Block block_of(const Running *r, const Block *around, Node *at, int size)
{
    Ir *ir = r->context->ir;
    const Block *outer = around->lo != r->lo || around->hi != r->hi ? around : NULL;
    if (turn_loop(r, &r->piece[0])->down)
        return (Block){outer, mk_binary(ir, N_MAX, plus(ir, at, -size), around->lo), at};
    return (Block){outer, at, mk_binary(ir, N_MIN, plus(ir, at, size), around->hi)};
}

/* The loop over blocks of `size` turns of `around`; NULL: no sum over earlier blocks is a product. */
static Node *blocks_of(const Cutting *cut, const Running *r, const Block *around, int size)
{
    Ir *ir = r->context->ir;
    Node *at = block_variable(r);
    const Block block = block_of(r, around, at, size);
    Vec body = {0};
    for (int i = 0; i < r->npieces; i++)
        if (r->piece[i].sum)
            earlier_sums(r, &r->piece[i], &block, &body);
    bool pays = false;
    for (int i = 0; i < body.count; i++)
        pays = pays || is_product(cut, body.items[i]);
    if (!pays)
        return NULL;
    Node *finer = size > FINE_BLOCK ? blocks_of(cut, r, &block, FINE_BLOCK) : NULL;
    if (finer)
        vec_push(ir->arena, &body, finer);
    else
        rest_of(cut, r, &block, &body);
    Node *all = mk_block(ir, body.count, (Node **)body.items, r->source->loc);
    if (turn_loop(r, &r->piece[0])->down)
        return mk_for(ir, at->sym, around->hi, mk_binary(ir, N_GT, at, around->lo), -size, all, true, r->source->loc);
    return mk_for(ir, at->sym, around->lo, mk_binary(ir, N_LT, at, around->hi), size, all, true, r->source->loc);
}

/* Does some sum of the piece over earlier blocks make a product? */
static bool piece_pays(const Cutting *cut, const Running *r, const Piece *p)
{
    const Block whole = {NULL, r->lo, r->hi}, block = block_of(r, &whole, block_variable(r), BLOCK);
    Vec nests = {0};
    bool pays = false;
    earlier_sums(r, p, &block, &nests);
    for (int i = 0; i < nests.count; i++)
        pays = pays || is_product(cut, nests.items[i]);
    return pays;
}

/* Fewer turns than pay for blocks do not pay for vectorized sums either, which wait for what the turn before has stored. */
static Node *with_few(void *user, Node *n)
{
    const Running *r = user;
    bool is_sum = false;
    for (int i = 0; i < r->npieces; i++)
        is_sum = is_sum || (n->kind == N_FOR && r->piece[i].sum && n->sym == r->piece[i].sum_loop.var);
    if (!is_sum)
        return n;
    Node *few = mk_for(r->context->ir, n->sym, n->kid[0], n->kid[1], n->u.i, n->kid[2], true, n->loc);
    few->aux = (uint16_t)(n->aux | FOR_FEW);
    return few;
}

/* The root by blocks; NULL: it is left as it is. */
static Node *cut_loop(const Cutting *cut, Node *loop)
{
    Ir *ir = cut->context->ir;
    Running r;
    if (!find_running(cut->context, loop, BLOCK, &r))
        return NULL;
    for (int i = 0; i < r.npieces; i++)
        if (r.piece[i].sum && !piece_pays(cut, &r, &r.piece[i]))
            leave_sum(&r.piece[i]);
    const char *why;
    if (!has_sums(&r))
        return NULL;
    if (!blocks_keep_order(&r, &why)) {
        add_remark(ir, &cut->plan->remarks, loop->loc, REMARK_MISSED, false,
                   arena_printf(ir->arena, "its sums are not cut into blocks of iterations: %s", why));
        return NULL;
    }
    const Block whole = {NULL, r.lo, r.hi};
    Node *blocks = blocks_of(cut, &r, &whole, BLOCK);
    if (!blocks)
        return NULL;
    add_remark(ir, &cut->plan->remarks, loop->loc, REMARK_OPTIMIZED, false,
               arena_printf(ir->arena, "loop %s is blocked by %d: its sums over earlier blocks are GEMMs",
                            turn_loop(&r, &r.piece[0])->var->name, BLOCK));
    Node *other = r.split ? rewrite(&(Rewriter){.ir = ir, .post = with_few, .user = &r}, loop) : loop;
    return mk_if(ir, blocks_pay(&r, &whole), blocks, other, loop->loc);
}

static Node *cut_in(void *user, Node *n)
{
    const Cutting *cut = user;
    if (is_expr(n))
        return n;
    return n->kind == N_FOR ? cut_loop(cut, n) : NULL;
}

Node *cut_running_sums(const NestContext *context, const PlanOptions *opt, Plan *plan, Node *body, Vec *rest)
{
    Cutting cut = {context, opt, plan, rest};
    if (opt->cuda || opt->fp_strict)
        return body;
    return rewrite(&(Rewriter){.ir = context->ir, .pre = cut_in, .user = &cut}, body);
}
