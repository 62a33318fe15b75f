/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the programs of one operator on every case and compares their outputs with the spec's, bit for bit. The file
 * that includes this one, written by cases.py, has a struct Case with the operator's scalars.
 *
 * Every array stands between pages that cannot be touched: at the end of its own pages in one round, at the beginning
 * in the other. Inputs cannot be written; outputs start poisoned, and what the spec leaves alone must stay so. */
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Array {
    const char *name;
    enum { FLOAT, INT, BYTE } kind;
    enum { INPUT, OUTPUT } role;
    enum { WILD, NAN_TOO, MODERATE } range; /* of a float input in the second round */
} Array;

typedef struct Program {
    const char *name;
    void (*run)(int k, void **arrays);
} Program;

static void run_reference(const Case *p, void **a);
static int run_default(const Case *p, void **a);
static int run_strict(const Case *p, void **a);
static void extents(const Case *p, size_t *n);

enum { MAX_ARRAYS = 12, PAGE = 4096, POISON = 0xA5, SLACK = 0x5C };

static const size_t size_of[] = {[FLOAT] = sizeof(float), [INT] = sizeof(int), [BYTE] = 1};
static const char *op_name, *case_text = "", *running = "";
static int failures;

/* ---- data ---- */

static uint64_t random_state;

static uint32_t draw(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

/* Sums of products of these are exact, so that any order of a sum gives the same bits. */
static float small_float(const Array *array)
{
    float value = (float)((int)(draw() % 5) - 2);
    return array->range == MODERATE ? value + (float)(draw() % 4) / 4 : value;
}

/* Infinities are rare, or they would drown large sums; arrays that take NaN have many. */
static float random_float(const Array *array, size_t n)
{
    static const float small[] = {0.0f, -0.0f, 1e-40f, -1e-42f, -1e-30f}, large[] = {INFINITY, -INFINITY, 3e38f};
    if (array->range != MODERATE && draw() % 64 == 0)
        return small[draw() % 5];
    if (array->range == NAN_TOO && draw() % 64 == 0)
        return draw() % 2 ? NAN : large[draw() % 3];
    if (array->range == WILD && draw() % (4 * n) == 0)
        return large[draw() % 3];
    return ldexpf((float)draw() / 2147483648.0f - 0.5f, array->range == MODERATE ? 3 : (int)(draw() % 4));
}

static void fill(const Array *array, void *x, size_t n, bool exact)
{
    for (size_t i = 0; i < n; i++)
        switch (array->kind) {
        case FLOAT: ((float *)x)[i] = exact ? small_float(array) : random_float(array, n); break;
        case INT: ((int *)x)[i] = (int)(draw() % 2001) - 1000; break;
        case BYTE: ((signed char *)x)[i] = (signed char)((int)(draw() % 256) - 128); break;
        }
}

/* ---- memory ---- */

typedef struct Block {
    unsigned char *pages, *x;
    size_t usable, bytes;
} Block;

static Block allocate(size_t bytes, bool at_end)
{
    Block b = {.bytes = bytes, .usable = (bytes + PAGE - 1) / PAGE * PAGE};
    b.pages = mmap(NULL, b.usable + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b.pages == MAP_FAILED || (b.usable > 0 && mprotect(b.pages + PAGE, b.usable, PROT_READ | PROT_WRITE) != 0)) {
        perror("harness");
        exit(2);
    }
    b.x = b.pages + PAGE + (at_end ? b.usable - bytes : 0);
    return b;
}

static void poison(Block b)
{
    memset(b.pages + PAGE, SLACK, b.usable);
    memset(b.x, POISON, b.bytes);
}

static bool slack_is_whole(Block b)
{
    for (unsigned char *p = b.pages + PAGE; p < b.pages + PAGE + b.usable; p++)
        if ((p < b.x || p >= b.x + b.bytes) && *p != SLACK)
            return false;
    return true;
}

static void outside(int number)
{
    char line[600];
    int n = snprintf(line, sizeof line, "%s %s: %s touches memory outside its arrays (signal %d)\n", op_name, case_text, running, number);
    if (write(STDOUT_FILENO, line, (size_t)n) < 0)
        _exit(2);
    _exit(1);
}

/* ---- comparison ---- */

/* What runs computes functions of <math.h> by vectors, whose values no order of a sum leaves as they are. */
static bool approximate;

static bool same(const Array *array, const unsigned char *want, const unsigned char *got)
{
    if (memcmp(want, got, size_of[array->kind]) == 0)
        return true;
    float a, b;
    if (array->kind != FLOAT)
        return false;
    memcpy(&a, want, sizeof a);
    memcpy(&b, got, sizeof b);
    if (approximate && fabsf(a - b) <= 1e-5f * fabsf(a))
        return true;
    return isnan(a) && isnan(b);
}

static void print_element(const Array *array, const unsigned char *x)
{
    float f;
    int i;
    if (array->kind == FLOAT)
        memcpy(&f, x, sizeof f), printf("%a", f);
    else if (array->kind == INT)
        memcpy(&i, x, sizeof i), printf("%d", i);
    else
        printf("%d", *(const signed char *)x);
}

static void compare(const Array *array, const unsigned char *want, Block got)
{
    if (!slack_is_whole(got)) {
        printf("%s %s: %s writes beside %s\n", op_name, case_text, running, array->name);
        failures++;
    }
    size_t size = size_of[array->kind];
    for (size_t i = 0; i < got.bytes / size; i++)
        if (!same(array, want + i * size, got.x + i * size)) {
            printf("%s %s: %s: %s[%zu] is ", op_name, case_text, running, array->name, i);
            print_element(array, got.x + i * size);
            printf(", not ");
            print_element(array, want + i * size);
            printf("\n");
            failures++;
            return;
        }
}

/* ---- one case ---- */

typedef struct Round {
    const Array *arrays;
    size_t n_arrays;
    Block blocks[MAX_ARRAYS];
    void *x[MAX_ARRAYS];
    unsigned char *want[MAX_ARRAYS];
} Round;

static void start(Round *r, const char *name)
{
    running = name;
    for (size_t i = 0; i < r->n_arrays; i++)
        if (r->arrays[i].role == OUTPUT)
            poison(r->blocks[i]);
}

static void finish(Round *r, int status)
{
    if (status != 0) {
        printf("%s %s: %s returns %d\n", op_name, case_text, running, status);
        failures++;
        return;
    }
    for (size_t i = 0; i < r->n_arrays; i++)
        if (r->arrays[i].role == OUTPUT)
            compare(&r->arrays[i], r->want[i], r->blocks[i]);
}

static void set_up(Round *r, const Case *p, bool exact)
{
    size_t n[MAX_ARRAYS];
    extents(p, n);
    for (size_t i = 0; i < r->n_arrays; i++) {
        const Array *array = &r->arrays[i];
        r->blocks[i] = allocate(n[i] * size_of[array->kind], exact);
        r->x[i] = r->blocks[i].x;
        r->want[i] = NULL;
        if (array->role == INPUT) {
            fill(array, r->x[i], n[i], exact);
            mprotect(r->blocks[i].pages + PAGE, r->blocks[i].usable, PROT_READ);
        }
    }
    start(r, "the spec");
    run_reference(p, r->x);
    for (size_t i = 0; i < r->n_arrays; i++)
        if (r->arrays[i].role == OUTPUT) {
            r->want[i] = malloc(r->blocks[i].bytes + 1);
            if (!r->want[i])
                exit(2);
            memcpy(r->want[i], r->blocks[i].x, r->blocks[i].bytes);
        }
}

static void tear_down(Round *r)
{
    for (size_t i = 0; i < r->n_arrays; i++) {
        munmap(r->blocks[i].pages, r->blocks[i].usable + 2 * PAGE);
        free(r->want[i]);
    }
}

/* The default output of mikgen may sum in any order, so it runs on exact data only; `maths`: the spec calls exp or the like. */
static int check(const char *name, const Case *cases, size_t n_cases, const Array *arrays, size_t n_arrays, const Program *programs,
                 size_t n_programs, bool maths)
{
    op_name = name;
    signal(SIGSEGV, outside);
    signal(SIGBUS, outside);
    signal(SIGFPE, outside);
    for (size_t k = 0; k < n_cases; k++)
        for (int exact = 1; exact >= 0; exact--) {
            Round r = {.arrays = arrays, .n_arrays = n_arrays};
            random_state = k * 2 + (size_t)exact + 1;
            case_text = cases[k].text;
            set_up(&r, &cases[k], exact);
            if (exact) {
                start(&r, "the plain form");
                approximate = maths;
                finish(&r, run_default(&cases[k], r.x));
                approximate = false;
            }
            start(&r, "the plain form with --fp=strict");
            finish(&r, run_strict(&cases[k], r.x));
            for (size_t i = 0; i < n_programs; i++) {
                start(&r, programs[i].name);
                programs[i].run((int)k, r.x);
                finish(&r, 0);
            }
            tear_down(&r);
        }
    printf("%s: %zu cases, %zu programs, %d differences\n", name, n_cases, n_programs + 2, failures);
    return failures > 0;
}
