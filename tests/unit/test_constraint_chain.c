/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked example of DynaChain's constraint chain with all of its numbers, the order of its strategies, what a space may not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune/search/constraint_walk.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ---------------------------------------------------------------- the worked example */

enum { MU_M, MU_K, M3, M2, M1, K3, K2, K1, PARAMETERS };

/* Two parameters, and how often it was asked. */
typedef struct Pair {
    int upper, lower;
    int64_t asked;
} Pair;

static bool is_multiple(const int64_t *values, void *user)
{
    Pair *pair = user;
    pair->asked++;
    return values[pair->upper] % values[pair->lower] == 0;
}

static bool fits_memory(const int64_t *values, void *user)
{
    Pair *pair = user;
    pair->asked++;
    return values[pair->upper] * values[pair->lower] <= 5000;
}

static const int64_t micro[] = {4, 8}, third[] = {16, 24, 32}, second[] = {64, 96}, first[] = {192, 384, 576};
static const TuneParameter parameters[PARAMETERS] = {
    [MU_M] = {"mu_m", micro, 2}, [MU_K] = {"mu_k", micro, 2}, [M3] = {"M3", third, 3},  [M2] = {"M2", second, 2},
    [M1] = {"M1", first, 3},     [K3] = {"K3", third, 3},     [K2] = {"K2", second, 2}, [K1] = {"K1", first, 3},
};
static const TuneEdge tiles_in_tiles[] = {{MU_M, M3}, {M3, M2}, {M2, M1}, {MU_K, K3}, {K3, K2}, {K2, K1}, {M2, K2}};
static const int reads[][2] = {{M3, MU_M}, {M2, M3}, {M1, M2}, {K3, MU_K}, {K2, K3}, {K1, K2}, {M2, K2}};
enum { CONSTRAINTS = COUNT(reads) };

typedef struct Example {
    Pair pairs[CONSTRAINTS];
    TuneConstraint constraints[CONSTRAINTS];
    TuneSpace space;
} Example;

static void make_example(Example *e)
{
    memset(e, 0, sizeof *e);
    for (int i = 0; i < CONSTRAINTS; i++) {
        e->pairs[i] = (Pair){reads[i][0], reads[i][1], 0};
        e->constraints[i] = (TuneConstraint){.name = "tile", .reads = reads[i], .nreads = 2, .holds = is_multiple, .is_cheap = true};
        e->constraints[i].user = &e->pairs[i];
    }
    e->constraints[CONSTRAINTS - 1].holds = fits_memory;
    e->space = (TuneSpace){.parameters = parameters, .nparameters = PARAMETERS, .edges = tiles_in_tiles, .nedges = COUNT(tiles_in_tiles)};
    e->space.constraints = e->constraints;
    e->space.nconstraints = CONSTRAINTS;
}

static int64_t asked(Example *e)
{
    int64_t sum = 0;
    for (int i = 0; i < CONSTRAINTS; i++) {
        sum += e->pairs[i].asked;
        e->pairs[i].asked = 0;
    }
    return sum;
}

static const TuneChain *chain_of(Arena *arena, const TuneSpace *space)
{
    const char *error;
    const TuneChain *chain = tune_chain(arena, space, &error);
    if (!chain)
        fail_msg("%s", error);
    return chain;
}

static void example_has_its_order(void **state)
{
    Example e;
    make_example(&e);
    const TuneChain *chain = chain_of(*state, &e.space);
    for (int level = 0; level < PARAMETERS; level++)
        assert_int_equal(chain->order[level], level);
    assert_true(tune_raw_size(chain) == 1296);
}

/* All 1296, all 7 constraints of each. */
static void example_by_brute_force(void **state)
{
    Example e;
    int survivors = 0;
    make_example(&e);
    const TuneChain *chain = chain_of(*state, &e.space);
    TunePoint p = tune_point(*state, chain);
    for (int raw = 0; raw < 1296; raw++) {
        bool survives = true;
        for (int i = 0, rest = raw; i < PARAMETERS; rest /= parameters[i++].count)
            tune_set(chain, &p, i, rest % parameters[i].count);
        for (int i = 0; i < CONSTRAINTS; i++)
            survives &= e.constraints[i].holds(p.values, &e.pairs[i]);
        survivors += survives;
        int64_t brute = asked(&e);
        assert_int_equal(brute, CONSTRAINTS);
        assert_int_equal(tune_survives(chain, p.values), survives);
        assert_true(asked(&e) <= brute);
    }
    assert_int_equal(survivors, 144);
    assert_int_equal(1296 * CONSTRAINTS, 9072);
}

static void walk_example(Arena *arena, TuneLook look, int64_t nodes, int64_t dead, int64_t evaluations)
{
    Example e;
    make_example(&e);
    TuneWalk *walk = tune_walk(arena, chain_of(arena, &e.space), look);
    for (const TunePoint *p; (p = tune_next(walk));)
        assert_true(p->values[M2] == 64 && p->values[K2] == 64);
    assert_null(tune_next(walk));
    const TuneCounts *counts = tune_counts(walk);
    assert_int_equal(counts->survivors, 144);
    assert_int_equal(counts->nodes, nodes);
    assert_int_equal(counts->dead, dead);
    assert_int_equal(counts->evaluations, evaluations);
    assert_int_equal(asked(&e), evaluations);
}

static void example_in_a_chain(void **state)
{
    walk_example(*state, TUNE_CHECK, 786, 500, 1080);
    walk_example(*state, TUNE_AC1, 286, 0, 4527);
    walk_example(*state, TUNE_AC3, 286, 0, 345);
}

/* With one constraint that is dear: it is asked once for each node that gets so far, and the others look ahead. */
static void example_with_a_dear_constraint(void **state)
{
    Example e;
    int64_t dear[3], all[3];
    for (int look = TUNE_CHECK; look <= TUNE_AC3; look++) {
        make_example(&e);
        e.constraints[CONSTRAINTS - 1].is_cheap = false;
        TuneWalk *walk = tune_walk(*state, chain_of(*state, &e.space), (TuneLook)look);
        while (tune_next(walk))
            continue;
        assert_int_equal(tune_counts(walk)->survivors, 144);
        dear[look] = e.pairs[CONSTRAINTS - 1].asked;
        all[look] = asked(&e);
        assert_int_equal(tune_counts(walk)->evaluations, all[look]);
    }
    assert_int_equal(dear[TUNE_AC1], dear[TUNE_AC3]);
    assert_true(dear[TUNE_AC3] <= dear[TUNE_CHECK] && all[TUNE_AC3] < all[TUNE_AC1]);
}

/* One that is 1 leaves the other as it is; one that is 0 makes it 0. */
static bool is_free_or_zero(const int64_t *values, void *user)
{
    Pair *pair = user;
    pair->asked++;
    return values[pair->upper] == 1 || values[pair->lower] == 0;
}

static bool is_different(const int64_t *values, void *user)
{
    Pair *pair = user;
    pair->asked++;
    return values[pair->upper] != values[pair->lower];
}

/* a = 0 makes b and c 0, which must differ: that domains are empty is known with one arc still in the queue, which then goes. Arcs of all
 * constraints 5 + 5 + 6; a = 0: 2 + 2 + 1; a = 1: 2 + 2; both values of b: back to a 1, to c 2, from there to a 1. */
static void domains_become_empty(void **state)
{
    enum { A, B, C };
    static const int64_t bits[] = {0, 1};
    static const int ab[] = {A, B}, ac[] = {A, C}, bc[] = {B, C};
    static const TuneParameter all[] = {{"a", bits, 2}, {"b", bits, 2}, {"c", bits, 2}};
    Pair pairs[] = {{A, B, 0}, {A, C, 0}, {B, C, 0}};
    const TuneConstraint constraints[] = {
        {.name = "ab", .reads = ab, .nreads = 2, .holds = is_free_or_zero, .user = &pairs[0], .is_cheap = true},
        {.name = "ac", .reads = ac, .nreads = 2, .holds = is_free_or_zero, .user = &pairs[1], .is_cheap = true},
        {.name = "bc", .reads = bc, .nreads = 2, .holds = is_different, .user = &pairs[2], .is_cheap = true},
    };
    const TuneSpace space = {.parameters = all, .nparameters = 3, .constraints = constraints, .nconstraints = 3};
    TuneWalk *walk = tune_walk(*state, chain_of(*state, &space), TUNE_AC3);
    while (tune_next(walk))
        continue;
    const TuneCounts *counts = tune_counts(walk);
    assert_int_equal(counts->survivors, 2);
    assert_int_equal(counts->nodes, 6);
    assert_int_equal(counts->dead, 1);
    assert_int_equal(counts->evaluations, 16 + 5 + 4 + 4 + 4);
}

/* ---------------------------------------------------------------- strategies */

/* memory is free early, prefetch is declared before what it waits for. */
enum { LAYOUT, SPLIT, REORDER, UNROLL, PREFETCH, PIPELINING, MEMORY, STRATEGIES };
static const char *const strategy_names[] = {"layout", "split", "reorder", "unroll", "prefetch", "pipelining", "memory"};
static const TuneEdge strategy_edges[] = {{LAYOUT, MEMORY}, {PIPELINING, PREFETCH}, {PIPELINING, MEMORY},
                                          {SPLIT, REORDER}, {REORDER, UNROLL},      {UNROLL, PIPELINING}};

/* All orders that the edges allow, for those without a place in `order`. */
static int count_orders(unsigned placed, int n, const TuneEdge *edges, int nedges)
{
    int count = placed == (1u << n) - 1;
    for (int i = 0; i < n; i++) {
        bool is_free = !(placed >> i & 1);
        for (int e = 0; e < nedges; e++)
            is_free &= edges[e].to != i || (placed >> edges[e].from & 1);
        count += is_free ? count_orders(placed | 1u << i, n, edges, nedges) : 0;
    }
    return count;
}

static void strategies_have_eleven_orders(void **state)
{
    static const int expected[] = {LAYOUT, SPLIT, REORDER, UNROLL, PIPELINING, PREFETCH, MEMORY};
    int order[STRATEGIES];
    assert_int_equal(count_orders(0, STRATEGIES, strategy_edges, COUNT(strategy_edges)), 11);
    assert_null(topological_order(*state, strategy_names, STRATEGIES, strategy_edges, COUNT(strategy_edges), order));
    assert_memory_equal(order, expected, sizeof expected);
}

/* Parameters declared the other way round; reorder has none, and hands on what comes before it. */
static void strategies_order_their_parameters(void **state)
{
    enum { LINES, BUFFERS, STAGES, UNROLLED, TILE, LAYOUT_OF_B, FREE };
    static const int of_layout[] = {LAYOUT_OF_B}, of_split[] = {TILE}, of_unroll[] = {UNROLLED}, of_prefetch[] = {LINES};
    static const int of_pipelining[] = {STAGES}, of_memory[] = {BUFFERS};
    static const TuneStrategy strategies[] = {
        {"layout", of_layout, 1},     {"split", of_split, 1},           {"reorder", NULL, 0},     {"unroll", of_unroll, 1},
        {"prefetch", of_prefetch, 1}, {"pipelining", of_pipelining, 1}, {"memory", of_memory, 1},
    };
    static const TuneParameter all[] = {{"lines", third, 3}, {"buffers", micro, 2},     {"stages", micro, 2}, {"unrolled", micro, 2},
                                        {"tile", third, 3},  {"layout_of_b", micro, 2}, {"free", micro, 2}};
    TuneSpace space = {.parameters = all, .nparameters = COUNT(all), .strategies = strategies, .nstrategies = COUNT(strategies)};
    space.strategy_edges = strategy_edges;
    space.nstrategy_edges = COUNT(strategy_edges);
    static const int expected[] = {TILE, UNROLLED, STAGES, LINES, LAYOUT_OF_B, BUFFERS, FREE};
    assert_memory_equal(chain_of(*state, &space)->order, expected, sizeof expected);

    const char *error;
    TuneEdge against = {LINES, TILE};
    space.edges = &against;
    space.nedges = 1;
    assert_null(tune_chain(*state, &space, &error));
    assert_string_equal(error,
                        "each of these comes before the next: reorder -> unroll -> pipelining -> prefetch -> lines -> tile -> reorder");
}

/* ---------------------------------------------------------------- what a space may not be */

static void cycles_are_named(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const TuneEdge self[] = {{0, 1}, {1, 1}}, two[] = {{3, 1}, {1, 3}, {1, 0}}, three[] = {{0, 4}, {4, 2}, {2, 1}, {1, 4}, {2, 3}};
    int order[5];
    assert_string_equal(topological_order(*state, names, 5, self, COUNT(self), order), "b -> b");
    assert_string_equal(topological_order(*state, names, 5, two, COUNT(two), order), "b -> d -> b");
    assert_string_equal(topological_order(*state, names, 5, three, COUNT(three), order), "b -> e -> c -> b");

    Example e;
    const char *error;
    make_example(&e);
    TuneEdge back[COUNT(tiles_in_tiles) + 1];
    memcpy(back, tiles_in_tiles, sizeof tiles_in_tiles);
    back[COUNT(tiles_in_tiles)] = (TuneEdge){K2, M3};
    e.space.edges = back;
    e.space.nedges = COUNT(back);
    assert_null(tune_chain(*state, &e.space, &error));
    assert_string_equal(error, "each of these comes before the next: M3 -> M2 -> K2 -> M3");
}

static void refused(Arena *arena, const TuneSpace *space, const char *expected)
{
    const char *error;
    assert_null(tune_chain(arena, space, &error));
    assert_string_equal(error, expected);
}

static double likes_nothing(const int64_t *values, void *user)
{
    (void)values, (void)user;
    return 0;
}

static void faults_are_refused(void **state)
{
    static const int64_t twice[] = {4, 8, 4};
    static const int none[] = {0}, outside[] = {0, 2}, same[] = {1, 1};
    static const TuneParameter good[] = {{"tile", micro, 2}, {"block", second, 2}}, empty[] = {{"tile", micro, 0}},
                               doubled[] = {{"tile", twice, 3}};
    Pair pair = {1, 0, 0};
    TuneConstraint c = {.name = "whole", .reads = none, .nreads = 0, .holds = is_multiple, .user = &pair};
    TuneSpace space = {.parameters = good, .nparameters = 0};
    refused(*state, &space, "a space without parameters");
    refused(*state, &(TuneSpace){.parameters = empty, .nparameters = 1}, "parameter tile has no values");
    refused(*state, &(TuneSpace){.parameters = doubled, .nparameters = 1}, "parameter tile has the value 4 twice");
    space = (TuneSpace){.parameters = good, .nparameters = 2, .constraints = &c, .nconstraints = 1};
    refused(*state, &space, "constraint whole names no parameter");
    c.reads = outside, c.nreads = 2;
    refused(*state, &space, "constraint whole names parameter 2 of 2");
    c.reads = same;
    refused(*state, &space, "constraint whole names parameter 1 twice");
    c.holds = NULL;
    refused(*state, &space, "constraint whole has no function");
    c.kind = TUNE_SOFT, c.prefers = likes_nothing;
    refused(*state, &space, "soft constraint whole has no weight");

    TuneEdge edge = {1, 2};
    TuneStrategy strategy = {"split", outside, 2};
    space = (TuneSpace){.parameters = good, .nparameters = 2, .edges = &edge, .nedges = 1};
    refused(*state, &space, "an edge joins parameters 1 and 2 of 2");
    space = (TuneSpace){.parameters = good, .nparameters = 2, .strategies = &strategy, .nstrategies = 1};
    refused(*state, &space, "strategy split names parameter 2 of 2");
    strategy.count = 1;
    space.strategy_edges = &edge, space.nstrategy_edges = 1;
    refused(*state, &space, "an edge joins strategies 1 and 2 of 1");
}

/* ---------------------------------------------------------------- soft constraints, large spaces */

static double is_large(const int64_t *values, void *user) { return (double)values[*(const int *)user]; }

/* The same 144, at the same price; large M3 first, and large K1, which becomes known when K1 does. */
static void soft_constraints_order(void **state)
{
    static const int m3[] = {M3}, k[] = {K3, K1};
    TuneConstraint all[CONSTRAINTS + 2];
    Example e;
    make_example(&e);
    memcpy(all, e.constraints, sizeof e.constraints);
    all[CONSTRAINTS] = (TuneConstraint){.name = "M3", .kind = TUNE_SOFT, .reads = m3, .nreads = 1, .prefers = is_large, .weight = 1};
    all[CONSTRAINTS + 1] = (TuneConstraint){.name = "K1", .kind = TUNE_SOFT, .reads = k, .nreads = 2, .prefers = is_large, .weight = 0.5};
    all[CONSTRAINTS].user = (void *)&m3[0];
    all[CONSTRAINTS + 1].user = (void *)&k[1];
    e.space.constraints = all;
    e.space.nconstraints = COUNT(all);
    const TuneChain *chain = chain_of(*state, &e.space);
    TuneWalk *walk = tune_walk(*state, chain, TUNE_CHECK);
    const TunePoint *p = tune_next(walk);
    static const int64_t best[] = {4, 4, 32, 64, 192, 16, 64, 576}, next[] = {4, 4, 32, 64, 192, 16, 64, 384};
    assert_memory_equal(p->values, best, sizeof best);
    assert_true(tune_preference(chain, p->values) == 32 + 0.5 * 576);
    p = tune_next(walk);
    assert_memory_equal(p->values, next, sizeof next);
    while (tune_next(walk))
        continue;
    assert_int_equal(tune_counts(walk)->survivors, 144);
    assert_int_equal(tune_counts(walk)->evaluations, 1080);
}

static bool is_below(const int64_t *values, void *user)
{
    const Pair *pair = user;
    return values[pair->upper] < values[pair->lower];
}

/* A million configurations, none of them stored; then the 210 strictly increasing ones among them. */
static void large_spaces(void **state)
{
    enum { DIGITS = 6 };
    static const int64_t digits[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const int neighbours[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
    TuneParameter all[DIGITS];
    TuneConstraint below[DIGITS - 1];
    Pair pairs[DIGITS - 1];
    for (int i = 0; i < DIGITS; i++)
        all[i] = (TuneParameter){"digit", digits, 10};
    TuneSpace space = {.parameters = all, .nparameters = DIGITS, .constraints = below};
    TuneWalk *walk = tune_walk(*state, chain_of(*state, &space), TUNE_CHECK);
    for (int64_t number = 0; number < 1000000; number++) {
        const TunePoint *p = tune_next(walk);
        int64_t is = 0;
        for (int i = 0; i < DIGITS; i++)
            is = 10 * is + p->values[i];
        if (is != number)
            fail_msg("%lld is not %lld", (long long)is, (long long)number);
    }
    assert_null(tune_next(walk));
    assert_int_equal(tune_counts(walk)->nodes, 1111110);

    for (int i = 0; i < DIGITS - 1; i++) {
        pairs[i] = (Pair){i, i + 1, 0};
        below[i] = (TuneConstraint){.name = "below", .reads = neighbours[i], .nreads = 2, .holds = is_below, .user = &pairs[i]};
        below[i].is_cheap = true;
    }
    space.nconstraints = DIGITS - 1;
    walk = tune_walk(*state, chain_of(*state, &space), TUNE_AC3);
    while (tune_next(walk))
        continue;
    assert_int_equal(tune_counts(walk)->survivors, 210);
    assert_int_equal(tune_counts(walk)->dead, 0);
}

static int begin(void **state)
{
    *state = arena_new();
    return 0;
}

static int end(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(example_has_its_order, begin, end),
        cmocka_unit_test_setup_teardown(example_by_brute_force, begin, end),
        cmocka_unit_test_setup_teardown(example_in_a_chain, begin, end),
        cmocka_unit_test_setup_teardown(example_with_a_dear_constraint, begin, end),
        cmocka_unit_test_setup_teardown(domains_become_empty, begin, end),
        cmocka_unit_test_setup_teardown(strategies_have_eleven_orders, begin, end),
        cmocka_unit_test_setup_teardown(strategies_order_their_parameters, begin, end),
        cmocka_unit_test_setup_teardown(cycles_are_named, begin, end),
        cmocka_unit_test_setup_teardown(faults_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(soft_constraints_order, begin, end),
        cmocka_unit_test_setup_teardown(large_spaces, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
