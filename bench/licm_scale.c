/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the time of normalize and licm grows with the program: grows programs of several shapes from 10^3 to 10^6
 * nodes and prints nanoseconds per node. Linear passes give a flat line.
 *
 *   licm_scale [--min=NODES] [--max=NODES] [--rounds=N] [--gate=RATIO] [SHAPE...]
 *
 * Every round builds the program anew, since expressions are interned; the best round counts. Nodes are those of
 * the tree, a shared expression counted wherever it stands. Memory given back stays in the process, so that page
 * faults are not measured. With --gate the exit status is 1 if some size of 10^4 nodes or more costs more than
 * RATIO times what 10^4 nodes cost. */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "licm/licm.h"
#include "normalize/normalize.h"

/* A program under construction. */
typedef struct Build {
    Arena *arena;
    Ir *ir;
    uint32_t random;
    Vec funcs; /* Func */
    Vec stmts; /* of the function under construction */
    long nodes, target;
    Sym *params[4], *arrays[8];
} Build;

typedef struct Shape {
    const char *name, *what;
    void (*grow)(Build *b);
} Shape;

static long count(const Node *n)
{
    long sum = 1;
    for (int i = 0; i < n->nkids; i++)
        sum += count(n->kid[i]);
    return sum;
}

static int pick(Build *b, int below)
{
    b->random = b->random * 1664525u + 1013904223u;
    return (int)(b->random >> 16) % below;
}

/* Expressions. */

static Node *num(Build *b, int64_t value) { return mk_int(b->ir, T_INT, value); }

static Node *op(Build *b, Kind kind, Node *left, Node *right) { return mk_binary(b->ir, kind, left, right); }

static Node *scaled(Build *b, Node *e) { return op(b, N_MUL, e, num(b, 2 + pick(b, 6))); }

static Sym *new_sym(Build *b, SymKind kind, const char *stem, int index)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", stem, index);
    return sym_new(b->ir, kind, T_INT, name, (Loc){0, 0});
}

/* lo <= e && e < hi */
static Node *within(Build *b, Node *e, int lo, int hi) { return op(b, N_LAND, op(b, N_LE, num(b, lo), e), op(b, N_LT, e, num(b, hi))); }

/* Statements. */

static void add(Build *b, Vec *to, Node *stmt)
{
    vec_push(b->arena, to, stmt);
    b->nodes += count(stmt);
}

static Node *block(Build *b, const Vec *stmts) { return mk_block(b->ir, stmts->count, (Node *const *)stmts->items, (Loc){0, 0}); }

static Node *loop(Build *b, Sym *var, int trips, Node *body)
{
    return mk_for(b->ir, var, num(b, 0), op(b, N_LT, mk_var(b->ir, var), num(b, trips)), 1, body, true, (Loc){0, 0});
}

static Node *store(Build *b, Node *subscript, Node *value)
{
    return mk_store(b->ir, b->arrays[pick(b, 4)], 1, &subscript, value, N_NONE, (Loc){0, 0});
}

static void end_function(Build *b)
{
    Func *f = arena_alloc(b->arena, sizeof *f);
    *f = (Func){.name = "f", .result = T_VOID, .params = b->params, .nparams = 4};
    f->body = block(b, &b->stmts);
    vec_push(b->arena, &b->funcs, f);
    b->stmts = (Vec){0};
}

/* A convolution over a fused index, with padding: what a lowered operator looks like. */
static Node *convolution(Build *b, int index)
{
    Sym *f = new_sym(b, S_LOOP, "f", index), *c = new_sym(b, S_LOOP, "c", index), *r = new_sym(b, S_LOOP, "r", index);
    Node *fused = mk_var(b->ir, f), *channel = mk_var(b->ir, c), *tap = mk_var(b->ir, r);
    int width = 20 + pick(b, 40);
    Node *row = op(b, N_DIV, fused, num(b, width)), *column = op(b, N_MOD, fused, num(b, width));
    Node *y = op(b, N_ADD, scaled(b, row), tap), *x = op(b, N_ADD, scaled(b, column), tap);
    Node *inside = op(b, N_LAND, within(b, x, 1 + pick(b, 3), width), within(b, y, 1 + pick(b, 3), width));
    Node *at = op(b, N_ADD, op(b, N_ADD, op(b, N_MUL, channel, num(b, width * width)), op(b, N_MUL, y, num(b, width))),
                  op(b, N_SUB, x, num(b, width + 1)));
    Node *weight = op(b, N_ADD, scaled(b, channel), op(b, N_ADD, op(b, N_MUL, fused, num(b, 9)), tap));
    Node *value = mk_select(b->ir, inside, mk_load(b->ir, b->arrays[4 + pick(b, 4)], 1, &at), num(b, 0));
    value = op(b, N_MUL, value, mk_load(b->ir, b->arrays[4 + pick(b, 4)], 1, &weight));
    Node *result = store(b, op(b, N_ADD, op(b, N_MUL, fused, num(b, 3)), tap), value);
    return loop(b, f, 784, loop(b, c, 16, loop(b, r, 3, result)));
}

/* The shapes. */

static void grow_nests(Build *b)
{
    for (int i = 0; b->nodes < b->target; i++)
        add(b, &b->stmts, convolution(b, i));
    end_function(b);
}

static void grow_functions(Build *b)
{
    for (long limit = 500; b->nodes < b->target; limit += 500) {
        for (int i = 0; b->nodes < limit; i++)
            add(b, &b->stmts, convolution(b, i));
        end_function(b);
    }
}

/* Nests of 24 loops; each level has a store and a sum over all variables around it. */
static void grow_deep(Build *b)
{
    enum { DEPTH = 24 };
    while (b->nodes < b->target) {
        Sym *var[DEPTH];
        Node *body = NULL;
        for (int d = 0; d < DEPTH; d++)
            var[d] = new_sym(b, S_LOOP, "i", d);
        for (int d = DEPTH - 1; d >= 0; d--) {
            Node *sum = scaled(b, mk_var(b->ir, var[d]));
            for (int k = 0; k < d; k++)
                sum = op(b, N_ADD, sum, scaled(b, mk_var(b->ir, var[pick(b, d)])));
            Node *both[] = {store(b, sum, num(b, d)), body};
            body = loop(b, var[d], 4, mk_block(b->ir, body ? 2 : 1, both, (Loc){0, 0}));
        }
        add(b, &b->stmts, body);
    }
    end_function(b);
}

enum { LEVELS = 4 };

/* One store of `value` in a nest over `var`. */
static void end_with_nest(Build *b, Sym *const *var, Node *value)
{
    Node *body = store(b, mk_var(b->ir, var[LEVELS - 1]), value);
    for (int d = LEVELS - 1; d >= 0; d--)
        body = loop(b, var[d], 64, body);
    add(b, &b->stmts, body);
    end_function(b);
}

static void loop_vars(Build *b, Sym **var)
{
    for (int d = 0; d < LEVELS; d++)
        var[d] = new_sym(b, S_LOOP, "i", d);
}

static void grow_sum(Build *b)
{
    Sym *var[LEVELS];
    loop_vars(b, var);
    Node *sum = num(b, 1);
    for (long n = 0; n < b->target / 4; n++)
        sum = op(b, n % 3 ? N_ADD : N_SUB, sum, scaled(b, mk_var(b->ir, var[pick(b, LEVELS)])));
    end_with_nest(b, var, sum);
}

/* The parameters may have any value: what is regrouped becomes unsigned. */
static void grow_wrapped(Build *b)
{
    Sym *var[LEVELS];
    loop_vars(b, var);
    Node *sum = num(b, 1);
    for (long n = 0; n < b->target / 4; n++) {
        Sym *sym = n % 2 ? b->params[pick(b, 4)] : var[pick(b, LEVELS)];
        sum = op(b, N_ADD, sum, scaled(b, mk_var(b->ir, sym)));
    }
    end_with_nest(b, var, sum);
}

static void grow_and(Build *b)
{
    Sym *var[LEVELS];
    loop_vars(b, var);
    Node *all = num(b, 1);
    for (long n = 0; n < b->target / 8; n++) {
        Node *e = op(b, N_ADD, scaled(b, mk_var(b->ir, var[pick(b, LEVELS)])), num(b, pick(b, 1000)));
        all = op(b, N_LAND, all, op(b, N_LT, e, num(b, pick(b, 1000))));
    }
    end_with_nest(b, var, all);
}

/* c1 ? (c2 ? ... x : 0) : 0 */
static void grow_select(Build *b)
{
    Sym *var[LEVELS];
    loop_vars(b, var);
    Node *all = num(b, 1);
    for (long n = 0; n < b->target / 7; n++) {
        Node *e = scaled(b, mk_var(b->ir, var[pick(b, LEVELS)]));
        all = mk_select(b->ir, op(b, N_LT, num(b, n), e), all, num(b, 0));
    }
    end_with_nest(b, var, all);
}

/* A run of `if`s: ten neighbours each time have the same condition. */
static void grow_ifs(Build *b)
{
    Sym *i = new_sym(b, S_LOOP, "i", 0);
    Vec body = {0};
    for (long n = 0; b->nodes < b->target; n++) {
        Node *cond = op(b, N_LT, mk_var(b->ir, i), num(b, n / 10));
        Node *at = op(b, N_ADD, mk_var(b->ir, i), num(b, pick(b, 64)));
        add(b, &body, mk_if(b->ir, cond, store(b, at, num(b, 1)), NULL, (Loc){0, 0}));
    }
    add(b, &b->stmts, loop(b, i, 64, block(b, &body)));
    end_function(b);
}

/* All neighbours have the same condition. */
static void grow_ifrun(Build *b)
{
    Sym *i = new_sym(b, S_LOOP, "i", 0);
    Vec body = {0};
    while (b->nodes < b->target) {
        Node *cond = op(b, N_LT, mk_var(b->ir, i), mk_var(b->ir, b->params[0]));
        Node *at = op(b, N_ADD, mk_var(b->ir, i), num(b, pick(b, 64)));
        add(b, &body, mk_if(b->ir, cond, store(b, at, num(b, 1)), NULL, (Loc){0, 0}));
    }
    add(b, &b->stmts, loop(b, i, 64, block(b, &body)));
    end_function(b);
}

/* Loops side by side in one outer loop, which share what they may. */
static void grow_siblings(Build *b)
{
    Sym *i = new_sym(b, S_LOOP, "i", 0);
    Vec body = {0};
    for (int n = 0; b->nodes < b->target; n++) {
        Sym *j = new_sym(b, S_LOOP, "j", n);
        Node *row = op(b, N_MUL, mk_var(b->ir, i), num(b, 64 + pick(b, 64)));
        Node *from = op(b, N_ADD, row, mk_var(b->ir, j));
        Node *to = op(b, N_ADD, op(b, N_ADD, mk_var(b->ir, j), num(b, pick(b, 100))), row);
        add(b, &body, loop(b, j, 16, store(b, to, mk_load(b->ir, b->arrays[pick(b, 8)], 1, &from))));
    }
    add(b, &b->stmts, loop(b, i, 64, block(b, &body)));
    end_function(b);
}

/* Declarations that move out of one or two loops, each made of earlier ones. */
static void grow_lets(Build *b)
{
    Sym *i = new_sym(b, S_LOOP, "i", 0), *j = new_sym(b, S_LOOP, "j", 0);
    Sym *recent[8];
    Vec body = {0};
    for (int n = 0; b->nodes < b->target; n++) {
        Sym *from = n < 8 ? b->params[n % 4] : recent[pick(b, 8)];
        Node *value = op(b, N_MOD, op(b, N_ADD, mk_var(b->ir, from), scaled(b, mk_var(b->ir, n % 3 ? i : j))), num(b, 97));
        recent[n % 8] = new_sym(b, S_LOCAL, "v", n);
        add(b, &body, mk_decl(b->ir, recent[n % 8], value, (Loc){0, 0}));
        if (n % 4 == 3)
            add(b, &body, store(b, mk_var(b->ir, j), mk_var(b->ir, recent[n % 8])));
    }
    add(b, &b->stmts, loop(b, i, 64, loop(b, j, 64, block(b, &body))));
    end_function(b);
}

static const Shape shapes[] = {
    {"nests", "one long function of convolution nests", grow_nests},
    {"functions", "functions of 500 nodes", grow_functions},
    {"deep", "nests of 24 loops", grow_deep},
    {"sum", "one sum", grow_sum},
    {"wrapped", "one sum that may overflow", grow_wrapped},
    {"and", "one chain of &&", grow_and},
    {"select", "one nest of ?:", grow_select},
    {"ifs", "a run of ifs, ten to a condition", grow_ifs},
    {"ifrun", "a run of ifs with one condition", grow_ifrun},
    {"siblings", "loops side by side in a loop", grow_siblings},
    {"lets", "declarations in two loops", grow_lets},
};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

/* Measuring. */

typedef struct Options {
    long min, max;
    int rounds;
    double gate; /* 0: none */
    bool wanted[NSHAPES];
    int status;
} Options;

typedef struct Cost {
    double normalize, licm; /* ns per node */
    long nodes;
} Cost;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static Build build_new(long target)
{
    Build b = {.arena = arena_new(), .random = 1, .target = target};
    b.ir = ir_new(b.arena, NULL);
    for (int i = 0; i < 4; i++)
        b.params[i] = new_sym(&b, S_PARAM, "n", i);
    for (int i = 0; i < 8; i++) {
        char name[8];
        snprintf(name, sizeof name, "A%d", i);
        Node *unknown = NULL;
        b.arrays[i] = sym_new_array(b.ir, S_ARRAY, T_INT, name, 1, &unknown, (Loc){0, 0});
    }
    return b;
}

static Cost measure_once(const Shape *shape, long target)
{
    LicmOptions opt = LICM_DEFAULTS;
    opt.unroll_limit = 4;
    opt.overflow = OVERFLOW_WRAP;
    opt.small = SMALL_CONDITIONS;
    Build b = build_new(target);
    shape->grow(&b);
    long nodes = 0;
    double normalized = 0, hoisted = 0;
    for (int i = 0; i < b.funcs.count; i++) {
        Func *f = b.funcs.items[i];
        nodes += count(f->body);
        double start = now();
        f->body = normalize(b.ir, f, f->body, &opt);
        double between = now();
        f->body = licm(b.ir, f, f->body, &opt);
        normalized += between - start;
        hoisted += now() - between;
    }
    arena_free(b.arena);
    return (Cost){normalized / (double)nodes, hoisted / (double)nodes, nodes};
}

static Cost measure(const Shape *shape, long target, int rounds)
{
    Cost best = measure_once(shape, target); /* takes the memory, and its page faults */
    long repeats = target < 100000 ? rounds * (100000 / target) : rounds;
    for (long i = 0; i < repeats; i++) {
        Cost c = measure_once(shape, target);
        best.normalize = c.normalize < best.normalize ? c.normalize : best.normalize;
        best.licm = c.licm < best.licm ? c.licm : best.licm;
    }
    return best;
}

static void *run(void *user)
{
    Options *o = user;
    printf("%-10s %9s %10s %10s %10s %8s\n", "shape", "nodes", "normalize", "licm", "both", "to 10^4");
    for (int s = 0; s < NSHAPES; s++) {
        double reference = 0;
        for (long target = o->min; o->wanted[s] && target <= o->max; target *= 10) {
            Cost c = measure(&shapes[s], target, o->rounds);
            double both = c.normalize + c.licm;
            if (target == 10000)
                reference = both;
            double ratio = reference > 0 ? both / reference : 0;
            printf("%-10s %9ld %7.1f ns %7.1f ns %7.1f ns", shapes[s].name, c.nodes, c.normalize, c.licm, both);
            printf(ratio > 0 ? " %8.2f\n" : "\n", ratio);
            fflush(stdout);
            if (o->gate > 0 && ratio > o->gate)
                o->status = 1;
        }
    }
    return NULL;
}

static int usage(void)
{
    fputs("usage: licm_scale [--min=NODES] [--max=NODES] [--rounds=N] [--gate=RATIO] [SHAPE...]\nshapes:\n", stderr);
    for (int s = 0; s < NSHAPES; s++)
        fprintf(stderr, "  %-10s %s\n", shapes[s].name, shapes[s].what);
    return 2;
}

static bool parse(Options *o, int argc, char **argv)
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        char *end = "";
        if (strncmp(argv[i], "--min=", 6) == 0) {
            o->min = strtol(argv[i] + 6, &end, 10);
        } else if (strncmp(argv[i], "--max=", 6) == 0) {
            o->max = strtol(argv[i] + 6, &end, 10);
        } else if (strncmp(argv[i], "--rounds=", 9) == 0) {
            o->rounds = (int)strtol(argv[i] + 9, &end, 10);
        } else if (strncmp(argv[i], "--gate=", 7) == 0) {
            o->gate = strtod(argv[i] + 7, &end);
        } else {
            int s = 0;
            while (s < NSHAPES && strcmp(argv[i], shapes[s].name) != 0)
                s++;
            if (s == NSHAPES)
                return false;
            any = o->wanted[s] = true;
        }
        if (*end)
            return false;
    }
    for (int s = 0; s < NSHAPES; s++)
        o->wanted[s] = o->wanted[s] || !any;
    return o->min >= 1 && o->min <= o->max && o->rounds >= 0;
}

int main(int argc, char **argv)
{
    Options o = {.min = 1000, .max = 1000000, .rounds = 3};
    if (!parse(&o, argc, argv))
        return usage();
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_ARENA_MAX, 1); /* the thread's memory is the process's, which stays */
    pthread_attr_t attributes; /* a chain of 10^6 nodes is a tree of that depth */
    pthread_t thread;
    pthread_attr_init(&attributes);
    int error = pthread_attr_setstacksize(&attributes, (size_t)4 << 30);
    error = error ? error : pthread_create(&thread, &attributes, run, &o);
    error = error ? error : pthread_join(thread, NULL);
    if (error) {
        fprintf(stderr, "licm_scale: %s\n", strerror(error));
        return 2;
    }
    return o.status;
}
