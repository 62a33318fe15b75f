/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions are interned: what is the same is the same node, of which each knows when it was last done, and where. */
#include "tune/nests/replay_count.h"

#include <math.h>

#include "depend/reduce.h"
#include "ir/libm.h"
#include "ir/walk.h"

typedef struct Seen {
    int statement;  /* the last in which it was looked at: what follows is of that */
    int level;      /* loops around in which it changes */
    int newest;     /* when something that it reads last changed */
    double wanted;  /* lanes that its masks leave; INFINITY: it has none */
    int loop, time; /* where and when it was last done; time 0: never */
} Seen;

/* What an expression is for: a value, an integer that is no address, an address, in which additions are free. */
typedef enum Use { USE_VALUE, USE_INTEGER, USE_ADDRESS } Use;

static Seen *visit(Counter *c, const Node *n, Use use);

/* ---------------------------------------------------------------- symbols */

static void set_int(Counter *c, Map *map, int id, int value)
{
    int **at = (int **)map_at(c->arena, map, id);
    if (!*at)
        *at = arena_alloc(c->arena, sizeof **at);
    **at = value;
}

static int get_int(const Map *map, int id)
{
    const int *at = map_get(map, id);
    return at ? *at : 0;
}

void note_change(Counter *c, const Sym *sym, int level)
{
    set_int(c, &c->level, sym->id, level);
    set_int(c, &c->changed, sym->id, ++c->time);
}

static ReplayLoop *loop_at(const Counter *c, int level) { return c->replay->loops.items[c->path[level]]; }

ReplayLoop *counter_loop(const Counter *c) { return loop_at(c, c->replay->numbers.depth); }

static double times_at(const Counter *c, int level)
{
    const ReplayLoop *loop = loop_at(c, level);
    return fmin(c->times, loop->runs * loop->trips);
}

/* ---------------------------------------------------------------- memory */

static void note_access(Counter *c, int level, double times, const Node *subscript, ReplayAccess access)
{
    ReplayAccess *a = arena_alloc(c->arena, sizeof *a);
    *a = access;
    a->loop = c->path[level];
    a->times = times;
    a->place = dual_of(&c->replay->numbers, subscript);
    a->element = type_bytes(access.array->type);
    if (isnan(access.apart) && level > 0) { /* the lanes' places change there */
        a->place.wild |= 1u << (level - 1);
        a->place.slope[level - 1] = 0;
    }
    vec_push(c->arena, &c->replay->accesses, a);
}

/* From lane to lane: a T_INDEX says how far, a vector where each lane is. */
static double apart_of(const Counter *c, const Node *apart)
{
    const Dual d = dual_of(&c->replay->numbers, apart);
    return type_is_vector((Type)apart->type) || !d.known ? NAN : d.value;
}

/* Accesses that some lanes of a vector are: without masks one for each. */
static double one_by_one(const Counter *c, bool some, double wanted) { return some && !vector_sets[c->set].masks ? wanted : 1; }

enum {
    LINE = 64,
    STORED = 4, /* loads that it takes to look up what the nest has stored: vectors find no part of it in time */
    NARROW = 2, /* inserts: no instruction gathers elements of less than 32 bits */
    LOOKED_UP = 6, /* operations until the element at a lane's place is in the vector: vpgatherdd of Zen 3 has 39 for 8 lanes */
    PACKED = 3  /* lanes of 16 bits into bytes */
};

/* In terms of loads for each lane, besides its own. */
static int hard_to_gather(const Counter *c, const Node *n, double apart)
{
    const int bytes = type_bytes(n->sym->type);
    return (fabs(apart) * bytes > LINE) + (get_int(&c->level, n->sym->id) > 0 ? STORED : 0) + (bytes < 4 ? NARROW : 0);
}

enum { PIECE = 16 }; /* bytes in which rows are loaded and stored, and between which nothing is shuffled by one instruction */

/* Of one vector among those of a row's elements: what it takes to put it together, or apart. Three elements are in three vectors of memory, of
 * which two blends and a shuffle take one; four are loaded by pieces. */
static Work row_work(const Counter *c, Type vector, int length)
{
    const double pieces = fmax(1, vector_lanes(&vector_sets[c->set], vector) * type_bytes(type_element(vector)) / PIECE);
    return length == 3 ? (Work){.loads = 1, .arithmetic = 3}
                       : (Work){.loads = pieces, .arithmetic = pieces - 1 + (type_bytes(type_element(vector)) < 8 ? 2 : 1)};
}

/* A row for each lane, or, if they follow each other, one of all. */
static ReplayAccess row_access(const Counter *c, const Node *n, Type vector, int length)
{
    const double lanes = vector_lanes(&vector_sets[c->set], vector), apart = apart_of(c, n->kid[1]);
    return apart == length ? (ReplayAccess){.array = n->sym, .run = lanes * length, .lanes = 1, .apart = 1}
                           : (ReplayAccess){.array = n->sym, .run = length, .lanes = lanes, .apart = apart};
}

static void note_row_load(Counter *c, Work *work, int level, double times, const Node *n)
{
    const Work one = row_work(c, (Type)n->type, row_length(n->u.i));
    work->loads += one.loads * times;
    work->arithmetic += one.arithmetic * times;
    note_access(c, level, times, n->kid[0], row_access(c, n, (Type)n->type, row_length(n->u.i)));
}

/* Are bytes in memory what is in lanes of 16 bits? */
static bool changes_width(Type vector, const Sym *array)
{
    return type_is_vector(vector) && type_lane_width(vector) == LANES_16 && type_bits(array->type) == 8;
}

/* Neighbours of which each lane has one. */
static int members_of(const Node *n)
{
    return n->kind == N_INTERLEAVE ? (n->aux ? n->aux : 2) : n->u.i >= NARROW_GROUP ? group_members(n) : 2;
}

/* A shuffle; narrow elements are shuffled out of as many registers, where there are instructions for that, else one by one. Lanes of 32 bits
 * take them out of one register, and widen them. */
static double member_cost(const Counter *c, const Node *n)
{
    const bool groups = n->kind == N_INTERLEAVE ? n->aux : n->u.i >= NARROW_GROUP;
    const Type type = (Type)(n->kind == N_INTERLEAVE ? n->kid[1]->type : n->type);
    const int members = members_of(n), widest = members == 6 ? 3 : members == 8 ? 4 : members; /* what is shared: of six one has two */
    if (groups && type_lane_width(type) == LANES_32)
        return 2;
    return !groups ? 1 : vector_sets[c->set].masks ? widest + 1 : 2 * vector_lanes(&vector_sets[c->set], type);
}

/* `wanted`: lanes. */
static void note_load(Counter *c, Work *work, int level, double times, const Node *n, double wanted)
{
    const double lanes = type_is_vector((Type)n->type) ? vector_lanes(&vector_sets[c->set], (Type)n->type) : 1;
    ReplayAccess access = {.array = n->sym, .run = fmin(lanes, wanted), .lanes = 1, .apart = 1};
    if (n->kind == N_ROW_LOAD) {
        note_row_load(c, work, level, times, n);
        return;
    }
    if (n->kind == N_MEMBER)
        access.run *= members_of(n);
    if (n->kind == N_GATHER) {
        access = (ReplayAccess){.array = n->sym, .run = 1, .lanes = fmin(lanes, wanted), .apart = apart_of(c, n->kid[1])};
        work->gathered += lanes * times;
        work->far_lanes += hard_to_gather(c, n, access.apart) * lanes * times;
        work->arithmetic += (isnan(access.apart) ? LOOKED_UP : 0) * lanes * times;
    }
    work->loads += (n->kind == N_GATHER ? lanes : one_by_one(c, wanted < lanes, wanted)) * times;
    work->arithmetic += n->kind == N_MEMBER ? member_cost(c, n) * times : 0;
    /* An element that is no number of the vector's type is converted. */
    work->arithmetic += type_is_vector((Type)n->type) && n->sym->type != type_element((Type)n->type) ? times : 0;
    work->arithmetic += changes_width((Type)n->type, n->sym) * times;
    if (n->nkids)
        note_access(c, level, times, n->kid[0], access);
}

/* ---------------------------------------------------------------- expressions */

/* Compilers may not replace fmax of scalars by an instruction. */
static double call_cost(const Node *n)
{
    const bool scalar = !type_is_vector((Type)n->type);
    return is_quick_function(n->sym) && !(scalar && is_extreme(n->sym)) ? 1 : is_libm(n->sym, "sqrt") ? DIVISION : CALL;
}

/* Between integers nothing is done. */
static double cast_cost(const Node *n)
{
    const Type from = (Type)n->kid[0]->type, to = (Type)n->type;
    if (lane_bits(type_lane_width(to)) < 32 && type_is_vector(to) && type_element(from) != T_MASK) /* in narrow lanes, the same bits */
        return 0;
    return type_is_vector(to) || type_is_float(from) != type_is_float(to) || (type_is_float(to) && type_bits(from) != type_bits(to));
}

/* For each halving a shuffle and an operation, which wait for one another, as the next row's do not; fmax() and fmin() are three. */
static double fold_cost(const Counter *c, const Node *n)
{
    enum { STEP = 4, EXTREME_STEP = 8 };
    const double halvings = log2(vector_lanes(&vector_sets[c->set], (Type)n->kid[0]->type));
    return (n->u.i == RED_FMAX || n->u.i == RED_FMIN ? EXTREME_STEP : STEP) * halvings;
}

/* Of elements of 32 bits beside lanes of 64: a comparison's result is widened, and narrowed for a choice, where masks are vectors. */
static double mask_cost(const Counter *c, const Node *n)
{
    enum { WIDENED = 4, NARROWED = 1 };
    const bool compares = kind_info[n->kind].flags & F_REL, chooses = n->kind == N_SEL;
    const Type of = (Type)((compares ? n->kid[0] : n)->type);
    const bool half = (compares || chooses) && type_is_vector(of) && type_lane_width(of) == LANES_64 && type_element(of) != T_MASK &&
                      type_bits(type_element(of)) == 32;
    return !half || vector_sets[c->set].bytes == LINE ? 0 : compares ? WIDENED : NARROWED;
}

/* In terms of an addition. */
static double cost_of(const Counter *c, const Node *n, Use use)
{
    switch ((Kind)n->kind) {
    case N_INT:
    case N_FLOAT:
    case N_VAR:
    case N_REF:
    case N_IOTA:
    case N_LOAD:
    case N_VLOAD:
    case N_MEMBER:
    case N_ROW_LOAD:
    case N_GATHER: return 0;
    case N_SPLAT: return n->kid[0]->kind != N_LOAD; /* which does it itself */
    case N_CAST: return cast_cost(n);
    case N_CALL: return call_cost(n);
    case N_FOLD: return fold_cost(c, n);
    case N_DIV:
    case N_MOD: return DIVISION;
    case N_ADD:
    case N_SUB: return use != USE_ADDRESS;
    default: return 1 + mask_cost(c, n);
    }
}

static bool is_memory(const Node *n)
{
    return n->kind == N_LOAD || n->kind == N_VLOAD || n->kind == N_MEMBER || n->kind == N_ROW_LOAD || n->kind == N_GATHER;
}

/* Vectors and floating scalars are what loops compute, wherever they stand. */
static bool is_of_values(const Node *n, Use use)
{
    const Node *of = (kind_info[n->kind].flags & F_REL || n->kind == N_FOLD) && n->nkids ? n->kid[0] : n;
    const Type type = (Type)of->type;
    return type_is_vector(type) || (type != T_VOID && type_is_float(type)) || (use == USE_VALUE && type != T_INDEX);
}

/* It is done once more. */
static void count(Counter *c, const Node *n, const Seen *seen, Use use)
{
    const int level = seen->level;
    Work *work = &loop_at(c, level)->work;
    const double times = times_at(c, level), cost = cost_of(c, n, use) * times;
    const bool values = is_of_values(n, use);
    if (is_memory(n))
        note_load(c, work, level, times, n, seen->wanted);
    else if (values)
        work->arithmetic += cost;
    else
        work->scalars += cost;
    if (n->kind == N_CALL && call_cost(n) == CALL)
        work->calls += times;
    c->is_new = c->is_new || (values && level == c->replay->numbers.depth && (cost > 0 || is_memory(n)));
}

/* ---------------------------------------------------------------- lanes */

/* Of a vector whose last kid says how many, or which. */
static const Node *part_of(const Node *n)
{
    if (n->kind == N_VLOAD || n->kind == N_MEMBER)
        return n->nkids > 1 ? n->kid[1] : NULL;
    if (n->kind == N_GATHER || n->kind == N_VSTORE)
        return n->nkids > 2 && n->aux != VSTORE_NON_TEMPORAL ? n->kid[2] : NULL;
    if (n->kind == N_SCATTER || n->kind == N_INTERLEAVE) {
        const int at = n->kind == N_INTERLEAVE && n->aux ? 1 + n->aux : 3;
        return n->nkids > at ? n->kid[at] : NULL;
    }
    return n->kind == N_FIRST ? n->kid[0] : NULL;
}

/* Lanes that it leaves of itself; masks have said so themselves. */
static double own_lanes(const Counter *c, const Node *n, Type vector)
{
    const Node *part = part_of(n);
    if (n->kind == N_VAR) {
        const double *named = map_get(&c->masks, n->sym->id);
        return named ? *named : INFINITY;
    }
    if (!part || type_is_vector((Type)part->type))
        return INFINITY;
    const Dual count = dual_of(&c->replay->numbers, part);
    return lanes_of(&c->replay->numbers, &count, vector_lanes(&vector_sets[c->set], vector));
}

static bool is_subscript(const Node *n, int kid)
{
    return is_memory(n) ? kid == 0 || !type_is_vector((Type)n->kid[kid]->type) : n->kind == N_FIRST;
}

static Use use_of_kid(const Node *n, int kid, Use use)
{
    if (is_subscript(n, kid) || n->kind == N_HEAD)
        return USE_ADDRESS;
    return is_memory(n) ? USE_VALUE : use;
}

/* ---------------------------------------------------------------- what is done already */

static bool is_done(const Counter *c, const Seen *seen)
{
    return seen->time > 0 && seen->loop == c->path[seen->level] && seen->time >= seen->newest;
}

/* Is the operand of a scalar computed in half of the cases? */
static bool is_lazy(const Node *n, int kid)
{
    return kid > 0 && !type_is_vector((Type)n->type) && (n->kind == N_LAND || n->kind == N_LOR || n->kind == N_SEL);
}

static Seen *seen_of(Counter *c, const Node *n)
{
    Seen **at = (Seen **)map_at(c->arena, &c->seen, n->id);
    if (!*at) {
        *at = arena_alloc(c->arena, sizeof **at);
        (*at)->statement = -1;
    }
    return *at;
}

static void look(Seen *seen, int level, int newest)
{
    seen->level = level > seen->level ? level : seen->level;
    seen->newest = newest > seen->newest ? newest : seen->newest;
}

static Seen *visit(Counter *c, const Node *n, Use use)
{
    Seen *seen = seen_of(c, n);
    if (seen->statement == c->statement)
        return seen;
    seen->statement = c->statement;
    seen->level = seen->newest = 0;
    seen->wanted = own_lanes(c, n, (Type)n->type);
    if (n->sym)
        look(seen, get_int(&c->level, n->sym->id), get_int(&c->changed, n->sym->id));
    const double times = c->times;
    for (int i = 0; i < n->nkids; i++) {
        c->times = is_lazy(n, i) ? times / 2 : times;
        const Seen *kid = visit(c, n->kid[i], use_of_kid(n, i, use));
        look(seen, kid->level, kid->newest);
        seen->wanted = fmin(seen->wanted, kid->wanted);
    }
    c->times = times;
    if (!is_done(c, seen))
        count(c, n, seen, use);
    seen->loop = c->path[seen->level];
    seen->time = c->time;
    return seen;
}

/* ---------------------------------------------------------------- statements */

static void begin(Counter *c)
{
    c->statement++;
    c->is_new = false;
}

static void note_lanes(Counter *c, Type type, double wanted)
{
    const VectorSet *set = &vector_sets[c->set];
    const int bytes = type_bytes(type);
    const double lanes = type_is_vector(type) ? vector_lanes(set, type) : fmax(1, set->bytes / (bytes > 4 ? bytes : 4));
    const double used = type_is_vector(type) ? fmin(wanted, lanes) : 1;
    ReplayLoop *loop = counter_loop(c);
    if (!c->is_new)
        return;
    loop->work.wanted += used * c->times;
    loop->work.lanes += lanes * c->times;
    loop->work.in_main += loop->is_main ? used * c->times : 0;
}

static void note_value(Counter *c, const Node *n)
{
    const Sym *sym = n->sym;
    const Type type = sym->type;
    const bool counts = !type_is_vector(type) && type_is_integer(type) && !reads_array(stmt_value(n), NULL);
    const Seen *seen = visit(c, stmt_value(n), counts ? USE_INTEGER : USE_VALUE);
    if (type_is_vector(type) && type_element(type) == T_MASK) {
        double *named = arena_alloc(c->arena, sizeof *named);
        *named = seen->wanted;
        *map_at(c->arena, &c->masks, sym->id) = named;
    } else if (!counts)
        note_lanes(c, type, seen->wanted);
    if (!type_is_vector(type) && !sym->rank && type_is_integer(type)) {
        const Dual value = dual_of(&c->replay->numbers, stmt_value(n));
        numbers_bind(&c->replay->numbers, sym, &value);
    }
}

void count_decl(Counter *c, const Node *n)
{
    begin(c);
    if (n->nkids)
        note_value(c, n);
    note_change(c, n->sym, c->replay->numbers.depth);
}

void count_assign(Counter *c, const Node *n)
{
    begin(c);
    note_value(c, n);
    note_change(c, n->sym, c->replay->numbers.depth);
}

/* N_STORE, N_VSTORE, N_INTERLEAVE, which are two, behind as many shuffles. */
void count_store(Counter *c, const Node *n)
{
    begin(c);
    const Node *value = n->kind == N_STORE ? stmt_value(n) : n->kid[1], *part = part_of(n);
    const bool vector = type_is_vector((Type)value->type), both = n->kind == N_INTERLEAVE;
    const int members = both ? members_of(n) : 1;
    double wanted = n->kind != N_STORE ? own_lanes(c, n, (Type)value->type) : INFINITY;
    ReplayLoop *loop = counter_loop(c);
    const double non_temporal = n->kind == N_VSTORE && n->aux == VSTORE_NON_TEMPORAL ? chance_of(&c->replay->numbers, n->kid[2]) : 0;
    for (int i = 0; i < n->nkids; i++) {
        const bool mask = n->kid[i] == part && type_is_vector((Type)n->kid[i]->type);
        const Seen *seen = visit(c, n->kid[i], n->kid[i] == value || mask || (both && i > 1 && i <= members) ? USE_VALUE : USE_ADDRESS);
        wanted = fmin(wanted, seen->wanted);
    }
    c->is_new = true;
    loop->work.stores += members * one_by_one(c, part && wanted < INFINITY, wanted) * c->times;
    loop->work.arithmetic += (both ? members * member_cost(c, n) : changes_width((Type)value->type, n->sym) ? PACKED : 0) * c->times;
    const ReplayAccess access = {.array = n->sym,
                                 .run = members * (vector ? fmin(wanted, vector_lanes(&vector_sets[c->set], (Type)value->type)) : 1),
                                 .lanes = 1,
                                 .apart = 1,
                                 .stores = true};
    ReplayAccess beyond = access;
    beyond.non_temporal = true;
    if (non_temporal < 1)
        note_access(c, c->replay->numbers.depth, (1 - non_temporal) * c->times, n->kid[0], access);
    if (non_temporal > 0)
        note_access(c, c->replay->numbers.depth, non_temporal * c->times, n->kid[0], beyond);
    note_lanes(c, (Type)value->type, wanted);
    note_change(c, n->sym, c->replay->numbers.depth);
}

void count_scatter(Counter *c, const Node *n)
{
    begin(c);
    const Type type = (Type)n->kid[1]->type;
    const double lanes = vector_lanes(&vector_sets[c->set], type);
    double wanted = own_lanes(c, n, type);
    for (int i = 0; i < n->nkids; i++) {
        const bool value = type_is_vector((Type)n->kid[i]->type);
        wanted = fmin(wanted, visit(c, n->kid[i], value ? USE_VALUE : USE_ADDRESS)->wanted);
    }
    c->is_new = true;
    Work *work = &counter_loop(c)->work;
    work->stores += lanes * c->times;
    work->scattered += lanes * c->times;
    note_access(c, c->replay->numbers.depth, c->times, n->kid[0],
                (ReplayAccess){.array = n->sym, .run = 1, .lanes = lanes, .apart = apart_of(c, n->kid[2]), .stores = true});
    note_lanes(c, type, wanted);
    note_change(c, n->sym, c->replay->numbers.depth);
}

void count_row_store(Counter *c, const Node *n)
{
    begin(c);
    const Type type = (Type)n->kid[2]->type;
    const int length = n->nkids - 2;
    for (int i = 0; i < n->nkids; i++)
        visit(c, n->kid[i], i < 2 ? USE_ADDRESS : USE_VALUE);
    c->is_new = true;
    const Work one = row_work(c, type, length);
    Work *work = &counter_loop(c)->work;
    work->stores += length * one.loads * c->times;
    work->arithmetic += length * one.arithmetic * c->times;
    ReplayAccess access = row_access(c, n, type, length);
    access.stores = true;
    note_access(c, c->replay->numbers.depth, c->times, n->kid[0], access);
    note_lanes(c, type, INFINITY);
    note_change(c, n->sym, c->replay->numbers.depth);
}

static double clamped(const Counter *c, const Node *e, double most)
{
    const Dual d = dual_of(&c->replay->numbers, e);
    return lanes_of(&c->replay->numbers, &d, most);
}

/* Rows are loaded or stored whole, and turned round in registers. */
void count_tile(Counter *c, const Node *n)
{
    begin(c);
    const bool stores = n->aux & TILE_STORES;
    const double most = vector_sets[c->set].bytes / (n->aux & TILE_WIDE ? 8 : 4);
    const double rows = clamped(c, n->kid[3], most), columns = clamped(c, n->kid[4], most);
    for (int i = 1; i < n->nkids; i++)
        visit(c, n->kid[i], USE_ADDRESS);
    ReplayLoop *loop = counter_loop(c);
    loop->work.loads += (stores ? most : rows) * c->times;
    loop->work.stores += (stores ? rows : most) * c->times;
    loop->work.arithmetic += most * log2(most) * c->times;
    loop->work.wanted += rows * columns * c->times;
    loop->work.lanes += most * most * c->times;
    loop->work.in_main += loop->is_main ? rows * columns * c->times : 0;
    note_access(c, c->replay->numbers.depth, c->times, n->kid[1],
                (ReplayAccess){.array = n->sym, .run = columns, .lanes = rows, .apart = apart_of(c, n->kid[2]), .stores = stores});
    note_change(c, stores ? n->sym : n->kid[0]->sym, c->replay->numbers.depth);
}

void count_prefetch(Counter *c, const Node *n)
{
    begin(c);
    visit(c, n->kid[0], USE_ADDRESS);
    counter_loop(c)->work.prefetches += c->times;
}

void count_condition(Counter *c, const Node *e)
{
    begin(c);
    visit(c, e, USE_INTEGER);
}
