/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table of options, and how they are parsed. */
#include "gen/driver/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "gen/driver/command.h"
#include "gen/driver/nearest.h"
#include "gen/driver/set_list.h"
#include "gen/driver/option_words.h"
#include "gen/driver/options_agree.h"
#include "gen/driver/pass_list.h"
#include "gen/front/spec.h"
#include "gen/driver/usage.h"
#include "gen/driver/command_words.h"
#include "ir/number.h"
#include "plan/kernels/rank.h"
#include "plan/stack.h"

/* clang-format off */
enum {
    O_TARGET = 256, O_ARCH, O_EMIT, O_ENGINE, O_FAMILIES, O_SETS, O_PREFIX, O_LICENSE, O_MAX_KERNELS, O_N_MIK, O_N_GEN, O_N_SYN, O_PROFILE,
    O_STACK, O_FP, O_MATH, O_FUSE, O_LICM, O_THRESHOLD, O_UNROLL, O_SMALL, O_LOADS, O_LICM_FP, O_BARRIER, O_OVERFLOW, O_CONST_POS, O_DISTRIBUTE, O_UNSWITCH, O_CHAINS, O_TRACE, O_KEEP, O_EXTRACT, O_EXTENT, O_HINT, O_CONSTANT, O_REMARKS, O_QUIET, O_EXPLAIN_LICM, O_EXPLAIN, O_FORMAT, O_THREADS,
    O_DUMP, O_TEMPLATES, O_OUTPUT_DIR, O_DEPFILE, O_CHECK, O_REGENERATE, O_TF32, O_3XTF32, O_WINOGRAD, O_CC, O_ISA, O_N_PRED, O_AGAIN, O_FRESH, O_QUICK, O_DEVICE, O_NVCC, O_PROGRAM, O_BUDGET, O_SHAPES, O_TABLE, O_SEARCH, O_TRIALS, O_REPORT, O_SHARD, O_SYSROOT, O_ISYSTEM, O_LINE_MARKERS, O_STRICT, O_LOG, O_VERSION, O_HELP
};
/* clang-format on */

static const struct option long_options[] = {
    {"target", required_argument, NULL, O_TARGET},
    {"arch", required_argument, NULL, O_ARCH},
    {"emit", required_argument, NULL, O_EMIT},
    {"engine", required_argument, NULL, O_ENGINE},
    {"families", required_argument, NULL, O_FAMILIES},
    {"sets", required_argument, NULL, O_SETS},
    {"prefix", required_argument, NULL, O_PREFIX},
    {"license-header", required_argument, NULL, O_LICENSE},
    {"max-kernels", required_argument, NULL, O_MAX_KERNELS},
    {"n-mik", required_argument, NULL, O_N_MIK},
    {"n-gen", required_argument, NULL, O_N_GEN},
    {"n-syn", required_argument, NULL, O_N_SYN},
    {"profile", required_argument, NULL, O_PROFILE},
    {"stack", required_argument, NULL, O_STACK},
    {"fp", required_argument, NULL, O_FP},
    {"math", required_argument, NULL, O_MATH},
    {"fuse", required_argument, NULL, O_FUSE},
    {"licm", required_argument, NULL, O_LICM},
    {"licm-threshold", required_argument, NULL, O_THRESHOLD},
    {"unroll-limit", required_argument, NULL, O_UNROLL},
    {"licm-small", required_argument, NULL, O_SMALL},
    {"licm-loads", required_argument, NULL, O_LOADS},
    {"licm-fp", required_argument, NULL, O_LICM_FP},
    {"licm-barrier", required_argument, NULL, O_BARRIER},
    {"overflow", required_argument, NULL, O_OVERFLOW},
    {"const-pos", required_argument, NULL, O_CONST_POS},
    {"distribute", required_argument, NULL, O_DISTRIBUTE},
    {"unswitch", required_argument, NULL, O_UNSWITCH},
    {"chains", required_argument, NULL, O_CHAINS},
    {"trace", no_argument, NULL, O_TRACE},
    {"keep-loops", no_argument, NULL, O_KEEP},
    {"extract", required_argument, NULL, O_EXTRACT},
    {"extent", required_argument, NULL, O_EXTENT},
    {"hint", required_argument, NULL, O_HINT},
    {"sysroot", required_argument, NULL, O_SYSROOT},
    {"isystem", required_argument, NULL, O_ISYSTEM},
    {"line-markers", no_argument, NULL, O_LINE_MARKERS},
    {"strict", no_argument, NULL, O_STRICT},
    {"log", required_argument, NULL, O_LOG},
    {"constant", required_argument, NULL, O_CONSTANT},
    {"remarks", no_argument, NULL, O_REMARKS},
    {"quiet", no_argument, NULL, O_QUIET},
    {"explain-licm", no_argument, NULL, O_EXPLAIN_LICM},
    {"explain", required_argument, NULL, O_EXPLAIN},
    {"format", required_argument, NULL, O_FORMAT},
    {"threads", required_argument, NULL, O_THREADS},
    {"dump-after", required_argument, NULL, O_DUMP},
    {"templates", required_argument, NULL, O_TEMPLATES},
    {"output-dir", required_argument, NULL, O_OUTPUT_DIR},
    {"depfile", required_argument, NULL, O_DEPFILE},
    {"check", required_argument, NULL, O_CHECK},
    {"regenerate", required_argument, NULL, O_REGENERATE},
    {"cc", required_argument, NULL, O_CC},
    {"isa", required_argument, NULL, O_ISA},
    {"n-pred", required_argument, NULL, O_N_PRED},
    {"allow-tf32", no_argument, NULL, O_TF32},
    {"allow-3xtf32", no_argument, NULL, O_3XTF32},
    {"allow-winograd", required_argument, NULL, O_WINOGRAD},
    {"again", no_argument, NULL, O_AGAIN},
    {"fresh", no_argument, NULL, O_FRESH},
    {"quick", no_argument, NULL, O_QUICK},
    {"device", required_argument, NULL, O_DEVICE},
    {"nvcc", required_argument, NULL, O_NVCC},
    {"program", required_argument, NULL, O_PROGRAM},
    {"budget", required_argument, NULL, O_BUDGET},
    {"shapes", required_argument, NULL, O_SHAPES},
    {"measurements", required_argument, NULL, O_TABLE},
    {"search", required_argument, NULL, O_SEARCH},
    {"trials", required_argument, NULL, O_TRIALS},
    {"report", required_argument, NULL, O_REPORT},
    {"shard", required_argument, NULL, O_SHARD},
    {"version", no_argument, NULL, O_VERSION},
    {"help", no_argument, NULL, O_HELP},
    {NULL, 0, NULL, 0},
};

/* Index of `value` in a NULL-terminated list, or -1 after a message. */
static int choose(const char *option, const char *value, const char *const *words, const char *expected)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    const char *near = nearest_word(value, strlen(value), words);
    char meant[80] = "";
    if (near)
        snprintf(meant, sizeof meant, "did you mean '%s'? ", near);
    fprintf(stderr, "mikgen: error: %s has no value '%s'\nhelp: %swrite %s\n", option, value, meant, expected);
    return -1;
}

static bool number_from(Arena *arena, const char *option, const char *value, int low, int high, int *out)
{
    int64_t v;
    if (!number_within(value, strlen(value), low, high, &v)) {
        fprintf(stderr, "mikgen: error: %s takes %s\nhelp: for example %s=%d\n", option,
                number_expected(arena, value, strlen(value), low, high), option, low > 4 ? low : 4);
        return false;
    }
    *out = (int)v;
    return true;
}

static bool number(Arena *arena, const char *option, const char *value, int *out)
{
    return number_from(arena, option, value, 0, 1000000, out);
}

/* An option of two words: `*out` becomes whether it is the second one. */
static bool either(const char *option, const char *value, const char *first, const char *second, bool *out)
{
    const char *words[] = {first, second, NULL};
    char expected[80];
    snprintf(expected, sizeof expected, "%s=%s or %s=%s", option, first, option, second);
    int i = choose(option, value, words, expected);
    *out = i == 1;
    return i >= 0;
}

static bool set_overflow(LicmOptions *licm, const char *value)
{
    static const char *const words[] = {
        [OVERFLOW_WRAP] = "wrap", [OVERFLOW_KEEP] = "keep", [OVERFLOW_ASSUME] = "assume", [OVERFLOW_CONDITIONS] = "conditions", NULL};
    int i = choose("--overflow", value, words, "--overflow=wrap, keep, assume or conditions");
    licm->overflow = i >= 0 ? i : OVERFLOW_BY_TARGET;
    return i >= 0;
}

static bool set_licm_fp(LicmOptions *licm, const char *value)
{
    static const char *const words[] = {[FP_EXACT] = "exact", [FP_NONE] = "none", [FP_SPECULATIVE] = "speculative", NULL};
    int i = choose("--licm-fp", value, words, "--licm-fp=exact, speculative or none");
    licm->fp = i >= 0 ? i : FP_BY_TARGET;
    return i >= 0;
}

static bool set_small(LicmOptions *licm, const char *value)
{
    static const char *const words[] = {"refined", "paper", "conditions", NULL};
    int i = choose("--licm-small", value, words, "--licm-small=refined, paper or conditions");
    licm->small = i == 2 ? SMALL_CONDITIONS : i == 1 ? SMALL_PAPER : SMALL_REFINED;
    return i >= 0;
}

static bool set_isa(CallOptions *calls, const char *value)
{
    const char *names[ISA_COUNT + 1] = {NULL};
    char expected[200] = "one of";
    for (int i = 0; i < ISA_COUNT; i++) {
        names[i] = isa_name(i);
        size_t len = strlen(expected);
        snprintf(expected + len, sizeof expected - len, "%s %s", i ? "," : "", names[i]);
    }
    calls->isa = value;
    return choose("--isa", value, names, expected) >= 0;
}

static bool set_search(TuneOptions *tuning, const char *value)
{
    static const char *const words[] = {"descent", "random", "all", NULL};
    tuning->search = choose("--search", value, words, "--search=descent, random or all");
    return tuning->search >= 0;
}

/* "2/8" */
static bool set_shard(TuneOptions *tuning, const char *value)
{
    enum { MOST = 100000 };
    const char *slash = strchr(value, '/');
    int64_t shard = 0, shards = 0;
    if (!slash || !number_within(slash + 1, strlen(slash + 1), 1, MOST, &shards) ||
        !number_within(value, (size_t)(slash - value), 1, shards, &shard))
        return option_wrong("--shard takes I/N with 1 <= I <= N, not '%s'", value, "for example --shard=2/8: the second of eight parts");
    tuning->shard = (int)shard;
    tuning->shards = (int)shards;
    return true;
}

/* Each of the following sets an option of its struct. NOT_MINE: it has no such option; else whether the value is good. */
enum { NOT_MINE = -1 };

static int set_tune_option(Arena *arena, TuneOptions *tuning, int which, const char *value)
{
    switch (which) {
    case O_N_PRED: return number_from(arena, "--n-pred", value, 1, 1000000, &tuning->n_pred);
    case O_DEVICE: return number_from(arena, "--device", value, 0, 1000, &tuning->device);
    case O_NVCC:
        tuning->nvcc = value;
        return *value || option_wrong("--nvcc%s needs a path", "", "for example --nvcc=/usr/local/cuda/bin/nvcc");
    case O_PROGRAM: tuning->program = value; return *value || option_wrong("--program%s needs a path", "", "for example --program=./tune");
    case O_TRIALS: return number_from(arena, "--trials", value, 1, 1000000, &tuning->trials);
    case O_BUDGET: return number_from(arena, "--budget", value, 1, 86400, &tuning->budget);
    case O_TABLE: tuning->table = value; return true;
    case O_SEARCH: return set_search(tuning, value);
    case O_SHARD: return set_shard(tuning, value);
    case O_AGAIN: tuning->again = true; return true;
    case O_FRESH: tuning->fresh = true; return true;
    case O_QUICK: tuning->quick = true; return true;
    default: return NOT_MINE;
    }
}

static int set_licm_option(Arena *arena, LicmOptions *licm, int which, const char *value)
{
    static const char *const modes[] = {[LICM_OFF] = "off", [LICM_HALIDE] = "halide", [LICM_FULL] = "full", NULL};
    bool on;
    int i;
    switch (which) {
    case O_LICM:
        i = choose("--licm", value, modes, "--licm=off, halide or full");
        licm->mode = i >= 0 ? i : LICM_FULL;
        return i >= 0;
    case O_THRESHOLD: return number(arena, "--licm-threshold", value, &licm->threshold);
    case O_UNROLL: return number(arena, "--unroll-limit", value, &licm->unroll_limit);
    case O_SMALL: return set_small(licm, value);
    case O_LOADS: return either("--licm-loads", value, "never", "proven", &licm->loads_proven);
    case O_LICM_FP: return set_licm_fp(licm, value);
    case O_BARRIER: return either("--licm-barrier", value, "strict", "legal", &licm->barrier_legal);
    case O_OVERFLOW: return set_overflow(licm, value);
    case O_CONST_POS: return either("--const-pos", value, "last", "low", &licm->const_pos_low);
    case O_DISTRIBUTE: return either("--distribute", value, "0", "1", &licm->distribute);
    case O_CHAINS:
        if (!either("--chains", value, "grouped", "flat", &on))
            return false;
        licm->chains = on ? CHAINS_FLAT : CHAINS_GROUPED;
        return true;
    case O_UNSWITCH:
        if (!either("--unswitch", value, "0", "1", &on))
            return false;
        licm->no_unswitch = !on;
        return true;
    default: return NOT_MINE;
    }
}

/* NAME:LO:HI with a name (of CUDA's index variables: "threadIdx.x"); gen/front/wishes.c reads the numbers, once the
 * parameter's type is known. */
static bool is_hint(const char *value)
{
    const char *colon = strchr(value, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;
    if (!second || colon == value || strchr(second + 1, ':'))
        return false;
    for (const char *p = value; p < colon; p++)
        if (!(*p == '_' || (*p == '.' && p != value) || (*p >= '0' && *p <= '9' && p != value) || (*p >= 'a' && *p <= 'z') ||
              (*p >= 'A' && *p <= 'Z')))
            return false;
    return true;
}

/* FUNCTION or FUNCTION:LINE. */
static bool is_part(const char *value)
{
    const char *colon = strchr(value, ':');
    const bool good = *value && (!colon || (colon != value && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0'));
    return good || option_wrong("--extract takes FUNCTION, FUNCTION:LINE or list, not '%s'", value, "for example --extract=blur");
}

/* NAME:EXTENT,... */
static bool is_extent(Arena *arena, const char *value)
{
    const char *colon = strchr(value, ':');
    const bool good = colon && colon[1] && is_identifier(arena_strndup(arena, value, (size_t)(colon - value))) && colon != value;
    return good || option_wrong("--extent takes NAME:EXTENT,..., not '%s'", value, "for example --extent=A:m,lda");
}

/* Names between commas; sets families[]. */
static bool read_families(const char *list, bool *families)
{
    static const char *const names[] = {"f32", "f64", "i8", "i32", "bf16", "u8s8", NULL};
    static const Family of[] = {FAM_F32, FAM_F64, FAM_I8, FAM_I32, FAM_BF16, FAM_U8S8};
    char name[16];
    for (const char *p = list;; p++) {
        const size_t len = strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), p);
        const int i = choose("--families", name, names, "a list of f32, f64, i8, i32, bf16 and u8s8, for example --families=f32,i8");
        if (i < 0)
            return false;
        families[of[i]] = true;
        p += len;
        if (!*p)
            break;
    }
    /* Where a processor lacks dot-product instructions, their products are another family's. */
    families[FAM_F32] |= families[FAM_BF16];
    families[FAM_I8] |= families[FAM_U8S8];
    return true;
}

/* -D or -U, in the place of an earlier one of the same name. */
static void define(Arena *arena, Vec *all, int letter, const char *value)
{
    const size_t len = strcspn(value, "=(");
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        const char *name = (const char *)all->items[i] + 2;
        if (strcspn(name, "=(") != len || strncmp(name, value, len) != 0)
            all->items[kept++] = all->items[i];
    }
    all->count = kept;
    vec_push(arena, all, arena_printf(arena, "-%c%s", letter, value));
}

static int set_planner_option(Arena *arena, PlannerOptions *planner, int which, const char *value)
{
    static const char *const targets[] = {"c", "cuda", NULL};
    static const char *const arches[] = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", NULL};
    static const char *const fps[] = {"reorder", "strict", NULL};
    static const char *const maths[] = {"vector", "fast", "libm", NULL};
    static const char *const winograds[] = {"2", "4", NULL};
    KernelOptions *kernels = &planner->kernels;
    int i;
    switch (which) {
    case O_TARGET: planner->target = value; return choose("--target", value, targets, "--target=c or --target=cuda") >= 0;
    case O_SETS: planner->sets = value; return set_list_read(value, &planner->kernels.held);
    case O_ARCH: planner->arch = value; return choose("--arch", value, arches, "--arch=sm_80, sm_86, sm_89, sm_90, sm_100 or sm_120") >= 0;
    case O_MAX_KERNELS: return number(arena, "--max-kernels", value, &kernels->n_mik);
    case O_N_MIK: return number(arena, "--n-mik", value, &kernels->n_mik);
    case O_N_GEN: return number_from(arena, "--n-gen", value, 1, 256, &kernels->n_gen);
    case O_N_SYN: return number_from(arena, "--n-syn", value, 1, RANK_MAX_SYN, &kernels->n_syn);
    case O_PROFILE: vec_push(arena, &planner->profiles, (void *)value); return true;
    case O_STACK: return number_from(arena, "--stack", value, STACK_LEAST, STACK_MOST, &planner->stack);
    case O_FP:
        i = choose("--fp", value, fps, "--fp=strict or --fp=reorder");
        planner->fp_strict = i == 1;
        planner->has_fp = true;
        return i >= 0;
    case O_MATH:
        planner->math = math_form_named(value);
        return choose("--math", value, maths, "--math=vector, --math=fast or --math=libm") >= 0;
    case O_FUSE: return either("--fuse", value, "on", "off", &planner->fuse_off);
    case O_TF32: planner->tf32 = TF32_ONCE; return true;
    case O_3XTF32: planner->tf32 = TF32_THRICE; return true;
    case O_WINOGRAD:
        i = choose("--allow-winograd", value, winograds, "--allow-winograd=2 or --allow-winograd=4");
        planner->winograd = 2 * (i + 1);
        return i >= 0;
    default: return NOT_MINE;
    }
}

static int set_emit_option(Arena *arena, EmitOptions *emit, int which, const char *value)
{
    static const char *const emits[] = {"source", "header", "reference", "ir",   "plan",  "selfcheck",
                                        "engine", "python", "cpp",       "rust", "trace", NULL};
    int i;
    switch (which) {
    case O_EMIT:
        i = choose("--emit", value, emits, "--emit=source, header, python, cpp, rust, reference, selfcheck, plan, ir, engine or trace");
        emit->what = (Emit)i;
        emit->is_given = true;
        return i >= 0;
    case O_ENGINE: return either("--engine", value, "single", "shared", &emit->engine_shared);
    case O_FAMILIES: emit->families = value; return read_families(value, emit->has_family);
    case O_PREFIX:
        emit->prefix = value;
        return is_identifier(value) || option_wrong("--prefix takes letters, digits and _, not '%s'", value, "for example --prefix=mylib_");
    case O_LICENSE: emit->license_header = value; return true;
    case O_TEMPLATES: emit->templates = value; return true;
    case O_TRACE: emit->trace = true; return true;
    case O_CONSTANT:
        vec_push(arena, &emit->constants, (void *)value);
        return is_identifier(value) ||
               option_wrong("--constant takes the name of an array parameter, not '%s'", value, "for example --constant=W");
    default: return NOT_MINE;
    }
}

static int set_source_option(Arena *arena, SourceModeOptions *source, int which, const char *value)
{
    switch (which) {
    case O_KEEP: source->keep_loops = true; return true;
    case O_LINE_MARKERS: source->line_markers = true; return true;
    case O_EXTRACT: source->extract = value; return is_part(value);
    case O_EXTENT: vec_push(arena, &source->extents, (void *)value); return is_extent(arena, value);
    case O_HINT:
        vec_push(arena, &source->hints, (void *)value);
        return is_hint(value) ||
               option_wrong("--hint takes NAME:LO:HI with integers LO <= HI, not '%s'", value, "for example --hint=n:0:4096");
    case O_ISYSTEM: vec_push(arena, &source->system_includes, (void *)value); return true;
    case O_SYSROOT: source->sysroot = value; return true;
    case 'p': source->database = value; return *value || option_wrong("-p%s needs a folder", "", "for example -p build");
    default: return NOT_MINE;
    }
}

/* What goes in and out, and what is said. */
static int set_common_option(Arena *arena, Options *opt, int which, const char *value)
{
    static const char *const formats[] = {"text", "json", "svg", NULL};
    int i;
    switch (which) {
    case 'D':
    case 'U': define(arena, &opt->in.definitions, which, value); return true;
    case 'I': vec_push(arena, &opt->in.includes, (void *)value); return true;
    case 'o': opt->out.file = value; return true;
    case O_OUTPUT_DIR:
        opt->out.folder = value;
        return *value || option_wrong("--output-dir%s needs a folder", "", "for example --output-dir=src");
    case O_DEPFILE: opt->out.depfile = value; return *value || option_wrong("--depfile%s needs a file", "", "for example --depfile=gemm.d");
    case O_REPORT: opt->out.report = value; return *value || option_wrong("--report%s needs a name", "", "for example --report=page");
    case O_DUMP: opt->look.dump_after = value; return true;
    case O_QUIET: opt->look.quiet = true; return true;
    case O_REMARKS: opt->look.remarks = true; return true;
    case O_EXPLAIN_LICM: opt->look.explain_licm = true; return true;
    case O_THREADS: return number_from(arena, "--threads", value, 1, 4096, &opt->calls.threads);
    case O_ISA: return set_isa(&opt->calls, value);
    case O_SHAPES: opt->calls.shapes = value; return true;
    case O_EXPLAIN: opt->explain.values = value; return true;
    case O_FORMAT:
        i = choose("--format", value, formats, "--format=text, json or svg");
        opt->explain.format = (ExplainFormat)i;
        opt->explain.has_format = true;
        return i >= 0;
    case O_CHECK: opt->again.check = value; return true;
    case O_REGENERATE: opt->again.regenerate = value; return true;
    case O_STRICT: opt->wrapping.strict = true; return true;
    case O_LOG: opt->wrapping.log = value; return *value || option_wrong("--log%s needs a file", "", "for example --log=/tmp/mikgen.log");
    case O_CC:
        opt->cc = value;
        return value[strspn(value, " ")] || option_wrong("--cc%s needs a compiler", "", "for example --cc='gcc -O2'");
    default: return NOT_MINE;
    }
}

static bool set_option(Arena *arena, Options *opt, int which, const char *value)
{
    int good = set_common_option(arena, opt, which, value);
    good = good == NOT_MINE ? set_planner_option(arena, &opt->planner, which, value) : good;
    good = good == NOT_MINE ? set_emit_option(arena, &opt->emit, which, value) : good;
    good = good == NOT_MINE ? set_source_option(arena, &opt->source, which, value) : good;
    good = good == NOT_MINE ? set_tune_option(arena, &opt->tuning, which, value) : good;
    return good == NOT_MINE ? set_licm_option(arena, &opt->licm, which, value) : good;
}

/* With --check or --regenerate everything else follows from the file. `other`: another option that is given, or NULL. */
static bool check_again(const AgainOptions *again, const char *other)
{
    if (again->check && again->regenerate)
        return option_wrong("--check and --regenerate=%s are two things", again->regenerate, "write one of them");
    return !other ||
           option_wrong("a generated file says itself with which options it is made: %s does not go with --check and --regenerate", other,
                        "leave it away, or generate the file with it");
}

/* How an option is called. */
static const char *option_name(Arena *arena, int which)
{
    for (const struct option *o = long_options; o->name; o++)
        if (o->val == which)
            return arena_printf(arena, "--%s", o->name);
    return arena_printf(arena, "-%c", which);
}

/* Compilers spell it with one dash. */
static void read_isystem(Arena *arena, int argc, char **argv)
{
    static const char option[] = "-isystem";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], option) == 0)
            argv[i] = "--isystem";
        else if (strncmp(argv[i], option, sizeof option - 1) == 0)
            argv[i] = arena_printf(arena, "--isystem=%s", argv[i] + sizeof option - 1);
}

/* Of `mikgen cc`: the words of $MIKGEN_CC_OPTIONS, behind its own name, so that those of the command line come later. */
static bool add_environment(Arena *arena, int *argc, char ***argv)
{
    const char *text = *argc > 1 && strcmp((*argv)[1], "cc") == 0 ? getenv("MIKGEN_CC_OPTIONS") : NULL;
    Vec words = {0};
    if (!text)
        return true;
    vec_push(arena, &words, (*argv)[0]);
    vec_push(arena, &words, (*argv)[1]);
    if (words_split(arena, text, &words))
        return option_wrong("MIKGEN_CC_OPTIONS: a quote is not closed: %s", text, "for example MIKGEN_CC_OPTIONS='--remarks --strict'");
    for (int i = 2; i < *argc; i++)
        vec_push(arena, &words, (*argv)[i]);
    *argc = words.count;
    vec_push(arena, &words, NULL);
    *argv = (char **)words.items;
    return true;
}

ParseResult options_parse(Arena *arena, int argc, char **argv, Options *opt)
{
    memset(opt, 0, sizeof *opt);
    opt->emit.prefix = "";
    opt->planner.kernels = kernel_defaults;
    opt->planner.stack = STACK_DEFAULT;
    opt->licm = (LicmOptions)LICM_DEFAULTS;
    opt->tuning.device = -1;
    opterr = 0;
    optind = 0; /* anew: there may be a second command line, of a banner */
    if (!words_of_files(arena, &argc, &argv, &opt->in.responses) || !add_environment(arena, &argc, &argv))
        return PARSE_EXIT_USAGE;
    if (argc > 1 && strcmp(argv[1], "cc") == 0) {
        opt->wrapping.wraps = opt->source.keep_loops = opt->source.line_markers = true;
        argc--, argv++;
    }
    if (argc > 1 && strcmp(argv[1], "tune") == 0 && !opt->wrapping.wraps) {
        opt->tuning.is_wanted = true;
        opt->planner.kernels.n_mik = 0; /* which ones are kept depends on what is measured */
        argc--, argv++;
    }
    read_isystem(arena, argc, argv);
    const char *other = NULL;
    for (;;) {
        const bool in_front = opt->wrapping.wraps;
        const char *word = option_next(argc, argv, optind ? optind : 1, in_front);
        const int which = getopt_long(argc, argv, in_front ? "+:ho:D:I:U:p:" : ":ho:D:I:U:p:", long_options, NULL);
        if (which == -1)
            break;
        const bool letters = (which == 'h' && strcmp(word, "-h") != 0 && strcmp(word, "-help") != 0) || /* of another word: -hint */
                             (which == 'p' && option_is_long(long_options, word + 1));                  /* -prefix=x */
        if (!letters && (which == O_HELP || which == 'h')) {
            opt->told = opt->tuning.is_wanted ? tune_help_text : opt->wrapping.wraps ? cc_help_text : help_text;
            return PARSE_EXIT_OK;
        }
        if (which == O_VERSION) {
            opt->told = arena_printf(arena, "mikgen %s (%s)\n", MIKGEN_VERSION, spec_front_version());
            return PARSE_EXIT_OK;
        }
        if (letters || which == '?' || which == ':') {
            option_refused(arena, long_options, word, letters ? '?' : which, letters ? 0 : optopt,
                           opt->tuning.is_wanted ? "mikgen tune"
                           : in_front            ? "mikgen cc"
                                                 : "mikgen");
            return PARSE_EXIT_USAGE;
        }
        if (!set_option(arena, opt, which, optarg))
            return PARSE_EXIT_USAGE;
        if (which != O_CHECK && which != O_REGENERATE && which != O_TEMPLATES)
            other = option_name(arena, which);
    }
    opt->in.specs = (const char *const *)(argv + optind);
    opt->in.nspecs = argc - optind;
    if (opt->look.dump_after && strcmp(opt->look.dump_after, "list") == 0 && !opt->tuning.is_wanted && !opt->wrapping.wraps) {
        opt->told = pass_list(arena, opt->source.keep_loops);
        return PARSE_EXIT_OK;
    }
    if (opt->again.check || opt->again.regenerate)
        return check_again(&opt->again, opt->tuning.is_wanted ? "tune" : other) ? PARSE_RUN : PARSE_EXIT_USAGE;
    if (opt->wrapping.wraps && !opt->source.database && (opt->in.nspecs == 0 || strcmp(argv[optind - 1], "--") != 0)) {
        option_wrong("mikgen cc%s needs a compiler's command line behind --", "",
                     "write: mikgen cc [options] -- gcc -O2 -c FILE.c, or mikgen cc -p BUILD FILE.c");
        return PARSE_EXIT_USAGE;
    }
    if (opt->in.nspecs && !opt->tuning.is_wanted && !opt->wrapping.wraps && !option_is_operand(arena, long_options, opt->in.specs[0]))
        return PARSE_EXIT_USAGE;
    if (!options_agree(arena, opt))
        return PARSE_EXIT_USAGE;
    if (!opt->tuning.shards)
        opt->tuning.shard = opt->tuning.shards = 1;
    opt->tuning.n_pred = opt->tuning.n_pred ? opt->tuning.n_pred : g_knots[G_KNOTS - 1];
    opt->in.spec = opt->in.nspecs ? opt->in.specs[0] : "";
    opt->emit.command = source_mode(opt) ? NULL : canonical_command(arena, opt); /* a C file has no banner */
    return PARSE_RUN;
}
