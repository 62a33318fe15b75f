/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches on spaces that are known whole: what is asked, in which order where it is said, and how good it is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune/search/constraint_walk.h"
#include "tune/search/search.h"

/* ---------------------------------------------------------------- spaces whose truth is a hash, or a table */

enum { MOST_PARAMETERS = 8, MOST_VALUES = 12, MOST_RAW = 1 << 17, MOST_ASKED = 16 };
#define DISTORTION 0.3 /* standard deviation of predictions */

static const int64_t digits[MOST_VALUES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

typedef struct World {
    Arena *arena;
    TuneParameter parameters[MOST_PARAMETERS];
    TuneConstraint constraint;
    int reads[MOST_PARAMETERS];
    int n, percent; /* how many survive */
    uint64_t salt;
    const double *speeds;      /* by index(); NULL: landscape() */
    const double *predictions; /* of speeds; NULL: distorted truth */
    int learnt;
    const TuneChain *chain;
} World;

static uint64_t hash(uint64_t salt, const int64_t *values, int n)
{
    uint64_t seed = salt;
    for (int i = 0; i < n; i++)
        seed = (seed ^ (uint64_t)values[i]) * UINT64_C(0x100000001b3);
    return seed;
}

static int below(uint64_t seed, int n) { return tune_random(&seed, n); }

static bool holds(const int64_t *values, void *user)
{
    const World *w = user;
    return below(hash(w->salt, values, w->n), 100) < w->percent;
}

static int index_of(const World *w, const int64_t *values)
{
    int index = 0;
    for (int i = 0; i < w->n; i++)
        index = index * w->parameters[i].count + (int)values[i];
    return index;
}

static int raw_size(const World *w) { return (int)tune_raw_size(w->chain); }

static void values_of(const World *w, int index, int64_t *values)
{
    for (int i = w->n - 1; i >= 0; index /= w->parameters[i--].count)
        values[i] = index % w->parameters[i].count;
}

static World *make_world(int n, const int *counts, int percent, uint64_t salt)
{
    Arena *arena = arena_new();
    World *w = arena_new_array(arena, World, 1);
    const char *error;
    *w = (World){.arena = arena, .n = n, .percent = percent, .salt = salt};
    for (int i = 0; i < n; i++) {
        w->parameters[i] = (TuneParameter){"p", digits, counts[i]};
        w->reads[i] = i;
    }
    w->constraint = (TuneConstraint){.name = "c", .reads = w->reads, .nreads = n, .holds = holds, .user = w};
    TuneSpace space = {.parameters = w->parameters, .nparameters = n, .constraints = &w->constraint, .nconstraints = percent < 100};
    w->chain = tune_chain(arena, &space, &error);
    assert_non_null(w->chain);
    return w;
}

/* From 0 to 1. */
static double hashed(const World *w, int what, int a, int b)
{
    int64_t values[] = {what, a, b};
    return below(hash(w->salt, values, 3), 1 << 20) / (double)(1 << 20);
}

/* A hill along every parameter, times something for each pair of neighbouring ones, times cliffs. */
static double landscape(const World *w, const int64_t *values)
{
    double speed = 100;
    for (int i = 0; i < w->n; i++) {
        double top = hashed(w, i, 0, 0) * (w->parameters[i].count - 1);
        int64_t next = values[(i + 1) % w->n];
        speed /= 1 + (0.05 + 0.25 * hashed(w, i, 1, 0)) * fabs((double)values[i] - top);
        speed *= 1 - 0.1 * hashed(w, i, (int)values[i] + 2, (int)next);
        if ((double)(values[i] + 1) * (double)(next + 1) >
            (0.4 + 0.6 * hashed(w, i, 1, 1)) * w->parameters[i].count * w->parameters[i].count)
            speed *= 0.6;
    }
    return speed;
}

static double speed_of(const World *w, const int64_t *values) { return w->speeds ? w->speeds[index_of(w, values)] : landscape(w, values); }

static double predict(const TunePoint *point, void *user)
{
    const World *w = user;
    double noise = 0;
    if (w->predictions)
        return log(w->predictions[index_of(w, point->values)]);
    for (int i = 0; i < 12; i++) /* about normal */
        noise += below(hash(w->salt + 1 + (uint64_t)i, point->values, w->n), 1 << 20) / (double)(1 << 20) - 0.5;
    return log(landscape(w, point->values)) + DISTORTION * noise;
}

static void learn(void *user) { ((World *)user)->learnt++; }

/* ---------------------------------------------------------------- everything, once */

/* Told, and by brute force: what survives, and what is the best. */
typedef struct Tally {
    const World *w;
    int asked[MOST_RAW], order[MOST_RAW], n;
    double best;
} Tally;

static Tally tally;

static double fallible(const World *w, const int64_t *values)
{
    return below(hash(w->salt + 99, values, w->n), 5) == 0 ? -1.0 + below(hash(w->salt + 98, values, w->n), 2) : speed_of(w, values);
}

static void measure(const World *w, Search *s, int budget, int most)
{
    TunePoint points[MOST_ASKED];
    double speeds[MOST_ASKED];
    memset(&tally, 0, sizeof tally);
    while (tally.n < budget) {
        int n = search_ask(s, points, most < budget - tally.n ? most : budget - tally.n);
        assert_in_range(n, 0, most);
        if (n == 0)
            break;
        for (int i = 0; i < n; i++) {
            int at = index_of(w, points[i].values);
            assert_true(tune_survives(w->chain, points[i].values));
            for (int k = 0; k < w->n; k++)
                assert_int_equal(points[i].places[k], points[i].values[k]);
            assert_int_equal(tally.asked[at]++, 0);
            tally.order[tally.n++] = at;
            speeds[i] = fallible(w, points[i].values);
            tally.best = fmax(tally.best, speeds[i]);
        }
        search_tell(s, points, speeds, n);
    }
}

static void results_are_as_told(const World *w, const Search *s)
{
    int n;
    double best = 0;
    const SearchResult *results = search_results(s, &n), *found = search_best(s);
    assert_int_equal(n, tally.n);
    for (int i = 0; i < n; i++) {
        double speed = fmax(0, fallible(w, results[i].point.values));
        best = fmax(best, speed);
        assert_int_equal(index_of(w, results[i].point.values), tally.order[i]);
        assert_true(results[i].speed == speed && results[i].best == best);
    }
    assert_true(best == tally.best);
    if (best > 0)
        assert_true(found && found->speed == best && fallible(w, found->point.values) == best);
    else
        assert_null(found);
}

static SearchInput input_of(World *w, SearchKind kind, uint64_t seed, bool is_predicted)
{
    SearchInput input = search_defaults(w->chain, kind, seed);
    if (is_predicted) {
        input.predict = predict;
        input.learn = learn;
        input.user = w;
    }
    return input;
}

static void small_spaces_are_exhausted(void **state)
{
    int sizes[3] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        uint64_t random = seed;
        int counts[MOST_PARAMETERS], n = 1 + tune_random(&random, 4), percent = 5 + tune_random(&random, 96), survivors = 0;
        for (int i = 0; i < n; i++)
            counts[i] = 1 + tune_random(&random, 4);
        World *w = make_world(n, counts, percent, seed);
        for (int i = 0; i < raw_size(w); i++) {
            int64_t values[MOST_PARAMETERS];
            values_of(w, i, values);
            survivors += percent >= 100 || holds(values, w);
        }
        for (int kind = SEARCH_DESCENT; kind <= SEARCH_RANDOM; kind++)
            for (int is_predicted = 0; is_predicted < 2; is_predicted++) {
                SearchInput input = input_of(w, kind, seed, is_predicted);
                input.first = tune_random(&random, 20);
                input.drawn = tune_random(&random, input.first + 1);
                Search *s = search_begin(w->arena, &input);
                measure(w, s, MOST_RAW, 1 + tune_random(&random, MOST_ASKED));
                assert_int_equal(tally.n, survivors);
                results_are_as_told(w, s);
                TunePoint none;
                assert_int_equal(search_ask(s, &none, 1), 0);
            }
        sizes[survivors < 2 ? survivors : 2]++;
        arena_free(w->arena);
    }
    assert_true(sizes[0] > 5 && sizes[1] > 5 && sizes[2] > 75);
}

/* More than the pool holds: draws first, then what they leave. */
static void large_spaces_are_exhausted(void **state)
{
    static const int counts[] = {8, 8, 8, 8, 8};
    World *w = make_world(5, counts, 90, 3);
    int survivors = 0;
    (void)state;
    for (int i = 0; i < raw_size(w); i++) {
        int64_t values[MOST_PARAMETERS];
        values_of(w, i, values);
        survivors += holds(values, w);
    }
    assert_true(survivors > SEARCH_WHOLE);
    SearchInput input = input_of(w, SEARCH_RANDOM, 1, false);
    measure(w, search_begin(w->arena, &input), MOST_RAW, MOST_ASKED);
    assert_int_equal(tally.n, survivors);
    for (int kind = SEARCH_DESCENT; kind <= SEARCH_RANDOM; kind++) {
        input = input_of(w, kind, 1, true);
        Search *s = search_begin(w->arena, &input);
        measure(w, s, 300, 8);
        assert_int_equal(tally.n, 300);
        results_are_as_told(w, s);
    }
    arena_free(w->arena);
}

static void searches_repeat(void **state)
{
    static const int counts[] = {6, 6, 6, 6, 6, 6};
    static int order[100];
    (void)state;
    for (int percent = 30; percent <= 100; percent += 70) /* a pool that is whole, and one that is not */
        for (int kind = SEARCH_DESCENT; kind <= SEARCH_RANDOM; kind++)
            for (int is_predicted = 0; is_predicted < 2; is_predicted++) {
                World *w = make_world(6, counts, percent, 7);
                for (uint64_t seed = 0; seed < 3; seed++) {
                    SearchInput input = input_of(w, kind, seed / 2, is_predicted);
                    measure(w, search_begin(w->arena, &input), 100, 5);
                    assert_int_equal(tally.n, 100);
                    if (seed)
                        assert_int_equal(memcmp(order, tally.order, sizeof order) == 0, seed == 1);
                    memcpy(order, tally.order, sizeof order);
                }
                arena_free(w->arena);
            }
}

/* Of ten, 4000 times one: about 400 times each, six deviations of which are 114. */
static void draws_are_even(void **state)
{
    static const int counts[] = {10};
    int times[10] = {0};
    World *w = make_world(1, counts, 100, 1);
    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        SearchInput input = input_of(w, SEARCH_RANDOM, seed * 1000, false);
        TunePoint point;
        assert_int_equal(search_ask(search_begin(w->arena, &input), &point, 1), 1);
        times[point.places[0]]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(times[i], 400 - 114, 400 + 114);
    arena_free(w->arena);
}

/* ---------------------------------------------------------------- the descent, step by step */

/* Asks, expects these, and tells what they are. */
static void expect(const World *w, Search *s, int most, int n, const int *expected)
{
    TunePoint points[MOST_ASKED];
    double speeds[MOST_ASKED];
    assert_int_equal(search_ask(s, points, most), n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(index_of(w, points[i].values), expected[i]);
        speeds[i] = speed_of(w, points[i].values);
    }
    search_tell(s, points, speeds, n);
}

#define EXPECT(w, s, ...) expect(w, s, MOST_ASKED, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

static void tell(const World *w, Search *s, int index, double speed)
{
    TunePoint point = tune_point(w->arena, w->chain);
    int64_t values[MOST_PARAMETERS];
    values_of(w, index, values);
    for (int i = 0; i < w->n; i++)
        tune_set(w->chain, &point, i, (int)values[i]);
    search_tell(s, &point, &speed, 1);
}

/* At once at `base`, which is all that is known. */
static Search *begin_at(World *w, int base, int patience)
{
    SearchInput input = input_of(w, SEARCH_DESCENT, 1, true);
    input.first = input.drawn = 0;
    input.diversity = 0;
    input.patience = patience;
    Search *s = search_begin(w->arena, &input);
    tell(w, s, base, w->speeds[base]);
    return s;
}

static void descent_on_a_line(void **state)
{
    static const double predictions[] = {3.1, 1, 2.8, 4.5, 5, 4.9, 6, 4, 2.9, 2, 1.9, 5.2};
    static const double speeds[] = {1, 1, 1, 4.1, 4, 4.2, 4.3, 3, 1, 1, 1, 0};
    static const int counts[] = {12};
    World *w = make_world(1, counts, 100, 1);
    (void)state;
    w->predictions = predictions;
    w->speeds = speeds;
    Search *s = begin_at(w, 4, 6);
    EXPECT(w, s, 5, 3); /* both neighbours, the better one first */
    EXPECT(w, s, 6);    /* both beat the base, 5 more so: on from there */
    EXPECT(w, s, 7);    /* 6 beats 5 */
    EXPECT(w, s, 11, 0, 8); /* a dead end: the best as predicted; 11 fails */
    EXPECT(w, s, 2);    /* of all that were no base 3 is the fastest */
    EXPECT(w, s, 9, 10, 1); /* a dead end again */
    assert_int_equal(search_ask(s, &(TunePoint){0}, 1), 0);
    arena_free(w->arena);
}

/* Of a cube's 27 the middle is the base, index 13: 18 of one and two hops, 8 corners of three. */
static const int corners[] = {0, 2, 6, 8, 18, 20, 24, 26};

typedef struct Cube {
    World *w;
    double predictions[27], speeds[27];
    int near[18], far[8]; /* by prediction */
} Cube;

static bool is_corner(int i)
{
    for (int k = 0; k < 8; k++)
        if (corners[k] == i)
            return true;
    return false;
}

/* The base has speed 10, predicted 10; all others a speed of 10 * share and predictions of 9.9, 9.7 ... in an order of their own. */
static void make_cube(Cube *c, double share)
{
    static const int counts[] = {3, 3, 3};
    int near = 0, far = 0;
    memset(c, 0, sizeof *c);
    c->w = make_world(3, counts, 100, 1);
    for (int k = 0; k < 27; k++) {
        int i = k * 10 % 27;
        c->predictions[i] = 9.9 - 0.2 * k;
        c->speeds[i] = 10 * share;
        if (i == 13)
            c->predictions[i] = c->speeds[i] = 10;
        else if (is_corner(i))
            c->far[far++] = i;
        else
            c->near[near++] = i;
    }
    c->w->predictions = c->predictions;
    c->w->speeds = c->speeds;
}

static void expect_windows(const Cube *c, Search *s, const int *expected, int n)
{
    for (int i = 0; i < n; i += 3)
        expect(c->w, s, MOST_ASKED, n - i < 3 ? n - i : 3, expected + i);
}

/* Neither predictions nor speeds fall so low that neighbours are given up. */
static void descent_widens(void **state)
{
    Cube c;
    (void)state;
    make_cube(&c, 0.9);
    for (int k = 0; k < 27; k++)
        c.predictions[k] = 8 + c.predictions[k] / 5;
    Search *s = begin_at(c.w, 13, 100);
    expect_windows(&c, s, c.near, 18);
    expect_windows(&c, s, c.far, 8);
    assert_int_equal(search_ask(s, &(TunePoint){0}, 1), 0);
    arena_free(c.w->arena);
}

/* What is predicted at 6 and more of 10. */
static void descent_stops_by_prediction(void **state)
{
    Cube c;
    int near = 0, far = 0;
    (void)state;
    make_cube(&c, 0.9);
    while (c.predictions[c.near[near]] >= 6)
        near++;
    while (c.predictions[c.far[far]] >= 6)
        far++;
    assert_true(near > 9 && near < 18 && far > 3 && far < 8);
    Search *s = begin_at(c.w, 13, 100);
    expect_windows(&c, s, c.near, near);
    expect_windows(&c, s, c.far, far);
    arena_free(c.w->arena);
}

/* Three windows below 6 of 10 are enough; so many corners there are not. */
static void descent_stops_by_speed(void **state)
{
    Cube c;
    (void)state;
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        make_cube(&c, is_slow ? 0.59 : 0.61);
        for (int k = 0; k < 27; k++)
            c.predictions[k] = 8 + c.predictions[k] / 5;
        Search *s = begin_at(c.w, 13, 100);
        expect_windows(&c, s, c.near, is_slow ? SEARCH_ENOUGH : 18);
        expect_windows(&c, s, c.far, 8);
        arena_free(c.w->arena);
    }
}

/* After two windows the best as predicted of all that are left, whatever they are neighbours of. */
static void descent_loses_patience(void **state)
{
    Cube c;
    bool taken[27] = {[13] = true};
    int expected[3];
    (void)state;
    make_cube(&c, 0.9);
    Search *s = begin_at(c.w, 13, 6);
    expect_windows(&c, s, c.near, 6);
    for (int i = 0; i < 6; i++)
        taken[c.near[i]] = true;
    for (int i = 0; i < 3; i++) {
        int best = -1;
        for (int k = 0; k < 27; k++)
            best = !taken[k] && (best < 0 || c.predictions[k] > c.predictions[best]) ? k : best;
        taken[expected[i] = best] = true;
    }
    assert_int_not_equal(expected[0], c.near[6]); /* it matters */
    expect(c.w, s, 3, 3, expected);
    arena_free(c.w->arena);
}

/* Windows are no larger than asked for. */
static void windows_are_cut(void **state)
{
    Cube c;
    (void)state;
    make_cube(&c, 0.9);
    Search *s = begin_at(c.w, 13, 100);
    expect(c.w, s, 2, 2, c.near);
    expect(c.w, s, 1, 1, c.near + 2);
    expect(c.w, s, 3, 3, c.near + 3);
    arena_free(c.w->arena);
}

/* ---------------------------------------------------------------- what is told */

static void first_ones_are_as_said(void **state)
{
    static const int counts[] = {12, 12};
    static const double none[144];
    TunePoint points[MOST_ASKED];
    double predictions[144], speeds[MOST_ASKED] = {0};
    World *w = make_world(2, counts, 100, 1);
    (void)state;
    for (int i = 0; i < 144; i++)
        predictions[i] = 1 + i * 31 % 144;
    w->predictions = predictions;
    w->speeds = none;
    SearchInput input = input_of(w, SEARCH_DESCENT, 1, true);
    input.first = 12;
    input.drawn = 8;
    input.window = 8;
    Search *s = search_begin(w->arena, &input);
    assert_int_equal(search_ask(s, points, 2), 2);
    search_tell(s, points, speeds, 2); /* these count once */
    assert_int_equal(search_ask(s, points + 2, MOST_ASKED - 2), 10);
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        double prediction = predictions[index_of(w, points[i].values)];
        sum += i < 4 ? 0 : prediction;
        assert_true(i >= 4 || prediction > 100);
    }
    assert_int_equal((int)predictions[index_of(w, points[0].values)], 144);
    assert_true(sum / 8 < 120); /* drawn */
    search_tell(s, points + 2, speeds, 5);
    assert_int_equal(w->learnt, 0);
    search_tell(s, points + 7, speeds, 1);
    assert_int_equal(w->learnt, 1); /* a batch */
    search_tell(s, points + 8, speeds, 4);
    assert_int_equal(w->learnt, 2); /* the first ones */
    assert_null(search_best(s));
    assert_int_equal(search_ask(s, points, MOST_ASKED), 8);
    search_tell(s, points, speeds, 8);
    assert_int_equal(w->learnt, 3);
    arena_free(w->arena);
}

/* What learn changes counts for what is asked next. */
static void reverse(void *user)
{
    World *w = user;
    double *reversed = arena_new_array(w->arena, double, 27);
    for (int i = 0; i < 27; i++)
        reversed[i] = 100 / w->predictions[i];
    reversed[13] = 10;
    w->predictions = reversed;
}

static void what_is_learnt_counts(void **state)
{
    Cube c;
    (void)state;
    make_cube(&c, 0.9);
    SearchInput input = input_of(c.w, SEARCH_DESCENT, 1, true);
    input.first = input.drawn = 0;
    input.diversity = 0;
    input.batch = 4;
    input.learn = reverse;
    Search *s = search_begin(c.w->arena, &input);
    tell(c.w, s, 13, 10);
    expect(c.w, s, 3, 3, c.near);
    EXPECT(c.w, s, c.near[17], c.near[16], c.near[15]);
    arena_free(c.w->arena);
}

static void results_may_change(void **state)
{
    static const int counts[] = {4};
    static const double speeds[] = {1, 2, 3, 4};
    World *w = make_world(1, counts, 100, 1);
    int n;
    (void)state;
    w->speeds = speeds;
    SearchInput input = input_of(w, SEARCH_RANDOM, 1, false);
    Search *s = search_begin(w->arena, &input);
    tell(w, s, 0, 5);
    tell(w, s, 1, 7);
    tell(w, s, 2, 6);
    tell(w, s, 1, 5.5); /* measured again */
    const SearchResult *results = search_results(s, &n);
    assert_int_equal(n, 3);
    assert_true(results[0].best == 5 && results[1].best == 5.5 && results[2].best == 6 && results[1].speed == 5.5);
    assert_int_equal(search_best(s)->point.places[0], 2);
    tell(w, s, 2, 0);
    assert_true(results[2].best == 5.5 && search_best(s)->point.places[0] == 1);
    EXPECT(w, s, 3); /* the only one not told */
    assert_int_equal(search_ask(s, &(TunePoint){0}, 1), 0);
    arena_free(w->arena);
}

/* ---------------------------------------------------------------- how good */

static double best_after(World *w, SearchKind kind, uint64_t seed, int budget)
{
    TunePoint points[8];
    double speeds[8];
    SearchInput input = input_of(w, kind, seed, kind != SEARCH_RANDOM);
    input.drawn = 4;
    Search *s = search_begin(w->arena, &input);
    for (int done = 0, n; done < budget && (n = search_ask(s, points, budget - done < 8 ? budget - done : 8)) > 0; done += n) {
        for (int i = 0; i < n; i++)
            speeds[i] = landscape(w, points[i].values);
        search_tell(s, points, speeds, n);
    }
    return search_best(s)->speed;
}

/* 7776 and 93312 configurations, of which most survive: the second pool is not whole. */
static void descents_are_good(void **state)
{
    static const int counts[] = {6, 6, 6, 6, 6, 12};
    (void)state;
    for (int n = 5; n <= 6; n++) {
        double logs[2] = {0};
        int better = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            World *w = make_world(n, counts, 80, seed);
            double optimum = 0;
            for (int i = 0; i < raw_size(w); i++) {
                int64_t values[MOST_PARAMETERS];
                values_of(w, i, values);
                optimum = holds(values, w) ? fmax(optimum, landscape(w, values)) : optimum;
            }
            double best[2];
            for (int kind = SEARCH_DESCENT; kind <= SEARCH_RANDOM; kind++) {
                best[kind] = best_after(w, kind, seed, 64);
                logs[kind] += log(best[kind] / optimum) / 20;
            }
            better += best[SEARCH_DESCENT] >= best[SEARCH_RANDOM];
            arena_free(w->arena);
        }
        print_message("%d parameters: descent %.3f, random %.3f, better %d\n", n, exp(logs[0]), exp(logs[1]), better);
        assert_true(better >= 18);
        assert_true(exp(logs[SEARCH_DESCENT]) >= 0.97);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_spaces_are_exhausted),
        cmocka_unit_test(large_spaces_are_exhausted),
        cmocka_unit_test(searches_repeat),
        cmocka_unit_test(draws_are_even),
        cmocka_unit_test(descent_on_a_line),
        cmocka_unit_test(descent_widens),
        cmocka_unit_test(descent_stops_by_prediction),
        cmocka_unit_test(descent_stops_by_speed),
        cmocka_unit_test(descent_loses_patience),
        cmocka_unit_test(windows_are_cut),
        cmocka_unit_test(first_ones_are_as_said),
        cmocka_unit_test(what_is_learnt_counts),
        cmocka_unit_test(results_may_change),
        cmocka_unit_test(descents_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
