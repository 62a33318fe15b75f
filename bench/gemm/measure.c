/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each library first computes the product once, which is checked, and is then timed in turns with the others.
 *
 * Operands are in whatever cache the last call left them in, as for somebody who calls repeatedly. When A, B and C together
 * take more than half of the last-level cache, consecutive calls use different copies, four caches full of them, so that
 * what is found in cache does not depend on luck.
 */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "machine.h"
#include "race.h"
#include "reference.h"

enum { LINE = 64, READS = 4 }; /* the read bandwidth is measured with 1, 2, 4 and 8 streams: entries behind the libraries */

typedef struct Operand {
    char *memory;
    size_t bytes, step; /* of this shape: one copy; from one copy to the next */
} Operand;

struct Bench {
    const Peers *peers;
    Race race;
    int type;
    size_t size; /* of an element */
    Operand A, B, C;
    int copies, at; /* of the current shape; the one to be used next */
    const Shape *shape;
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

/* Calls of one library, or reads of A and B, each of the next copy. */
static void run(void *ctx, int entry, int calls)
{
    Bench *bench = ctx;
    const Shape *shape = bench->shape;
    const Peers *peers = bench->peers;
    for (int c = 0; c < calls; c++) {
        const char *A = bench->A.memory + (size_t)bench->at * bench->A.step;
        const char *B = bench->B.memory + (size_t)bench->at * bench->B.step;
        char *C = bench->C.memory + (size_t)bench->at * bench->C.step;
        if (entry < peers->count) {
            peers->columns[entry].gemm(shape->M, shape->N, shape->K, A, B, C);
        } else {
            read_array(bench->race.pool, A, bench->A.bytes, 1 << (entry - peers->count));
            read_array(bench->race.pool, B, bench->B.bytes, 1 << (entry - peers->count));
        }
        if (++bench->at == bench->copies)
            bench->at = 0;
    }
}

Bench *bench_open(const Peers *peers, Pool *pool, int type, double budget, const Shapes *shapes)
{
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        abort();
    *bench = (Bench){.peers = peers, .type = type, .size = type == F32 ? 4 : 8};
    bench->race = (Race){.pool = pool, .budget = budget, .run = run, .ctx = bench};
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

double bench_busy(const Bench *bench) { return bench->race.turns ? (double)bench->race.busy / bench->race.turns : 0; }

void bench_close(Bench *bench)
{
    free(bench->A.memory);
    free(bench->B.memory - 17 * LINE);
    free(bench->C.memory - 2 * 17 * LINE);
    free(bench);
}

/* Computes one product once and checks it: false if the library does not take the shape, or computes something else. */
static bool is_right(Bench *bench, int peer, const Reference *reference, bool *wrong)
{
    const Shape *shape = bench->shape;
    char *C = bench->C.memory;
    race_settle(&bench->race);
    reference_spoil(reference, C);
    if (!bench->peers->columns[peer].gemm(shape->M, shape->N, shape->K, bench->A.memory, bench->B.memory, C))
        return false;
    *wrong = !reference_equals(reference, C);
    return !*wrong;
}

static bool is_large_gemv(const Bench *bench)
{
    return (bench->shape->M == 1 || bench->shape->N == 1) && bench->A.bytes + bench->B.bytes > last_level_cache() / 2;
}

void bench_measure(Bench *bench, const Shape *shape, Result *result)
{
    const Peers *peers = bench->peers;
    bool skip[MAX_ENTRIES] = {false};
    double times[MAX_ENTRIES];
    *result = (Result){.shape = *shape};
    bench->shape = shape;
    lay_out(bench, shape);
    result->bytes = (double)(bench->A.bytes + bench->B.bytes + bench->C.bytes);
    Reference *reference = reference_new(bench->type, shape->M, shape->N, shape->K, bench->A.memory, bench->B.memory);
    for (int p = 0; p < peers->count; p++)
        skip[p] = !is_right(bench, p, reference, &result->wrong[p]);
    reference_free(reference);
    bench->race.entries = peers->count + (is_large_gemv(bench) ? READS : 0);
    race(&bench->race, skip, times);
    for (int p = 0; p < peers->count; p++)
        result->seconds[p] = times[p];
    for (int e = peers->count; e < bench->race.entries; e++)
        result->read_seconds = result->read_seconds == 0 ? times[e] : fmin(result->read_seconds, times[e]);
}
