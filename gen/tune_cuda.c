/* The same for a GPU: nvcc or a program made elsewhere, a budget of time, the device chosen. */
#include "gen/tune_cuda.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/file.h"
#include "gen/front/spec.h"
#include "gen/program.h"
#include "gen/tune_file.h"
#include "plan/kernels/gpu_measured.h"
#include "plan/profile/record.h"
#include "tune/cuda.h"

enum { USUAL_BUDGET = 120, QUICK_BUDGET = 30 }; /* seconds */

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
 * is any. How many. */
static int write_products(Arena *arena, const Program *program, Text *t)
{
    const Contraction **first = arena_new_array(arena, const Contraction *, RECORD_TYPES);
    int n = 0;
    for (int i = 0; i < program->noperators; i++)
        for (int j = 0; j < program->operators[i].plan->ncontractions; j++) {
            const Contraction *c = program->operators[i].plan->contractions[j];
            const Contraction **at = &first[c->tf32 ? FAM_COUNT + c->tf32 - TF32_ONCE : c->family];
            if (!*at || (!((*at)->a.in_place && (*at)->b.in_place) && c->a.in_place && c->b.in_place))
                *at = c;
        }
    for (int i = 0; i < RECORD_TYPES; i++)
        if (first[i]) {
            write_product(arena, t, first[i]);
            n++;
        }
    return n;
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
    p->opt.spec = "tune.spec";
    p->opt.target = "cuda";
    p->opt.fp_strict = false;
    p->ir = ir_new(arena, diag_new(arena, p->opt.spec, spec->data, spec->size, stderr));
    Unit *unit = spec_parse(p->ir, p->opt.spec, spec->data, spec->size);
    if (!unit || !pipeline_run(p->ir, &p->opt, unit, &p->program, &none))
        internal_error("a product to measure is no spec");
    for (int i = 0; i < p->program.noperators; i++) {
        const Plan *plan = p->program.operators[i].plan;
        if (plan->ncontractions != 1)
            internal_error("a product to measure is no contraction");
        CudaType *type = &p->types[i];
        type->contraction = plan->contractions[0];
        type->name = type_of(type->contraction);
        type->kernels = gpu_kernels(arena, type->contraction, &opt->kernels, &type->nkernels);
    }
}

/* ---- Compiling and running ---- */

/* Files of a run, in a folder of their own. */
typedef struct Files {
    const char *folder, *source, *program;
} Files;

/* Where nvcc usually is; NULL after a message. */
static const char *find_nvcc(Arena *arena, const Options *opt)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *path = getenv("PATH");
    if (opt->tuning.nvcc)
        return opt->tuning.nvcc;
    while (path && *path) {
        const size_t len = strcspn(path, ":");
        const char *file = arena_printf(arena, "%.*s/nvcc", (int)len, path);
        if (len && access(file, X_OK) == 0)
            return file;
        path += len + (path[len] == ':');
    }
    if (access(usual, X_OK) == 0)
        return usual;
    tune_complain("nvcc is not found", "install the CUDA toolkit, or write --nvcc=PATH");
    return NULL;
}

/* Compiles `text` for one architecture, "80" or "90a", NULL for nvcc's own choice. An exit status. */
static int compile(Arena *arena, const Options *opt, const char *nvcc, const Files *files, const Text *text, const char *arch)
{
    if (!file_write(arena, files->source, text->data, text->size))
        return USER_FAULT;
    char *argv[12];
    int n = 0, number;
    argv[n++] = (char *)nvcc;
    argv[n++] = (char *)"-std=c++17";
    argv[n++] = (char *)"-O3";
    if (arch) {
        argv[n++] = (char *)"-gencode";
        argv[n++] = arena_printf(arena, "arch=compute_%s,code=sm_%s", arch, arch);
    }
    argv[n++] = (char *)files->source;
    argv[n++] = (char *)"-o";
    argv[n++] = (char *)files->program;
    argv[n] = NULL;
    const char *wrong = child_run(argv, &number);
    if (number)
        return tune_interrupted(opt, number);
    if (wrong)
        tune_complain(arena_printf(arena, "nvcc, which is %s: %s", nvcc, wrong), "--nvcc=PATH names another one");
    return wrong ? USER_FAULT : DONE;
}

/* What to compile for: as --arch says, else as the device answers. An exit status. */
static int choose_arch(Products *p, const char *nvcc, const Files *files, const char **arch)
{
    Arena *arena = p->ir->arena;
    const Options *opt = &p->opt;
    Text probe;
    CudaDevice device;
    text_init(&probe, arena);
    if (opt->arch) {
        *arch = strcmp(opt->arch, "sm_90") == 0 ? "90a" : opt->arch + strlen("sm_");
        return DONE;
    }
    if (!program_render(p->ir, opt, &p->program, "tune/probe.cu.j2", &probe))
        return USER_FAULT;
    int status = compile(arena, opt, nvcc, files, &probe, NULL);
    if (status == DONE && !cuda_device(arena, files->program, opt->tuning.device, &device))
        status = USER_FAULT;
    if (status == DONE)
        *arch = device.cc == 90 ? "90a" : arena_printf(arena, "%d", device.cc);
    return status;
}

static int measure(Products *p, const Files *files, Profile *profile)
{
    const TuneOptions *t = &p->opt.tuning;
    const CudaInput in = {.program = files->program,
                          .device = t->device,
                          .types = p->types,
                          .ntypes = p->program.noperators,
                          .n_pred = t->n_pred,
                          .budget = t->budget,
                          .quick = t->quick,
                          .again = t->again,
                          .save = tune_save,
                          .user = &p->opt};
    int number = 0;
    const TuneResult result = cuda_measure(p->ir->arena, &in, profile, &number);
    const int status = tune_outcome(&p->opt, result, number);
    return status == DONE ? tune_finish(p->ir->arena, &p->opt, profile) : status;
}

static int compile_and_measure(Products *p, const char *nvcc, const Files *files, Profile *profile)
{
    const char *arch;
    Text source;
    text_init(&source, p->ir->arena);
    int status = choose_arch(p, nvcc, files, &arch);
    if (status != DONE)
        return status;
    if (!program_render(p->ir, &p->opt, &p->program, "tune.cu.j2", &source))
        return USER_FAULT;
    fprintf(stderr, "mikgen: compiling the kernels for sm_%s, which takes a while\n", arch);
    status = compile(p->ir->arena, &p->opt, nvcc, files, &source, arch);
    return status == DONE ? measure(p, files, profile) : status;
}

int tune_cuda_run(Ir *ir, const Options *opt, const Program *program)
{
    Text spec;
    Products products = {0};
    text_init(&spec, ir->arena);
    if (write_products(ir->arena, program, &spec) == 0) {
        diag_error(ir->diag, (Loc){0, 0}, "take a spec with a sum of products", "there is no contraction in it, and nothing to measure");
        return USER_FAULT;
    }
    Profile *profile = tune_begin(ir->arena, opt);
    const char *nvcc = profile && !opt->tuning.program ? find_nvcc(ir->arena, opt) : NULL;
    if (!profile || (!nvcc && !opt->tuning.program))
        return USER_FAULT;
    plan_products(ir->arena, opt, &spec, &products);
    TuneOptions *t = &products.opt.tuning;
    t->device = t->device < 0 ? 0 : t->device;
    t->budget = t->budget ? t->budget : t->quick ? QUICK_BUDGET : USUAL_BUDGET;
    if (t->program)
        return measure(&products, &(Files){.program = t->program}, profile);
    Files files = {.folder = child_folder(ir->arena)};
    if (!files.folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    files.source = arena_printf(ir->arena, "%s/tune.cu", files.folder);
    files.program = arena_printf(ir->arena, "%s/tune", files.folder);
    const int status = compile_and_measure(&products, nvcc, &files, profile);
    unlink(files.source);
    unlink(files.program);
    rmdir(files.folder);
    return status;
}
