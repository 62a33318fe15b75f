/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters as C declares them, the entry points, and what the header says about each argument. */
#include "emit/signature.h"

#include <string.h>

#include "ir/walk.h"

Emitter signature_emitter(Ir *ir, const Dialect *d, Uses *uses, const Plan *plan)
{
    const Func *f = plan->func;
    Emitter e = {.ir = ir, .dialect = d, .uses = uses, .names = names_new(ir->arena)};
    for (int i = 0; i < plan->ncallers; i++) /* they keep their names, whatever members are called */
        names_declare(e.names, plan->callers[i].sym);
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->whole)
            names_declare(e.names, f->params[i]);
    return e;
}

const char *signature_declaration(Emitter *e, Sym *const *params, int n)
{
    Text t;
    text_init(&t, e->ir->arena);
    for (int i = 0; i < n; i++)
        text_printf(&t, "%s%s", i ? ", " : "",
                    emit_declarator(e, params[i], names_find(e->names, params[i]), params[i]->rank && params[i]->is_const));
    return t.data;
}

/* How an integer parameter takes part: as an extent by itself, in a bound or an extent's expression, or only
 * as a value. Tests need it to choose sensible numbers. */
typedef struct RoleSearch {
    const Sym *sym;
    bool in_extent, in_bound;
} RoleSearch;

static bool role_pre(void *user, Node *n)
{
    RoleSearch *s = user;
    if (n->kind == N_FOR)
        s->in_bound = s->in_bound || uses_sym(n->kid[1], s->sym) || uses_sym(n->kid[0], s->sym);
    return !is_expr(n);
}

static const char *int_role(const Plan *plan, const Sym *sym)
{
    const Func *f = plan->func;
    RoleSearch s = {sym, false, false};
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++) {
            Node *x = f->params[i]->extent[d];
            if (x->kind == N_VAR && x->sym == sym)
                return "extent";
            s.in_extent = s.in_extent || uses_sym(x, sym);
        }
    if (s.in_extent)
        return "attribute";
    walk(&(Walker){.pre = role_pre, .user = &s}, plan->source);
    return s.in_bound ? "bound" : "attribute";
}

/* An integer array whose values end up in subscripts or loop bounds cannot hold arbitrary numbers: this finds the
 * extent that limits them. */
typedef struct IndexSearch {
    const Sym *sym;
    Arena *arena;
    Vec carriers; /* scalars that got a value from the array: locals, and variables of loops whose bounds read it */
    Node *limit;
} IndexSearch;

static bool is_limited_by(const IndexSearch *s, Node *e)
{
    for (int i = 0; i < s->carriers.count; i++)
        if (uses_sym(e, s->carriers.items[i]))
            return true;
    return reads_array(e, s->sym);
}

static bool index_pre(void *user, Node *n)
{
    IndexSearch *s = user;
    bool bound = n->kind == N_FOR && (is_limited_by(s, n->kid[0]) || is_limited_by(s, n->kid[1]));
    bool local = (n->kind == N_DECL || n->kind == N_ASSIGN) && !n->sym->rank && type_is_integer(n->sym->type);
    if (bound || (local && n->nkids && is_limited_by(s, n->kid[0])))
        vec_push(s->arena, &s->carriers, n->sym);
    int subscripts = n->kind == N_LOAD ? n->nkids : n->kind == N_STORE ? n->nkids - 1 : 0;
    for (int i = 0; i < subscripts && !s->limit; i++)
        if (n->sym->kind == S_ARRAY && is_limited_by(s, n->kid[i]))
            s->limit = n->sym->extent[i];
    return !s->limit;
}

static Node *index_limit(Ir *ir, const Plan *plan, const Sym *sym)
{
    IndexSearch s = {.sym = sym, .arena = ir->arena};
    if (type_is_integer(sym->type) && sym->rank)
        walk(&(Walker){.pre = index_pre, .user = &s}, plan->source);
    return s.limit;
}

static json_t *extents(Emitter *e, const Sym *p)
{
    json_t *out = json_array();
    for (int i = 0; i < p->rank; i++)
        json_array_append_new(out, json_string(emit_expr(e, p->extent[i])));
    return out;
}

/* {elem, at, count} of each run of scalars in a struct; at: of the first one, in bytes. */
static void add_layout(json_t *out, const StructType *s, int64_t at)
{
    for (int i = 0; i < s->nmembers; i++) {
        const Member *m = &s->members[i];
        int64_t count = 1;
        for (int d = 0; d < m->rank; d++)
            count *= m->dims[d];
        if (!m->inner)
            json_array_append_new(out, json_pack("{s:s, s:I, s:I}", "elem", type_spec_name(m->type), "at", (json_int_t)(at + m->offset),
                                                 "count", (json_int_t)count));
        for (int64_t k = 0; m->inner && k < count; k++)
            add_layout(out, m->inner, at + m->offset + k * m->inner->bytes);
    }
}

/* An array of structs is one of bytes, the last extent being a struct's size, in what is made by types. */
static json_t *signature_param(Emitter *e, const Plan *plan, const CallerParam *caller)
{
    const Sym *p = caller->sym;
    static const char *const parts[] = {[COMPLEX_NONE] = "", [COMPLEX_RE] = "re", [COMPLEX_IM] = "im", [COMPLEX_BOTH] = "both"};
    const char *kind = p->rank ? "array" : type_is_integer(p->type) ? "int" : "coef";
    const char *type = p->elements   ? arena_printf(e->ir->arena, "struct %s", p->elements->tag)
                       : p->spelling ? p->spelling
                                     : dialect_type(e->dialect, p->type);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:i, s:o}", "name", names_find(e->names, p), "kind", kind, "type", type,
                          "elem", type_spec_name(p->type), "const", p->is_const, "read", caller->reads, "written", caller->writes,
                          "returned", p == plan->func->returned, "rank", p->rank + (p->elements != NULL), "extents", extents(e, p));
    json_t *layout = p->elements ? json_array() : json_null();
    json_object_set_new(o, "layout", layout);
    json_object_set_new(o, "complex", *parts[p->part] ? json_string(parts[p->part]) : json_null());
    const StructPart *part = p->struct_part;
    json_object_set_new(o, "given", part ? json_pack("{s:s, s:s}", "name", part->name, "place", part->place) : json_null());
    if (p->elements) {
        add_layout(layout, p->elements, 0);
        json_array_append_new(json_object_get(o, "extents"),
                              json_string(arena_printf(e->ir->arena, "%lld", (long long)p->elements->bytes)));
    }
    return o;
}

/* [{name, elem, type, dims[], members[] or null}] */
static json_t *members(const Emitter *e, const StructType *s)
{
    json_t *out = json_array();
    for (int i = 0; i < s->nmembers; i++) {
        const Member *m = &s->members[i];
        json_t *dims = json_array();
        for (int d = 0; d < m->rank; d++)
            json_array_append_new(dims, json_integer(m->dims[d]));
        json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", m->name, "elem", m->inner ? "" : type_spec_name(m->type),
                                             "type",
                                             m->inner      ? ""
                                             : m->spelling ? m->spelling
                                                           : dialect_type(e->dialect, m->type),
                                             "dims", dims, "members", m->inner ? members(e, m->inner) : json_null()));
    }
    return out;
}

json_t *signature_given(Emitter *e, const Plan *plan)
{
    json_t *out = json_array();
    const char *last = NULL; /* scalars of one struct have one name, by its address */
    for (int i = 0; i < plan->ncallers; i++) {
        const StructPart *part = plan->callers[i].sym->struct_part;
        if (part && part->name != last)
            json_array_append_new(out, json_pack("{s:s, s:o}", "name", part->name, "members", members(e, part->type)));
        last = part ? part->name : NULL;
    }
    return out;
}

json_t *signature_params(Emitter *e, const Plan *plan)
{
    json_t *out = json_array();
    for (int i = 0; i < plan->ncallers; i++) {
        const Sym *p = plan->callers[i].sym;
        json_t *o = signature_param(e, plan, plan->callers + i);
        json_object_set_new(o, "role", json_string(p->rank ? "data" : int_role(plan, p)));
        json_object_set_new(o, "hint_lo", p->has_hint ? json_integer(p->hint_lo) : json_null());
        json_object_set_new(o, "hint_hi", p->has_hint ? json_integer(p->hint_hi) : json_null());
        const Node *limit = p->elements ? NULL : index_limit(e->ir, plan, p);
        json_object_set_new(o, "index_of", limit ? json_string(emit_expr(e, limit)) : json_null());
        json_array_append_new(out, o);
    }
    return out;
}

typedef struct DivisorSearch {
    Emitter *emitter;
    json_t *out;
} DivisorSearch;

static void divisor_post(void *user, Node *n)
{
    DivisorSearch *s = user;
    if ((n->kind != N_DIV && n->kind != N_MOD) || n->kid[1]->kind == N_INT)
        return;
    const char *text = emit_expr(s->emitter, n->kid[1]);
    size_t i;
    json_t *old;
    json_array_foreach(s->out, i, old) if (strcmp(json_string_value(old), text) == 0) return;
    json_array_append_new(s->out, json_string(text));
}

json_t *signature_divisors(Emitter *e, const Plan *plan)
{
    DivisorSearch s = {e, json_array()};
    for (int i = 0; i < plan->func->nparams; i++)
        for (int d = 0; d < plan->func->params[i]->rank; d++)
            walk(&(Walker){.post = divisor_post, .user = &s}, plan->func->params[i]->extent[d]);
    return s.out;
}

/* Other symbols than scalar parameters, or divisors that may be zero. */
static bool is_no_parameter(void *user, Node *n)
{
    const Plan *plan = user;
    const bool divides = (n->kind == N_DIV || n->kind == N_MOD) && n->kid[1]->kind != N_INT;
    const bool reads = n->kind == N_VAR && n->sym->kind == S_PARAM && !writes_sym(plan->source, n->sym);
    return divides || (n->sym && !reads);
}

json_t *signature_outputs(Emitter *e, const Plan *plan)
{
    static const Role roles[] = {R_BATCH, R_M, R_N};
    const Func *f = plan->func;
    json_t *extents = json_array(), *params = json_array();
    bool *used = arena_new_array(e->ir->arena, bool, f->nparams);
    for (size_t i = 0; e->dialect->cuda && contraction_count(plan) > 0 && i < sizeof roles / sizeof *roles; i++) {
        const Contraction *c = contraction_at(plan, 0);
        Node *extent = c->with.ragged ? c->with.usual[roles[i]] : c->extent[roles[i]];
        if (any_node(extent, is_no_parameter, (void *)plan) || extent->kind == N_INT)
            continue;
        json_array_append_new(extents, json_string(emit_expr(e, extent)));
        for (int j = 0; j < f->nparams; j++)
            used[j] = used[j] || uses_sym(extent, f->params[j]);
    }
    for (int j = 0; j < f->nparams; j++)
        if (used[j])
            json_array_append_new(params, json_string(names_find(e->names, f->params[j])));
    return json_pack("{s:o, s:o}", "extents", extents, "params", params);
}
