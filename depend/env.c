/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of scalars as expressions over what was there before: assignments substitute, branches become
 * selections. */
#include "depend/env.h"

#include <string.h>

#include "depend/poly.h"
#include "depend/scope.h"
#include "ir/walk.h"

/* A contraction's scalars and expressions are few and small; what is larger costs time and gains nothing. */
enum { MAX_BINDINGS = 256, MAX_VALUE = 4000, MAX_DEF = 200 };

static bool count_node(void *user, Node *n)
{
    (void)n;
    return --*(int *)user > 0;
}

int tree_size(Node *n, int limit)
{
    int room = limit;
    walk(&(Walker){.pre = count_node, .user = &room}, n);
    return room > 0 ? limit - room : limit;
}

bool has_load(Node *e) { return reads_array(e, NULL); }

Env *env_new(Ir *ir, const Map *defs)
{
    Env *env = arena_alloc(ir->arena, sizeof *env);
    env->ir = ir;
    env->defs = defs;
    env->capacity = 8;
    env->bindings = arena_new_array(ir->arena, Binding, env->capacity);
    return env;
}

Env *env_copy(const Env *env)
{
    Env *copy = arena_alloc(env->ir->arena, sizeof *copy);
    *copy = *env;
    copy->bindings = arena_new_array(env->ir->arena, Binding, env->capacity);
    memcpy(copy->bindings, env->bindings, sizeof(Binding) * (size_t)env->count);
    return copy;
}

static Binding *find(const Env *env, const Sym *sym)
{
    for (int i = 0; i < env->count; i++)
        if (env->bindings[i].sym == sym)
            return &env->bindings[i];
    return NULL;
}

bool env_has(const Env *env, const Sym *sym) { return find(env, sym) != NULL; }

void env_set(Env *env, Sym *sym, Node *value)
{
    Binding *b = find(env, sym);
    if (b) {
        b->value = value;
        return;
    }
    if (env->count == MAX_BINDINGS) {
        env->failed = true;
        return;
    }
    if (env->count == env->capacity) {
        Binding *old = env->bindings;
        env->capacity *= 2;
        env->bindings = arena_new_array(env->ir->arena, Binding, env->capacity);
        memcpy(env->bindings, old, sizeof(Binding) * (size_t)env->count);
    }
    env->bindings[env->count++] = (Binding){sym, value};
}

static bool same_element(const Env *env, Node *const *sub)
{
    for (int i = 0; i < env->out->rank; i++)
        if (sub[i] != env->sub[i] && !poly_equal(poly_of(env->ir, sub[i]), poly_of(env->ir, env->sub[i])))
            return false;
    return true;
}

static Node *eval_post(void *user, Node *n)
{
    Env *env = user;
    if (n->kind == N_VAR) {
        Binding *b = find(env, n->sym);
        if (b) {
            env->failed = env->failed || !b->value;
            return b->value ? b->value : n;
        }
        Node *def = env->defs ? map_get(env->defs, n->sym->id) : NULL;
        return def ? def : n;
    }
    if (n->kind == N_LOAD && n->sym == env->out && env->element) {
        if (same_element(env, n->kid))
            return env->element;
        env->failed = true; /* another element, perhaps the same one */
    }
    return n;
}

Node *env_eval(Env *env, Node *e)
{
    if (tree_size(e, MAX_VALUE) == MAX_VALUE) {
        env->failed = true;
        return e;
    }
    Node *value = rewrite(&(Rewriter){.ir = env->ir, .post = eval_post, .user = env}, e);
    env->failed = env->failed || tree_size(value, MAX_VALUE) == MAX_VALUE;
    return value;
}

static bool exec_store(Env *env, Node *stmt)
{
    Node **sub = arena_new_array(env->ir->arena, Node *, stmt->sym->rank);
    for (int i = 0; i < stmt->sym->rank; i++)
        sub[i] = env_eval(env, stmt->kid[i]);
    Node *value = env_eval(env, stmt_value(stmt));
    if (!env->out)
        env->out = stmt->sym;
    if (env->out != stmt->sym)
        return false;
    if (!env->sub)
        env->sub = sub;
    if (!same_element(env, sub))
        return false;
    env->element = value;
    return !env->failed;
}

/* After the two branches of an if went their own ways from `env`. */
static bool merge(Env *env, Node *cond, const Env *a, const Env *b)
{
    Ir *ir = env->ir;
    for (int i = 0; i < env->count; i++) {
        Node *x = a->bindings[i].value, *y = b->bindings[i].value;
        if (x != y) /* without a value on one side it has none */
            env->bindings[i].value = x && y ? mk_select(ir, cond, x, y) : NULL;
    }
    if (!a->sub && !b->sub)
        return true;
    if (a->sub && b->sub && a->sub != b->sub) {
        env->out = a->out;
        env->sub = a->sub;
        if (a->out != b->out || !same_element(env, b->sub))
            return false;
    }
    const Env *stored = a->sub ? a : b;
    env->out = stored->out;
    env->sub = stored->sub;
    if (a->element == b->element) {
        env->element = a->element;
        return true;
    }
    /* Where one branch stores nothing the element keeps its old value. */
    Node *old = mk_load(ir, env->out, env->out->rank, env->sub);
    env->element = mk_select(ir, cond, a->element ? a->element : old, b->element ? b->element : old);
    return true;
}

static bool exec_if(Env *env, Node *stmt, bool may_store)
{
    Node *cond = env_eval(env, stmt->kid[0]);
    Env *a = env_copy(env), *b = env_copy(env);
    if (!env_exec(a, stmt->kid[1], may_store) || (stmt->nkids == 3 && !env_exec(b, stmt->kid[2], may_store)))
        return false;
    env->failed = env->failed || a->failed || b->failed;
    return !env->failed && merge(env, cond, a, b);
}

bool env_exec(Env *env, Node *stmt, bool may_store)
{
    switch ((Kind)stmt->kind) {
    case N_BLOCK:
        for (int i = 0; i < stmt->nkids; i++)
            if (!env_exec(env, stmt->kid[i], may_store))
                return false;
        return true;
    case N_DECL:
        if (stmt->sym->rank > 0)
            return false;
        env_set(env, stmt->sym, stmt->nkids ? env_eval(env, stmt->kid[0]) : NULL);
        return !env->failed;
    case N_ASSIGN:
        if (!env_has(env, stmt->sym))
            return false;
        env_set(env, stmt->sym, env_eval(env, stmt->kid[0]));
        return !env->failed;
    case N_STORE: return may_store && exec_store(env, stmt);
    case N_IF: return exec_if(env, stmt, may_store);
    default: return false;
    }
}

typedef struct Defs {
    Ir *ir;
    Map writes, value;
} Defs;

static Node *def_post(void *user, Node *n)
{
    Defs *d = user;
    Node *value = n->kind == N_VAR ? map_get(&d->value, n->sym->id) : NULL;
    return value ? value : n;
}

typedef struct Purity {
    const Defs *defs;
    bool ok;
} Purity;

static bool purity_pre(void *user, Node *n)
{
    Purity *p = user;
    if (n->kind == N_LOAD || n->kind == N_CALL)
        p->ok = false;
    if (n->kind == N_VAR) {
        bool constant = n->sym->kind == S_PARAM || n->sym->kind == S_LOOP;
        p->ok = p->ok && constant && !map_get(&p->defs->writes, n->sym->id);
    }
    return p->ok;
}

static bool def_pre(void *user, Node *n)
{
    Defs *d = user;
    if (is_expr(n))
        return false;
    if (n->kind != N_DECL || n->nkids == 0 || !type_is_integer(n->sym->type) || map_get(&d->writes, n->sym->id))
        return true;
    if (tree_size(n->kid[0], MAX_DEF) == MAX_DEF)
        return true;
    Node *value = rewrite(&(Rewriter){.ir = d->ir, .post = def_post, .user = d}, n->kid[0]);
    Purity p = {d, tree_size(value, MAX_DEF) < MAX_DEF};
    walk(&(Walker){.pre = purity_pre, .user = &p}, value);
    if (p.ok)
        *map_at(d->ir->arena, &d->value, n->sym->id) = value;
    return true;
}

Map find_defs(Ir *ir, Node *body)
{
    Defs d = {.ir = ir, .writes = find_writes(ir, body)};
    walk(&(Walker){.pre = def_pre, .user = &d}, body);
    return d.value;
}
