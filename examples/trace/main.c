/* Runs a layer on four threads and writes what they did, and when, to trace.json (or to the file named): drop it on ui.perfetto.dev, or
   load it in chrome://tracing. trace_dyn.c is made by mikgen --trace, mikgen_trace.h printed by mikgen --emit=trace.

       mikgen --target=c --trace --output-dir=. examples/trace/trace.spec && mikgen --emit=trace -o mikgen_trace.h
       cc -O2 -I. examples/trace/main.c trace_dyn.c -lm -o trace && ./trace
*/
#include "trace_dyn.h"
#include "mikgen_trace.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { T = 256, D = 256, F = 1024, THREADS = 4 };
static float x[T][D], W1[D][F], b1[F], W2[F][D], b2[D], y[T][D];

typedef struct {
    void (*task)(void *arg, int i);
    void *arg;
    int i;
} Work;

static void *work(void *of)
{
    Work *w = of;
    w->task(w->arg, w->i);
    return NULL;
}

/* A thread for each task: the simplest pool. */
static void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    pthread_t threads[THREADS];
    Work works[THREADS];
    (void)ctx;
    for (int first = 0; first < n; first += THREADS) {
        const int many = n - first < THREADS ? n - first : THREADS;
        int begun = 0;
        for (int i = 0; i < many; i++)
            works[i] = (Work){task, arg, first + i};
        while (begun < many && pthread_create(&threads[begun], NULL, work, &works[begun]) == 0)
            begun++;
        for (int i = begun; i < many; i++)
            work(&works[i]);
        for (int i = 0; i < begun; i++)
            pthread_join(threads[i], NULL);
    }
}

/* Between -1 and 1. */
static void draw(float *a, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (float)(seed >> 8) / 8388608.0f - 1;
    }
}

/* Each row has been scaled to a mean square of 1. */
static int is_right(void)
{
    for (int t = 0; t < T; t++) {
        double squares = 0;
        for (int d = 0; d < D; d++)
            squares += (double)y[t][d] * y[t][d];
        if (fabs(squares / D - 1) > 1e-3)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "trace.json";
    mikgen_trace_log log;
    feed_forward_options options = {.threads = THREADS, .parallel_for = parallel_for};
    draw(&x[0][0], (size_t)T * D, 1);
    draw(&W1[0][0], (size_t)D * F, 2);
    draw(&W2[0][0], (size_t)F * D, 3);
    if (mikgen_trace_open(&log, 0) != 0)
        return 1;
    options.trace = mikgen_trace_keep;
    options.trace_ctx = &log;
    for (int call = 0; call < 2; call++) {
        const int status = feed_forward_with(&options, T, D, F, &x[0][0], &W1[0][0], b1, &W2[0][0], b2, &y[0][0]);
        if (status != MIKGEN_OK) {
            printf("feed_forward: error %d\n", status);
            return 1;
        }
    }
    if (mikgen_trace_write(&log, path) != 0) {
        printf("cannot write %s\n", path);
        return 1;
    }
    mikgen_trace_close(&log);
    if (!is_right()) {
        printf("feed_forward: rows are not scaled\n");
        return 1;
    }
    printf("trace: ok, see %s\n", path);
    return 0;
}
