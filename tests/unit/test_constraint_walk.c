/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random spaces against brute force: the same survivors in the same order, whatever looks ahead; neighbours; draws. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune/search/constraint_walk.h"

/* ---------------------------------------------------------------- random spaces */

enum { MOST_PARAMETERS = 6, MOST_VALUES = 4, MOST_CONSTRAINTS = 9, MOST_EDGES = 8, SPACES = 600, MOST_RAW = 4096 };

/* What a constraint says is a hash of the values that it reads. */
typedef struct Rule {
    const int *reads;
    int nreads;
    uint64_t salt;
    int percent;    /* hard: how often it holds */
    int64_t *asked; /* counted where it is not NULL */
} Rule;

typedef struct Random {
    uint64_t seed;
    int64_t values[MOST_PARAMETERS][MOST_VALUES];
    TuneParameter parameters[MOST_PARAMETERS];
    int reads[MOST_CONSTRAINTS][3];
    Rule rules[MOST_CONSTRAINTS];
    TuneConstraint constraints[MOST_CONSTRAINTS];
    TuneEdge edges[MOST_EDGES];
    TuneSpace space;
    int64_t asked;
} Random;

static int hash(const Rule *rule, const int64_t *values, int below)
{
    uint64_t seed = rule->salt;
    for (int k = 0; k < rule->nreads; k++)
        seed = (seed ^ (uint64_t)values[rule->reads[k]]) * UINT64_C(0x100000001b3);
    return tune_random(&seed, below);
}

static bool holds(const int64_t *values, void *user)
{
    const Rule *rule = user;
    ++*rule->asked;
    return hash(rule, values, 100) < rule->percent;
}

/* Of few values, so that many are equal. */
static double prefers(const int64_t *values, void *user) { return hash(user, values, 3); }

static void shuffle(uint64_t *seed, int *list, int n)
{
    for (int i = 0; i < n; i++) {
        int j = tune_random(seed, i + 1);
        list[i] = list[j];
        list[j] = i;
    }
}

static void make_parameters(Random *r)
{
    r->space.nparameters = 1 + tune_random(&r->seed, MOST_PARAMETERS);
    for (int i = 0; i < r->space.nparameters; i++) {
        int64_t value = tune_random(&r->seed, 9) - 4, step = tune_random(&r->seed, 2) ? 7 : -3;
        for (int k = 0; k < MOST_VALUES; k++)
            r->values[i][k] = value + k * step;
        r->parameters[i] = (TuneParameter){"p", r->values[i], 1 + tune_random(&r->seed, MOST_VALUES)};
    }
}

static void make_constraints(Random *r)
{
    int all[MOST_PARAMETERS], n = r->space.nparameters;
    r->space.nconstraints = tune_random(&r->seed, MOST_CONSTRAINTS + 1);
    for (int i = 0; i < r->space.nconstraints; i++) {
        shuffle(&r->seed, all, n);
        int arity = 1 + tune_random(&r->seed, n < 3 ? n : 3), percent = 50 + tune_random(&r->seed, 50);
        memcpy(r->reads[i], all, sizeof(int) * (size_t)arity);
        r->rules[i] = (Rule){r->reads[i], arity, r->seed, percent, &r->asked};
        r->constraints[i] = (TuneConstraint){.name = "c", .reads = r->reads[i], .nreads = arity, .holds = holds, .user = &r->rules[i]};
        r->constraints[i].is_cheap = tune_random(&r->seed, 2);
        if (tune_random(&r->seed, 4) == 0) {
            r->constraints[i].kind = TUNE_SOFT;
            r->constraints[i].prefers = prefers;
            r->constraints[i].weight = 1 + tune_random(&r->seed, 2);
        }
    }
}

/* From the one that comes first in some order to the other. */
static void make_edges(Random *r)
{
    int some[MOST_PARAMETERS], n = r->space.nparameters;
    shuffle(&r->seed, some, n);
    r->space.nedges = n > 1 ? tune_random(&r->seed, MOST_EDGES + 1) : 0;
    for (int e = 0; e < r->space.nedges; e++) {
        int to = 1 + tune_random(&r->seed, n - 1);
        r->edges[e] = (TuneEdge){some[tune_random(&r->seed, to)], some[to]};
    }
}

static const TuneChain *make_space(Arena *arena, Random *r, uint64_t seed)
{
    const char *error;
    memset(r, 0, sizeof *r);
    r->seed = seed;
    make_parameters(r);
    make_constraints(r);
    make_edges(r);
    r->space.parameters = r->parameters;
    r->space.constraints = r->constraints;
    r->space.edges = r->edges;
    const TuneChain *chain = tune_chain(arena, &r->space, &error);
    if (!chain)
        fail_msg("%s", error);
    return chain;
}

/* ---------------------------------------------------------------- brute force */

/* A survivor: what it is sorted by, level for level, and where its values are. */
typedef struct Sorted {
    double less_preferred[MOST_PARAMETERS];
    int by_level[MOST_PARAMETERS], places[MOST_PARAMETERS], n;
} Sorted;

static int compare(const void *a, const void *b)
{
    const Sorted *x = a, *y = b;
    for (int l = 0; l < x->n; l++) {
        if (x->less_preferred[l] != y->less_preferred[l])
            return x->less_preferred[l] < y->less_preferred[l] ? -1 : 1;
        if (x->by_level[l] != y->by_level[l])
            return x->by_level[l] - y->by_level[l];
    }
    return 0;
}

/* The level at which the last parameter that a constraint reads is known. */
static int level_known(const TuneChain *chain, const TuneConstraint *c)
{
    int level = 0;
    for (int l = 0; l < chain->space.nparameters; l++)
        for (int k = 0; k < c->nreads; k++)
            level = chain->order[l] == c->reads[k] ? l : level;
    return level;
}

static int brute_force(const Random *r, const TuneChain *chain, Sorted *out)
{
    int n = r->space.nparameters, count = 0;
    int64_t values[MOST_PARAMETERS];
    for (int raw = 0; raw < (int)tune_raw_size(chain); raw++) {
        Sorted *s = &out[count];
        bool survives = true;
        memset(s, 0, sizeof *s);
        s->n = n;
        for (int i = 0, rest = raw; i < n; rest /= r->parameters[i++].count) {
            s->places[i] = rest % r->parameters[i].count;
            values[i] = r->values[i][s->places[i]];
        }
        for (int l = 0; l < n; l++)
            s->by_level[l] = s->places[chain->order[l]];
        for (int i = 0; i < r->space.nconstraints; i++) {
            const TuneConstraint *c = &r->constraints[i];
            if (c->kind == TUNE_HARD)
                survives &= hash(&r->rules[i], values, 100) < r->rules[i].percent;
            else
                s->less_preferred[level_known(chain, c)] -= c->weight * hash(&r->rules[i], values, 3);
        }
        count += survives;
    }
    qsort(out, (size_t)count, sizeof *out, compare);
    return count;
}

/* Beginnings of sorted survivors: nodes that are not dead. */
static int beginnings(const Sorted *s, int count, int n)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int same = 0;
        while (i && same < n && s[i].by_level[same] == s[i - 1].by_level[same])
            same++;
        sum += n - same;
    }
    return sum;
}

static Sorted expected[MOST_RAW + 1];

/* Every parameter behind those that its edges name, and the smallest that could stand there. */
static void order_is_kahns(const TuneChain *chain)
{
    bool is_placed[MOST_PARAMETERS] = {false};
    for (int l = 0; l < chain->space.nparameters; l++) {
        int least = -1;
        for (int i = chain->space.nparameters - 1; i >= 0; i--) {
            bool is_free = !is_placed[i];
            for (int e = 0; e < chain->space.nedges; e++)
                is_free &= chain->space.edges[e].to != i || is_placed[chain->space.edges[e].from];
            least = is_free ? i : least;
        }
        assert_int_equal(chain->order[l], least);
        is_placed[least] = true;
    }
}

static TuneCounts walk_as_expected(Arena *arena, Random *r, const TuneChain *chain, TuneLook look, int count)
{
    TuneWalk *walk = tune_walk(arena, chain, look);
    r->asked = 0;
    for (int i = 0; i < count; i++) {
        const TunePoint *p = tune_next(walk);
        assert_non_null(p);
        for (int k = 0; k < r->space.nparameters; k++) {
            assert_int_equal(p->places[k], expected[i].places[k]);
            assert_int_equal(p->values[k], r->values[k][expected[i].places[k]]);
        }
    }
    assert_null(tune_next(walk));
    assert_null(tune_next(walk));
    const TuneCounts *counts = tune_counts(walk);
    assert_int_equal(counts->survivors, count);
    assert_int_equal(counts->nodes - counts->dead, beginnings(expected, count, r->space.nparameters));
    assert_int_equal(counts->evaluations, r->asked);
    return *counts;
}

static void walks_find_what_brute_force_finds(void **state)
{
    int empty = 0, saved = 0, softened = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SPACES; seed++) {
        Random r;
        Arena *arena = arena_new();
        const TuneChain *chain = make_space(arena, &r, seed);
        order_is_kahns(chain);
        int count = brute_force(&r, chain, expected);
        TuneCounts check = walk_as_expected(arena, &r, chain, TUNE_CHECK, count);
        TuneCounts ac1 = walk_as_expected(arena, &r, chain, TUNE_AC1, count);
        TuneCounts ac3 = walk_as_expected(arena, &r, chain, TUNE_AC3, count);
        assert_true(ac1.nodes <= check.nodes && ac1.nodes == ac3.nodes && ac3.evaluations <= ac1.evaluations);
        empty += count == 0;
        saved += ac1.nodes < check.nodes;
        for (int i = 0; i + 1 < count; i++)
            if (memcmp(expected[i].by_level, expected[i + 1].by_level, sizeof expected[i].by_level) > 0) {
                softened++;
                break;
            }
        arena_free(arena);
    }
    assert_true(empty > SPACES / 20 && empty < SPACES / 2); /* of every sort there are many */
    assert_true(saved > SPACES / 4 && softened > SPACES / 10);
}

/* ---------------------------------------------------------------- neighbours */

typedef struct Visited {
    const TuneChain *chain;
    int places[MOST_RAW][MOST_PARAMETERS];
    int count, most;
} Visited;

static Visited visited, back;

static bool note(const TunePoint *p, void *user)
{
    Visited *v = user;
    assert_true(tune_survives(v->chain, p->values));
    for (int i = 0; i < v->chain->space.nparameters; i++)
        assert_int_equal(p->values[i], v->chain->space.parameters[i].values[p->places[i]]);
    memcpy(v->places[v->count++], p->places, sizeof(int) * (size_t)v->chain->space.nparameters);
    return v->count != v->most;
}

static int times_visited(const Visited *v, const int *places)
{
    int times = 0;
    for (int i = 0; i < v->count; i++)
        times += memcmp(v->places[i], places, sizeof(int) * (size_t)v->chain->space.nparameters) == 0;
    return times;
}

static void visit(Visited *v, const TuneChain *chain, const int *places, int hops)
{
    Arena *arena = arena_new();
    TunePoint from = tune_point(arena, chain);
    for (int i = 0; i < chain->space.nparameters; i++)
        tune_set(chain, &from, i, places[i]);
    v->chain = chain;
    v->count = v->most = 0;
    assert_true(tune_neighbours(chain, &from, hops, note, v));
    if (v->count > 1) {
        int all = v->count;
        v->count = 0;
        v->most = all - 1;
        assert_false(tune_neighbours(chain, &from, hops, note, v));
        assert_int_equal(v->count, all - 1);
        v->count = v->most = 0;
        assert_true(tune_neighbours(chain, &from, hops, note, v));
    }
    arena_free(arena);
}

/* Parameters in which two configurations differ, if in none by more than one place; else -1. */
static int hops_between(const Sorted *a, const Sorted *b)
{
    int hops = 0;
    for (int i = 0; i < a->n; i++) {
        if (abs(a->places[i] - b->places[i]) > 1)
            return -1;
        hops += a->places[i] != b->places[i];
    }
    return hops;
}

/* Each survivor's neighbours are just those survivors that are so far away, each once; it is one of theirs. */
static void neighbours_survive_and_are_mutual(void **state)
{
    int64_t found[4] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= SPACES / 4; seed++) {
        Random r;
        Arena *arena = arena_new();
        const TuneChain *chain = make_space(arena, &r, seed);
        int count = brute_force(&r, chain, expected);
        for (int i = 0, step = 1 + count / 20; i < count; i += step)
            for (int hops = 0; hops <= 3; hops++) {
                int near = 0;
                visit(&visited, chain, expected[i].places, hops);
                for (int k = 0; k < count; k++) {
                    bool is_near = hops_between(&expected[i], &expected[k]) == hops;
                    assert_int_equal(times_visited(&visited, expected[k].places), is_near);
                    near += is_near;
                }
                assert_int_equal(visited.count, near);
                if (near) {
                    visit(&back, chain, visited.places[near - 1], hops);
                    assert_int_equal(times_visited(&back, expected[i].places), 1);
                }
                found[hops] += near;
            }
        arena_free(arena);
    }
    assert_true(found[1] > 1000 && found[2] > found[1] && found[3] > 1000);
}

/* ---------------------------------------------------------------- draws */

/* Where a survivor is among the expected; -1: it is none. */
static int index_of(const TunePoint *p, int count)
{
    for (int i = 0; i < count; i++)
        if (memcmp(p->places, expected[i].places, sizeof(int) * (size_t)expected[i].n) == 0)
            return i;
    return -1;
}

/* 100 draws for each survivor: chi squared is about its number of degrees of freedom, at most six deviations above. */
static void draws_are_even(void **state)
{
    int spaces = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SPACES / 4; seed++) {
        Random r;
        Arena *arena = arena_new();
        const TuneChain *chain = make_space(arena, &r, seed);
        TunePoint p = tune_point(arena, chain);
        int count = brute_force(&r, chain, expected), drawn[MOST_RAW] = {0};
        uint64_t drawing = seed, again = seed;
        assert_int_equal(tune_draw(chain, &drawing, &p), count > 0);
        if (count > 0) {
            int at = index_of(&p, count);
            assert_true(tune_draw(chain, &again, &p) && again == drawing && index_of(&p, count) == at);
        }
        for (int i = 0; count <= 100 && i < 100 * count; i++) {
            assert_true(tune_draw(chain, &drawing, &p));
            int at = index_of(&p, count);
            assert_true(at >= 0);
            drawn[at]++;
        }
        double squares = 0;
        for (int i = 0; count <= 100 && i < count; i++) {
            assert_true(drawn[i] > 0);
            squares += pow(drawn[i] - 100, 2) / 100;
        }
        assert_true(squares <= count + 6 * sqrt(2.0 * count));
        spaces += count > 1 && count <= 100;
        arena_free(arena);
    }
    assert_true(spaces > 50);
}

static bool are_equal(const int64_t *values, void *user) { return values[*(int *)user] == values[*(int *)user + 1]; }

static bool are_different(const int64_t *values, void *user) { return !are_equal(values, user); }

/* Four of 4^12 survive, too few to be met by chance: walks find them, each as often as the others. */
static void rare_survivors_are_drawn(void **state)
{
    enum { N = 12 };
    static const int64_t digits[] = {0, 1, 2, 3};
    TuneParameter parameters[N];
    TuneConstraint constraints[N];
    int reads[N][2], met[4] = {0};
    for (int i = 0; i < N; i++) {
        parameters[i] = (TuneParameter){"digit", digits, 4};
        reads[i][0] = i, reads[i][1] = i + 1;
        constraints[i] = (TuneConstraint){.name = "equal", .reads = reads[i], .nreads = 2, .holds = are_equal, .user = reads[i]};
    }
    TuneSpace space = {.parameters = parameters, .nparameters = N, .constraints = constraints, .nconstraints = N - 1};
    const char *error;
    const TuneChain *chain = tune_chain(*state, &space, &error);
    TunePoint p = tune_point(*state, chain);
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        assert_true(tune_draw(chain, &seed, &p) && tune_survives(chain, p.values));
        met[p.places[0]]++;
    }
    for (int k = 0; k < 4; k++)
        assert_true(met[k] > 25);
    constraints[N - 1] = (TuneConstraint){.name = "different", .reads = reads[0], .nreads = 2, .holds = are_different, .user = reads[0]};
    space.nconstraints = N;
    assert_false(tune_draw(tune_chain(*state, &space, &error), &seed, &p));
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
        cmocka_unit_test(walks_find_what_brute_force_finds),
        cmocka_unit_test(neighbours_survive_and_are_mutual),
        cmocka_unit_test(draws_are_even),
        cmocka_unit_test_setup_teardown(rare_survivors_are_drawn, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
