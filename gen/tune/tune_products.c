/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A spec of plain products, the measuring program behind it, and what that measures. */
#include "gen/tune/tune_products.h"

#include "gen/front/spec.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "plan/profile/record.h"
#include "tune/cuda.h"
#include "tune/progress.h"

enum { USUAL_BUDGET = 120, QUICK_BUDGET = 30 }; /* seconds */

bool tune_has_products(const Program *program)
{
    for (int i = 0; i < program->noperators; i++)
        if (contraction_count(program->operators[i].plan))
            return true;
    return false;
}

/* ---- The products ---- */

/* How a product of a family is written: elements of A, B and the output, and what the sum is. */
typedef struct Spelling {
    const char *a, *b, *sum, *out;
} Spelling;

static Spelling spelling(const Contraction *c)
{
    switch (c->family) {
    case FAM_F64: return (Spelling){"double", "double", "double", "double"};
    case FAM_I8: return (Spelling){"int16_t", "int16_t", "int32_t", "int32_t"};
    case FAM_I32: return (Spelling){"uint32_t", "uint32_t", "uint32_t", "uint32_t"};
    case FAM_F16: return (Spelling){"half", "half", "float", "half"};
    case FAM_BF16: return (Spelling){"bf16", "bf16", "float", "bf16"};
    case FAM_U8S8:
        return (Spelling){c->a.value->type == T_UCHAR ? "uint8_t" : "int8_t", c->b.value->type == T_UCHAR ? "uint8_t" : "int8_t", "int32_t",
                          "int32_t"};
    case FAM_F8: return (Spelling){type_spec_name(c->a.value->type), type_spec_name(c->b.value->type), "float", "half"};
    default: return (Spelling){"float", "float", "float", "float"};
    }
}

/* What makes a sum's term of an element: a cast, or what there is for types that cannot be cast. */
static const char *as_sum(Arena *arena, Type element, const char *sum)
{
    return type_is_fp8(element) ? arena_printf(arena, "%s_to_%s", type_spec_name(element), sum) : arena_printf(arena, "(%s)", sum);
}

/* "f16", "3xtf32": the word of the profile. */
static const char *type_of(const Contraction *c) { return record_type_name((int)(c->tf32 ? FAM_COUNT + c->tf32 - TF32_ONCE : c->family)); }

static void write_product(Arena *arena, Text *t, const Contraction *c)
{
    const Spelling s = spelling(c);
    const bool a_k = gpu_inner(c, &c->a, R_M) == R_K, b_k = gpu_inner(c, &c->b, R_N) == R_K;
    text_printf(t, "void tune_%s(int M, int N, int K, const %s A[%s], const %s B[%s], %s C[M][N])\n{\n", type_of(c), s.a,
                a_k ? "M][K" : "K][M", s.b, b_k ? "N][K" : "K][N", s.out);
    text_printf(t, "    for (int m = 0; m < M; m++)\n        for (int n = 0; n < N; n++) {\n            %s sum = 0;\n", s.sum);
    text_printf(t, "            for (int k = 0; k < K; k++)\n                sum += %s(A[%s]) * %s(B[%s]);\n",
                as_sum(arena, c->a.value->type, s.sum), a_k ? "m][k" : "k][m", as_sum(arena, c->b.value->type, s.sum),
                b_k ? "n][k" : "k][n");
    text_printf(t, "            C[m][n] = (%s)sum;\n        }\n}\n\n", s.out);
}

/* A product for each type of the program's contractions, laid out as the first of the type is, one whose operands are arrays if there
 * is any. */
static void write_products(Arena *arena, const Program *program, Text *t)
{
    const Contraction **first = arena_new_array(arena, const Contraction *, RECORD_TYPES);
    for (int i = 0; i < program->noperators; i++)
        for (int j = 0; j < contraction_count(program->operators[i].plan); j++) {
            const Contraction *c = contraction_at(program->operators[i].plan, j);
            const Contraction **at = &first[c->tf32 ? FAM_COUNT + c->tf32 - TF32_ONCE : c->family];
            if (!*at || (!((*at)->a.in_place && (*at)->b.in_place) && c->a.in_place && c->b.in_place))
                *at = c;
        }
    for (int i = 0; i < RECORD_TYPES; i++)
        if (first[i])
            write_product(arena, t, first[i]);
}

/* The products as they go through the pipeline. */
typedef struct Products {
    Ir *ir;
    Options opt;
    Program program;
    CudaType types[RECORD_TYPES];
} Products;

static void plan_products(Arena *arena, const Options *opt, const Text *spec, Products *p)
{
    Text none;
    text_init(&none, arena);
    p->opt = *opt;
    p->opt.in.spec = "tune.spec";
    p->opt.planner.target = "cuda";
    p->opt.planner.fp_strict = false;
    p->ir = ir_new(arena, diag_new(arena, p->opt.in.spec, spec->data, spec->size, stderr));
    Unit *unit = spec_parse(p->ir, p->opt.in.spec, spec->data, spec->size);
    if (!unit || !pipeline_run(p->ir, &p->opt, unit, &p->program, &none))
        internal_error("a product to measure is no spec");
    for (int i = 0; i < p->program.noperators; i++) {
        const Plan *plan = p->program.operators[i].plan;
        if (contraction_count(plan) != 1)
            internal_error("a product to measure is no contraction");
        CudaType *type = &p->types[i];
        type->contraction = contraction_at(plan, 0);
        type->name = type_of(type->contraction);
        type->kernels = gpu_kernels(arena, type->contraction, &opt->planner.kernels, &type->nkernels);
    }
}

/* ---- Compiling and running ---- */

/* *is_short: seconds ended it. */
static int measure(const Products *p, const char *program, Profile *profile, bool *is_short)
{
    const TuneOptions *t = &p->opt.tuning;
    const int budget = t->budget ? t->budget : t->quick ? QUICK_BUDGET : USUAL_BUDGET;
    const CudaInput in = {.program = program,
                          .device = t->device,
                          .types = p->types,
                          .ntypes = p->program.noperators,
                          .n_pred = t->n_pred,
                          .budget = budget,
                          .quick = t->quick,
                          .again = t->again,
                          .save = tune_save,
                          .user = (void *)&p->opt};
    int number = 0;
    bool all = false;
    const TuneResult result = cuda_measure(p->ir->arena, &in, profile, &all, &number);
    *is_short = !all;
    return tune_outcome(result, number);
}

int tune_products_run(Ir *ir, const Options *opt, const Program *program, Nvcc *nvcc, Profile *profile, bool *is_short)
{
    Text spec, source;
    Products products = {0};
    text_init(&spec, ir->arena);
    text_init(&source, ir->arena);
    write_products(ir->arena, program, &spec);
    plan_products(ir->arena, opt, &spec, &products);
    if (opt->tuning.program)
        return measure(&products, opt->tuning.program, profile, is_short);
    const int status = nvcc_choose_arch(nvcc, products.ir, &products.program);
    if (status != DONE)
        return status;
    if (!program_render(products.ir, &products.opt, &products.program, "tune.cu.j2", &source))
        return USER_FAULT;
    progress_stage(arena_printf(ir->arena, "compiling the kernels for sm_%s, which takes a while", nvcc->arch));
    const int compiled = nvcc_compile(ir->arena, nvcc, &source);
    return compiled == DONE ? measure(&products, nvcc->program, profile, is_short) : compiled;
}
