/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each block starts from what changes nothing, or from what the scalar is worth before the loop. */
#include "plan/nests/reduction_blocking.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/work.h"
#include "plan/scalar_replace.h"

#define BLOCK_NS 25000.0 /* of work: several blocks for each task, so that tasks are as long as one another */

enum { MOST_BLOCKS = 32, MOST_BYTES = 2048 }; /* of the stack, that an operator's results of blocks may take */

typedef struct Splitting {
    Ir *ir;
    Node *loop;
    Vec before;    /* statements of the body before the loop */
    Vec results;   /* Result */
    Sym *block, *blocks, *work;
} Splitting;

/* A scalar that outlives the loop, the one in a block, the array of all blocks'. */
typedef struct Result {
    Sym *whole, *own, *all;
    Node *start;
} Result;

/* ---------------------------------------------------------------- questions */

static bool counts_up(Ir *ir, Node *loop)
{
    Bounds b;
    return loop->kind == N_FOR && loop_declares(loop) && for_bounds(loop, &b) && b.step == 1 && trip_count(ir, loop) &&
           type_is_signed(b.var->type) && type_bits(b.var->type) >= 32;
}

/* What is put together by an operator that need not look at all its operands, is left. */
static bool is_known(const Reduction *r) { return r->op != RED_ALL && r->op != RED_ANY; }

static int bytes_of(const Reduction *r)
{
    int bytes = r->acc ? type_bytes(r->acc->type) : 0;
    for (int i = 0; i < r->nothers; i++)
        bytes += type_bytes(r->others[i]->type);
    return MOST_BLOCKS * bytes;
}

static int bytes_taken(const Vec *blocks)
{
    int bytes = 0;
    for (int i = 0; i < blocks->count; i++) {
        const Blocks *b = blocks->items[i];
        for (int j = 0; j < b->nresults; j++)
            bytes += MOST_BLOCKS * type_bytes(b->result[j]->type);
    }
    return bytes;
}

static bool gathers(Ir *ir, Node *loop, bool strict, int room, Vec *found)
{
    const char *why;
    if (!counts_up(ir, loop) || !find_reductions(ir, loop, strict, found, &why) || !found->count || !loop_is_unordered(ir, loop, strict))
        return false;
    for (int i = 0; i < found->count; i++) {
        const Reduction *r = found->items[i];
        room -= bytes_of(r);
        if (!is_known(r) || room < 0)
            return false;
    }
    return true;
}

/* Is it certain that all of it is less than two blocks? */
static double most_work(const Node *work)
{
    switch ((Kind)work->kind) {
    case N_INT: return (double)work->u.i;
    case N_FLOAT: return (double)work->u.f;
    case N_CAST: return most_work(work->kid[0]);
    case N_ADD: return most_work(work->kid[0]) + most_work(work->kid[1]);
    case N_MUL: return most_work(work->kid[0]) * most_work(work->kid[1]);
    default: return 1e300;
    }
}

/* ---------------------------------------------------------------- what blocks start from */

/* A literal that the scalar has before the loop; NULL: none is known. */
static Node *literal_before(const Splitting *s, const Sym *sym)
{
    for (int i = s->before.count - 1; i >= 0; i--) {
        Node *n = s->before.items[i];
        if (!writes_sym(n, sym))
            continue;
        Node *value = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids ? n->kid[0] : NULL;
        const Node *literal = value && value->kind == N_NEG ? value->kid[0] : value;
        return literal && (literal->kind == N_FLOAT || literal->kind == N_INT) ? value : NULL;
    }
    return NULL;
}

static Node *start_of(const Splitting *s, ReduceOp op, Sym *sym)
{
    const Type t = sym->type;
    Ir *ir = s->ir;
    switch (op) {
    case RED_SUM: return type_is_float(t) ? mk_float(ir, t, -0.0L) : mk_int(ir, t, 0);
    case RED_PRODUCT: return type_is_float(t) ? mk_float(ir, t, 1) : mk_int(ir, t, 1);
    case RED_OR:
    case RED_XOR: return mk_int(ir, t, 0);
    case RED_AND: return mk_unary(ir, N_BNOT, mk_int(ir, t, 0));
    default: {
        Node *literal = literal_before(s, sym);
        return literal ? literal : mk_var(ir, sym);
    }
    }
}

static void add_result(Splitting *s, ReduceOp op, Sym *sym)
{
    Ir *ir = s->ir;
    Node *size = ix_int(ir, MOST_BLOCKS);
    Result *r = arena_alloc(ir->arena, sizeof *r);
    r->whole = sym;
    r->own = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc);
    r->all = sym_new_array(ir, S_LOCAL_ARRAY, sym->type, arena_printf(ir->arena, "%s_of", sym->name), 1, &size, sym->loc);
    r->start = start_of(s, op, sym);
    vec_push(ir->arena, &s->results, r);
}

static Node *of_block(const Splitting *s, const Sym *whole)
{
    Node *block = mk_var(s->ir, s->block);
    for (int i = 0; i < s->results.count; i++) {
        const Result *r = s->results.items[i];
        if (r->whole == whole)
            return mk_load(s->ir, r->all, 1, &block);
    }
    return NULL;
}

/* ---------------------------------------------------------------- the two loops */

static Node *share(const Splitting *s, Node *trips, Node *of)
{
    Ir *ir = s->ir;
    Node *blocks = mk_var(ir, s->blocks);
    return ix_add(ir, ix_mul(ir, ix_div(ir, trips, blocks), of), ix_div(ir, ix_mul(ir, ix_mod(ir, trips, blocks), of), blocks));
}

static Node *over_blocks(const Splitting *s, Node *body, unsigned flags)
{
    Ir *ir = s->ir;
    Node *n = mk_for(ir, s->block, ix_int(ir, 0), mk_binary(ir, N_LT, mk_var(ir, s->block), mk_var(ir, s->blocks)), 1, body, true,
                     s->loop->loc);
    n->aux = (uint16_t)(n->aux | flags);
    return n;
}

static Node *one_block(const Splitting *s, Node *trips)
{
    Ir *ir = s->ir;
    const Loc loc = s->loop->loc;
    Vec out = {0};
    Node *block = mk_var(ir, s->block), *from = share(s, trips, block), *to = share(s, trips, ix_add(ir, block, ix_int(ir, 1)));
    Node *loop = some_iterations(ir, s->loop, from, to, s->loop->kid[2]);
    for (int i = 0; i < s->results.count; i++) {
        const Result *r = s->results.items[i];
        vec_push(ir->arena, &out, mk_decl(ir, r->own, r->start, loc));
        loop = rename_sym(ir, loop, r->whole, r->own);
    }
    vec_push(ir->arena, &out, loop);
    for (int i = 0; i < s->results.count; i++) {
        const Result *r = s->results.items[i];
        vec_push(ir->arena, &out, mk_store(ir, r->all, 1, &block, mk_var(ir, r->own), N_NONE, loc));
    }
    return mk_block(ir, out.count, (Node **)out.items, loc);
}

/* Sums of some terms may leave a type that all of them do not. */
static Node *wrapping(Ir *ir, Kind op, Node *a, Node *b)
{
    const Type t = (Type)a->type;
    if (!type_is_integer(t) || !type_is_signed(t))
        return mk_binary(ir, op, a, b);
    const Type wide = type_bits(t) == 64 ? T_ULLONG : T_UINT;
    return mk_cast(ir, t, mk_binary(ir, op, mk_cast(ir, wide, a), mk_cast(ir, wide, b)));
}

static Node *better(Ir *ir, ReduceOp op, Node *found, Node *held)
{
    const bool greatest = op == RED_FMAX || op == RED_GREATEST || op == RED_FIRST_GREATEST;
    Node *is_better = mk_binary(ir, greatest ? N_GT : N_LT, found, held);
    if (op == RED_FMAX || op == RED_FMIN) /* numbers are better than none */
        is_better = mk_binary(ir, N_LOR, is_better, mk_binary(ir, N_NE, held, held));
    return is_better;
}

/* The condition under which a block has what the loop looks for. */
static Node *is_chosen(const Splitting *s, const Reduction *r)
{
    Ir *ir = s->ir;
    if (r->acc)
        return better(ir, r->op, of_block(s, r->acc), mk_var(ir, r->acc));
    Node *place = of_block(s, r->others[0]), *before = mk_var(ir, r->others[0]);
    Node *found = substitute(ir, r->held, r->others[0], place); /* an element, which may not exist unless a block has found it */
    return mk_binary(ir, N_LAND, mk_binary(ir, N_NE, place, before), better(ir, r->op, found, r->held));
}

static Node *combine(const Splitting *s, const Reduction *r)
{
    static const Kind kinds[RED_COUNT] = {[RED_SUM] = N_ADD, [RED_PRODUCT] = N_MUL, [RED_AND] = N_AND, [RED_OR] = N_OR, [RED_XOR] = N_XOR};
    Ir *ir = s->ir;
    const Loc loc = s->loop->loc;
    if (kinds[r->op])
        return mk_assign(ir, r->acc, wrapping(ir, kinds[r->op], mk_var(ir, r->acc), of_block(s, r->acc)), N_NONE, loc);
    Vec then = {0};
    if (r->acc)
        vec_push(ir->arena, &then, mk_assign(ir, r->acc, of_block(s, r->acc), N_NONE, loc));
    for (int i = 0; i < r->nothers; i++)
        vec_push(ir->arena, &then, mk_assign(ir, r->others[i], of_block(s, r->others[i]), N_NONE, loc));
    return mk_if(ir, is_chosen(s, r), mk_block(ir, then.count, (Node **)then.items, loc), NULL, loc);
}

static Node *combine_all(const Splitting *s, const Vec *reductions)
{
    Vec out = {0};
    for (int i = 0; i < reductions->count; i++)
        vec_push(s->ir->arena, &out, combine(s, reductions->items[i]));
    return mk_block(s->ir, out.count, (Node **)out.items, s->loop->loc);
}

static Node *count_blocks(Ir *ir, Node *work)
{
    Node *one = mk_float(ir, T_DOUBLE, BLOCK_NS), *all = mk_float(ir, T_DOUBLE, MOST_BLOCKS * BLOCK_NS);
    Node *some = mk_select(ir, mk_binary(ir, N_LT, work, all), mk_binary(ir, N_DIV, work, one), mk_float(ir, T_DOUBLE, MOST_BLOCKS));
    return mk_select(ir, mk_binary(ir, N_GT, work, one), mk_cast(ir, T_INDEX, some), ix_int(ir, 1));
}

static void note_blocks(const Splitting *s, Vec *found)
{
    Blocks *b = arena_alloc(s->ir->arena, sizeof *b);
    *b = (Blocks){s->loop, s->block, s->blocks, s->work, arena_new_array(s->ir->arena, Sym *, s->results.count), s->results.count};
    for (int i = 0; i < s->results.count; i++)
        b->result[i] = ((Result *)s->results.items[i])->all;
    vec_push(s->ir->arena, found, b);
}

/* Adds the loop, or what does the same by blocks. */
static void add(Ir *ir, Node *loop, bool strict, Vec *out, Vec *found)
{
    Vec reductions = {0};
    Node *work = gathers(ir, loop, strict, MOST_BYTES - bytes_taken(found), &reductions) ? loop_work(ir, loop) : NULL,
         *trips = work ? trip_count(ir, loop) : NULL;
    if (!work || most_work(work) < 2 * BLOCK_NS) {
        vec_push(ir->arena, out, loop);
        return;
    }
    Splitting s = {.ir = ir, .loop = loop, .before = *out};
    s.block = sym_new(ir, S_LOOP, T_INDEX, "block", loop->loc);
    s.blocks = sym_new(ir, S_LOCAL, T_INDEX, "blocks", loop->loc);
    s.work = sym_new(ir, S_LOCAL, T_DOUBLE, "work", loop->loc);
    s.blocks->is_const = s.work->is_const = true;
    for (int i = 0; i < reductions.count; i++) {
        const Reduction *r = reductions.items[i];
        if (r->acc)
            add_result(&s, r->op, r->acc);
        for (int j = 0; j < r->nothers; j++)
            add_result(&s, r->op, r->others[j]);
    }
    vec_push(ir->arena, out, mk_decl(ir, s.work, work, loop->loc));
    vec_push(ir->arena, out, mk_decl(ir, s.blocks, count_blocks(ir, mk_var(ir, s.work)), loop->loc));
    for (int i = 0; i < s.results.count; i++)
        vec_push(ir->arena, out, mk_decl(ir, ((Result *)s.results.items[i])->all, NULL, loop->loc));
    vec_push(ir->arena, out, over_blocks(&s, one_block(&s, trips), FOR_BLOCKS));
    Sym *inner = s.block;
    s.block = sym_new(ir, S_LOOP, T_INDEX, "block", loop->loc);
    vec_push(ir->arena, out, over_blocks(&s, combine_all(&s, &reductions), FOR_COMBINES));
    s.block = inner;
    note_blocks(&s, found);
}

/* A loop that reduces into an element of an array, does so in a scalar. */
Node *block_reductions(Ir *ir, Node *body, bool strict, Vec *found)
{
    Vec out = {0};
    for (int i = 0; i < body->nkids; i++) {
        Node *n = body->kid[i];
        const int before = found->count, at = out.count;
        if (n->kind != N_FOR || has_stage(n)) {
            vec_push(ir->arena, &out, n);
            continue;
        }
        Node *replaced = replace_elements(ir, n, true);
        for (int j = 0; j < (replaced->kind == N_BLOCK ? replaced->nkids : 1); j++)
            add(ir, replaced->kind == N_BLOCK ? replaced->kid[j] : replaced, strict, &out, found);
        if (found->count == before) { /* as it was */
            out.count = at;
            vec_push(ir->arena, &out, n);
        }
    }
    return found->count ? mk_block(ir, out.count, (Node **)out.items, body->loc) : body;
}

/* ---------------------------------------------------------------- back */

const Blocks *blocks_of(const Vec *found, const Sym *loop)
{
    for (int i = 0; i < found->count; i++) {
        const Blocks *b = found->items[i];
        if (b->loop == loop)
            return b;
    }
    return NULL;
}

static bool is_own(const Blocks *b, const Sym *sym)
{
    for (int i = 0; i < b->nresults; i++)
        if (b->result[i] == sym)
            return true;
    return sym == b->blocks || sym == b->work;
}

static Node *undo(void *user, Node *n)
{
    const Blocks *b = user;
    if (n->kind == N_FOR && n->aux & FOR_COMBINES && uses_sym(n->kid[1], b->blocks))
        return NULL;
    if (n->kind == N_DECL && is_own(b, n->sym))
        return NULL;
    return n->kind == N_FOR && n->aux & FOR_BLOCKS && n->sym == b->loop ? b->whole : n;
}

Node *without_blocks(Ir *ir, Node *body, const Blocks *blocks)
{
    return rewrite(&(Rewriter){.ir = ir, .post = undo, .user = (void *)blocks}, body);
}
