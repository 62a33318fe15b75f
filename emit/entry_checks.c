/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the conditions of plan/entry.h: sizes that overflow, null pointers, arrays that overlap, empty work. */
#include "emit/entry_checks.h"

#include <string.h>

#include "depend/index.h"
#include "emit/constant.h"
#include "emit/signature.h"
#include "ir/walk.h"
#include "plan/callers.h"
#include "plan/short_call.h"

const char *check_extent_list(Emitter *e, const Sym *array)
{
    Text t;
    text_init(&t, e->ir->arena);
    for (int i = 0; i < array->rank; i++)
        text_printf(&t, "%s%s", i ? ", " : "", emit_expr(e, widen(e->ir, array->extent[i])));
    return t.data;
}

Node **check_extents(Ir *ir, Sym *const *arrays, int narrays, int *count)
{
    int total = 0;
    for (int i = 0; i < narrays; i++)
        total += arrays[i]->rank;
    Node **out = arena_new_array(ir->arena, Node *, total + 1);
    *count = 0;
    for (int i = 0; i < narrays; i++)
        for (int d = 0; d < arrays[i]->rank; d++)
            out[(*count)++] = arrays[i]->extent[d];
    return out;
}

/* Is it the first of those that stand for a caller's array? The others have its bytes. */
static bool stands_first(const Plan *plan, int i) { return plan->func->params[i]->rank && caller_of(plan, i)->first == i; }

static bool is_written(const Plan *plan, int i) { return stands_first(plan, i) && caller_of(plan, i)->writes; }

/* Must the arrays i < j be apart? Two that are only read need not. */
static bool must_be_apart(const Plan *plan, int i, int j)
{
    return stands_first(plan, i) && stands_first(plan, j) && (caller_of(plan, i)->writes || caller_of(plan, j)->writes);
}

/* Arrays of callers, and how many of them are written. */
typedef struct Arrays {
    int count, written;
} Arrays;

static Arrays count_arrays(const Plan *plan)
{
    Arrays a = {0, 0};
    for (int i = 0; i < plan->ncallers; i++) {
        a.count += plan->callers[i].sym->rank > 0;
        a.written += plan->callers[i].sym->rank > 0 && plan->callers[i].writes;
    }
    return a;
}

/* Of arrays that must be apart. */
static int count_pairs(const Plan *plan)
{
    const Arrays a = count_arrays(plan);
    return a.written * (a.written - 1) / 2 + a.written * (a.count - a.written);
}

bool check_has_pairs(const Plan *plan) { return count_pairs(plan) > 0; }

bool check_has_many_pairs(const Plan *plan)
{
    enum { MOST = 64 }; /* that are read with pleasure */
    return count_pairs(plan) > MOST;
}

/* One function that is printed. */
typedef struct Checks {
    const CheckInput *in;
    const Names *names; /* of arrays that the function is handed by themselves; NULL: they are in args */
    Arrays arrays;
    int *like; /* per parameter: the first one that has its extents, and its bytes */
} Checks;

/* When a call touches parameter i; NULL: always. */
static Node *touched(const Plan *plan, int i) { return plan->touches ? plan->touches[i] : NULL; }

/* Begins a function that looks at the arguments only: at the `nalso` expressions `also`. */
static FunctionText begin(const CheckInput *in, const char *suffix, const char *qualifiers, const char *result, const char *more,
                          Node *const *also, int nalso)
{
    FunctionSpec *spec = arena_new_array(in->ir->arena, FunctionSpec, 1);
    *spec = (FunctionSpec){.qualifiers = qualifiers, .result = result, .name = arena_printf(in->ir->arena, "%s_%s", in->symbol, suffix)};
    spec->args_param = arena_printf(in->ir->arena, "const %s_args *args%s", in->symbol, more);
    spec->body = mk_block(in->ir, 0, NULL, (Loc){0, 0});
    spec->also = also;
    spec->nalso = nalso;
    return function_begin(in->ir, in->dialect, in->uses, in->fields, spec);
}

/* One that looks at the extents of all arrays. */
static FunctionText begin_extents(const CheckInput *in, const char *suffix, const char *qualifiers, const char *result, const char *more)
{
    int count;
    Node **extents = check_extents(in->ir, in->plan->func->params, in->plan->func->nparams, &count);
    return begin(in, suffix, qualifiers, result, more, extents, count);
}

/* One that looks also at when they are touched. */
static FunctionText begin_check(const CheckInput *in)
{
    const Func *f = in->plan->func;
    int count;
    Node **extents = check_extents(in->ir, f->params, f->nparams, &count);
    Node **also = arena_new_array(in->ir->arena, Node *, count + f->nparams + 1);
    memcpy(also, extents, (size_t)count * sizeof *also);
    for (int i = 0; i < f->nparams; i++)
        also[count++] = touched(in->plan, i);
    return begin(in, "check", "static", in->dialect->status_type, "", also, count);
}

static void print_divisor_checks(Emitter *e, const Plan *plan, const char *refusal, Text *text)
{
    json_t *divisors = signature_divisors(e, plan), *divisor;
    size_t at;
    json_array_foreach(divisors, at, divisor)
        text_printf(text, "    if (%s == 0)\n        return %s;\n", json_string_value(divisor), refusal);
    json_decref(divisors);
}

/* The bits above those that all extents together may have: "e | f | g", each expression once. Returns the largest rank. */
static int print_extents_together(const CheckInput *in, Emitter *e, Text *text)
{
    json_t *seen = json_object();
    int rank = 0;
    for (int i = 0; i < in->plan->func->nparams; i++) {
        const Sym *p = in->plan->func->params[i];
        rank = p->rank > rank ? p->rank : rank;
        for (int d = 0; d < p->rank; d++) {
            const char *extent = emit_expr(e, widen(in->ir, p->extent[d]));
            const bool sum = strchr(extent, ' ') != NULL;
            if (!json_object_get(seen, extent))
                text_printf(text, "%s%s%s%s", json_object_size(seen) ? " | " : "", sum ? "(" : "", extent, sum ? ")" : "");
            json_object_set_new(seen, extent, json_true());
        }
    }
    json_decref(seen);
    return rank;
}

/* "args->mik_ahead_W[2]": the whole of what a call took packed instead of parameter i, or brought it; NULL: no call does. */
static const char *packed_place(const CheckInput *in, int i)
{
    const Plan *plan = in->plan;
    const Constant *k = plan->brought_by ? plan->brought_by[i] : NULL;
    for (int j = 0; j < plan->nconstants; j++)
        if (plan->constants[j]->array == plan->func->params[i])
            k = plan->constants[j];
    return k ? arena_printf(in->ir->arena, "args->%s[%d]", constant_field(in->ir, k), k->nparts + 1) : NULL;
}

/* Must the array of parameter i be apart from any other? */
static bool has_partner(const Checks *c, int i)
{
    return stands_first(c->in->plan, i) && (is_written(c->in->plan, i) ? c->arrays.count > 1 : c->arrays.written > 0);
}

/* The same text for arrays of one type and with the same extents, whose bytes are the same in every call. */
static const char *kind_of_array(const CheckInput *in, int i)
{
    const Sym *p = in->plan->func->params[i];
    Text text;
    text_init(&text, in->ir->arena);
    text_printf(&text, "%d", (int)p->type);
    for (int d = 0; d < p->rank; d++)
        text_printf(&text, " %d", p->extent[d]->id);
    return text.data;
}

/* The first array of each kind, of those that must be apart from others and of all; what is packed is of a kind of its own. */
static void find_likes(Checks *c)
{
    const int n = c->in->plan->func->nparams;
    json_t *first[2] = {json_object(), json_object()};
    c->like = arena_new_array(c->in->ir->arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        const bool partner = has_partner(c, i);
        c->like[i] = i;
        if (!c->in->plan->func->params[i]->rank || packed_place(c->in, i))
            continue;
        const char *kind = kind_of_array(c->in, i);
        const json_t *before = json_object_get(first[partner], kind);
        if (before)
            c->like[i] = (int)json_integer_value(before);
        for (int which = 0; which <= partner; which++)
            if (!json_object_get(first[which], kind))
                json_object_set_new(first[which], kind, json_integer(i));
    }
    json_decref(first[0]);
    json_decref(first[1]);
}

static Checks checks_of(const CheckInput *in)
{
    Checks c = {.in = in, .arrays = count_arrays(in->plan)};
    find_likes(&c);
    return c;
}

/* The field of the first array with the type and the extents of parameter i, among those that must be apart from others if it must. */
static const char *like(const Checks *c, int i) { return c->in->fields->items[c->like[i]].name; }

/* "args->A", or "A" */
static const char *argument(const Checks *c, int i)
{
    const Field *f = &c->in->fields->items[i];
    return c->names ? names_find(c->names, f->flat) : arena_printf(c->in->ir->arena, "args->%s", f->name);
}

/* Where the array of parameter i begins, packed or not. */
static const char *place(const Checks *c, int i)
{
    const CheckInput *in = c->in;
    const char *plain = argument(c, i), *packed = c->names ? NULL : packed_place(in, i);
    return packed ? arena_printf(in->ir->arena, "mik_ahead_place(%s, %s)", packed, plain) : plain;
}

/* How many bytes it has. */
static const char *bytes(const Checks *c, Emitter *e, int i)
{
    const CheckInput *in = c->in;
    const Sym *p = in->plan->func->params[i];
    const char *plain = arena_printf(in->ir->arena, "sizeof *%s", argument(c, i)), *packed = c->names ? NULL : packed_place(in, i);
    for (int d = 0; d < p->rank; d++)
        plain = arena_printf(in->ir->arena, "%s * (uint64_t)(%s)", plain, emit_expr(e, widen(in->ir, p->extent[d])));
    return packed ? arena_printf(in->ir->arena, "mik_ahead_bytes(%s, %s)", packed, plain) : plain;
}

/* The sizes of the arrays that must be apart from others, as constants; sums of bits that are too large do not matter yet. */
static void print_sizes(const Checks *c, Emitter *e, Text *text)
{
    const CheckInput *in = c->in;
    for (int i = 0; i < in->plan->func->nparams; i++) {
        if (has_partner(c, i) && c->like[i] == i)
            text_printf(text, "    const uint64_t mik_%s_bytes = %s;\n", in->fields->items[i].name, bytes(c, e, i));
    }
}

/* "CALL(args->C, mik_C_bytes, args->A, mik_A_bytes)" for all pairs that must be apart, joined by `between`. */
static void print_pairs(const Checks *c, const char *call, const char *between, Text *text)
{
    const CheckInput *in = c->in;
    const char *before = "";
    for (int j = 1; j < in->plan->func->nparams; j++)
        for (int i = 0; i < j; i++) {
            if (!must_be_apart(in->plan, i, j))
                continue;
            text_printf(text, "%s%s(%s, mik_%s_bytes, %s, mik_%s_bytes)", before, call, place(c, j), like(c, j), place(c, i), like(c, i));
            before = between;
        }
}

/* Where there are too many pairs: the arrays themselves, those that are written first. */
static void print_table(const Checks *c, Text *text)
{
    const CheckInput *in = c->in;
    text_puts(text, "    mik_bytes_at mik_all[] = {\n");
    for (int written = 1; written >= 0; written--)
        for (int i = 0; i < in->plan->func->nparams; i++)
            if (stands_first(in->plan, i) && is_written(in->plan, i) == written)
                text_printf(text, "        {%s, mik_%s_bytes},\n", place(c, i), like(c, i));
    text_puts(text, "    };\n");
}

json_t *check_quick(const CheckInput *in)
{
    const int element_bits = 4; /* the largest element has 16 bytes */
    if (!in->is_short)
        return json_null();
    FunctionText t = begin_extents(in, "quick", "static inline", "int", "");
    Text text, any, addresses;
    text_init(&text, in->ir->arena);
    text_init(&any, in->ir->arena);
    text_init(&addresses, in->ir->arena);
    print_divisor_checks(&t.emitter, in->plan, "0", &text);
    const int rank = print_extents_together(in, &t.emitter, &any);
    for (int i = 0; i < in->plan->func->nparams; i++)
        if (in->plan->func->params[i]->rank)
            text_printf(&addresses, " && args->%s", in->fields->items[i].name);
    if (!rank) {
        text_puts(&text, "    return 1;\n");
        return function_finish(&t, text.data, NULL);
    }
    const Checks c = checks_of(in);
    const bool many = check_has_many_pairs(in->plan);
    print_sizes(&c, &t.emitter, &text);
    if (many)
        print_table(&c, &text);
    text_printf(&text, "    return (uint64_t)(%s) >> (UINTPTR_MAX > 0xffffffffu ? %d : %d) == 0%s", any.data, (62 - element_bits) / rank,
                (31 - element_bits) / rank, addresses.data);
    if (many) {
        text_printf(&text, " &&\n        !mik_any_overlap(mik_all, %d, %d)", c.arrays.written, c.arrays.count);
    } else if (check_has_pairs(in->plan)) {
        text_puts(&text, " &&\n        (");
        print_pairs(&c, "mik_apart", " &\n         ", &text);
        text_puts(&text, ")");
    }
    text_puts(&text, ";\n");
    return function_finish(&t, text.data, NULL);
}

/* ---------------------------------------------------------------- short calls */

static bool is_less(void *user, Node *n)
{
    (void)user;
    return (n->kind != N_VAR && n->kind != N_CAST && n->kind != N_ADD && n->kind != N_MUL && n->kind != N_INT) ||
           (n->kind == N_INT && n->u.i < 0);
}

/* May it be negative where all parameters have few bits? */
static bool may_be_negative(Node *extent) { return any_node(extent, is_less, NULL); }

static void print_one_limited(const char *one, Text *all)
{
    const bool sum = strchr(one, ' ') != NULL;
    text_printf(all, "%s%s%s%s", all->size ? " | " : "", sum ? "(" : "", one, sum ? ")" : "");
}

/* "(int64_t)M | (int64_t)N | (N - 1)": the parameters that decide, but for the one that decides alone, and extents that may be negative. */
static const char *limited_together(const CheckInput *in, Emitter *e)
{
    const Func *f = in->plan->func;
    const Vec *limited = &in->plan->short_call->limited;
    Text all;
    text_init(&all, in->ir->arena);
    text_puts(&all, "");
    for (int i = 0; i < limited->count; i++)
        if (limited->items[i] != in->plan->short_call->only)
            print_one_limited(emit_expr(e, widen(in->ir, mk_var(in->ir, limited->items[i]))), &all);
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++) {
            const char *one = may_be_negative(f->params[i]->extent[d]) ? emit_expr(e, widen(in->ir, f->params[i]->extent[d])) : NULL;
            if (one && !(all.size && strstr(all.data, one)))
                print_one_limited(one, &all);
        }
    return all.size ? all.data : NULL;
}

/* "(uint64_t)N <= 40 && (uint64_t)(D) < 4096"; "((uint64_t)(M | N) <= 7 || ((uint64_t)(M | N) < 4096 && M * (N * 8 + 21) <= 992))" */
static void print_little_work(const CheckInput *in, Emitter *e, Text *text)
{
    const ShortCall *call = in->plan->short_call;
    const char *all = limited_together(in, e);
    if (call->only)
        text_printf(text, "(uint64_t)%s <= %lld", emit_expr(e, widen(in->ir, mk_var(in->ir, call->only))), (long long)call->most);
    if (call->only && all)
        text_printf(text, " && (uint64_t)(%s) < %d", all, MOST_OF_SHORT);
    if (call->only || !all) {
        text_puts(text, call->only ? "" : "1");
        return;
    }
    const char *when = emit_condition(e, call->when);
    if (call->all_most)
        text_printf(text, "((uint64_t)(%s) <= %lld || ", all, (long long)call->all_most);
    text_printf(text, "%s(uint64_t)(%s) < %d && %s%s", call->all_most ? "(" : "", all, MOST_OF_SHORT, when, call->all_most ? "))" : "");
}

/* " && W > 0": of extents in the arrays' shapes, which C wants to be positive. */
static void print_positive(const CheckInput *in, Emitter *e, Text *text)
{
    Ir *ir = in->ir;
    Map seen = {0}; /* by node id */
    for (int i = 0; i < in->plan->func->nparams; i++)
        for (int d = 1; d < in->plan->func->params[i]->rank; d++) {
            Node *extent = widen(ir, in->plan->func->params[i]->extent[d]);
            if (extent->kind == N_INT || map_get(&seen, extent->id))
                continue;
            *map_at(ir->arena, &seen, extent->id) = extent;
            text_printf(text, " && %s", emit_condition(e, mk_binary(ir, N_LT, ix_int(ir, 0), extent)));
        }
}

/* " && x && mik_far(x, mik_x_bytes, y, mik_y_bytes)": of array i and those that are written, of two of these once. Compilers make one branch
 * of each line, and what belongs to y is computed once. */
static void print_far(const CheckInput *in, const Checks *c, int i, Text *text)
{
    const char *before = " &&\n        ";
    if (!is_written(in->plan, i)) {
        text_printf(text, "%s%s", before, argument(c, i));
        before = " && ";
    }
    for (int j = 0; j < in->plan->func->nparams; j++)
        if (is_written(in->plan, j) && j != i && (j > i || !is_written(in->plan, i)))
            text_printf(text, "%smik_far(%s, mik_%s_bytes, %s, mik_%s_bytes)", before, argument(c, i), like(c, i), argument(c, j),
                        like(c, j));
}

/* What is to hold of a short call, behind "return". */
static void print_short(const CheckInput *in, const Checks *c, Emitter *e, Text *text)
{
    print_little_work(in, e, text);
    print_positive(in, e, text);
    for (int i = 0; i < in->plan->func->nparams; i++)
        if (is_written(in->plan, i))
            text_printf(text, " && %s", argument(c, i));
    for (int i = 0; i < in->plan->func->nparams; i++)
        if (stands_first(in->plan, i))
            print_far(in, c, i, text);
}

/* NAME_is_short(), or NAME_short(): a function of all parameters. */
static FunctionSpec *short_function(const CheckInput *in, const char *qualifiers, const char *suffix, Node *body, bool flat)
{
    const Func *f = in->plan->func;
    FunctionSpec *spec = arena_new_array(in->ir->arena, FunctionSpec, 1);
    *spec = (FunctionSpec){.qualifiers = qualifiers, .result = "int", .name = arena_printf(in->ir->arena, "%s_%s", in->symbol, suffix)};
    spec->params = arena_new_array(in->ir->arena, Sym *, f->nparams + 1);
    for (spec->nparams = 0; spec->nparams < f->nparams; spec->nparams++)
        spec->params[spec->nparams] = flat ? linear_sym(in->ir, in->linear, f->params[spec->nparams]) : f->params[spec->nparams];
    spec->body = body;
    return spec;
}

/* Does the test read parameter i? */
static bool decides(const CheckInput *in, int i)
{
    const Vec *limited = &in->plan->short_call->limited;
    bool yes = stands_first(in->plan, i);
    for (int j = 0; j < limited->count; j++)
        yes = yes || limited->items[j] == in->plan->func->params[i];
    return yes;
}

static json_t *short_test(const CheckInput *in)
{
    Checks c = checks_of(in);
    FunctionSpec *spec = short_function(in, "", "is_short", mk_block(in->ir, 0, NULL, (Loc){0, 0}), true);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, spec);
    Text text;
    text_init(&text, in->ir->arena);
    c.names = t.emitter.names;
    for (int i = 0; i < in->plan->func->nparams; i++)
        if (!decides(in, i))
            text_printf(&text, "    (void)%s;\n", names_find(t.emitter.names, in->fields->items[i].flat));
    print_divisor_checks(&t.emitter, in->plan, "0", &text);
    print_sizes(&c, &t.emitter, &text);
    text_puts(&text, "    return ");
    print_short(in, &c, &t.emitter, &text);
    text_puts(&text, ";\n");
    return function_finish(&t, text.data, NULL);
}

static json_t *short_run(const CheckInput *in)
{
    FunctionSpec *spec = short_function(in, "static", "short", in->plan->short_call->body, false);
    spec->assumed_distinct = false; /* where arrays are restrict, compilers make calls of memcpy() and memset() for a few elements */
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, spec);
    return function_finish(&t, function_unused(&t), arena_printf(in->ir->arena, "    return %s;\n", in->dialect->status_ok));
}

/* "M, N, A": what the prototype's parameters say of those of the operator, as pointers to elements, or in the spec's shapes. */
static const char *short_arguments(const CheckInput *in, bool shaped)
{
    const Plan *plan = in->plan;
    Emitter e = signature_emitter(in->ir, in->dialect, in->uses, plan);
    Text text;
    text_init(&text, in->ir->arena);
    for (int i = 0; i < plan->func->nparams; i++) {
        const Sym *p = plan->func->params[i];
        text_printf(&text, "%s", i ? ", " : "");
        if (shaped && p->rank > 1)
            text_printf(&text, "(%s)", emit_shaped_declarator(&e, p, "", p->is_const));
        else if (p->whole)
            text_printf(&text, "(%s)", in->fields->items[i].type);
        text_puts(&text, names_find(e.names, whole_param((Sym *)p)));
    }
    return text.data;
}

/* Has an array an inner extent that only calls know? */
static bool has_variable_shapes(const CheckInput *in)
{
    bool any = false;
    for (int i = 0; i < in->plan->func->nparams; i++)
        for (int d = 1; d < in->plan->func->params[i]->rank; d++)
            any = any || in->plan->func->params[i]->extent[d]->kind != N_INT;
    return any;
}

/* Have all arrays few bytes, however large the extents of short calls are? */
static bool are_countable(const CheckInput *in)
{
    bool yes = true;
    for (int i = 0; i < in->plan->func->nparams; i++) {
        const Sym *p = in->plan->func->params[i];
        double most = type_bytes(p->type);
        for (int d = 0; d < p->rank; d++)
            most *= p->extent[d]->kind == N_INT ? (double)p->extent[d]->u.i : MOST_OF_SHORT;
        yes = yes && most < 0x1p62;
    }
    return yes;
}

json_t *check_short(const CheckInput *in)
{
    if (!in->plan->short_call || !are_countable(in) || check_has_many_pairs(in->plan))
        return json_null();
    return json_pack("{s:o, s:o, s:s, s:s, s:b}", "test", short_test(in), "run", short_run(in), "arguments", short_arguments(in, false),
                     "shaped", short_arguments(in, true), "variable", has_variable_shapes(in));
}

/* ---------------------------------------------------------------- the status of arguments */

/* What is found about the arrays one by one: a missing address counts last, and only where the call would use it. */
static void print_array_checks(const Checks *c, Emitter *e, Text *text)
{
    const CheckInput *in = c->in;
    const char *declared = in->dialect->status_type, *before = in->dialect->status_ok;
    for (int i = 0; i < in->plan->func->nparams; i++) {
        const Sym *p = in->plan->func->params[i];
        if (!p->rank)
            continue;
        const char *field = in->fields->items[i].name;
        Node *touches = touched(in->plan, i);
        const char *used = touches ? emit_expr(e, touches) : "1";
        if (in->plan->brought_by && in->plan->brought_by[i])
            used = arena_printf(in->ir->arena, "!%s && (%s)", packed_place(in, i), used);
        if (c->like[i] == i)
            text_printf(text, "    const int64_t mik_%s_extent[] = {%s};\n", field, check_extent_list(e, p));
        text_printf(text, "    %s%sstatus = mik_check_array(%s, args->%s, sizeof *args->%s, mik_%s_extent, %d, %s);\n", declared,
                    *declared ? " " : "", before, field, field, like(c, i), p->rank, used);
        declared = "";
        before = "status";
    }
    if (*declared)
        text_printf(text, "    const %s status = %s;\n", declared, before);
}

/* "return status == OK && ANY PAIR OVERLAPS ? MIKGEN_OVERLAP : status;" */
static void print_overlap(const Checks *c, Text *text)
{
    const Dialect *d = c->in->dialect;
    if (check_has_many_pairs(c->in->plan)) {
        print_table(c, text);
        text_printf(text, "    return status == %s && mik_any_overlap(mik_all, %d, %d)", d->status_ok, c->arrays.written, c->arrays.count);
    } else {
        const bool several = count_pairs(c->in->plan) > 1;
        text_printf(text, "    return status == %s && %s", d->status_ok, several ? "(" : "");
        print_pairs(c, "mik_overlap", " ||\n        ", text);
        text_puts(text, several ? ")" : "");
    }
    text_puts(text, " ? MIKGEN_OVERLAP : status;\n");
}

json_t *check_arguments(const CheckInput *in)
{
    const Dialect *d = in->dialect;
    FunctionText t = begin_check(in);
    Text text;
    text_init(&text, in->ir->arena);
    if (in->is_short)
        text_printf(&text, "    if (%s_quick(args))\n        return %s;\n", in->symbol, d->status_ok);
    print_divisor_checks(&t.emitter, in->plan, d->status_extent, &text);
    const Checks c = checks_of(in);
    print_array_checks(&c, &t.emitter, &text);
    if (check_has_pairs(in->plan)) {
        print_sizes(&c, &t.emitter, &text);
        print_overlap(&c, &text);
        return function_finish(&t, text.data, NULL);
    }
    text_puts(&text, "    return status;\n");
    return function_finish(&t, text.data, NULL);
}

json_t *check_works(const CheckInput *in)
{
    Node *works = in->plan->works;
    if (!works || (works->kind == N_INT && works->u.i))
        return json_null();
    Emitter e = signature_emitter(in->ir, in->dialect, in->uses, in->plan);
    return json_string(emit_expr(&e, works));
}

/* CUDA's nests share sums in it, too. */
static bool takes_workspace(const CheckInput *in) { return in->dialect->cuda || contraction_count(in->plan) || in->plan->ntemporaries; }

json_t *check_meets(const CheckInput *in)
{
    if (!takes_workspace(in))
        return json_null();
    FunctionText t = begin_extents(in, "meets", "static", "int", ", const void *room, uint64_t room_bytes");
    Text text;
    text_init(&text, in->ir->arena);
    const Checks c = {.in = in};
    const char *before = "    return ";
    for (int i = 0; i < in->plan->func->nparams; i++) {
        if (!stands_first(in->plan, i))
            continue;
        text_printf(&text, "%smik_overlap(room, room_bytes, %s, %s)", before, place(&c, i), bytes(&c, &t.emitter, i));
        before = " ||\n        ";
    }
    if (!text.size)
        return json_null();
    text_puts(&text, ";\n");
    return function_finish(&t, text.data, NULL);
}
