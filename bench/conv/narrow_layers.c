/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution layers of bf16, or of unsigned by signed bytes, in NHWC: ours and oneDNN's, turn by turn; outputs have to be the same. */
#include <dnnl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conv2d_narrow_dyn.h"
#include "layers.h"

/* Ours with the filter as it is, and prepacked; oneDNN's with the filter as it is, reordered ahead, and with all arrays in its layouts. */
enum { OURS, PACKED, PLAIN, DIRECT, BLOCKED, COLUMNS, TURNS = 15, OTHERS = COLUMNS - PLAIN };

typedef struct Peer {
    dnnl_primitive_t primitive;
    dnnl_memory_t image, filter, output;
} Peer;

typedef struct Case {
    const Layer *layer;
    int batch;
    bool bytes;
    void *image, *filter, *packed, *output, *expected;
    Peer peer[OTHERS];
} Case;

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static void want(dnnl_status_t status)
{
    if (status != dnnl_success) {
        fprintf(stderr, "oneDNN: status %d\n", (int)status);
        exit(2);
    }
}

/* Seconds of this thread, the only one: others on the machine count for less. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!p)
        abort();
    return p;
}

static dnnl_memory_desc_t array(int a, int b, int c, int d, dnnl_data_type_t type, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {a, b, c, d};
    want(dnnl_memory_desc_init_by_tag(&desc, 4, dims, type, tag));
    return desc;
}

/* The caller's array as the primitive wants it: itself, or a copy. */
static dnnl_memory_t bind(dnnl_primitive_desc_t of, dnnl_query_t what, const dnnl_memory_desc_t *plain, void *from)
{
    const dnnl_memory_desc_t *const wanted = dnnl_primitive_desc_query_md(of, what, 0);
    dnnl_memory_t own, caller;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t reorder;
    want(dnnl_memory_create(&caller, plain, engine, from));
    if (dnnl_memory_desc_equal(wanted, plain))
        return caller;
    want(dnnl_memory_create(&own, wanted, engine, DNNL_MEMORY_ALLOCATE));
    want(dnnl_reorder_primitive_desc_create(&description, plain, engine, wanted, engine, NULL));
    want(dnnl_primitive_create(&reorder, description));
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, caller}, {DNNL_ARG_TO, own}};
    want(dnnl_primitive_execute(reorder, stream, 2, args));
    want(dnnl_stream_wait(stream));
    want(dnnl_primitive_destroy(reorder));
    want(dnnl_primitive_desc_destroy(description));
    want(dnnl_memory_destroy(caller));
    return own;
}

static Peer peer_new(const Case *c, int column)
{
    const Layer *l = c->layer;
    const dnnl_data_type_t in = c->bytes ? dnnl_u8 : dnnl_bf16, by = c->bytes ? dnnl_s8 : dnnl_bf16, to = c->bytes ? dnnl_s32 : dnnl_bf16;
    const dnnl_format_tag_t tag = column == BLOCKED ? dnnl_format_tag_any : dnnl_nhwc;
    const dnnl_memory_desc_t image = array(c->batch, l->C, l->H, l->W, in, tag), output = array(c->batch, l->K, l->P, l->Q, to, tag);
    const dnnl_memory_desc_t filter = array(l->K, l->C, l->R, l->S, by, column == PLAIN ? dnnl_hwio : dnnl_format_tag_any);
    const dnnl_memory_desc_t plain[] = {array(c->batch, l->C, l->H, l->W, in, dnnl_nhwc), array(l->K, l->C, l->R, l->S, by, dnnl_hwio),
                                        array(c->batch, l->K, l->P, l->Q, to, dnnl_nhwc)};
    const dnnl_dims_t strides = {l->stride, l->stride}, left = {l->pad, l->pad};
    const dnnl_dims_t right = {(l->P - 1) * l->stride + l->R - l->H - l->pad, (l->Q - 1) * l->stride + l->S - l->W - l->pad};
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t description;
    Peer p = {0};
    if (dnnl_convolution_forward_desc_init(&desc, dnnl_forward_inference, dnnl_convolution_direct, &image, &filter, NULL, &output, strides,
                                           left, right) != dnnl_success ||
        dnnl_primitive_desc_create(&description, &desc, NULL, engine, NULL) != dnnl_success)
        return p;
    want(dnnl_primitive_create(&p.primitive, description));
    p.image = bind(description, dnnl_query_src_md, plain, c->image);
    p.filter = bind(description, dnnl_query_weights_md, plain + 1, c->filter);
    p.output = bind(description, dnnl_query_dst_md, plain + 2, c->expected);
    want(dnnl_primitive_desc_destroy(description));
    return p;
}

static void peer_run(const Peer *p)
{
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, p->image}, {DNNL_ARG_WEIGHTS, p->filter}, {DNNL_ARG_DST, p->output}};
    want(dnnl_primitive_execute(p->primitive, stream, 3, args));
    want(dnnl_stream_wait(stream));
}

static void peer_free(Peer *p)
{
    if (!p->primitive)
        return;
    want(dnnl_primitive_destroy(p->primitive));
    want(dnnl_memory_destroy(p->image));
    want(dnnl_memory_destroy(p->filter));
    want(dnnl_memory_destroy(p->output));
}

static void run(const Case *c, int column)
{
    const Layer *l = c->layer;
    if (column >= PLAIN)
        peer_run(&c->peer[column - PLAIN]);
    else if (c->bytes && column == PACKED)
        conv2d_u8s8_packed(c->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, c->image, c->packed, c->output);
    else if (c->bytes)
        conv2d_u8s8(c->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, c->image, c->filter, c->output);
    else if (column == PACKED)
        conv2d_bf16_packed(c->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, c->image, c->packed, c->output);
    else
        conv2d_bf16(c->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, c->image, c->filter, c->output);
}

static void pack(Case *c)
{
    const Layer *l = c->layer;
    c->packed = room(c->bytes ? conv2d_u8s8_filter_size(l->C, l->K, l->R, l->S) : conv2d_bf16_filter_size(l->C, l->K, l->R, l->S));
    if ((c->bytes ? conv2d_u8s8_filter_pack(l->C, l->K, l->R, l->S, c->filter, c->packed)
                  : conv2d_bf16_filter_pack(l->C, l->K, l->R, l->S, c->filter, c->packed)) != MIKGEN_OK)
        abort();
}

/* Eighths from -1 to 1, of bytes the integers from `least` on. */
static void *numbers(size_t count, bool bytes, int least)
{
    char *p = room(count * (bytes ? 1 : 2));
    for (size_t i = 0; i < count; i++) {
        const int eighths = rand() % 17;
        const float x = (float)(eighths - 8) / 8;
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        const uint16_t half = (uint16_t)(bits >> 16);
        if (bytes)
            p[i] = (char)(eighths + least);
        else
            memcpy(p + 2 * i, &half, sizeof half);
    }
    return p;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The first quarter of each column's turns, of about `budget` seconds for all. 0: a column that is not there. */
static void measure(const Case *c, double budget, double seconds[COLUMNS])
{
    static double turn[COLUMNS][TURNS];
    double begin = now();
    run(c, PACKED);
    const int calls = (int)fmax(1, budget / COLUMNS / TURNS / fmax(now() - begin, 1e-7));
    for (int t = 0; t < TURNS; t++)
        for (int column = 0; column < COLUMNS; column++) {
            if (column >= PLAIN && !c->peer[column - PLAIN].primitive)
                continue;
            begin = now();
            for (int i = 0; i < calls; i++)
                run(c, column);
            turn[column][t] = (now() - begin) / calls;
        }
    for (int column = 0; column < COLUMNS; column++) {
        qsort(turn[column], TURNS, sizeof(double), compare);
        seconds[column] = column >= PLAIN && !c->peer[column - PLAIN].primitive ? 0 : turn[column][TURNS / 4];
    }
}

/* One layer's row; its ratios, of the filter as it is and prepacked. false: ours is wrong. */
static bool layer_row(const Layer *l, int batch, bool bytes, double budget, double ratio[2])
{
    const size_t image = (size_t)batch * (size_t)(l->H * l->W * l->C), filter = (size_t)(l->R * l->S * l->C) * (size_t)l->K;
    const size_t output = (size_t)batch * (size_t)(l->P * l->Q * l->K) * (bytes ? 4 : 2);
    Case c = {.layer = l, .batch = batch, .bytes = bytes};
    double seconds[COLUMNS];
    c.image = numbers(image, bytes, 0);
    c.filter = numbers(filter, bytes, -8);
    c.output = room(output);
    c.expected = room(output);
    pack(&c);
    for (int i = 0; i < OTHERS; i++)
        c.peer[i] = peer_new(&c, PLAIN + i);
    run(&c, DIRECT);
    bool right = true;
    for (int column = OURS; column <= PACKED; column++) {
        memset(c.output, 0xff, output);
        run(&c, column);
        right = right && memcmp(c.output, c.expected, output) == 0;
    }
    measure(&c, budget, seconds);
    printf("%-10s %-24s %2d %4d %3dx%-3d %4d %2dx%-2d %2d |", l->network, l->name, batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride);
    for (int column = 0; column < COLUMNS; column++)
        printf(" %7.1f", seconds[column] > 0 ? 1e-9 * layer_flops(l, batch) / seconds[column] : 0);
    ratio[0] = (seconds[PLAIN] > 0 ? fmin(seconds[PLAIN], seconds[DIRECT]) : seconds[DIRECT]) / seconds[OURS];
    ratio[1] = fmin(seconds[DIRECT], seconds[BLOCKED] > 0 ? seconds[BLOCKED] : seconds[DIRECT]) / seconds[PACKED];
    printf(" | %6.3f %6.3f%s\n", ratio[0], ratio[1], right ? "" : " OURS IS WRONG");
    fflush(stdout);
    for (int i = 0; i < OTHERS; i++)
        peer_free(&c.peer[i]);
    void *all[] = {c.image, c.filter, c.packed, c.output, c.expected};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return right;
}

int main(int argc, char **argv)
{
    const char *file = NULL, *network = NULL;
    int batch = 1, count = 0, wrong = 0;
    bool bytes = false;
    double seconds = 0.5, ratio[2], logs[2] = {0, 0}, least[2] = {9, 9};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--layers=", 9) == 0)
            file = argv[i] + 9;
        else if (strncmp(argv[i], "--network=", 10) == 0)
            network = argv[i] + 10;
        else if (strcmp(argv[i], "--type=u8s8") == 0 || strcmp(argv[i], "--type=bf16") == 0)
            bytes = argv[i][7] == 'u';
        else if (sscanf(argv[i], "--batch=%d", &batch) != 1 && sscanf(argv[i], "--seconds=%lf", &seconds) != 1)
            return fprintf(stderr, "no such option with --type: %s\n", argv[i]), 2;
    }
    const Layers layers = layers_read(file);
    want(dnnl_engine_create(&engine, dnnl_cpu, 0));
    want(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    printf("%s, NHWC, 1 thread; oneDNN %d.%d.%d; GFLOP/s\n%-10s %-24s %2s %4s %7s %4s %5s %2s | %7s %7s %7s %7s %7s | %6s %6s\n",
           bytes ? "u8 x s8 to int32" : "bf16", dnnl_version()->major, dnnl_version()->minor, dnnl_version()->patch, "network", "layer",
           "N", "C", "H x W", "K", "R x S", "st", "ours", "packed", "plain", "direct", "blocked", "ours", "packed");
    for (int i = 0; i < layers.count; i++) {
        if (network && strcmp(network, layers.items[i].network) != 0)
            continue;
        wrong += !layer_row(&layers.items[i], batch, bytes, seconds, ratio);
        count++;
        for (int r = 0; r < 2; r++) {
            logs[r] += log(ratio[r]);
            least[r] = fmin(least[r], ratio[r]);
        }
    }
    printf("%d layers, ours over the best of oneDNN's: geomean %.3f, least %.3f; packed over its reordered or blocked: %.3f, %.3f\n", count,
           exp(logs[0] / count), least[0], exp(logs[1] / count), least[1]);
    free(layers.items);
    return wrong ? 1 : 0;
}
