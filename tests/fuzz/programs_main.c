/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs each random program and its transformed variants on the same data and compares everything they leave behind.
 *
 *   programs FIRST COUNT [TRIES]
 *
 * Variant 0 is the program as it was generated; `variants` lists all, ended by NULL. Data on which variant 0 shows
 * undefined behaviour is not used: undefined operations trap (-fsanitize-undefined-trap-on-error). Prints a line for
 * each difference, and at the end how many runs were compared; exits with 1 if something differed. */
#include "programs.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int next(int x);
void note(long x);
void bump(void);
void touch(int *p, int i);
int peek(const int *p, int i);
void stop_if_zero(int x);
int mix(int a, int b) __attribute__((const));

extern Run *const variants[];

/* What the programs see beside their parameters. */
extern int g0, g1;
extern unsigned gu;
extern long gl;
extern float gf;
extern volatile int gv;
extern int ga[96];
Pack gs;
int *gp;
int g0, g1;
unsigned gu;
long gl;
float gf;
volatile int gv;
int ga[96];

/* ------------------------------------------------------------------------------------ external functions */

static uint64_t log_hash;
static long log_length;

static void record(int what, int64_t x)
{
    log_hash = (log_hash ^ (uint64_t)x * 31 ^ (uint64_t)what) * 0x100000001b3u + 7;
    log_length++;
}

int next(int x)
{
    record(1, x);
    g0 = (g0 + 1) % 101;
    return (int)((log_hash >> 20) & 15);
}

void note(long x)
{
    record(2, x);
    record(3, g0);
}

void bump(void)
{
    record(4, gu);
    g1 = (g1 + 3) % 101;
    gu += 7;
    ga[5] = (ga[5] + 1) % 101;
}

void touch(int *p, int i)
{
    record(5, p[i]);
    p[i] = (p[i] + 13) % 101;
}

int peek(const int *p, int i)
{
    record(6, p[i]);
    return p[i];
}

int mix(int a, int b) { return (a * 3 + b) % 101; }

int twice(int x)
{
    record(8, x);
    g1 = (g1 + 5) % 101;
    return x * 2 % 101;
}

int third(int x)
{
    record(9, x);
    return x / 3;
}

static int *stirred; /* the block into which P and Q lead */

void stir(void)
{
    record(10, gs.s);
    gs.s = (gs.s + 1) % 101, gs.u += 3, gs.w.c[1]++, gs.bits = (gs.bits + 1u) % 32;
    gs.q->a = (gs.q->a + 2) % 101, gs.p[3] = (gs.p[3] + 7) % 101, gs.arr[1] = (gs.arr[1] + 7) % 101, gs.in.v[1] = gs.s;
    stirred[5] = (stirred[5] + 1) % 101, gp[4] = (gp[4] + 1) % 101;
}

void turn(Pack *pack)
{
    record(11, pack->s);
    pack->arr[2] = pack->s, pack->s = (pack->s + 11) % 101, pack->l = 3, pack->q->b = (pack->q->b + 1) % 101;
    pack->two[1].b = (pack->two[1].b + 4) % 101, pack->w.u += 5;
}

/* ------------------------------------------------------------------------------------ runs */

static sigjmp_buf back;
enum { RAN, STOPPED, TRAPPED, HUNG };

void stop_if_zero(int x)
{
    record(7, x);
    if (x == 0)
        siglongjmp(back, STOPPED);
}

static void on_signal(int sig) { siglongjmp(back, sig == SIGALRM ? HUNG : TRAPPED); }

/* Whoever ends the process (an address sanitizer's report) has been told where it was. */
static void announce(long program, int variant, uint64_t seed)
{
    static char text[200];
    int n = snprintf(text, sizeof text, "at program %ld variant %d data %llx\n", program, variant, (unsigned long long)seed);
    if (n > 0 && lseek(3, 0, SEEK_SET) == 0 && write(3, text, (size_t)n) < 0)
        exit(2);
}

static uint64_t draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int within(uint64_t *seed, int lo, int hi) { return lo + (int)(draw(seed) % (unsigned)(hi - lo + 1)); }

static int anything(uint64_t *seed)
{
    static const int ends[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1, -1, 0, 1, 46341, 65536, -46341, 1 << 30};
    switch (draw(seed) % 4) {
    case 0: return ends[draw(seed) % (sizeof ends / sizeof *ends)];
    case 1: return (int)(uint32_t)draw(seed);
    case 2: return within(seed, -1000000, 1000000);
    default: return within(seed, -20, 20);
    }
}

static double any_double(uint64_t *seed)
{
    static const double ends[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1e30, 1e-30, 0.5};
    return draw(seed) % 3 ? within(seed, -200, 200) / 8.0 : ends[draw(seed) % 10];
}

/* Everything a run may read and write; the blocks are heap memory of their own, so that their ends are guarded. */
typedef struct Memory {
    Pack *packs; /* two */
    int *A, *B, *shared, *M, *V;
    float *F, *G;
    double *X;
    unsigned short *H;
    unsigned *U;
    signed char *C;
} Memory;

static void *block(size_t size)
{
    void *p = malloc(size);
    if (!p)
        exit(2);
    return p;
}

static void fill_inner(Inner *in, uint64_t *s)
{
    in->a = within(s, -100, 100), in->b = within(s, -100, 100), in->f = (float)any_double(s);
    for (int i = 0; i < 5; i++)
        in->v[i] = within(s, -100, 100);
}

static void fill_pack(Pack *p, const Memory *m, uint64_t *s)
{
    Pack *const all[] = {&m->packs[0], &m->packs[1], &gs};
    Pack *other = all[draw(s) % 3];
    *p = (Pack){.n = within(s, 0, 12), .s = within(s, -100, 100), .u = (unsigned)anything(s), .bits = draw(s) % 32, .l = anything(s)};
    p->f = (float)any_double(s), p->w.u = (unsigned)anything(s), p->vol = within(s, -100, 100);
    for (int i = 0; i < 16; i++)
        p->arr[i] = within(s, -100, 100), p->grid[i / 8][i % 8] = within(s, -100, 100);
    fill_inner(&p->in, s), fill_inner(&p->two[0], s), fill_inner(&p->two[1], s);
    p->q = draw(s) % 2 ? &other->in : &other->two[draw(s) % 2];
    int *const places[] = {m->shared + draw(s) % 8, ga + draw(s) % 8, other->arr};
    p->p = places[draw(s) % 3];
}

static void fill(Data *a, Memory *m, uint64_t seed)
{
    uint64_t *s = &seed;
    a->n = within(s, 0, 9) ? within(s, 0, 12) : 0, a->m = within(s, 0, 12), a->d = within(s, -3, 3), a->z = 0;
    a->w = anything(s), a->w2 = anything(s), a->u = (unsigned)anything(s);
    a->q = draw(s) % 2 ? anything(s) : (long)draw(s), a->uq = draw(s) % 2 ? draw(s) : draw(s) % 50;
    a->us = (unsigned short)anything(s), a->sc = (signed char)anything(s), a->bo = draw(s) & 1;
    a->x = (float)any_double(s), a->y = any_double(s);
    for (int i = 0; i < 64; i++) {
        m->A[i] = within(s, -100, 100), m->B[i] = within(s, -100, 100), m->M[i] = within(s, -100, 100);
        m->V[i] = within(s, -100, 100);
        m->F[i] = (float)any_double(s), m->G[i] = (float)any_double(s), m->X[i] = any_double(s);
        m->H[i] = (unsigned short)anything(s), m->U[i] = (unsigned)anything(s), m->C[i] = (signed char)anything(s);
    }
    for (int i = 0; i < 96; i++)
        m->shared[i] = within(s, -100, 100), ga[i] = within(s, -100, 100);
    g0 = within(s, -100, 100), g1 = within(s, -100, 100), gv = within(s, -100, 100);
    gu = (unsigned)anything(s), gl = anything(s), gf = (float)any_double(s);
    a->A = m->A, a->B = m->B, a->M = (int(*)[8])m->M, a->F = m->F, a->G = m->G, a->X = m->X, a->H = m->H, a->U = m->U, a->C = m->C;
    int *block = draw(s) % 3 ? m->shared : ga;
    a->P = block + draw(s) % 3, a->Q = (draw(s) % 4 ? block : m->shared) + draw(s) % 4, a->W = (int(*)[8])(m->shared + 8 * (draw(s) % 3));
    Pack *const packs[] = {&m->packs[0], &m->packs[1], &gs};
    for (int i = 0; i < 3; i++)
        fill_pack(packs[i], m, s);
    a->sp = packs[draw(s) % 3], a->sq = packs[draw(s) % 3], a->sk = packs[draw(s) % 3];
    gp = draw(s) % 2 ? ga : m->shared, stirred = m->shared;
    a->V = (int(*)[8])(draw(s) % 2 ? m->shared : m->V), a->extent = 8;
    int *singles[] = {&g0, &g1, ga + 3, m->shared + 2, m->shared + 9, &gs.s, &m->packs[0].in.a, m->packs[1].arr + 2};
    a->R = singles[draw(s) % 8];
    log_hash = 1, log_length = 0;
}

/* What a run left behind, in one block that can be compared: a NaN is as good as another. */
typedef struct Result {
    int end;
    long value, log_length, gl;
    uint64_t log_hash;
    Pack gs, packs[2];
    int *gp;
    int g0, g1, gv, ga[96], A[64], B[64], shared[96], M[64], V[64];
    unsigned gu, U[64];
    float gf, F[64], G[64];
    double X[64];
    unsigned short H[64];
    signed char C[64];
} Result;

static float plain_float(float x) { return isnan(x) ? NAN : x; }

static void collect_pack(Pack *to, const Pack *from)
{
    *to = *from;
    to->f = plain_float(to->f), to->in.f = plain_float(to->in.f);
    to->two[0].f = plain_float(to->two[0].f), to->two[1].f = plain_float(to->two[1].f);
}

static void collect(Result *r, const Memory *m)
{
    r->log_length = log_length, r->log_hash = log_hash;
    r->g0 = g0, r->g1 = g1, r->gv = gv, r->gu = gu, r->gl = gl, r->gf = plain_float(gf);
    memcpy(r->ga, ga, sizeof ga), memcpy(r->A, m->A, sizeof r->A), memcpy(r->B, m->B, sizeof r->B);
    memcpy(r->shared, m->shared, sizeof r->shared), memcpy(r->M, m->M, sizeof r->M);
    memcpy(r->V, m->V, sizeof r->V);
    r->gp = gp;
    collect_pack(&r->gs, &gs), collect_pack(&r->packs[0], &m->packs[0]), collect_pack(&r->packs[1], &m->packs[1]);
    for (int i = 0; i < 64; i++) {
        r->F[i] = plain_float(m->F[i]), r->G[i] = plain_float(m->G[i]);
        r->X[i] = isnan(m->X[i]) ? NAN : m->X[i];
        r->H[i] = m->H[i], r->U[i] = m->U[i], r->C[i] = m->C[i];
    }
}

static void run(long program, int variant, uint64_t seed, Data *data, Memory *memory, Result *result)
{
    announce(program, variant, seed);
    memset(result, 0, sizeof *result);
    fill(data, memory, seed);
    int end = sigsetjmp(back, 1);
    if (end == RAN) {
        alarm(2);
        long value = variants[variant](program, data);
        alarm(0);
        result->value = value;
    }
    alarm(0);
    result->end = end;
    collect(result, memory);
}

#define DIFFERS(member) (memcmp(&a->member, &b->member, sizeof a->member) ? " " #member : "")

static void tell(long program, int variant, uint64_t seed, const Result *a, const Result *b)
{
    static const char *const ends[] = {"ran", "stopped", "trapped", "hung"};
    printf("program %ld variant %d data %llx: %s, then %s;%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s\n", program, variant,
           (unsigned long long)seed, ends[a->end], ends[b->end], DIFFERS(value), DIFFERS(log_hash), DIFFERS(log_length), DIFFERS(g0),
           DIFFERS(g1), DIFFERS(gv), DIFFERS(gu), DIFFERS(gl), DIFFERS(gf), DIFFERS(ga), DIFFERS(A), DIFFERS(B), DIFFERS(shared),
           DIFFERS(M), DIFFERS(U), DIFFERS(F), DIFFERS(X), DIFFERS(H), DIFFERS(C), DIFFERS(V), DIFFERS(gs), DIFFERS(packs), DIFFERS(gp));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    long first = atol(argv[1]), count = atol(argv[2]), tries = argc > 3 ? atol(argv[3]) : 12;
    static Memory memory; /* static, so that leak checkers see its blocks */
    memory = (Memory){block(2 * sizeof(Pack)),
                      block(256),
                      block(256),
                      block(384),
                      block(256),
                      block(256),
                      block(256),
                      block(256),
                      block(512),
                      block(128),
                      block(256),
                      block(64)};
    const int signals[] = {SIGILL, SIGTRAP, SIGFPE, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = on_signal}, NULL);
    static Result before, after;
    Data data;
    long compared = 0, undefined = 0, differed = 0;
    for (long program = first; program < first + count; program++)
        for (long try = 0; try < tries; try++) {
            uint64_t seed = (uint64_t)program * 1000 + (uint64_t)try;
            run(program, 0, seed, &data, &memory, &before);
            undefined += before.end >= TRAPPED;
            if (getenv("MIKGEN_FUZZ_VERBOSE") && before.end >= TRAPPED)
                printf("program %ld data %llx: %s\n", program, (unsigned long long)seed, before.end == HUNG ? "hung" : "undefined");
            for (int v = 1; variants[v] && before.end < TRAPPED; v++) {
                run(program, v, seed, &data, &memory, &after);
                compared++;
                if (memcmp(&before, &after, sizeof before)) {
                    tell(program, v, seed, &before, &after);
                    differed++;
                }
            }
        }
    printf("compared %ld undefined %ld differed %ld\n", compared, undefined, differed);
    return differed != 0;
}
