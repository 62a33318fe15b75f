/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers of models with their weights prepacked: ours and oneDNN's, each with the weights as they are beside it; turn by turn. */
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
static const char *const type_names[TYPES] = {"f32", "bf16", "u8s8"};
static const int rows[ROWS] = {1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512};

typedef struct Case {
    Type type;
    int M, N, K;
    void *x, *w, *y, *right, *packed;
    Product *peer[2];
} Case;

/* Seconds of this thread, the only one: others on the machine count for less. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        abort();
    return p;
}

/* Elements from -least / 8 to (16 - least) / 8, of integers eight times as much. */
static void *numbers(Type type, size_t count, int least)
{
    char *p = room(count * type_bytes(type));
    for (size_t i = 0; i < count; i++) {
        const int eighths = rand() % 17 - least;
        const float x = (float)eighths / 8;
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        const uint16_t half = (uint16_t)(bits >> 16);
        if (type == F32)
            memcpy(p + 4 * i, &x, 4);
        else if (type == BF16)
            memcpy(p + 2 * i, &half, 2);
        else
            p[i] = (char)eighths;
    }
    return p;
}

static size_t packed_size(const Case *c)
{
    switch (c->type) {
    case F32: return dense_f32_W_size(c->N, c->K);
    case BF16: return dense_bf16_W_size(c->N, c->K);
    default: return dense_u8s8_W_size(c->N, c->K);
    }
}

static int pack(const Case *c)
{
    switch (c->type) {
    case F32: return dense_f32_W_pack(c->N, c->K, c->w, c->packed);
    case BF16: return dense_bf16_W_pack(c->N, c->K, c->w, c->packed);
    default: return dense_u8s8_W_pack(c->N, c->K, c->w, c->packed);
    }
}

static void run_ours(const Case *c)
{
    switch (c->type) {
    case F32: dense_f32_packed(c->M, c->N, c->K, c->x, c->packed, c->y); break;
    case BF16: dense_bf16_packed(c->M, c->N, c->K, c->x, c->packed, c->y); break;
    default: dense_u8s8_packed(c->M, c->N, c->K, c->x, c->packed, c->y);
    }
}

static void run_plain(const Case *c)
{
    switch (c->type) {
    case F32: dense_f32(c->M, c->N, c->K, c->x, c->w, c->y); break;
    case BF16: dense_bf16(c->M, c->N, c->K, c->x, c->w, c->y); break;
    default: dense_u8s8(c->M, c->N, c->K, c->x, c->w, c->y);
    }
}

static void run(const Case *c, int way)
{
    switch (way) {
    case OURS: run_ours(c); break;
    case OURS_PLAIN: run_plain(c); break;
    default: product_run(c->peer[way - ONEDNN]);
    }
}

static void begin(Case *c)
{
    const size_t nx = (size_t)c->M * (size_t)c->K, nw = (size_t)c->K * (size_t)c->N, ny = (size_t)c->M * (size_t)c->N;
    c->x = numbers(c->type, nx, c->type == U8S8 ? 0 : 8), c->w = numbers(c->type, nw, 8), c->y = room(4 * ny), c->right = room(4 * ny);
    c->packed = room(packed_size(c));
    if (pack(c) != MIKGEN_OK)
        abort();
    for (int i = 0; i < 2; i++)
        c->peer[i] = product_new(c->type, c->M, c->N, c->K, i == 0, c->x, c->w, c->y);
    run_plain(c);
    memcpy(c->right, c->y, 4 * ny);
}

static void end(Case *c)
{
    for (int i = 0; i < 2; i++)
        product_free(c->peer[i]);
    free(c->x), free(c->w), free(c->y), free(c->right), free(c->packed);
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

static void summary(Type type, const char *what, double *ratio, int n)
{
    double sum = 0;
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    for (int i = 0; i < n; i++)
        sum += log(ratio[i]);
    printf("%-4s %s: geomean %.3f, 5th percentile %.3f, minimum %.3f, coverage %d of %d\n", type_names[type], what, exp(sum / n),
           ratio[n / 20], ratio[0], n, LAYERS * ROWS);
}

/* All layers of a type; how many products were right. */
static int measure_all(Type type, int turns)
{
    double over_peer[LAYERS * ROWS], over_plain[LAYERS * ROWS];
    int n = 0;
    printf("%4s %5s %6s %6s %8s %8s %8s %8s %8s %8s\n", "type", "M", "N", "K", "ours", "plain", "oneDNN", "plain", "ratio", "gain");
    for (int l = 0; l < LAYERS; l++)
        for (int r = 0; r < ROWS; r++) {
            Case c = {.type = type, .M = rows[r], .N = layers[l][0], .K = layers[l][1]};
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
            printf("%4s %5d %6d %6d %8.1f %8.1f %8.1f %8.1f %8.2f %8.2f%s\n", type_names[type], c.M, c.N, c.K, speed[OURS],
                   speed[OURS_PLAIN], speed[ONEDNN], speed[ONEDNN_PLAIN], over_peer[n], over_plain[n], right ? "" : " WRONG");
            fflush(stdout);
            n += right;
        }
    if (n > 0) {
        summary(type, "ours / oneDNN, both packed", over_peer, n);
        summary(type, "ours, packed / as they are", over_plain, n);
    }
    return n;
}

int main(int argc, char **argv)
{
    const int turns = argc > 1 ? atoi(argv[1]) : 12;
    int right = 0;
    for (int type = F32; type < TYPES; type++)
        right += measure_all((Type)type, turns);
    return right != TYPES * LAYERS * ROWS;
}
