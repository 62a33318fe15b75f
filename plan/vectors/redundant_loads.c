/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Redundant load elimination, with what is computed of the loads. Equal expressions are one node. */
#include "plan/vectors/redundant_loads.h"

#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

enum { MOST = 64 }; /* of a block, that are looked at */

/* A vector that a block makes of elements. */
typedef struct Made {
    Node *value;
    int stores;  /* in front of the first statement that makes it */
    bool gathers;
    bool again;  /* behind a store, or elements that are gathered, which compilers do twice, */
    bool wanted; /* and not only as a part of another such */
    Sym *name;
} Made;

typedef struct Block {
    Ir *ir;
    Node *block;
    Made made[MOST];
    int count;
    int stores; /* so far */
    Vec out;
} Block;

static bool is_store(const Node *n)
{
    return n->kind == N_STORE || n->kind == N_VSTORE || n->kind == N_SCATTER || n->kind == N_INTERLEAVE || n->kind == N_ROW_STORE ||
           n->kind == N_TILE;
}

static bool is_load(const Node *n)
{
    return n->kind == N_LOAD || n->kind == N_VLOAD || n->kind == N_MEMBER || n->kind == N_GATHER || n->kind == N_ROW_LOAD;
}

/* ---------------------------------------------------------------- what is looked for */

typedef struct Parts {
    bool loads; /* vectors */
    bool gathers;
    bool costs; /* more than operands that are in memory */
} Parts;

static bool note_part(void *user, Node *n)
{
    Parts *p = user;
    const bool vector = type_is_vector((Type)n->type);
    p->loads = p->loads || (vector && is_load(n));
    p->gathers = p->gathers || n->kind == N_GATHER;
    p->costs = p->costs || (vector && (n->kind == N_MEMBER || n->kind == N_GATHER || n->kind == N_ROW_LOAD || n->kind == N_CAST ||
                                       n->kind == N_CALL || n->kind == N_DIV));
    return true;
}

static bool is_worth_a_name(Node *n, bool *gathers)
{
    Parts p = {0};
    if (!type_is_vector((Type)n->type) || n->kind == N_VLOAD || n->kind == N_VAR)
        return false;
    walk(&(Walker){.pre = note_part, .user = &p}, n);
    *gathers = p.gathers;
    return p.loads && p.costs;
}

static bool may_store(void *user, Node *n)
{
    const Sym *array = user;
    return n->kind == N_CONTRACT || n->kind == N_LAUNCH || (is_store(n) && vector_share_bytes(n->sym, array));
}

static bool is_change(void *user, Node *n)
{
    Node *block = user;
    if (is_load(n))
        return n->sym->is_volatile || any_stmt(block, may_store, n->sym) || writes_sym(block, n->sym);
    return n->kind == N_VAR && !n->sym->is_const && writes_sym(block, n->sym);
}

/* Is it the same in every statement of the block? */
static bool stays(Node *block, Node *value) { return !any_node(value, is_change, block); }

static Made *find(Block *b, const Node *n)
{
    for (int i = 0; i < b->count; i++)
        if (b->made[i].value == n)
            return &b->made[i];
    return NULL;
}

/* ---------------------------------------------------------------- the block */

/* What a scalar chooses, or guards, is not evaluated in any case. */
static bool is_lazy(const Node *n) { return is_expr(n) && kind_info[n->kind].flags & F_LAZY && !type_is_vector((Type)n->kid[0]->type); }

static bool note_made(void *user, Node *n)
{
    Block *b = user;
    if (is_lazy(n)) {
        walk(&(Walker){.pre = note_made, .user = b}, n->kid[0]);
        return false;
    }
    Made *known = is_expr(n) ? find(b, n) : NULL;
    bool gathers;
    if (known)
        known->again = known->again || known->gathers || known->stores < b->stores;
    else if (is_expr(n) && b->count < MOST && is_worth_a_name(n, &gathers) && stays(b->block, n))
        b->made[b->count++] = (Made){.value = n, .stores = b->stores, .gathers = gathers};
    return true;
}

static bool note_wanted(void *user, Node *n)
{
    Made *known = is_expr(n) ? find(user, n) : NULL;
    if (known && known->again)
        known->wanted = true;
    return !known || !known->again;
}

static bool note_array(void *user, Node *n)
{
    const char **name = user;
    if (!*name && is_load(n))
        *name = n->sym->name;
    return !*name;
}

static Node *use_name(void *user, Node *n);

static Sym *name_it(Block *b, Made *made)
{
    const Rewriter inside = {.ir = b->ir, .pre = use_name, .user = b};
    Node **kids = arena_new_array(b->ir->arena, Node *, made->value->nkids);
    const char *array = NULL;
    walk(&(Walker){.pre = note_array, .user = &array}, made->value);
    Sym *name = sym_new(b->ir, S_LOCAL, (Type)made->value->type, array, made->value->loc);
    name->is_const = true;
    for (int i = 0; i < made->value->nkids; i++)
        kids[i] = rewrite(&inside, made->value->kid[i]);
    vec_push(b->ir->arena, &b->out, mk_decl(b->ir, name, with_kids(b->ir, made->value, made->value->nkids, kids), made->value->loc));
    return made->name = name;
}

static Node *use_name(void *user, Node *n)
{
    Block *b = user;
    Made *made = is_expr(n) ? find(b, n) : NULL;
    if (!made || !made->wanted)
        return NULL;
    return mk_var(b->ir, made->name ? made->name : name_it(b, made));
}

/* Loops and branches inside have blocks of their own. */
static bool is_simple(const Node *n) { return n->kind == N_DECL || n->kind == N_ASSIGN || is_store(n); }

static Node *name_vectors(void *user, Node *block)
{
    Block b = {.ir = user, .block = block};
    bool wanted = false;
    if (block->kind != N_BLOCK)
        return block;
    for (int i = 0; i < block->nkids; i++)
        if (is_simple(block->kid[i])) {
            walk(&(Walker){.pre = note_made, .user = &b}, block->kid[i]);
            b.stores += is_store(block->kid[i]);
        }
    for (int i = 0; i < block->nkids; i++)
        if (is_simple(block->kid[i]))
            walk(&(Walker){.pre = note_wanted, .user = &b}, block->kid[i]);
    for (int i = 0; i < b.count; i++)
        wanted = wanted || b.made[i].wanted;
    if (!wanted)
        return block;
    for (int i = 0; i < block->nkids; i++) {
        Node *n = block->kid[i];
        Node *changed = is_simple(n) ? rewrite(&(Rewriter){.ir = b.ir, .pre = use_name, .user = &b}, n) : n;
        vec_push(b.ir->arena, &b.out, changed);
    }
    return mk_block(b.ir, b.out.count, (Node **)b.out.items, block->loc);
}

Node *eliminate_redundant_loads(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = name_vectors, .user = ir}, body); }
