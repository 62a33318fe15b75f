/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "onednn.h"

#include <stdio.h>
#include <stdlib.h>

#include <dnnl.h>

#if DNNL_VERSION_MAJOR != 2
#error "this bench is written for the C interface of oneDNN 2"
#endif

struct Convolution {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_memory_t image, filter, output;
    dnnl_memory_t plain_output; /* of the caller, if output is not; else NULL */
};

static void want(dnnl_status_t status)
{
    if (status != dnnl_success) {
        fprintf(stderr, "oneDNN: status %d\n", (int)status);
        exit(2);
    }
}

static dnnl_memory_desc_t memory_desc(int a, int b, int c, int d, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {a, b, c, d};
    want(dnnl_memory_desc_init_by_tag(&desc, 4, dims, dnnl_f32, tag));
    return desc;
}

static void reorder(Convolution *c, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_memory_desc_t *from_desc, *to_desc;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    want(dnnl_memory_get_memory_desc(from, &from_desc));
    want(dnnl_memory_get_memory_desc(to, &to_desc));
    want(dnnl_reorder_primitive_desc_create(&description, from_desc, c->engine, to_desc, c->engine, NULL));
    want(dnnl_primitive_create(&primitive, description));
    dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    want(dnnl_primitive_execute(primitive, c->stream, 2, args));
    want(dnnl_stream_wait(c->stream));
    want(dnnl_primitive_destroy(primitive));
    want(dnnl_primitive_desc_destroy(description));
}

static const dnnl_memory_desc_t *queried(const Convolution *c, dnnl_query_t what)
{
    return dnnl_primitive_desc_query_md(c->description, what, 0);
}

/* Memory as the primitive wants it: the caller's array if that is laid out so (*plain is NULL then), else its own, and
   *plain is the caller's. */
static dnnl_memory_t bind(Convolution *c, dnnl_query_t what, const dnnl_memory_desc_t *plain_desc, const float *array, dnnl_memory_t *plain)
{
    dnnl_memory_t own;
    want(dnnl_memory_create(plain, plain_desc, c->engine, (void *)array));
    if (dnnl_memory_desc_equal(queried(c, what), plain_desc)) {
        own = *plain;
        *plain = NULL;
        return own;
    }
    want(dnnl_memory_create(&own, queried(c, what), c->engine, DNNL_MEMORY_ALLOCATE));
    return own;
}

static dnnl_memory_t bind_input(Convolution *c, dnnl_query_t what, const dnnl_memory_desc_t *plain_desc, const float *array)
{
    dnnl_memory_t plain, own = bind(c, what, plain_desc, array, &plain);
    if (plain) {
        reorder(c, plain, own);
        want(dnnl_memory_destroy(plain));
    }
    return own;
}

static bool describe(Convolution *c, const Layer *l, dnnl_alg_kind_t algorithm, const dnnl_memory_desc_t *image,
                     const dnnl_memory_desc_t *filter, const dnnl_memory_desc_t *output)
{
    dnnl_convolution_desc_t desc;
    dnnl_dims_t strides = {l->stride, l->stride}, left = {l->pad, l->pad};
    dnnl_dims_t right = {(l->P - 1) * l->stride + l->R - l->H - l->pad, (l->Q - 1) * l->stride + l->S - l->W - l->pad};
    return dnnl_convolution_forward_desc_init(&desc, dnnl_forward_inference, algorithm, image, filter, NULL, output, strides, left,
                                              right) == dnnl_success &&
           dnnl_primitive_desc_create(&c->description, &desc, NULL, c->engine, NULL) == dnnl_success;
}

Convolution *convolution_new(const Layer *l, int batch, Layout layout, bool automatic, bool reorder_filter, const float *image,
                             const float *filter, float *output)
{
    dnnl_format_tag_t plain = layout == NCHW ? dnnl_nchw : dnnl_nhwc, tag = layout == BLOCKED ? dnnl_format_tag_any : plain;
    dnnl_format_tag_t plain_filter = layout == NCHW ? dnnl_oihw : dnnl_hwio;
    dnnl_memory_desc_t image_desc = memory_desc(batch, l->C, l->H, l->W, tag);
    dnnl_memory_desc_t filter_desc = memory_desc(l->K, l->C, l->R, l->S, reorder_filter ? dnnl_format_tag_any : plain_filter);
    dnnl_memory_desc_t output_desc = memory_desc(batch, l->K, l->P, l->Q, tag);
    dnnl_memory_desc_t plain_image = memory_desc(batch, l->C, l->H, l->W, plain);
    dnnl_memory_desc_t plain_filter_desc = memory_desc(l->K, l->C, l->R, l->S, plain_filter);
    dnnl_memory_desc_t plain_output = memory_desc(batch, l->K, l->P, l->Q, plain);
    Convolution *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    want(dnnl_engine_create(&c->engine, dnnl_cpu, 0));
    want(dnnl_stream_create(&c->stream, c->engine, dnnl_stream_default_flags));
    if (!describe(c, l, automatic ? dnnl_convolution_auto : dnnl_convolution_direct, &image_desc, &filter_desc, &output_desc)) {
        dnnl_stream_destroy(c->stream);
        dnnl_engine_destroy(c->engine);
        free(c);
        return NULL;
    }
    want(dnnl_primitive_create(&c->primitive, c->description));
    c->image = bind_input(c, dnnl_query_src_md, &plain_image, image);
    c->filter = bind_input(c, dnnl_query_weights_md, &plain_filter_desc, filter);
    c->output = bind(c, dnnl_query_dst_md, &plain_output, output, &c->plain_output);
    return c;
}

void convolution_run(Convolution *c)
{
    dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, c->image}, {DNNL_ARG_WEIGHTS, c->filter}, {DNNL_ARG_DST, c->output}};
    want(dnnl_primitive_execute(c->primitive, c->stream, 3, args));
    want(dnnl_stream_wait(c->stream));
}

void convolution_output(Convolution *c)
{
    if (c->plain_output)
        reorder(c, c->output, c->plain_output);
}

const char *convolution_implementation(const Convolution *c)
{
    const char *name = "";
    dnnl_primitive_desc_query(c->description, dnnl_query_impl_info_str, 0, (void *)&name);
    return name;
}

void convolution_free(Convolution *c)
{
    if (!c)
        return;
    want(dnnl_memory_destroy(c->image));
    want(dnnl_memory_destroy(c->filter));
    want(dnnl_memory_destroy(c->output));
    if (c->plain_output)
        want(dnnl_memory_destroy(c->plain_output));
    want(dnnl_primitive_destroy(c->primitive));
    want(dnnl_primitive_desc_destroy(c->description));
    want(dnnl_stream_destroy(c->stream));
    want(dnnl_engine_destroy(c->engine));
    free(c);
}
