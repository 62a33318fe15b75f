/* Each library first computes the product once, which is checked, and is then timed in turns with the others: as many
 * calls as take TURN seconds, after one untimed call if calls are short; the order rotates from round to round. The best
 * turn counts. One thread's time is its processor time, several threads' the clock's. A turn during which somebody else used
 * one of the cores, as a short loop of multiply-adds before and behind it tells, is repeated, for a while.
 *
 * Operands are in whatever cache the last call left them in, as for somebody who calls repeatedly. When A, B and C together
 * take more than half of the last-level cache, consecutive calls use different copies, four caches full of them, so that
 * what is found in cache does not depend on luck.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "machine.h"
#include "reference.h"

static const double TURN = 3e-3, SHORT_CALL = 1e-3, FAR = 3, PATIENCE = 1;
enum { MIN_ROUNDS = 3, MAX_ROUNDS = 10, LINE = 64 };

typedef struct Operand {
    char *memory;
    size_t bytes, step; /* of this shape: one copy; from one copy to the next */
} Operand;

struct Bench {
    const Peers *peers;
    Pool *pool;
    int type, threads;
    double budget;
    size_t size; /* of an element */
    Operand A, B, C;
    int copies, at;  /* of the current shape; the one to be used next */
    double patience; /* seconds that the turns of this shape may still wait for free cores */
    double free_fma; /* fma_now when all cores are free: the highest seen */
    int turns, busy; /* so far; while somebody else had a core */
};

static int copies_for(double bytes)
{
    double cache = (double)last_level_cache();
    return bytes > cache / 2 && bytes < 4 * cache ? (int)ceil(4 * cache / bytes) : 1;
}

/* Sets the operands' sizes for one shape. */
static void lay_out(Bench *bench, const Shape *shape)
{
    const double M = shape->M, N = shape->N, K = shape->K;
    bench->A.bytes = (size_t)(M * K) * bench->size;
    bench->B.bytes = (size_t)(K * N) * bench->size;
    bench->C.bytes = (size_t)(M * N) * bench->size;
    bench->copies = copies_for((double)(bench->A.bytes + bench->B.bytes + bench->C.bytes));
    bench->at = 0;
    Operand *operands[] = {&bench->A, &bench->B, &bench->C};
    for (int i = 0; i < 3; i++)
        operands[i]->step = (operands[i]->bytes + 3 * LINE) / LINE * LINE;
}

/* The operands begin at different offsets in a page, as those of most callers. */
static char *operand_memory(int type, size_t bytes, int which)
{
    char *memory = aligned_alloc(4096, (bytes + 4 * 4096) / 4096 * 4096);
    if (!memory)
        abort();
    memory += which * 17 * LINE;
    fill_operand(type, memory, bytes / (type == F32 ? 4 : 8), (unsigned)which + 1);
    return memory;
}

Bench *bench_open(const Peers *peers, Pool *pool, int type, double budget, const Shapes *shapes)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        abort();
    *bench = (Bench){
        .peers = peers, .pool = pool, .type = type, .threads = pool_threads(pool), .budget = budget, .size = type == F32 ? 4 : 8,
    };
    Operand *operands[] = {&bench->A, &bench->B, &bench->C};
    size_t most[3] = {0, 0, 0};
    for (int s = 0; s < shapes->count; s++) {
        lay_out(bench, &shapes->items[s]);
        for (int i = 0; i < 3; i++) {
            size_t bytes = operands[i]->step * (size_t)bench->copies;
            most[i] = bytes > most[i] ? bytes : most[i];
        }
    }
    for (int i = 0; i < 3; i++)
        operands[i]->memory = operand_memory(type, most[i], i);
    return bench;
}

double bench_busy(const Bench *bench) { return bench->turns ? (double)bench->busy / bench->turns : 0; }

void bench_close(Bench *bench)
{
    free(bench->A.memory);
    free(bench->B.memory - 17 * LINE);
    free(bench->C.memory - 2 * 17 * LINE);
    free(bench);
}

/* Time of so many calls, each on the next copy. */
static double timed_calls(Bench *bench, Gemm *gemm, const Shape *shape, int calls)
{
    double begin = bench->threads > 1 ? seconds() : thread_seconds();
    for (int c = 0; c < calls; c++) {
        size_t at = (size_t)bench->at;
        gemm(shape->M, shape->N, shape->K, bench->A.memory + at * bench->A.step, bench->B.memory + at * bench->B.step,
             bench->C.memory + at * bench->C.step);
        if (++bench->at == bench->copies)
            bench->at = 0;
    }
    return (bench->threads > 1 ? seconds() : thread_seconds()) - begin;
}

/* Other libraries' idle threads go to sleep: see the waiting times that main sets. */
static void settle(const Bench *bench)
{
    if (bench->threads > 1)
        nanosleep(&(struct timespec){.tv_nsec = 1500000}, NULL);
}

/* Calls that take about TURN; 0: the library does not take the shape, or computes something else. */
static int first_calls(Bench *bench, Gemm *gemm, const Shape *shape, const Reference *reference, bool *wrong)
{
    char *C = bench->C.memory;
    settle(bench);
    reference_spoil(reference, C);
    if (!gemm(shape->M, shape->N, shape->K, bench->A.memory, bench->B.memory, C))
        return 0;
    *wrong = !reference_equals(reference, C);
    if (*wrong)
        return 0;
    for (int calls = 1;; calls *= 4) {
        double time = timed_calls(bench, gemm, shape, calls);
        if (time > TURN / 8)
            return (int)ceil(TURN / time * calls);
    }
}

/* Whether this process has all its cores to itself. */
static bool cores_are_free(Bench *bench)
{
    double speed = fma_now(bench->pool);
    bench->free_fma = fmax(bench->free_fma, speed);
    return speed > 0.9 * bench->free_fma;
}

static double turn(Bench *bench, Gemm *gemm, const Shape *shape, int calls)
{
    double least = 1e30;
    for (;;) {
        bool disturbed = !cores_are_free(bench);
        settle(bench);
        if (calls > (int)(TURN / SHORT_CALL))
            timed_calls(bench, gemm, shape, 1);
        double begin = seconds();
        least = fmin(least, timed_calls(bench, gemm, shape, calls) / calls);
        disturbed |= !cores_are_free(bench);
        if (!disturbed || bench->patience < 0) {
            bench->turns++;
            bench->busy += disturbed;
            return least;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        bench->patience -= seconds() - begin;
    }
}

/* The read bandwidth beside a product of matrix and vector: the same copies in the same order. */
static double timed_read(Bench *bench, int streams)
{
    size_t at = (size_t)bench->at;
    settle(bench);
    double time = read_seconds(bench->pool, bench->A.memory + at * bench->A.step, bench->A.bytes, streams) +
                  read_seconds(bench->pool, bench->B.memory + at * bench->B.step, bench->B.bytes, streams);
    bench->at = (bench->at + 1) % bench->copies;
    return time;
}

static bool is_large_gemv(const Bench *bench, const Shape *shape)
{
    return (shape->M == 1 || shape->N == 1) && bench->A.bytes + bench->B.bytes > last_level_cache() / 2;
}

/* The turns of all libraries; calls: how many each makes in a turn, 0 if it does not take part. */
static void take_turns(Bench *bench, const int *calls, Result *result)
{
    const Peers *peers = bench->peers;
    double best = 1e30, spent = 0;
    bool reads = is_large_gemv(bench, &result->shape);
    for (int round = 0, rounds = MAX_ROUNDS; round < rounds; round++) {
        for (int i = 0; i < peers->count; i++) {
            int p = (i + round) % peers->count;
            double *least = &result->seconds[p];
            if (calls[p] == 0 || (p > 0 && *least > FAR * best)) /* once is enough */
                continue;
            double time = turn(bench, peers->columns[p].gemm, &result->shape, calls[p]);
            *least = *least == 0 ? time : fmin(*least, time);
            best = fmin(best, time);
            spent += time * calls[p];
        }
        for (int streams = 2; reads && streams <= 8; streams *= 2) {
            double time = timed_read(bench, streams);
            result->read_seconds = result->read_seconds == 0 ? time : fmin(result->read_seconds, time);
        }
        if (round == 0)
            rounds = (int)fmin(MAX_ROUNDS, fmax(MIN_ROUNDS, bench->budget / spent));
    }
}

void bench_measure(Bench *bench, const Shape *shape, Result *result)
{
    const Peers *peers = bench->peers;
    int calls[MAX_COLUMNS];
    *result = (Result){.shape = *shape};
    bench->patience = PATIENCE;
    lay_out(bench, shape);
    result->bytes = (double)(bench->A.bytes + bench->B.bytes + bench->C.bytes);
    Reference *reference =
        reference_new(bench->type, shape->M, shape->N, shape->K, bench->A.memory, bench->B.memory);
    for (int p = 0; p < peers->count; p++)
        calls[p] = first_calls(bench, peers->columns[p].gemm, shape, reference, &result->wrong[p]);
    reference_free(reference);
    take_turns(bench, calls, result);
}
