/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matmul primitive of oneDNN 2 (Debian's). */
#include "onednn.h"

#include <dnnl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Product {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_memory_t x, w, y;
};

static void want(dnnl_status_t status)
{
    if (status != dnnl_success) {
        fprintf(stderr, "oneDNN: status %d\n", (int)status);
        exit(2);
    }
}

static dnnl_memory_desc_t matrix(dnnl_data_type_t type, int rows, int columns, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {rows, columns};
    want(dnnl_memory_desc_init_by_tag(&desc, 2, dims, type, tag));
    return desc;
}

/* The weights in the primitive's own layout. */
static dnnl_memory_t reorder(const Product *p, const dnnl_memory_desc_t *plain, const dnnl_memory_desc_t *wanted, const void *W)
{
    dnnl_memory_t from, to;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    want(dnnl_memory_create(&from, plain, p->engine, (void *)(uintptr_t)W));
    want(dnnl_memory_create(&to, wanted, p->engine, DNNL_MEMORY_ALLOCATE));
    want(dnnl_reorder_primitive_desc_create(&description, plain, p->engine, wanted, p->engine, NULL));
    want(dnnl_primitive_create(&primitive, description));
    dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    want(dnnl_primitive_execute(primitive, p->stream, 2, args));
    want(dnnl_stream_wait(p->stream));
    want(dnnl_primitive_destroy(primitive));
    want(dnnl_primitive_desc_destroy(description));
    want(dnnl_memory_destroy(from));
    return to;
}

Product *product_new(Type type, int M, int N, int K, bool reordered, const void *X, const void *W, void *Y)
{
    static const dnnl_data_type_t types[TYPES][3] = {
        {dnnl_f32, dnnl_f32, dnnl_f32}, {dnnl_bf16, dnnl_bf16, dnnl_f32}, {dnnl_u8, dnnl_s8, dnnl_s32}};
    const dnnl_data_type_t *of = types[type];
    const dnnl_memory_desc_t x = matrix(of[0], M, K, dnnl_ab), y = matrix(of[2], M, N, dnnl_ab), plain = matrix(of[1], K, N, dnnl_ab);
    const dnnl_memory_desc_t w = matrix(of[1], K, N, reordered ? dnnl_format_tag_any : dnnl_ab);
    dnnl_matmul_desc_t desc;
    Product *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    want(dnnl_engine_create(&p->engine, dnnl_cpu, 0));
    want(dnnl_stream_create(&p->stream, p->engine, dnnl_stream_default_flags));
    want(dnnl_matmul_desc_init(&desc, &x, &w, NULL, &y));
    want(dnnl_primitive_desc_create(&p->description, &desc, NULL, p->engine, NULL));
    want(dnnl_primitive_create(&p->primitive, p->description));
    want(dnnl_memory_create(&p->x, &x, p->engine, (void *)(uintptr_t)X));
    want(dnnl_memory_create(&p->y, &y, p->engine, Y));
    p->w = reorder(p, &plain, dnnl_primitive_desc_query_md(p->description, dnnl_query_weights_md, 0), W);
    return p;
}

void product_run(Product *p)
{
    dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, p->x}, {DNNL_ARG_WEIGHTS, p->w}, {DNNL_ARG_DST, p->y}};
    want(dnnl_primitive_execute(p->primitive, p->stream, 3, args));
    want(dnnl_stream_wait(p->stream));
}

void product_free(Product *p)
{
    want(dnnl_memory_destroy(p->x));
    want(dnnl_memory_destroy(p->w));
    want(dnnl_memory_destroy(p->y));
    want(dnnl_primitive_destroy(p->primitive));
    want(dnnl_primitive_desc_destroy(p->description));
    want(dnnl_stream_destroy(p->stream));
    want(dnnl_engine_destroy(p->engine));
    free(p);
}
