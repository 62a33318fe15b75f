/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attention of the CUDA target: kernels that stand for two contractions and the nest between them. */
#include "emit/stage_kind.h"

#include "ir/walk.h"
#include "plan/kernels/gpu.h"

/* May the host ask how many keys a row has? */
static bool is_for_host(const Attention *a)
{
    const Func *keys = a->func[ATTENTION_KEYS];
    return keys && !reads_array(keys->body, NULL);
}

static json_t *function(const StageInput *in, const Attention *a, AttentionFunc which, const char *suffix)
{
    const Func *f = a->func[which];
    FunctionSpec spec = {.qualifiers = which == ATTENTION_KEYS && is_for_host(a) ? "static __host__ __device__ __forceinline__"
                                                                                 : "static __device__ __forceinline__",
                         .result = dialect_type(in->dialect, f->result),
                         .name = arena_printf(in->ir->arena, "%s_%s", a->stem, suffix),
                         .args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol),
                         .assumed_distinct = true,
                         .params = f->params,
                         .nparams = f->nparams,
                         .body = f->body};
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    return function_finish(&t, function_unused(&t), NULL);
}

static json_t *kernels(const StageInput *in, const Attention *a)
{
    int count;
    const GpuKernel *list = gpu_attention_kernels(in->ir->arena, a->scores, &count);
    json_t *out = json_array();
    for (int i = 0; i < count; i++) {
        const GpuKernel *k = &list[i];
        const char *symbol = arena_printf(in->ir->arena, "mik_%s_%dx%dx%d", a->stem, k->m, k->k, k->n);
        json_t *o = stage_kernel(in, symbol, k);
        json_object_set_new(o, "warps", json_integer(k->inner_m));
        json_object_set_new(o, "fragments", json_integer(k->inner_n));
        json_array_append_new(out, o);
    }
    return out;
}

/* Do extents and strides follow from the operator's parameters alone? */
static bool has_known_extents(const Attention *a)
{
    const Contraction *const both[] = {a->scores, a->product};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < both[i]->ncaptured; j++)
            for (int r = 0; r < R_COUNT; r++) {
                const Sym *sym = both[i]->captured[j];
                if (uses_sym(both[i]->extent[r], sym) || (both[i]->a.strided && uses_sym(both[i]->a.stride[r], sym)) ||
                    uses_sym(both[i]->b.stride[r], sym))
                    return false;
            }
    return true;
}

static json_t *build(const StageInput *in)
{
    const Attention *a = in->attention;
    const Contraction *scores = a->scores, *product = a->product;
    const Type out = product->c.value->type, held = scores->c.array->type;
    json_t *hooks = json_array();
    static const char *const suffix[ATTENTION_FUNCS] = {"score", "keys", "point", "finished"};
    for (int i = 0; i < ATTENTION_FUNCS; i++)
        if (a->func[i])
            json_array_append_new(hooks, function(in, a, (AttentionFunc)i, suffix[i]));
    int line, column;
    diag_line_column(in->ir->diag, scores->loc, &line, &column);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:i, s:o, s:o}", "stem", a->stem, "scores", scores->stem, "product",
                          product->stem, "nest", a->nest->stem, "output", dialect_type(in->dialect, out), "wide",
                          a->func[ATTENTION_FINISHED] != NULL, "limited", a->func[ATTENTION_KEYS] != NULL, "bytes", type_bytes(held),
                          "hooks", hooks, "kernels", kernels(in, a));
    const Type weights = scores->tf32 == TF32_ONCE && scores->family == FAM_F32 ? T_HALF : product->a.value->type; /* as many bits */
    json_object_set_new(o, "weights", json_string(type_spec_name(weights)));
    json_object_set_new(o, "host_keys", json_boolean(is_for_host(a)));
    json_object_set_new(o, "known", json_boolean(has_known_extents(a)));
    json_object_set_new(o, "least", json_string(a->least < -3.5e38 ? "-INFINITY" : arena_printf(in->ir->arena, "%.9ef", a->least)));
    json_object_set_new(o, "exact", json_boolean(scores->family == FAM_F32 && scores->tf32 != TF32_ONCE));
    json_object_set_new(
        o, "describe",
        json_string(arena_printf(in->ir->arena, "The attention from line %d of %s on", line, diag_spec(in->ir->diag, scores->loc))));
    return o;
}

static void visit(const Stage *stage, const FuncVisitor *v)
{
    const Attention *a = (const Attention *)stage;
    for (int i = 0; i < ATTENTION_FUNCS; i++)
        if (a->func[i])
            v->visit(v->user, a->func[i]);
}

/* There is no room for what one launch does without. */
static const char *elsewhere(const StageInput *in, const Sym *array)
{
    for (int i = 0; i < in->attention->narrays; i++)
        if (in->attention->arrays[i] == array)
            return "args->mik_apart == 0 ? 0 : ";
    return NULL;
}

const StageOps stage_attention = {.visit = visit, .build = build, .elsewhere = elsewhere};
