#include "ir/check.h"

#include "ir/walk.h"

typedef struct Checker {
    const Ir *ir;
    const char *pass, *func;
    bool inlined, is_hook;
    bool *visible;  /* per symbol id: declared and in scope */
    bool *looping;  /* per symbol id: the variable of an open loop */
} Checker;

#define REQUIRE(c, n, cond)                                                                                            \
    do {                                                                                                               \
        if (!(cond))                                                                                                   \
            internal_error("after %s, in %s: %s node breaks the rule \"%s\"", (c)->pass, (c)->func,                    \
                           kind_info[(n)->kind].name, #cond);                                                          \
    } while (0)

static void check_expr(const Checker *c, const Node *n);

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

static void check_node_shape(const Checker *c, const Node *n)
{
    switch ((Kind)n->kind) {
    case N_INT: REQUIRE(c, n, type_is_integer(n->type)); break;
    case N_FLOAT: REQUIRE(c, n, type_is_float(n->type)); break;
    case N_VAR:
        REQUIRE(c, n, n->sym->kind == S_PARAM || n->sym->kind == S_LOCAL || n->sym->kind == S_LOOP);
        REQUIRE(c, n, (Type)n->type == n->sym->type);
        REQUIRE(c, n, c->visible[n->sym->id]);
        break;
    case N_LOAD:
        REQUIRE(c, n, n->sym->rank == n->nkids && n->nkids > 0);
        for (int i = 0; i < n->nkids; i++)
            REQUIRE(c, n, type_is_integer(n->kid[i]->type));
        break;
    case N_REF: REQUIRE(c, n, !c->inlined); break;
    case N_CALL: REQUIRE(c, n, n->sym->kind == S_FUNC && (n->sym->libm || !c->inlined)); break;
    case N_CAST: REQUIRE(c, n, n->type != n->kid[0]->type); break;
    case N_NEG: REQUIRE(c, n, n->type == n->kid[0]->type && type_promote(n->type) == (Type)n->type); break;
    case N_BNOT: REQUIRE(c, n, n->type == n->kid[0]->type && type_is_integer(n->type)); break;
    case N_LNOT: REQUIRE(c, n, n->type == T_INT); break;
    case N_SEL: REQUIRE(c, n, n->kid[1]->type == n->type && n->kid[2]->type == n->type); break;
    default: check_binary(c, n);
    }
}

static void check_expr(const Checker *c, const Node *n)
{
    REQUIRE(c, n, is_expr(n));
    REQUIRE(c, n, kind_info[n->kind].kids < 0 || kind_info[n->kind].kids == n->nkids);
    for (int i = 0; i < n->nkids; i++)
        check_expr(c, n->kid[i]);
    check_node_shape(c, n);
}

static void check_stmt(const Checker *c, const Node *n);

static void declare(const Checker *c, const Node *n)
{
    REQUIRE(c, n, !c->visible[n->sym->id]);
    c->visible[n->sym->id] = true;
}

static void check_write(const Checker *c, const Node *n)
{
    REQUIRE(c, n, n->sym->rank > 0 || c->visible[n->sym->id]);
    REQUIRE(c, n, (Type)stmt_value(n)->type == n->sym->type);
    if (n->aux)
        REQUIRE(c, n, compound_operand(n) != NULL);
    for (int i = 0; i < n->nkids; i++)
        check_expr(c, n->kid[i]);
}

/* Declarations directly in the block end with it. */
static void check_block(const Checker *c, const Node *n)
{
    for (int i = 0; i < n->nkids; i++)
        check_stmt(c, n->kid[i]);
    for (int i = 0; i < n->nkids; i++)
        if (n->kid[i]->kind == N_DECL)
            c->visible[n->kid[i]->sym->id] = false;
}

static void check_for(const Checker *c, const Node *n)
{
    check_expr(c, n->kid[0]);
    if (n->aux)
        declare(c, n);
    REQUIRE(c, n, c->visible[n->sym->id]);
    REQUIRE(c, n, (Type)n->kid[0]->type == n->sym->type);
    REQUIRE(c, n, n->u.i != 0);
    REQUIRE(c, n, !c->looping[n->sym->id]);
    c->looping[n->sym->id] = true;
    check_expr(c, n->kid[1]);
    check_stmt(c, n->kid[2]);
    c->looping[n->sym->id] = false;
    if (n->aux)
        c->visible[n->sym->id] = false;
}

static void check_stmt(const Checker *c, const Node *n)
{
    REQUIRE(c, n, !is_expr(n));
    REQUIRE(c, n, kind_info[n->kind].kids < 0 || kind_info[n->kind].kids == n->nkids);
    switch ((Kind)n->kind) {
    case N_BLOCK: check_block(c, n); break;
    case N_DECL:
        if (n->nkids) {
            check_expr(c, n->kid[0]);
            REQUIRE(c, n, (Type)n->kid[0]->type == n->sym->type);
        }
        declare(c, n);
        break;
    case N_ASSIGN:
        REQUIRE(c, n, n->sym->rank == 0 && !c->looping[n->sym->id]);
        check_write(c, n);
        break;
    case N_STORE:
        REQUIRE(c, n, n->sym->rank == n->nkids - 1);
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
    case N_EVAL: REQUIRE(c, n, !c->inlined); break;
    case N_RETURN:
        REQUIRE(c, n, !c->inlined || c->is_hook);
        if (n->nkids)
            check_expr(c, n->kid[0]);
        break;
    default: REQUIRE(c, n, kind_info[n->kind].is_expr);
    }
}

/* Arrays need no declaration in the body: parameters and temporaries are reached from outside it. */
static Checker checker(const Ir *ir, const Func *f, bool inlined, const char *pass)
{
    Checker c = {.ir = ir, .pass = pass, .func = f->name, .inlined = inlined};
    c.visible = arena_new_array(ir->arena, bool, ir->nsyms + 1);
    c.looping = arena_new_array(ir->arena, bool, ir->nsyms + 1);
    for (int i = 0; i < f->nparams; i++)
        c.visible[f->params[i]->id] = true;
    return c;
}

void check_func(const Ir *ir, const Func *f, bool inlined, const char *pass)
{
    Checker c = checker(ir, f, inlined, pass);
    check_stmt(&c, f->body);
}

static bool forget_declared(void *user, Node *n)
{
    bool *visible = user;
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux))
        visible[n->sym->id] = false;
    return true;
}

void check_hook(const Ir *ir, const Func *hook, const char *pass)
{
    Checker c = checker(ir, hook, true, pass);
    c.is_hook = true;
    for (int i = 0; i < ir->nsyms; i++)
        c.visible[i] = true;
    walk(&(Walker){.pre = forget_declared, .user = c.visible}, hook->body);
    check_stmt(&c, hook->body);
}
