/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kernel alone: right, wrong, refused, or it never comes back. A line before and a line after each of them, so that whoever reads
   them knows which one it was when this process is no more. See ../gpu/kernels.sh.

   GENERATED: the header of bench/cuda/layouts.spec's file; ELEMENT, ELEMENT_T, OUT_T: as in -DELEMENT=F16 -DELEMENT_T=__half -DOUT_T=__half; PREFIX: what its
   symbols begin with. */
#include GENERATED

#include <atomic>
#include <chrono>
#include <exception>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>

#include "device.h"
#include "report.h"

#ifndef PREFIX
#define PREFIX
#endif
#define PASTE(a, b, c)    a##b##c
#define NAMED(p, op, end) PASTE(p, op, end)

struct Layout {
    const char *name;
    bool a_turned, b_turned;
    cudaError_t (*run)(const mikgen_cuda_options *, int, int, int, const ELEMENT_T *, const ELEMENT_T *, OUT_T *, cudaStream_t);
    const char *(*kernel)(int);
};

#define LAYOUT(name, op, a, b) {name, a, b, NAMED(PREFIX, op, _with), NAMED(PREFIX, op, _kernel)}
static const Layout layouts[] = {
    LAYOUT("NN", layouts_nn, false, false),
    LAYOUT("NT", layouts_nt, false, true),
    LAYOUT("TN", layouts_tn, true, false),
    LAYOUT("TT", layouts_tt, true, true),
};

/* Whole 16 bytes in each line; odd ones, which other kernels take. */
static const Shape shapes[] = {{"given", 136, 264, 200}, {"given", 257, 136, 520}};

/* Operands as the loops have them and turned, what is right, and what came out. */
struct Problem {
    ELEMENT_T *a[2], *b[2];
    OUT_T *c;
    float *sums;
};

static std::atomic<long> started; /* ms; 0: no kernel is running */
static std::string running;

static long now(void)
{
    using namespace std::chrono;
    return (long)duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

/* A kernel that does not come back cannot be ended, but this process can. */
static void watch(double limit)
{
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const long since = started;
        if (since == 0 || now() - since < (long)(1000 * limit))
            continue;
        printf("hangs %s: not back after %.1f seconds\n", running.c_str(), limit);
        fflush(stdout);
        _exit(4);
    }
}

static __global__ void turn_kernel(const ELEMENT_T *from, int rows, int columns, ELEMENT_T *to)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * columns; i += gridDim.x * blockDim.x)
        to[i % columns * rows + i / columns] = from[i];
}

template <typename T> static T *take(size_t count)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    return (T *)memory;
}

static void fill(ELEMENT_T *both[2], int rows, int columns, unsigned seed)
{
    const size_t count = (size_t)rows * (size_t)columns;
    both[0] = take<ELEMENT_T>(count);
    both[1] = take<ELEMENT_T>(count);
    device_fill(ELEMENT, EXACT, both[0], count * sizeof(ELEMENT_T), seed, 0);
    turn_kernel<<<64, 256>>>(both[0], rows, columns, both[1]);
    CHECK(cudaGetLastError());
}

static Problem pose(const Shape &s)
{
    Problem p = {};
    const size_t count = (size_t)s.m * (size_t)s.n;
    fill(p.a, s.m, s.k, 1);
    fill(p.b, s.k, s.n, 2);
    p.c = take<OUT_T>(count + GUARD);
    p.sums = take<float>(count);
    device_reference(ELEMENT, s, p.a[0], p.b[is_b_along_k(ELEMENT)], p.sums, 0);
    CHECK(cudaDeviceSynchronize());
    return p;
}

/* "right", "refused", or what is wrong. */
static std::string try_kernel(const Layout &layout, int kernel, const Shape &s, const Problem &p)
{
    const size_t count = (size_t)s.m * (size_t)s.n;
    mikgen_cuda_options options = {};
    options.pattern = 1;
    options.kernel[0] = options.kernel[1] = kernel;
    device_spoil(output_element(ELEMENT), p.c, count, 0);
    const cudaError_t error = layout.run(&options, s.m, s.n, s.k, p.a[layout.a_turned], p.b[layout.b_turned], p.c, 0);
    if (error == cudaErrorInvalidValue)
        return "refused";
    CHECK(error);
    const Verdict verdict = device_compare(output_element(ELEMENT), p.c, p.sums, count, 0, 0, 0);
    if (verdict.wrong == 0 && verdict.beyond == 0)
        return "right";
    return std::to_string(verdict.wrong) + " outputs of " + times_text(s.m, s.n, s.k) + " are wrong, the first one is number " +
           std::to_string(verdict.first) + "; " + std::to_string(verdict.beyond) + " writes behind them";
}

/* All shapes; a line. Copies of operands, and sums that blocks share, want a workspace, which nobody gives here: each kernel reads
   the operands as they are. */
static void run_kernel(const Layout &layout, int kernel, const Problem *problems)
{
    std::string said = "refused";
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const std::string one = try_kernel(layout, kernel, shapes[i], problems[i]);
        if (one != "refused")
            said = one;
        if (said != "refused" && said != "right")
            break;
    }
    if (said == "refused" || said == "right")
        printf("%s %s\n", said.c_str(), running.c_str());
    else
        printf("wrong %s: %s\n", running.c_str(), said.c_str());
    fflush(stdout);
}

static void run(int from)
{
    Problem problems[sizeof shapes / sizeof *shapes];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        problems[i] = pose(shapes[i]);
    int number = 0;
    for (const Layout &layout : layouts)
        for (int kernel = 0; layout.kernel(kernel); kernel++, number++) {
            if (number < from)
                continue;
            running = std::to_string(number) + " " + layout.name + " " + layout.kernel(kernel);
            printf("running %s\n", running.c_str());
            fflush(stdout);
            started = now();
            run_kernel(layout, kernel, problems);
            started = 0;
        }
    printf("done\n");
}

int main(int argc, char **argv)
{
    int from = 0;
    double limit = 10;
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = option_value(argv[i], "from")))
            from = atoi(v);
        else if ((v = option_value(argv[i], "limit-seconds")))
            limit = atof(v);
        else {
            fprintf(stderr, "options: --from=NUMBER --limit-seconds=S\n");
            return 2;
        }
    }
    try {
        device_open();
        std::thread(watch, limit).detach();
        run(from);
    } catch (const std::exception &error) {
        printf("fails %s: %s\n", running.c_str(), error.what());
        fflush(stdout);
        _exit(4);
    }
    fflush(stdout);
    _exit(0); /* the watch runs on */
}
