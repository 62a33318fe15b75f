/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/fingerprint.h"

#include <stdio.h>

#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Printing {
    Ir *ir;
    Map numbers; /* by symbol id: int *, its number in the order of first use */
    int nseen;
    uint64_t hash;
} Printing;

static void add_bytes(Printing *p, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        p->hash = (p->hash ^ b[i]) * UINT64_C(0x100000001b3);
}

static void add_number(Printing *p, int64_t n) { add_bytes(p, &n, sizeof n); }

static void add_tree(Printing *p, Node *n);

/* A symbol's number; with it, when it is new, what it is. */
static void add_sym(Printing *p, const Sym *sym)
{
    int **number = (int **)map_at(p->ir->arena, &p->numbers, sym->id);
    const bool is_new = !*number;
    if (is_new) {
        *number = arena_new_array(p->ir->arena, int, 1);
        **number = ++p->nseen;
    }
    add_number(p, **number);
    if (!is_new)
        return;
    add_number(p, sym->kind);
    add_number(p, sym->type);
    add_number(p, sym->libm);
    add_number(p, sym->rank);
    for (int d = 0; d < sym->rank; d++)
        if (sym->extent[d])
            add_tree(p, sym->extent[d]);
}

static bool add_node(void *user, Node *n)
{
    Printing *p = user;
    add_number(p, n->kind);
    add_number(p, n->type);
    add_number(p, n->aux);
    add_number(p, n->nkids);
    if (n->kind == N_INT || n->kind == N_FOR)
        add_number(p, n->u.i);
    if (n->kind == N_FLOAT) {
        char digits[64];
        add_bytes(p, digits, (size_t)snprintf(digits, sizeof digits, "%.21Lg", n->u.f));
    }
    if (n->sym)
        add_sym(p, n->sym);
    return true;
}

static void add_tree(Printing *p, Node *n) { walk(&(Walker){.pre = add_node, .user = p}, n); }

uint64_t fingerprint(Ir *ir, Node *n)
{
    Printing p = {.ir = ir, .hash = UINT64_C(0xcbf29ce484222325)};
    add_tree(&p, n);
    return p.hash ? p.hash : 1;
}
