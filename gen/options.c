#include "gen/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "gen/pipeline.h"
#include "gen/spec.h"

static const char help_text[] =
    "Usage: mikgen [options] SPEC\n"
    "\n"
    "Reads operators written as C loop nests and writes one self-contained C or CUDA file\n"
    "with every micro-kernel and a dispatcher that picks and combines them at run time.\n"
    "SPEC is a file, or - for standard input.\n"
    "\n"
    "Output:\n"
    "  -o FILE                   write FILE (whole or not at all) instead of standard output\n"
    "  --target=c|cuda           language of the output (default: the spec's pragma, else cuda)\n"
    "  --arch=ARCH               CUDA: the oldest GPU the file is for (default: sm_80)\n"
    "  --emit=WHAT               source (default), header, reference (the spec as plain C),\n"
    "                            selfcheck (a test program), plan (JSON), ir (the tree)\n"
    "  --prefix=P                put P in front of every symbol that the file defines\n"
    "  --license-header=FILE     put the text of FILE at the top, as a comment\n"
    "\n"
    "What is generated:\n"
    "  --max-kernels=N           keep at most N micro-kernels per type and instruction set (default: all)\n"
    "  --fp=strict|reorder       strict: no floating-point sum changes its order (default: reorder)\n"
    "  --licm=off|halide|full    loop-invariant code motion (default: full)\n"
    "  --licm-threshold=K        move what costs at least K (default: 1)\n"
    "  --unroll-limit=T          loops of at most T iterations count as unrolled (default: C 0, CUDA 4)\n"
    "\n"
    "Looking inside:\n"
    "  --explain=M,N,K           print which program is chosen for these values of the integer parameters\n"
    "                            (compiles the emitted file with $CC, default cc)\n"
    "  --dump-after=PASS         print the tree after PASS: parse, expand, simplify, plan, lower,\n"
    "                            linearize, normalize, licm\n"
    "  --templates=DIR           use the templates in DIR\n"
    "  --version, --help\n"
    "\n"
    "Example:\n"
    "  mikgen --target=c examples/gemm_f32/gemm_f32.spec -o gemm_f32_dyn.c\n"
    "  mikgen --target=c --emit=header examples/gemm_f32/gemm_f32.spec -o gemm_f32_dyn.h\n"
    "  cc -std=c99 -O2 -c gemm_f32_dyn.c\n"
    "\n"
    "Exit status: 0 done, 1 the input or the command line is wrong, 2 internal error.\n";

enum {
    O_TARGET = 256, O_ARCH, O_EMIT, O_PREFIX, O_LICENSE, O_MAX_KERNELS, O_FP, O_LICM, O_THRESHOLD, O_UNROLL, O_EXPLAIN,
    O_DUMP, O_TEMPLATES, O_VERSION, O_HELP, O_KEEP, O_HINT
};

static const struct option long_options[] = {
    {"target", required_argument, NULL, O_TARGET},
    {"arch", required_argument, NULL, O_ARCH},
    {"emit", required_argument, NULL, O_EMIT},
    {"prefix", required_argument, NULL, O_PREFIX},
    {"license-header", required_argument, NULL, O_LICENSE},
    {"max-kernels", required_argument, NULL, O_MAX_KERNELS},
    {"fp", required_argument, NULL, O_FP},
    {"licm", required_argument, NULL, O_LICM},
    {"licm-threshold", required_argument, NULL, O_THRESHOLD},
    {"unroll-limit", required_argument, NULL, O_UNROLL},
    {"explain", required_argument, NULL, O_EXPLAIN},
    {"dump-after", required_argument, NULL, O_DUMP},
    {"templates", required_argument, NULL, O_TEMPLATES},
    {"keep-loops", no_argument, NULL, O_KEEP},
    {"hint", required_argument, NULL, O_HINT},
    {"version", no_argument, NULL, O_VERSION},
    {"help", no_argument, NULL, O_HELP},
    {NULL, 0, NULL, 0},
};

static bool wrong(const char *format, const char *what, const char *expected)
{
    fprintf(stderr, "mikgen: error: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\nhelp: %s\n", expected);
    return false;
}

/* Index of `value` in a NULL-terminated list, or -1 after a message. */
static int choose(const char *option, const char *value, const char *const *words, const char *expected)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    fprintf(stderr, "mikgen: error: %s has no value '%s'\nhelp: write %s\n", option, value, expected);
    return -1;
}

static bool number(const char *option, const char *value, int *out)
{
    char *end;
    errno = 0;
    long v = strtol(value, &end, 10);
    if (errno || end == value || *end || v < 0 || v > 1000000) {
        fprintf(stderr, "mikgen: error: %s takes a number from 0 to 1000000, not '%s'\nhelp: for example %s=4\n", option, value,
                option);
        return false;
    }
    *out = (int)v;
    return true;
}

static bool is_identifier(const char *s)
{
    if (*s >= '0' && *s <= '9')
        return false;
    for (; *s; s++)
        if (!(*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')))
            return false;
    return true;
}

static bool set_option(Options *opt, int which, const char *value)
{
    static const char *const targets[] = {"c", "cuda", NULL};
    static const char *const arches[] = {"sm_80", "sm_86", "sm_89", "sm_90", NULL};
    static const char *const emits[] = {"source", "header", "reference", "ir", "plan", "selfcheck", NULL};
    static const char *const fps[] = {"reorder", "strict", NULL};
    static const char *const licms[] = {"off", "halide", "full", NULL};
    int i;
    switch (which) {
    case O_KEEP: opt->keep_loops = true; return true;
    case 'o': opt->output = value; return true;
    case O_TARGET:
        opt->target = value;
        return choose("--target", value, targets, "--target=c or --target=cuda") >= 0;
    case O_ARCH:
        opt->arch = value;
        return choose("--arch", value, arches, "--arch=sm_80, sm_86, sm_89 or sm_90") >= 0;
    case O_EMIT:
        i = choose("--emit", value, emits, "--emit=source, header, reference, selfcheck, plan or ir");
        opt->emit = (Emit)i;
        return i >= 0;
    case O_PREFIX:
        opt->prefix = value;
        return is_identifier(value) || wrong("--prefix takes letters, digits and _, not '%s'", value, "for example --prefix=mylib_");
    case O_LICENSE: opt->license_header = value; return true;
    case O_MAX_KERNELS: return number("--max-kernels", value, &opt->max_kernels);
    case O_FP:
        i = choose("--fp", value, fps, "--fp=strict or --fp=reorder");
        opt->fp_strict = i == 1;
        return i >= 0;
    case O_LICM:
        i = choose("--licm", value, licms, "--licm=off, halide or full");
        opt->licm.mode = i == 0 ? LICM_OFF : i == 1 ? LICM_HALIDE : LICM_FULL;
        return i >= 0;
    case O_THRESHOLD: return number("--licm-threshold", value, &opt->licm.threshold);
    case O_UNROLL: return number("--unroll-limit", value, &opt->licm.unroll_limit);
    case O_EXPLAIN: opt->explain = value; return true;
    case O_DUMP:
        opt->dump_after = value;
        return pipeline_has_pass(value) || wrong("there is no pass '%s'", value, "--dump-after takes a pass named in --help");
    case O_TEMPLATES: opt->templates = value; return true;
    default: return false;
    }
}

/* The options that shape the output, for the banner: no file names but the spec's own, no path. */
static const char *canonical_command(Arena *arena, const Options *opt)
{
    static const char *const licms[] = {[LICM_OFF] = "off", [LICM_HALIDE] = "halide", [LICM_FULL] = "full"};
    Text t;
    text_init(&t, arena);
    text_puts(&t, "mikgen");
    if (opt->target)
        text_printf(&t, " --target=%s", opt->target);
    if (opt->arch)
        text_printf(&t, " --arch=%s", opt->arch);
    if (*opt->prefix)
        text_printf(&t, " --prefix=%s", opt->prefix);
    if (opt->max_kernels)
        text_printf(&t, " --max-kernels=%d", opt->max_kernels);
    if (opt->fp_strict)
        text_puts(&t, " --fp=strict");
    if (opt->licm.mode != LICM_FULL)
        text_printf(&t, " --licm=%s", licms[opt->licm.mode]);
    if (opt->licm.threshold != 1)
        text_printf(&t, " --licm-threshold=%d", opt->licm.threshold);
    if (opt->licm.unroll_limit >= 0)
        text_printf(&t, " --unroll-limit=%d", opt->licm.unroll_limit);
    const char *slash = strrchr(opt->spec, '/');
    text_printf(&t, " %s", slash ? slash + 1 : opt->spec);
    return t.data;
}

ParseResult options_parse(Arena *arena, int argc, char **argv, Options *opt)
{
    memset(opt, 0, sizeof *opt);
    opt->prefix = "";
    opt->licm = (LicmOptions){.mode = LICM_FULL, .threshold = 1, .unroll_limit = -1};
    opterr = 0;
    for (;;) {
        int which = getopt_long(argc, argv, ":o:D:I:", long_options, NULL);
        if (which == -1)
            break;
        if (which == O_HELP) {
            fputs(help_text, stdout);
            return PARSE_EXIT_OK;
        }
        if (which == O_VERSION) {
            printf("mikgen %s (%s)\n", MIKGEN_VERSION, spec_front_version());
            return PARSE_EXIT_OK;
        }
        if (which == '?' || which == ':') {
            const char *arg = argv[optind - 1];
            if (which == ':')
                wrong("option %s needs a value", arg, "mikgen --help lists the options");
            else
                wrong("there is no option %s", arg, "mikgen --help lists the options");
            return PARSE_EXIT_USAGE;
        }
        Vec *list = which == 'D' ? &opt->definitions : which == 'I' ? &opt->includes : which == O_HINT ? &opt->hints : NULL;
        if (list) {
            vec_push(arena, list, optarg);
            continue;
        }
        if (!set_option(opt, which, optarg))
            return PARSE_EXIT_USAGE;
    }
    if (optind + 1 != argc) {
        if (optind == argc)
            wrong("no spec given%s", "", "write: mikgen [options] SPEC (mikgen --help tells more)");
        else
            wrong("one spec at a time: '%s' is a second one", argv[optind + 1], "put several operators into one file, or call mikgen for each");
        return PARSE_EXIT_USAGE;
    }
    opt->spec = argv[optind];
    opt->command = canonical_command(arena, opt);
    return PARSE_RUN;
}
