/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the innermost loop of a constant number of iterations outward, as long as the sums are few. */
#include "plan/nests/reduction_jamming.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum {
    MOST_SUMS = 16,    /* in registers */
    LEAST = 256,       /* terms of all sums, below which adding up vectors' lanes takes longer than they save */
    MOST_RECORD = 7,   /* elements of a row that vectors take apart */
    MOST_STREAMS = 8,  /* rows that are read at the same time */
    MOST_REDUCED = 4,  /* loops that one sum goes over */
    MOST_FACTORS = 8   /* of a term */
};

/* Loops that one sum goes over, one in the other. */
typedef struct Sum {
    Sym *reduced[MOST_REDUCED]; /* their variables */
    int nreduced;
    Node *innermost;
    Node *before_last, *terms; /* iterations of it, and of it and the one around */
} Sum;

/* A loop whose iterations sum something up. */
typedef struct Jam {
    Ir *ir;
    Node *loop;
    int64_t rows; /* its iterations */
    Vec parts;    /* statements of its body */
} Jam;

/* ---------------------------------------------------------------- the body */

/* Statements through blocks; false: there are arrays, or loops in branches. */
static bool take_apart(Jam *j, Node *body)
{
    for (int i = 0; i < (body->kind == N_BLOCK ? body->nkids : 1); i++) {
        Node *n = body->kind == N_BLOCK ? body->kid[i] : body;
        if (n->kind == N_BLOCK ? !take_apart(j, n)
                               : (n->kind != N_FOR && has_kind(n, N_FOR)) || has_stage(n) || (n->kind == N_DECL && n->sym->rank))
            return false;
        if (n->kind != N_BLOCK)
            vec_push(j->ir->arena, &j->parts, n);
    }
    return true;
}

/* Are a loop's bounds the same in all iterations of the one around? */
static bool has_same_bounds(const Jam *j, Node *loop)
{
    Bounds b;
    const bool plain = for_bounds(loop, &b) && loop_declares(loop) && b.step == 1;
    if (!plain || uses_sym(b.lo, j->loop->sym) || uses_sym(b.hi, j->loop->sym) || b.lo->has & HAS_LOAD || b.hi->has & HAS_LOAD)
        return false;
    for (int i = 0; i < j->parts.count; i++) {
        const Node *n = j->parts.items[i];
        if ((n->kind == N_DECL || n->kind == N_ASSIGN) && (uses_sym(b.lo, n->sym) || uses_sym(b.hi, n->sym)))
            return false;
    }
    return true;
}

/* False: some bounds differ, or there are loops side by side. */
static bool find_loops(const Jam *j, Node *outermost, Sum *sum)
{
    for (Node *loop = outermost; loop; loop = only_loop(loop->kid[2])) {
        Node *trips = trip_count(j->ir, loop);
        if (sum->nreduced == MOST_REDUCED || !has_same_bounds(j, loop) || !trips)
            return false;
        sum->reduced[sum->nreduced++] = loop->sym;
        sum->innermost = loop;
        sum->terms = sum->before_last ? ix_mul(j->ir, sum->before_last, trips) : trips;
        sum->before_last = trips;
    }
    return !has_kind(sum->innermost->kid[2], N_FOR);
}

/* Scalars that the innermost loop sums something up in; 0: there are none, or others. */
static int count_sums(Ir *ir, const Sum *sum)
{
    Vec found = {0};
    const char *why;
    if (!find_reductions(ir, sum->innermost, false, &found, &why))
        return 0;
    for (int i = 0; i < found.count; i++)
        if (!((Reduction *)found.items[i])->acc)
            return 0;
    return found.count;
}

/* ---------------------------------------------------------------- does it pay? */

typedef struct Loads {
    const Jam *jam;
    const Sum *sum;
    int records;     /* whose elements lie side by side, */
    int64_t streams; /* rows that lie apart */
    bool fits;
} Loads;

static bool uses_reduced(const Sum *sum, Node *e)
{
    for (int i = 0; i < sum->nreduced; i++)
        if (uses_sym(e, sum->reduced[i]))
            return true;
    return false;
}

/* A variable, perhaps converted. */
static bool is_plain(const Node *e)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return e->kind == N_VAR;
}

static bool note_load(void *user, Node *n)
{
    Loads *l = user;
    const Jam *j = l->jam;
    int64_t record;
    if (n->kind != N_LOAD || !uses_reduced(l->sum, n))
        return l->fits;
    const int last = n->nkids - 1;
    bool across = false;
    for (int d = 0; d <= last; d++) {
        l->fits = l->fits && (!uses_reduced(l->sum, n->kid[d]) || is_plain(n->kid[d])); /* no window */
        across = across || (d < last && uses_sym(n->kid[d], j->loop->sym));
    }
    const bool by_records = !uses_reduced(l->sum, n->kid[last]);
    if (by_records)
        l->fits = l->fits && !across && poly_const(poly_of(j->ir, n->sym->extent[last]), &record) && record <= MOST_RECORD;
    l->streams += across ? j->rows : 0;
    l->records += by_records;
    l->fits = l->fits && n->sym->type != T_LDOUBLE && type_bits(n->sym->type) >= 32;
    return false;
}

/* Do rows load elements of the same records? (Long rows are no worse off with micro-kernels.) */
static bool shares(const Jam *j, const Sum *sum)
{
    Loads l = {j, sum, 0, 0, true};
    walk(&(Walker){.pre = note_load, .user = &l}, sum->innermost->kid[2]);
    return l.fits && l.records && l.streams <= MOST_STREAMS;
}

/* Terms of each of so many sums that are enough. */
static int64_t enough(int64_t sums) { return (LEAST + sums - 1) / sums; }

/* Are there loops, all of which sum up what rows share, and that few sums? */
static bool fits(const Jam *j)
{
    int loops = 0;
    for (int i = 0; i < j->parts.count; i++) {
        Node *n = j->parts.items[i];
        Sum sum = {.nreduced = 0};
        if (n->kind != N_FOR)
            continue;
        const int64_t sums = find_loops(j, n, &sum) && shares(j, &sum) ? j->rows * count_sums(j->ir, &sum) : 0;
        if (!sums || sums > MOST_SUMS || (sum.terms->kind == N_INT && sum.terms->u.i < enough(MOST_SUMS)))
            return false;
        loops++;
    }
    return loops > 0;
}

/* ---------------------------------------------------------------- the loop */

static void push_all(Ir *ir, Vec *out, Node *n)
{
    for (int i = 0; i < (n->kind == N_BLOCK ? n->nkids : 1); i++)
        vec_push(ir->arena, out, n->kind == N_BLOCK ? n->kid[i] : n);
}

/* The loops of all rows as one, whose body has theirs one after the other. */
static Node *together(Ir *ir, Node *const *loop, int64_t rows)
{
    Node *first = loop[0], **inner = arena_new_array(ir->arena, Node *, (size_t)rows);
    const bool goes_on = only_loop(first->kid[2]) != NULL;
    for (int64_t i = 0; i < rows; i++) {
        Node *body = i ? rename_sym(ir, loop[i]->kid[2], loop[i]->sym, first->sym) : first->kid[2];
        inner[i] = goes_on ? only_loop(body) : body;
    }
    Vec terms = {0};
    for (int64_t i = 0; i < rows; i++)
        push_all(ir, &terms, inner[i]);
    return with_kid(ir, first, 2, goes_on ? together(ir, inner, rows) : mk_block(ir, terms.count, (Node **)terms.items, first->loc));
}

/* Each statement in all rows, of loops one that has all of theirs. */
static Node *jammed(const Jam *j)
{
    Ir *ir = j->ir;
    Bounds b;
    Vec out = {0};
    for_bounds(j->loop, &b);
    Node *body = mk_block(ir, j->parts.count, (Node **)j->parts.items, j->loop->loc), *row[MOST_SUMS], *loops[MOST_SUMS];
    for (int64_t r = 0; r < j->rows; r++)
        row[r] = copy_with_own_symbols(ir, substitute(ir, body, b.var, mk_int(ir, b.var->type, b.lo->u.i + r * b.step)));
    for (int i = 0; i < j->parts.count; i++) {
        for (int64_t r = 0; r < j->rows; r++)
            if ((loops[r] = row[r]->kid[i])->kind != N_FOR)
                vec_push(ir->arena, &out, loops[r]);
        if (loops[0]->kind == N_FOR)
            vec_push(ir->arena, &out, together(ir, loops, j->rows));
    }
    return mk_block(ir, out.count, (Node **)out.items, j->loop->loc);
}

/* ---------------------------------------------------------------- equal sums, as above and below a diagonal */

typedef struct Factors {
    const Node *of[MOST_FACTORS];
    int count;
    bool fits;
} Factors;

static void add_factors(Factors *f, const Node *e)
{
    if (e->kind == N_MUL) {
        add_factors(f, e->kid[0]);
        add_factors(f, e->kid[1]);
    } else if (f->count < MOST_FACTORS) {
        f->of[f->count++] = e;
    } else {
        f->fits = false;
    }
}

static bool is_same(const Node *a, const Node *b, bool strict);

/* Products of the same factors, in whatever order. */
static bool have_same_factors(const Node *a, const Node *b, bool strict)
{
    Factors f = {.fits = true}, g = {.fits = true};
    add_factors(&f, a);
    add_factors(&g, b);
    for (int i = 0; i < f.count && f.fits; i++) {
        int at = 0;
        while (at < g.count && !is_same(f.of[i], g.of[at], strict))
            at++;
        f.fits = at < g.count;
        if (f.fits)
            g.of[at] = g.of[--g.count];
    }
    return f.fits && g.fits && g.count == 0;
}

static bool is_same(const Node *a, const Node *b, bool strict)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->type != b->type || a->nkids != 2 || b->nkids != 2 || !(kind_info[a->kind].flags & F_COMM))
        return false;
    if (a->kind == N_MUL && !strict)
        return have_same_factors(a, b, strict);
    return (is_same(a->kid[0], b->kid[0], strict) && is_same(a->kid[1], b->kid[1], strict)) ||
           (is_same(a->kid[0], b->kid[1], strict) && is_same(a->kid[1], b->kid[0], strict));
}

static int declaration_of(const Node *block, const Sym *sym)
{
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i]->kind == N_DECL && block->kid[i]->sym == sym)
            return i;
    return -1;
}

/* Is the scalar, declared in the block, only summed up in the loop, and read behind it? */
static bool only_sums(Node *block, int loop, Node *terms, Node *assign)
{
    int others = 0, declared = declaration_of(block, assign->sym);
    for (int i = 0; i < block->nkids; i++)
        others += i < loop ? i != declared && uses_sym(block->kid[i], assign->sym) : i > loop && writes_sym(block->kid[i], assign->sym);
    const int only = only_user(terms, assign->sym);
    return assign->kind == N_ASSIGN && declared >= 0 && declared < loop && !others && only >= 0 && terms->kid[only] == assign;
}

static bool are_equal(Ir *ir, const Node *block, Node *a, Node *b, bool strict)
{
    const Node *first = block->kid[declaration_of(block, a->sym)], *second = block->kid[declaration_of(block, b->sym)];
    return a->sym->type == b->sym->type && a->aux == b->aux && a->type == b->type && first->nkids && second->nkids &&
           first->kid[0] == second->kid[0] && is_same(stmt_value(a), rename_sym(ir, stmt_value(b), b->sym, a->sym), strict);
}

/* The block without the sum of `b`, for which that of `a` stands. */
static Node *share(Ir *ir, Node *block, Node *a, const Node *b)
{
    Vec out = {0};
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i]->kind != N_DECL || block->kid[i]->sym != b->sym)
            vec_push(ir->arena, &out, rename_sym(ir, block->kid[i], b->sym, a->sym));
    return mk_block(ir, out.count, (Node **)out.items, block->loc);
}

static Node *drop_kid(Ir *ir, Node *n, int at)
{
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++)
        if (i != at)
            vec_push(ir->arena, &out, n->kid[i]);
    return mk_block(ir, out.count, (Node **)out.items, n->loc);
}

static Node *with_terms(Ir *ir, Node *loop, Node *terms)
{
    Node *inner = only_loop(loop->kid[2]);
    return with_kid(ir, loop, 2, inner ? with_terms(ir, inner, terms) : terms);
}

/* Of the loop that is number `at`, which becomes another one. */
static Node *share_sums_of(Ir *ir, Node *block, int at, bool strict)
{
    Node *terms = block->kid[at]->kid[2];
    while (only_loop(terms))
        terms = only_loop(terms)->kid[2];
    for (int i = 0; i < terms->nkids; i++)
        for (int k = i + 1; k < terms->nkids; k++) {
            Node *a = terms->kid[i], *b = terms->kid[k];
            if (!only_sums(block, at, terms, a) || !only_sums(block, at, terms, b) || !are_equal(ir, block, a, b, strict))
                continue;
            terms = drop_kid(ir, terms, k--);
            block = share(ir, with_kid(ir, block, at, with_terms(ir, block->kid[at], terms)), a, b);
            at--;
        }
    return block;
}

static Node *share_equal_sums(Ir *ir, Node *block, bool strict)
{
    for (int i = block->nkids - 1; i >= 0; i--)
        if (block->kid[i]->kind == N_FOR)
            block = share_sums_of(ir, block, i, strict);
    return block;
}

/* ---------------------------------------------------------------- where */

/* A loop that has the sums of several rows. */
typedef struct Jammed {
    Node *loop;
    Node *pays; /* whether its sums are long */
} Jammed;

typedef struct Jamming {
    Ir *ir;
    bool strict; /* floating-point products keep their order */
    Map made;    /* by node id: blocks that were loops */
    Vec jammed;  /* Jammed */
} Jamming;

/* The block with the statements of those that were loops. */
static Node *splice(const Jamming *g, Node *block)
{
    Vec out = {0};
    bool changes = false;
    for (int i = 0; i < block->nkids; i++) {
        Node *n = block->kid[i];
        const bool made = map_get(&g->made, n->id) != NULL;
        changes = changes || made;
        for (int k = 0; k < (made ? n->nkids : 1); k++)
            vec_push(g->ir->arena, &out, made ? n->kid[k] : n);
    }
    return changes ? mk_block(g->ir, out.count, (Node **)out.items, block->loc) : block;
}

static void forget(Jamming *g, const Vec *parts)
{
    Vec left = {0};
    for (int i = 0; i < g->jammed.count; i++) {
        const Jammed *of = g->jammed.items[i];
        bool again = false;
        for (int k = 0; k < parts->count; k++)
            again = again || parts->items[k] == of->loop;
        if (!again)
            vec_push(g->ir->arena, &left, g->jammed.items[i]);
    }
    g->jammed = left;
}

static void note_jammed(Jamming *g, const Jam *j, Node *loop)
{
    Ir *ir = g->ir;
    Jammed *made = arena_alloc(ir->arena, sizeof *made);
    Sum sum = {.nreduced = 0};
    find_loops(j, loop, &sum);
    const int64_t least = enough(count_sums(ir, &sum));
    const bool is_known = sum.terms->kind == N_INT;
    Node *known = is_known ? mk_int(ir, T_INT, sum.terms->u.i >= least) : NULL;
    *made = (Jammed){loop, is_known ? known : mk_binary(ir, N_GE, sum.terms, ix_int(ir, least))};
    vec_push(ir->arena, &g->jammed, made);
}

static Node *jam(void *user, Node *n)
{
    Jamming *g = user;
    Jam j = {.ir = g->ir, .loop = n};
    Bounds b;
    if (n->kind == N_BLOCK)
        return splice(g, n);
    const Node *count = n->kind == N_FOR && for_bounds(n, &b) && b.lo->kind == N_INT ? trip_count(g->ir, n) : NULL;
    if (!count || count->kind != N_INT || count->u.i < 2 || count->u.i > MOST_SUMS)
        return n;
    j.rows = count->u.i;
    if (!take_apart(&j, n->kid[2]) || !fits(&j) || !loop_is_parallel(g->ir, n))
        return n;
    Node *made = share_equal_sums(g->ir, jammed(&j), g->strict);
    forget(g, &j.parts);
    for (int i = 0; i < made->nkids; i++)
        if (made->kid[i]->kind == N_FOR)
            note_jammed(g, &j, made->kid[i]);
    *map_at(g->ir->arena, &g->made, made->id) = made;
    return made;
}

static bool search_own(void *user, Node *n)
{
    Node *whole = user;
    return n->kind == N_LOAD || (n->kind == N_VAR && writes_sym(whole, n->sym));
}

/* Whether all sums are long, asked before the statement; NULL: that is not known there. */
static Node *all_pay(const Jamming *g, Node *whole)
{
    Node *all = mk_int(g->ir, T_INT, 1);
    for (int i = 0; i < g->jammed.count; i++) {
        Node *pays = ((Jammed *)g->jammed.items[i])->pays;
        if (is_int(pays, 0))
            return NULL;
        if (pays->kind != N_INT)
            all = all->kind == N_INT ? pays : mk_binary(g->ir, N_LAND, all, pays);
    }
    return any_node(all, search_own, whole) ? NULL : all;
}

/* Inside other loops only where the sums are long: there may be many of them. */
static Node *visit(Jamming *g, Node *n)
{
    Ir *ir = g->ir;
    Node *kids[3];
    Vec out = {0};
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            vec_push(ir->arena, &out, visit(g, n->kid[i]));
        return splice(g, with_kids(ir, n, n->nkids, (Node **)out.items));
    }
    if (n->kind == N_IF) {
        for (int i = 0; i < n->nkids; i++)
            kids[i] = i ? visit(g, n->kid[i]) : n->kid[i];
        return with_kids(ir, n, n->nkids, kids);
    }
    if (n->kind != N_FOR)
        return n;
    g->jammed.count = 0;
    Node *made = rewrite(&(Rewriter){.ir = ir, .post = jam, .user = g}, n);
    if (made == n || made->kind == N_BLOCK)
        return made;
    Node *pays = all_pay(g, n);
    if (!pays)
        return n;
    return pays->kind == N_INT ? made : mk_if(ir, pays, made, copy_with_own_symbols(ir, n), n->loc);
}

Node *jam_reductions(Ir *ir, Node *body, bool strict)
{
    Jamming g = {.ir = ir, .strict = strict};
    return visit(&g, body);
}
