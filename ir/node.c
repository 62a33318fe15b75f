/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes: the table of kinds, interning by a hash of kind, type, symbol and operands, and the constructors. */
#include "ir/node.h"

#include <math.h>
#include <string.h>

#include "ir/walk.h"

const KindInfo kind_info[N_COUNT] = {
    [N_NONE] = {"none", "", 0, 0, 0, 0, false},
#define EXPR(kind, name, spelling, prec, kids, cost, flags) [kind] = {name, spelling, prec, kids, cost, flags, true},
#define STMT(kind, name, kids)                              [kind] = {name, "", 0, kids, 0, 0, false},
#include "ir/ops.def"
};

static void new_table(Ir *ir)
{
    ir->table_size = 1024;
    ir->table_used = 0;
    ir->table = arena_new_array(ir->arena, struct NodeSlot, ir->table_size);
}

Ir *ir_new(Arena *arena, Diag *diag)
{
    Ir *ir = arena_alloc(arena, sizeof *ir);
    ir->arena = arena;
    ir->scratch = arena_child(arena);
    ir->diag = diag;
    new_table(ir);
    return ir;
}

Ir ir_trial(const Ir *ir)
{
    Ir trial = *ir;
    trial.arena = arena_new();
    trial.scratch = arena_new();
    new_table(&trial);
    trial.below = ir;
    trial.nbelow = ir->nnodes;
    return trial;
}

void ir_trial_end(Ir *trial)
{
    arena_free(trial->scratch);
    arena_free(trial->arena);
}

Sym *sym_new(Ir *ir, SymKind kind, Type type, const char *name, Loc loc)
{
    Sym *s = arena_alloc(ir->arena, sizeof *s);
    s->kind = kind;
    s->type = type;
    s->name = arena_strndup(ir->arena, name, strlen(name));
    s->id = ir->nsyms++;
    s->loc = loc;
    return s;
}

Sym *sym_new_array(Ir *ir, SymKind kind, Type elem, const char *name, int rank, Node *const *extent, Loc loc)
{
    Sym *s = sym_new(ir, kind, elem, name, loc);
    s->rank = rank;
    s->extent = arena_new_array(ir->arena, Node *, rank);
    for (int i = 0; i < rank; i++)
        s->extent[i] = extent[i];
    return s;
}

_Static_assert(N_ROW_STORE - N_BLOCK < 30, "a flag in Node.has for each kind of statement, of which this is the last");

/* What is in the node, from what is in its kids. */
static void sum_up(Node *n)
{
    if (n->sym)
        n->uses = sym_bit(n->sym);
    if (!is_expr(n)) {
        n->has = has_flag(n->kind);
        n->writes = n->uses;
    } else if (n->kind == N_LOAD) {
        n->has = HAS_LOAD;
    }
    if (is_expr(n) && type_is_integer(n->type) && !type_is_signed(n->type) && type_bits(n->type) >= 32)
        n->has |= HAS_UNSIGNED;
    for (int i = 0; i < n->nkids; i++) {
        n->has |= n->kid[i]->has;
        n->uses |= n->kid[i]->uses;
        n->writes |= n->kid[i]->writes;
    }
}

static Node *node_new(Ir *ir, Kind kind, Type type, Sym *sym, int nkids, Node *const *kids, Loc loc)
{
    Node *n = arena_alloc(ir->arena, sizeof *n + sizeof(Node *) * (size_t)nkids);
    n->kind = (uint8_t)kind;
    n->type = (uint8_t)type;
    n->sym = sym;
    n->id = ir->nnodes++;
    n->nkids = nkids;
    n->loc = loc;
    for (int i = 0; i < nkids; i++)
        n->kid[i] = kids[i];
    sum_up(n);
    return n;
}

/* Interning. */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

/* The value bits of a floating payload without its padding. */
static void float_bits(long double f, uint64_t bits[2])
{
    bits[0] = bits[1] = 0;
    memcpy(bits, &f, sizeof f > 10 ? 10 : sizeof f);
}

static uint64_t hash_node(const Node *n)
{
    uint64_t h = mix(n->kind, n->type);
    h = mix(h, n->sym ? (uint64_t)n->sym->id + 1 : 0);
    if (n->kind == N_FLOAT) {
        uint64_t bits[2];
        float_bits(n->u.f, bits);
        h = mix(mix(h, bits[0]), bits[1]);
    } else {
        h = mix(h, (uint64_t)n->u.i);
    }
    for (int i = 0; i < n->nkids; i++)
        h = mix(h, (uint64_t)n->kid[i]->id);
    return h ^ (h >> 31);
}

static bool same_node(const Node *a, const Node *b)
{
    if (a->kind != b->kind || a->type != b->type || a->sym != b->sym || a->nkids != b->nkids)
        return false;
    if (a->kind == N_FLOAT) {
        uint64_t x[2], y[2];
        float_bits(a->u.f, x);
        float_bits(b->u.f, y);
        if (x[0] != y[0] || x[1] != y[1])
            return false;
    } else if (a->u.i != b->u.i) {
        return false;
    }
    return memcmp(a->kid, b->kid, sizeof(Node *) * (size_t)a->nkids) == 0;
}

/* The free slot for `hash`, or an equal node's. Nodes lie far apart: they are looked at only if the hash says so. */
static struct NodeSlot *find_slot(const Ir *ir, uint32_t hash, const Node *probe)
{
    for (uint32_t at = hash;; at++) {
        struct NodeSlot *slot = &ir->table[at & (uint32_t)(ir->table_size - 1)];
        if (!slot->node || (slot->hash == hash && probe && same_node(slot->node, probe)))
            return slot;
    }
}

static void table_grow(Ir *ir)
{
    const struct NodeSlot *old = ir->table;
    int old_size = ir->table_size;
    ir->table_size *= 2;
    ir->table = arena_new_array(ir->arena, struct NodeSlot, ir->table_size);
    for (int i = 0; i < old_size; i++)
        if (old[i].node)
            *find_slot(ir, old[i].hash, NULL) = old[i];
}

/* The equal node that a trial finds below itself; NULL: there is none. */
static Node *find_below(const Ir *trial, uint32_t hash, const Node *probe)
{
    for (const Ir *ir = trial; ir->below; ir = ir->below) {
        Node *known = find_slot(ir->below, hash, probe)->node;
        if (known && known->id < ir->nbelow)
            return known;
    }
    return NULL;
}

/* The node equal to `probe`, made if it is new. `probe` need not live on. */
static Node *intern(Ir *ir, const Node *probe)
{
    uint32_t hash = (uint32_t)hash_node(probe);
    struct NodeSlot *slot = find_slot(ir, hash, probe);
    Node *known = slot->node ? slot->node : find_below(ir, hash, probe);
    if (known)
        return known;
    Node *n = node_new(ir, probe->kind, probe->type, probe->sym, probe->nkids, probe->kid, probe->loc);
    n->u = probe->u;
    *slot = (struct NodeSlot){n, hash};
    if (++ir->table_used * 2 > ir->table_size)
        table_grow(ir);
    return n;
}

static Node *intern_parts(Ir *ir, Kind kind, Type type, Sym *sym, const Node *payload, int nkids, Node *const *kids, Loc loc)
{
    enum { ON_STACK = 8 };
    union {
        Node node;
        char room[sizeof(Node) + ON_STACK * sizeof(Node *)];
    } local;
    Node *probe = nkids <= ON_STACK ? &local.node : arena_alloc(ir->arena, sizeof(Node) + sizeof(Node *) * (size_t)nkids);
    memset(probe, 0, sizeof *probe);
    probe->kind = (uint8_t)kind;
    probe->type = (uint8_t)type;
    probe->sym = sym;
    probe->nkids = nkids;
    probe->loc = loc;
    if (payload)
        probe->u = payload->u;
    for (int i = 0; i < nkids; i++)
        probe->kid[i] = kids[i];
    return intern(ir, probe);
}

Node *mk_expr(Ir *ir, Kind kind, Type type, Sym *sym, int nkids, Node *const *kids, Loc loc)
{
    return intern_parts(ir, kind, type, sym, NULL, nkids, kids, loc);
}

Node *mk_int(Ir *ir, Type type, int64_t value)
{
    Node payload = {.u.i = value};
    return intern_parts(ir, N_INT, type, NULL, &payload, 0, NULL, (Loc){0, 0});
}

Node *mk_float(Ir *ir, Type type, long double value)
{
    Node payload = {.u.f = value};
    return intern_parts(ir, N_FLOAT, type, NULL, &payload, 0, NULL, (Loc){0, 0});
}

Node *mk_var(Ir *ir, Sym *sym) { return mk_expr(ir, N_VAR, sym->type, sym, 0, NULL, (Loc){0, 0}); }

Node *mk_load(Ir *ir, Sym *array, int nsubscripts, Node *const *subscripts)
{
    return mk_expr(ir, N_LOAD, array->type, array, nsubscripts, subscripts, (Loc){0, 0});
}

Node *mk_call(Ir *ir, Sym *func, int nargs, Node *const *args) { return mk_expr(ir, N_CALL, func->type, func, nargs, args, (Loc){0, 0}); }

Node *mk_cast(Ir *ir, Type type, Node *e) { return (Type)e->type == type ? e : mk_expr(ir, N_CAST, type, NULL, 1, &e, (Loc){0, 0}); }

const Node *there_and_back(const Node *e)
{
    const Node *between = e->kind == N_CAST ? e->kid[0] : e;
    while (e->kind == N_CAST && between->kind == N_CAST && between->kid[0]->type == e->type && type_is_integer(e->type) &&
           type_is_integer(between->type) && type_bits(between->type) == type_bits(e->type) && e->type != T_BOOL) {
        e = between->kid[0];
        between = e->kind == N_CAST ? e->kid[0] : e;
    }
    return e;
}

Node *mk_unary(Ir *ir, Kind kind, Node *e)
{
    Type type = kind_info[kind].flags & F_REL ? T_INT : (Type)e->type;
    return mk_expr(ir, kind, type, NULL, 1, &e, (Loc){0, 0});
}

Node *mk_binary(Ir *ir, Kind kind, Node *a, Node *b)
{
    Node *kids[] = {a, b};
    Type type = kind_info[kind].flags & F_REL ? T_INT : (Type)a->type;
    return mk_expr(ir, kind, type, NULL, 2, kids, (Loc){0, 0});
}

Node *mk_splat(Ir *ir, Node *scalar, LaneWidth width)
{
    return mk_expr(ir, N_SPLAT, type_vector(scalar->type, width), NULL, 1, &scalar, (Loc){0, 0});
}

Node *mk_vload(Ir *ir, Sym *array, Node *subscript, Node *part, LaneWidth width)
{
    Node *kids[] = {subscript, part};
    return mk_expr(ir, N_VLOAD, type_vector(array->type, width), array, part ? 2 : 1, kids, (Loc){0, 0});
}

Node *mk_member(Ir *ir, Sym *array, Node *subscript, int which, Node *part, LaneWidth width)
{
    const Node payload = {.u.i = which};
    Node *kids[] = {subscript, part};
    return intern_parts(ir, N_MEMBER, type_vector(array->type, width), array, &payload, part ? 2 : 1, kids, (Loc){0, 0});
}

Node *mk_near_gather(Ir *ir, Sym *array, Node *first, Node *apart, Node *count)
{
    const Node payload = {.u.i = 1};
    Node *kids[] = {first, apart, count};
    const LaneWidth width = type_lane_width(apart->type);
    return intern_parts(ir, N_GATHER, type_vector(array->type, width), array, &payload, count ? 3 : 2, kids, (Loc){0, 0});
}

Node *mk_group_word(Ir *ir, Sym *array, Node *subscript, int members, int code, Node *part)
{
    const Node payload = {.u.i = NARROW_GROUP * members + GROUP_WORD * code};
    Node *kids[] = {subscript, part};
    return intern_parts(ir, N_MEMBER, type_vector(T_INT, LANES_32), array, &payload, part ? 2 : 1, kids, (Loc){0, 0});
}

Node *mk_row_load(Ir *ir, Sym *array, Node *first, Node *apart, int length, int which, LaneWidth width)
{
    const Node payload = {.u.i = length * ROW_LENGTH + which};
    Node *kids[] = {first, apart};
    return intern_parts(ir, N_ROW_LOAD, type_vector(array->type, width), array, &payload, 2, kids, (Loc){0, 0});
}

Node *mk_row_store(Ir *ir, Sym *array, Node *first, Node *apart, int length, Node *const *values, Loc loc)
{
    Node *kids[2 + ROW_LENGTH] = {first, apart};
    for (int i = 0; i < length; i++)
        kids[2 + i] = values[i];
    return node_new(ir, N_ROW_STORE, T_VOID, array, 2 + length, kids, loc);
}

Node *mk_pairwise(Ir *ir, Pairwise how, Type type, int nkids, Node *const *kids)
{
    const Node payload = {.u.i = how};
    return intern_parts(ir, N_PAIRWISE, type, NULL, &payload, nkids, kids, (Loc){0, 0});
}

Node *mk_fold(Ir *ir, int op, Node *vector)
{
    const Node payload = {.u.i = op};
    return intern_parts(ir, N_FOLD, type_element(vector->type), NULL, &payload, 1, &vector, (Loc){0, 0});
}

Node *mk_any(Ir *ir, Node *mask) { return mk_expr(ir, N_ANY, T_INT, NULL, 1, &mask, (Loc){0, 0}); }

Node *mk_select(Ir *ir, Node *cond, Node *a, Node *b)
{
    Node *kids[] = {cond, a, b};
    return mk_expr(ir, N_SEL, a->type, NULL, 3, kids, (Loc){0, 0});
}

/* Statements. */

Node *mk_block(Ir *ir, int n, Node *const *stmts, Loc loc) { return node_new(ir, N_BLOCK, T_VOID, NULL, n, stmts, loc); }

Node *mk_decl(Ir *ir, Sym *sym, Node *init, Loc loc) { return node_new(ir, N_DECL, T_VOID, sym, init ? 1 : 0, &init, loc); }

Node *mk_assign(Ir *ir, Sym *sym, Node *value, Kind compound, Loc loc)
{
    Node *n = node_new(ir, N_ASSIGN, T_VOID, sym, 1, &value, loc);
    n->aux = (uint8_t)compound;
    return n;
}

Node *mk_store(Ir *ir, Sym *array, int nsubscripts, Node *const *subscripts, Node *value, Kind compound, Loc loc)
{
    Node **kids = arena_new_array(ir->arena, Node *, nsubscripts + 1);
    for (int i = 0; i < nsubscripts; i++)
        kids[i] = subscripts[i];
    kids[nsubscripts] = value;
    Node *n = node_new(ir, N_STORE, T_VOID, array, nsubscripts + 1, kids, loc);
    n->aux = (uint8_t)compound;
    return n;
}

Node *mk_vstore(Ir *ir, Sym *array, Node *subscript, Node *value, Node *part, Loc loc)
{
    Node *kids[] = {subscript, value, part};
    return node_new(ir, N_VSTORE, T_VOID, array, part ? 3 : 2, kids, loc);
}

Node *mk_vstore_saturated(Ir *ir, Sym *array, Node *subscript, Node *value, Node *part, Loc loc)
{
    Node *n = mk_vstore(ir, array, subscript, value, part, loc);
    n->aux = VSTORE_SATURATES;
    return n;
}

Node *mk_vstore_non_temporal(Ir *ir, Sym *array, Node *subscript, Node *value, Node *non_temporal, Loc loc)
{
    Node *n = mk_vstore(ir, array, subscript, value, non_temporal, loc);
    n->aux = VSTORE_NON_TEMPORAL;
    return n;
}

Node *mk_prefetch(Ir *ir, Sym *array, Node *subscript, Loc loc) { return node_new(ir, N_PREFETCH, T_VOID, array, 1, &subscript, loc); }

Node *mk_head(Ir *ir, Sym *array, Node *subscript, LaneWidth width)
{
    Node *kids[] = {subscript, mk_int(ir, T_INT, width)};
    return mk_expr(ir, N_HEAD, T_INDEX, array, 2, kids, (Loc){0, 0});
}

Node *mk_interleave(Ir *ir, Sym *array, Node *subscript, Node *const *both, Node *part, Loc loc)
{
    Node *kids[] = {subscript, both[0], both[1], part};
    return node_new(ir, N_INTERLEAVE, T_VOID, array, part ? 4 : 3, kids, loc);
}

Node *mk_interleave_groups(Ir *ir, Sym *array, int members, Node *const *kids, bool has_part, Loc loc)
{
    Node *n = node_new(ir, N_INTERLEAVE, T_VOID, array, 1 + members + has_part, kids, loc);
    n->aux = members;
    return n;
}

Node *mk_scatter(Ir *ir, Sym *array, int nkids, Node *const *kids, Loc loc)
{
    return node_new(ir, N_SCATTER, T_VOID, array, nkids, kids, loc);
}

Node *mk_tile(Ir *ir, Sym *array, Node *const *kids, int aux, Loc loc)
{
    Node *n = node_new(ir, N_TILE, T_VOID, array, 5, kids, loc);
    n->aux = aux;
    return n;
}

Node *mk_for(Ir *ir, Sym *sym, Node *lo, Node *cond, int64_t step, Node *body, bool declares, Loc loc)
{
    Node *kids[] = {lo, cond, body};
    Node *n = node_new(ir, N_FOR, T_VOID, sym, 3, kids, loc);
    n->u.i = step;
    n->aux = declares;
    return n;
}

Node *mk_if(Ir *ir, Node *cond, Node *then, Node *otherwise, Loc loc)
{
    Node *kids[] = {cond, then, otherwise};
    return node_new(ir, N_IF, T_VOID, NULL, otherwise ? 3 : 2, kids, loc);
}

Node *mk_contract(Ir *ir, Sym *out, int index, int ncaptured, Node *const *captured, Loc loc)
{
    Node *n = node_new(ir, N_CONTRACT, T_VOID, out, ncaptured, captured, loc);
    n->u.i = index;
    return n;
}

Node *mk_launch_of(Ir *ir, int kind, int index, int ncaptured, Node *const *captured, Loc loc)
{
    Node *n = node_new(ir, N_LAUNCH, T_VOID, NULL, ncaptured, captured, loc);
    n->u.i = index;
    n->aux = (uint8_t)kind;
    return n;
}

Node *mk_eval(Ir *ir, Node *call, Loc loc) { return node_new(ir, N_EVAL, T_VOID, NULL, 1, &call, loc); }

Node *mk_return(Ir *ir, Node *value, Loc loc) { return node_new(ir, N_RETURN, T_VOID, NULL, value ? 1 : 0, &value, loc); }

Node *mk_loop(Ir *ir, LoopForm form, Node *init, Node *cond, Node *step, Node *body, Loc loc)
{
    Node *kids[] = {init, cond, step, body};
    Node *n = node_new(ir, N_LOOP, T_VOID, NULL, 4, kids, loc);
    n->aux = (uint8_t)form;
    return n;
}

Node *mk_jump(Ir *ir, Kind kind, Sym *func, Loc loc) { return node_new(ir, kind, T_VOID, func, 0, NULL, loc); }

Node *mk_switch(Ir *ir, Node *value, Node *body, Loc loc)
{
    Node *kids[] = {value, body};
    return node_new(ir, N_SWITCH, T_VOID, NULL, 2, kids, loc);
}

Node *mk_opaque(Ir *ir, int nnamed, Node *const *named, Loc loc) { return node_new(ir, N_OPAQUE, T_VOID, NULL, nnamed, named, loc); }

/* An empty block may come without an array of kids. */
static bool same_kids(const Node *n, const Sym *sym, int nkids, Node *const *kids)
{
    return sym == n->sym && nkids == n->nkids && (!nkids || memcmp(kids, n->kid, sizeof(Node *) * (size_t)nkids) == 0);
}

Node *with_sym_kids(Ir *ir, Node *n, Sym *sym, int nkids, Node *const *kids)
{
    if (same_kids(n, sym, nkids, kids))
        return n;
    if (is_expr(n))
        return intern_parts(ir, n->kind, n->type, sym, n, nkids, kids, n->loc);
    Node *copy = node_new(ir, n->kind, n->type, sym, nkids, kids, n->loc);
    copy->u = n->u;
    copy->aux = n->aux;
    return copy;
}

Node *with_kids(Ir *ir, Node *n, int nkids, Node *const *kids) { return with_sym_kids(ir, n, n->sym, nkids, kids); }

Node *compound_operand(const Node *stmt)
{
    if (!stmt->aux || (stmt->kind != N_ASSIGN && stmt->kind != N_STORE))
        return NULL;
    Node *value = stmt_value(stmt);
    if (value->kind == N_CAST && value->kid[0]->kind == stmt->aux)
        value = value->kid[0];
    return value->kid[1];
}

Node *with_kid(Ir *ir, Node *n, int at, Node *kid)
{
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = i == at ? kid : n->kid[i];
    return with_kids(ir, n, n->nkids, kids);
}

/* Bounds. */

/* `sym` itself, or `sym` widened: the value is the variable's own. `nonnegative`: it never is below zero. */
static bool is_loop_var(const Node *e, const Sym *sym, bool nonnegative)
{
    while (e->kind == N_CAST && type_is_integer(e->type)) {
        Type from = e->kid[0]->type, to = e->type;
        if (!type_is_integer(from) || to == T_BOOL || type_bits(to) < type_bits(from))
            return false;
        if (type_is_signed(from) && !type_is_signed(to) && !nonnegative)
            return false;
        if (!type_is_signed(from) && type_is_signed(to) && type_bits(to) == type_bits(from))
            return false;
        e = e->kid[0];
    }
    return e->kind == N_VAR && e->sym == sym;
}

bool bound_on(const Node *cond, const Sym *var, bool nonnegative, Kind *cmp, Node **hi)
{
    static const Kind mirrored[N_COUNT] = {[N_LT] = N_GT, [N_LE] = N_GE, [N_GT] = N_LT, [N_GE] = N_LE, [N_NE] = N_NE};
    if (!mirrored[cond->kind])
        return false;
    bool left = is_loop_var(cond->kid[0], var, nonnegative);
    if (!left && !is_loop_var(cond->kid[1], var, nonnegative))
        return false;
    *cmp = left ? (Kind)cond->kind : mirrored[cond->kind];
    *hi = cond->kid[left];
    return !uses_sym(*hi, var);
}

bool for_bounds(const Node *loop, Bounds *b)
{
    if (loop->kind != N_FOR)
        return false;
    b->var = loop->sym;
    b->lo = loop->kid[0];
    b->step = loop->u.i;
    bool nonnegative = b->step > 0 && b->lo->kind == N_INT && b->lo->u.i >= 0;
    return bound_on(loop->kid[1], loop->sym, nonnegative, &b->cmp, &b->hi);
}

/* Of a bound, which may be converted; no value of its type: it is none. */
static bool is_number(const Node *bound, Type type, int64_t *value)
{
    while (bound->kind == N_CAST)
        bound = bound->kid[0];
    *value = bound->u.i;
    return bound->kind == N_INT && *value >= type_min(type) && *value <= type_max(type);
}

/* A loop that ends at `!=` and begins beyond its bound goes on until its variable wraps around: not when overflow is undefined, nor when the
 * lower end is 0 and the least there is. */
static bool may_wrap(Type type, const Node *low, const Node *high)
{
    int64_t from, to;
    const bool begins = is_number(low, type, &from);
    if (type_is_signed(type) ? type_bits(type) >= 32 : begins && from == 0)
        return false;
    return !begins || !is_number(high, type, &to) || from > to;
}

bool bounds_count(const Bounds *b)
{
    const bool up = b->step > 0;
    switch (b->cmp) {
    case N_LT:
    case N_LE: return up;
    case N_GT: return !up;
    case N_GE: return !up && type_is_signed(b->var->type); /* every unsigned value is at least 0 */
    default: return (b->step == 1 || b->step == -1) && !may_wrap(b->var->type, up ? b->lo : b->hi, up ? b->hi : b->lo);
    }
}

double bounds_steps(const Bounds *b, double lo, double hi)
{
    const double length = (b->step > 0 ? hi - lo : lo - hi) + (b->cmp == N_LE || b->cmp == N_GE), step = fabs((double)b->step);
    return length > 0 ? ceil(length / step) : 0;
}

Node *counted_from_zero(const Node *loop)
{
    Bounds b;
    return for_bounds(loop, &b) && is_int(b.lo, 0) && b.step == 1 && b.cmp == N_LT ? b.hi : NULL;
}
