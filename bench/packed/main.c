/* Layers of models with their weights packed ahead: ours and oneDNN's, each with the weights as they are beside it; turn by turn. */
#include "dense_dyn.h"
#include "onednn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OURS, OURS_PLAIN, ONEDNN, ONEDNN_PLAIN, WAYS, LAYERS = 6, ROWS = 11 };

/* BERT-base, GPT-2 and Llama-7B: attention, into and out of the feed-forward layer. */
static const int layers[LAYERS][2] = {{768, 768}, {3072, 768}, {768, 3072}, {2304, 768}, {4096, 4096}, {11008, 4096}};
static const int rows[ROWS] = {1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512};

typedef struct Case {
    int M, N, K;
    float *x, *w, *y, *right;
    void *packed;
    Product *peer[2];
} Case;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        abort();
    return p;
}

static void begin(Case *c)
{
    const size_t nx = (size_t)c->M * (size_t)c->K, nw = (size_t)c->K * (size_t)c->N, ny = (size_t)c->M * (size_t)c->N;
    c->x = room(4 * nx), c->w = room(4 * nw), c->y = room(4 * ny), c->right = room(4 * ny);
    for (size_t i = 0; i < nx; i++)
        c->x[i] = (float)(rand() % 17 - 8) / 8;
    for (size_t i = 0; i < nw; i++)
        c->w[i] = (float)(rand() % 17 - 8) / 8;
    c->packed = room(dense_W_size(c->N, c->K));
    if (dense_W_pack(c->N, c->K, c->w, c->packed) != MIKGEN_OK)
        abort();
    for (int i = 0; i < 2; i++)
        c->peer[i] = product_new(c->M, c->N, c->K, i == 0, c->x, c->w, c->y);
    dense(c->M, c->N, c->K, c->x, c->w, c->right);
}

static void end(Case *c)
{
    for (int i = 0; i < 2; i++)
        product_free(c->peer[i]);
    free(c->x), free(c->w), free(c->y), free(c->right), free(c->packed);
}

static void run(const Case *c, int way)
{
    switch (way) {
    case OURS: dense_packed(c->M, c->N, c->K, c->x, c->packed, c->y); break;
    case OURS_PLAIN: dense(c->M, c->N, c->K, c->x, c->w, c->y); break;
    default: product_run(c->peer[way - ONEDNN]);
    }
}

/* The elements are eighths: all sums are exact. */
static int is_right(const Case *c) { return memcmp(c->y, c->right, 4 * (size_t)c->M * (size_t)c->N) == 0; }

/* The best of several turns, each of calls for 5 milliseconds; GFLOP/s. */
static void measure(const Case *c, double *speed, int turns)
{
    const double flops = 2e-9 * c->M * c->N * c->K;
    memset(speed, 0, WAYS * sizeof *speed);
    for (int turn = 0; turn < turns; turn++)
        for (int way = 0; way < WAYS; way++) {
            int calls = 0;
            const double begin = now();
            do
                run(c, way);
            while (calls++, now() - begin < 5e-3);
            speed[way] = fmax(speed[way], flops * calls / (now() - begin));
        }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summary(const char *what, double *ratio, int n)
{
    double sum = 0;
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    for (int i = 0; i < n; i++)
        sum += log(ratio[i]);
    printf("%s: geomean %.3f, 5th percentile %.3f, minimum %.3f, coverage %d of %d\n", what, exp(sum / n), ratio[n / 20], ratio[0], n,
           LAYERS * ROWS);
}

int main(int argc, char **argv)
{
    const int turns = argc > 1 ? atoi(argv[1]) : 12;
    double over_peer[LAYERS * ROWS], over_plain[LAYERS * ROWS];
    int n = 0;
    printf("%5s %6s %6s %8s %8s %8s %8s %8s %8s\n", "M", "N", "K", "ours", "plain", "oneDNN", "plain", "ratio", "gain");
    for (int l = 0; l < LAYERS; l++)
        for (int r = 0; r < ROWS; r++) {
            Case c = {rows[r], layers[l][0], layers[l][1], NULL, NULL, NULL, NULL, NULL, {NULL, NULL}};
            double speed[WAYS];
            int right = 1;
            begin(&c);
            for (int way = 0; way < WAYS; way++) {
                memset(c.y, 0xff, 4 * (size_t)c.M * (size_t)c.N);
                run(&c, way);
                right = right && is_right(&c);
            }
            measure(&c, speed, turns);
            end(&c);
            over_peer[n] = speed[OURS] / speed[ONEDNN];
            over_plain[n] = speed[OURS] / speed[OURS_PLAIN];
            printf("%5d %6d %6d %8.1f %8.1f %8.1f %8.1f %8.2f %8.2f%s\n", c.M, c.N, c.K, speed[OURS], speed[OURS_PLAIN], speed[ONEDNN],
                   speed[ONEDNN_PLAIN], over_peer[n], over_plain[n], right ? "" : " WRONG");
            fflush(stdout);
            n += right;
        }
    summary("ours / oneDNN, both packed", over_peer, n);
    summary("ours, packed / as they are", over_plain, n);
    return n != LAYERS * ROWS;
}
