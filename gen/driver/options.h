/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. */
#ifndef MIKGEN_GEN_DRIVER_OPTIONS_H
#define MIKGEN_GEN_DRIVER_OPTIONS_H

#include <stdio.h>

#include "ir/licm_options.h"
#include "ir/node.h"
#include "plan/kernels/kernel.h"
#include "plan/plan.h"
#include "tune/search/search.h"

typedef enum Emit {
    EMIT_SOURCE,
    EMIT_HEADER,
    EMIT_REFERENCE,
    EMIT_IR,
    EMIT_PLAN,
    EMIT_SELFCHECK,
    EMIT_ENGINE,
    EMIT_PYTHON,
    EMIT_CPP,
    EMIT_RUST,
    EMIT_TRACE_WRITER
} Emit;

/* What --explain prints. */
typedef enum ExplainFormat { FORMAT_TEXT, FORMAT_JSON, FORMAT_SVG } ExplainFormat;

/* How spaces of nests are searched: SearchKind of tune/search/search.h, or all of it. */
enum { TUNE_SEARCH_ALL = SEARCH_RANDOM + 1 };

/* Of `mikgen tune`. */
typedef struct TuneOptions {
    const char *cc;              /* the compiler and its flags, blanks between them */
    const char *isa;             /* only this instruction set, or NULL; also of --explain and --report */
    int n_pred;                  /* the greatest number of steps that is measured */
    const char *nvcc;            /* CUDA: its path, or NULL: where it usually is */
    const char *program;         /* CUDA: a measuring program that nvcc has compiled before, or NULL */
    int device;                  /* CUDA: which GPU; -1: not given */
    int budget;                  /* seconds that measuring on a GPU, or of nests, may take; 0: not given */
    const char *shapes;          /* file with the extents on which nests are measured, or NULL: drawn */
    int search;                  /* how: SearchKind or TUNE_SEARCH_ALL */
    const char *table;           /* file that gets all that is measured of nests, or NULL */
    const char *report;          /* file that gets a page about it, or NULL */
    int trials;                  /* configurations measured of a nest at most; 0: not given */
    int shard, shards;           /* which of how many parts of the nests; 1 of 1 by default, and shard 1 has the kernels */
    bool fresh, again, quick;
} TuneOptions;

/* Of `mikgen cc`, and of what it does with a source. */
typedef struct WrapOptions {
    bool wraps;               /* the words behind -- are a compiler's command line */
    bool strict;              /* what cannot be rewritten is an error */
    const char *log;          /* file that gets a line for each source, or NULL */
    const char *database;     /* of -p, for keep_loops and extract, too: folder of compile_commands.json, or NULL */
    const Vec *quoted;        /* of a source: char *, folders of -iquote; NULL: no compiler has been asked */
    const Vec *folders;       /* char *: for #include <...>, too */
    const Vec *front;         /* char *: options that Clang gets as they are */
    const char *predefined;   /* a text in front of the source: what the compiler defines by itself */
} WrapOptions;

typedef struct Answers Answers;

typedef struct Options {
    const char *const *specs;    /* "-" for standard input; with check and regenerate: where the files lie that the command names */
    int nspecs;
    const char *spec;            /* the first, or "" */
    bool engine_shared;          /* operators use an engine that has a file of its own */
    const char *families;        /* of --emit=engine, as given, or NULL; */
    bool has_family[FAM_COUNT];  /* and read */
    const char *output;          /* NULL: standard output */
    const char *output_dir;      /* folder for the source and the header of each spec, or NULL */
    const char *depfile;         /* file that gets what the output depends on, or NULL */
    const char *check;           /* a generated file, to be compared with what its command gives, or NULL */
    const char *regenerate;      /* the same, to be replaced by it */
    const char *target;          /* "c", "cuda", or NULL: the spec's pragma, else cuda */
    const char *arch;            /* "sm_80" ..., or NULL */
    const char *prefix;          /* "" by default */
    const char *license_header;  /* file, or NULL */
    Vec responses;               /* const char *: files of @FILE whose words these options are */
    const char *templates;       /* folder */
    const char *dump_after;      /* pass, or NULL */
    int threads;                 /* of --explain and mikgen tune; 0: not given */
    const char *explain;         /* "M,N,K" values of the integer parameters, or NULL */
    ExplainFormat format;        /* of that */
    bool has_format;
    Emit emit;
    bool has_emit, has_fp, has_math; /* whether --emit, --fp and --math were given */
    KernelOptions kernels;       /* how the micro-kernels are generated; without their profile, which `profiles` name */
    Vec profiles;                /* const char *: of --profile, in their order */
    bool fp_strict;
    bool math_libm;              /* loops call the C library's functions one element at a time; implied by fp_strict */
    bool fuse_off;               /* loops stay apart */
    bool trace;                  /* calls tell what they do and when, if their options ask */
    Vec constants; /* const char *: of --constant, arrays that may come prepacked; of extract, macros that stay */
    int stack; /* bytes of stack that a call of emitted C may take */
    /* By instruction set, which choose for nests that the profile says nothing of (gen/driver/nest_choice.h); NULL: none does. */
    const struct Trees *nest_models[SET_COUNT];
    const NestForms *forms; /* to be compared: not an option of a command line; NULL: none */
    const struct GridSearch *grids; /* the same of nests on GPUs (gen/driver/grid_choice.h) */
    Tf32 tf32;
    bool keep_loops; /* source to source: the input is C or CUDA, its loops stay */
    Vec definitions; /* const char *: "-DNAME=VALUE", "-DNAME" and "-UNAME", the last one for each name */
    Vec includes; /* const char *: folders of -I */
    Vec hints; /* const char *: of --hint, for keep_loops */
    Answers *answers; /* of compilers, in a run over many files (system_headers.h); NULL: each file asks */
    Vec system_includes; /* const char *: of -isystem, for keep_loops */
    const char *sysroot; /* of --sysroot, for keep_loops; or NULL */
    bool line_markers; /* the rewritten text says where each statement came from; for keep_loops */
    WrapOptions wrapping;
    const char *extract; /* FUNCTION, FUNCTION:LINE or "list": a C file's functions as specs; or NULL */
    Vec extents; /* const char *: of --extent, "A:n,m", for extract */
    bool quiet; /* no notes about loops that run one element at a time */
    bool remarks; /* say which loops run in order, and why */
    bool explain_licm;
    LicmOptions licm; /* unroll_limit: -1 if not given */
    bool tune; /* `mikgen tune`: measure instead of generating */
    TuneOptions tuning;
    const char *told; /* what --help or --version prints, else NULL */
    const char *command; /* the options that change the output, in a canonical order, for the banner; NULL: there is none */
} Options;

/* The option with which the input is a C file of somebody's, "--keep-loops" or "--extract"; NULL: it is a spec. */
const char *source_mode(const Options *opt);

/* Does --emit ask for a module of another language, which calls the C file? */
bool emit_binds(Emit emit);

typedef enum ParseResult { PARSE_RUN, PARSE_EXIT_OK, PARSE_EXIT_USAGE } ParseResult;

/* Read argv into `opt`. --help and --version give PARSE_EXIT_OK, and opt->told is to be printed; a wrong option prints one message
 * on stderr and gives PARSE_EXIT_USAGE. Texts are borrowed from argv or owned by the arena. */
ParseResult options_parse(Arena *arena, int argc, char **argv, Options *opt);

#endif
