/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <algorithm>
#include <math.h>
#include <numeric>
#include <stdio.h>
#include <string.h>

#include "plan_text.h"
#include "report.h"

const char *const state_names[] = {"right", "wrong", "refused", "unchecked", "too large"};

enum { COPIES_MOST = 32 };
static const size_t line = 256, arrived = 16 << 10;

static size_t round_up(size_t bytes) { return (bytes + line - 1) / line * line; }

double shape_bytes(const Shape &s, Element element)
{
    return ((double)s.m * s.k + (double)s.n * s.k) * element_bytes(element) + (double)s.m * s.n * element_bytes(output_element(element));
}

static Layout lay_out(const Shape &s, Element element, size_t l2, bool hot)
{
    const size_t bytes = (size_t)element_bytes(element);
    Layout layout = {};
    layout.a = round_up((size_t)s.m * (size_t)s.k * bytes) + line;
    layout.b = round_up((size_t)s.k * (size_t)s.n * bytes) + line;
    layout.c = round_up(((size_t)s.m * (size_t)s.n + GUARD) * (size_t)element_bytes(output_element(element))) + line;
    const size_t all = layout.a + layout.b + layout.c;
    layout.copies = hot || all >= 2 * l2 ? 1 : (int)std::min<size_t>(COPIES_MOST, 2 * l2 / all + 2);
    return layout;
}

/* Bytes of the four pools. */
struct Room {
    size_t random, exact, out, sums;
    size_t all() const { return random + exact + out + sums; }
};

static Room room_for(const Shape &s, const Layout &l)
{
    const size_t copies = (size_t)l.copies;
    return {copies * (l.a + l.b), l.a + l.b, copies * l.c, (size_t)s.m * (size_t)s.n * sizeof(float) + line};
}

static Room larger(const Room &x, const Room &y)
{
    return {std::max(x.random, y.random), std::max(x.exact, y.exact), std::max(x.out, y.out), std::max(x.sums, y.sums)};
}

/* Room for all shapes but the largest ones, as many of these as do not fit. */
static Room choose_room(const std::vector<Room> &rooms, size_t limit, std::vector<bool> *fits)
{
    std::vector<size_t> order(rooms.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return rooms[i].all() < rooms[j].all(); });
    const size_t least = 1 << 20; /* for the host's part */
    Room room = {least, least, least, least};
    fits->assign(rooms.size(), false);
    for (size_t i : order) {
        const Room next = larger(room, rooms[i]);
        if (next.all() > limit)
            break;
        room = next;
        (*fits)[i] = true;
    }
    return room;
}

static char *take_memory(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes));
    return (char *)memory;
}

static void clear_workspace(Bench *bench) { CHECK(cudaMemsetAsync(bench->options->workspace, 0, arrived, bench->race->stream)); }

Bench *bench_open(const Operator *op, const Device *device, Race *race, bool hot, int rounds, const std::vector<Shape> &shapes,
                  std::vector<bool> *fits)
{
    Bench *bench = new Bench();
    std::vector<Room> rooms;
    size_t workspace = arrived, free_now = 0, total = 0;
    bench->op = op;
    bench->device = device;
    bench->race = race;
    bench->hot = hot;
    bench->rounds = rounds;
    bench->cublas = cublas_open(op->type, race->stream);
    for (const Shape &shape : shapes) {
        rooms.push_back(room_for(shape, lay_out(shape, op->element, device->l2, hot)));
        workspace = std::max(workspace, op->workspace(shape));
    }
    CHECK(cudaMemGetInfo(&free_now, &total));
    const size_t limit = free_now > workspace + (2ull << 30) ? free_now - workspace - (2ull << 30) : free_now / 2;
    const Room room = choose_room(rooms, limit, fits);
    bench->random = take_memory(room.random);
    bench->exact = take_memory(room.exact);
    bench->out = take_memory(room.out);
    bench->sums = (float *)(void *)take_memory(room.sums);
    bench->options = new mikgen_cuda_options();
    /* As much as forced plans may want, too. */
    bench->options->workspace_bytes = std::max<size_t>(workspace, 256 << 20);
    bench->options->workspace = take_memory(bench->options->workspace_bytes);
    bench->options->workspace_clean = 1;
    clear_workspace(bench);
    device_fill(op->element, RANDOM, bench->random, room.random, 1, race->stream);
    device_fill(op->element, EXACT, bench->exact, room.exact, 2, race->stream);
    CHECK(op->prepare());
    CHECK(cudaStreamSynchronize(race->stream));
    return bench;
}

void bench_close(Bench *bench)
{
    if (bench->cublas)
        cublas_close(bench->cublas);
    cudaFree(bench->random);
    cudaFree(bench->exact);
    cudaFree(bench->out);
    cudaFree(bench->sums);
    cudaFree(bench->options->workspace);
    delete bench->options;
    delete bench;
}

void bench_take(Bench *bench, const Shape &shape)
{
    bench->shape = shape;
    bench->layout = lay_out(shape, bench->op->element, bench->device->l2, bench->hot);
}

bool bench_expect(Bench *bench)
{
    const Shape &s = bench->shape;
    if (bench->op->element == E4M3 && s.k > 16384)
        return false;
    if ((double)s.m * s.n * s.k > 0x1p36)
        return element_bytes(bench->op->element) > 1 && bench->cublas &&
               cublas_reference(bench->cublas, s, bench->exact, bench->exact + bench->layout.a, bench->sums);
    device_reference(bench->op->element, s, bench->exact, bench->exact + bench->layout.a, bench->sums, bench->race->stream);
    return true;
}

static cudaError_t call(Bench *bench, const mikgen_cuda_options *plan, const char *A, const char *B, char *C)
{
    mikgen_cuda_options options = *bench->options;
    if (plan) {
        options.pattern = plan->pattern;
        options.split = plan->split;
        for (int i = 0; i < 2; i++) {
            options.kernel[i] = plan->kernel[i];
            options.blocks[i] = plan->blocks[i];
        }
    }
    return bench->op->run(&options, bench->shape, A, B, C, bench->race->stream);
}

State bench_check(Bench *bench, const mikgen_cuda_options *plan)
{
    const size_t count = (size_t)bench->shape.m * (size_t)bench->shape.n;
    device_spoil(output_element(bench->op->element), bench->out, count, bench->race->stream);
    const cudaError_t error = call(bench, plan, bench->exact, bench->exact + bench->layout.a, bench->out);
    if (error == cudaErrorInvalidValue || error == cudaErrorNoKernelImageForDevice)
        return REFUSED;
    CHECK(error);
    const Verdict verdict = device_compare(output_element(bench->op->element), bench->out, bench->sums, count, 0, 0, bench->race->stream);
    if (verdict.wrong == 0 && verdict.beyond == 0)
        return RIGHT;
    clear_workspace(bench);
    return WRONG;
}

bool bench_call(Bench *bench, const mikgen_cuda_options *plan, int copy)
{
    const Layout &l = bench->layout;
    const char *const A = bench->random + (size_t)copy * (l.a + l.b);
    return call(bench, plan, A, A + l.a, bench->out + (size_t)copy * l.c) == cudaSuccess;
}

static bool call_ours(void *self, int copy) { return bench_call((Bench *)self, NULL, copy); }

static bool call_cublas(void *self, int copy)
{
    Bench *const bench = (Bench *)self;
    const Layout &l = bench->layout;
    const char *const A = bench->random + (size_t)copy * (l.a + l.b);
    return cublas_run(bench->cublas, bench->shape, A, A + l.a, bench->out + (size_t)copy * l.c);
}

/* cuBLASLt with one of its algorithms. */
struct Lt {
    Bench *bench;
    int algorithm;
};

static bool call_lt(void *self, int copy)
{
    const Lt *const lt = (const Lt *)self;
    const Layout &l = lt->bench->layout;
    const char *const A = lt->bench->random + (size_t)copy * (l.a + l.b);
    return cublas_lt_run(lt->bench->cublas, lt->algorithm, A, A + l.a, lt->bench->out + (size_t)copy * l.c);
}

/* Microseconds, roughly, after a first call that is not timed; infinite: refused. */
static double estimate(Bench *bench, const Contender &contender)
{
    if (!race_warm(bench->race, contender))
        return INFINITY;
    return race_batch(bench->race, contender, 2, bench->layout.copies);
}

/* The fastest of cuBLASLt's algorithms; they follow the first in the order of its own expectation. */
static double choose_lt(Bench *bench, Lt *lt, double patience)
{
    const Contender contender = {call_lt, lt};
    const int found = cublas_lt_ask(bench->cublas, bench->shape);
    double least = INFINITY;
    int best = 0;
    for (int p = 0; p < found; p++) {
        lt->algorithm = p;
        double time = estimate(bench, contender);
        if (time < patience)
            time = race_batch(bench->race, contender, race_calls(time), bench->layout.copies);
        if (time < least) {
            least = time;
            best = p;
        }
        if (p >= 7 && time > patience)
            break;
    }
    lt->algorithm = best;
    return least;
}

/* Do the peers compute the same product, up to their own rounding? The last C is looked at. */
static bool peer_is_right(Bench *bench, bool lt, int algorithm)
{
    const Shape &s = bench->shape;
    const Element element = output_element(bench->op->element);
    const float slack = element == S32 ? 0 : element == BF16 ? 0x1p-7f : element == F16 ? 0x1p-9f : 0x1p-12f;
    const char *const A = bench->exact, *const B = A + bench->layout.a;
    const size_t count = (size_t)s.m * (size_t)s.n;
    device_spoil(output_element(bench->op->element), bench->out, count, bench->race->stream);
    if (lt ? !cublas_lt_run(bench->cublas, algorithm, A, B, bench->out) : !cublas_run(bench->cublas, s, A, B, bench->out))
        return true; /* refused, not wrong */
    const Verdict v = device_compare(element, bench->out, bench->sums, count, slack, sqrtf((float)s.k), bench->race->stream);
    return v.wrong == 0 && v.beyond == 0;
}

static void time_shape(Bench *bench, Row *row)
{
    Lt lt = {bench, 0};
    const std::vector<Contender> contenders = {{call_ours, bench}, {call_cublas, bench}, {call_lt, &lt}};
    std::vector<double> times(3, INFINITY);
    times[0] = estimate(bench, contenders[0]);
    if (bench->cublas) {
        times[1] = estimate(bench, contenders[1]);
        times[2] = choose_lt(bench, &lt, 2000);
        row->peer_wrong = row->state == RIGHT && (!peer_is_right(bench, false, 0) || !peer_is_right(bench, true, lt.algorithm));
    }
    const int rounds = times[0] > 2000 ? (bench->rounds + 1) / 2 : bench->rounds;
    race_run(bench->race, contenders, rounds, bench->layout.copies, &times);
    row->ours = times[0];
    row->cublas = times[1];
    row->lt = times[2];
}

Row bench_measure(Bench *bench, const Shape &shape, bool check_only)
{
    Row row = {shape, UNCHECKED, "", INFINITY, INFINITY, INFINITY, false};
    mikgen_cuda_options plan = {};
    bench_take(bench, shape);
    if (bench->op->plan(shape, &plan) == cudaSuccess)
        row.plan = plan_text(plan, bench->op->kernel);
    if (bench_expect(bench))
        row.state = bench_check(bench, NULL);
    if (!check_only && shape.m > 0 && shape.n > 0 && shape.k > 0)
        time_shape(bench, &row);
    return row;
}
