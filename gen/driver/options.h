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

typedef struct Answers Answers;

/* ---------------------------------------------------------------- what all commands have */

typedef struct InputOptions {
    const char *const *specs; /* "-" for standard input; with check and regenerate: where the files lie that the command names */
    int nspecs;
    const char *spec;         /* the first, or "" */
    Vec definitions;          /* const char *: "-DNAME=VALUE", "-DNAME" and "-UNAME", the last one for each name */
    Vec includes;             /* const char *: folders of -I */
    Vec responses;            /* const char *: files of @FILE whose words these options are */
} InputOptions;

typedef struct OutputOptions {
    const char *file;    /* NULL: standard output */
    const char *folder;  /* for the source and the header of each spec, or NULL */
    const char *depfile; /* file that gets what the output depends on, or NULL */
    const char *report;  /* folder of a page about a spec; of tune: file of a page about what was measured; or NULL */
} OutputOptions;

/* What is said beside the output, or in its place. */
typedef struct LookOptions {
    const char *dump_after; /* pass, or NULL */
    bool quiet;             /* no notes about loops that run one element at a time */
    bool remarks;           /* say which loops run in order, and why */
    bool explain_licm;
} LookOptions;

/* Calls that are explained, sampled or measured. */
typedef struct CallOptions {
    int threads;        /* 0: not given */
    const char *isa;    /* only this instruction set, or NULL */
    const char *shapes; /* file with the extents, or NULL: sampled */
} CallOptions;

/* ---------------------------------------------------------------- mikgen SPEC */

/* How operators are planned. */
typedef struct PlannerOptions {
    const char *target;    /* "c", "cuda", or NULL: the spec's pragma, else cuda */
    const char *arch;      /* "sm_80" ..., or NULL */
    KernelOptions kernels; /* how the micro-kernels are generated; without their profile, which `profiles` name */
    Vec profiles;          /* const char *: of --profile, in their order */
    int stack;             /* bytes of stack that a call of emitted C may take */
    Tf32 tf32;
    int winograd;          /* of --allow-winograd; 0: not given */
    bool has_fp;           /* whether --fp was given */
    bool fp_strict;
    MathForm math;         /* --math; fp_strict: MATH_LIBM */
    bool fuse_off;         /* loops stay apart */
    /* By instruction set, which choose for nests that the profile says nothing of (gen/driver/nest_choice.h); NULL: none does. */
    const char *sets;               /* instruction sets that a file holds, as given, or NULL; kernels.held: as read */
    const struct Trees *nest_models[SET_COUNT];
    const NestForms *forms;         /* to be compared: not an option of a command line; NULL: none */
    const struct GridSearch *grids; /* the same of nests on GPUs (gen/driver/grid_choice.h) */
} PlannerOptions;

/* What is printed of them. */
typedef struct EmitOptions {
    Emit what;
    bool is_given;              /* --emit was */
    bool engine_shared;         /* operators use an engine that has a file of its own */
    const char *families;       /* of --emit=engine, as given, or NULL; */
    bool has_family[FAM_COUNT]; /* and read */
    const char *prefix;         /* "" by default */
    const char *license_header; /* file, or NULL */
    const char *templates;      /* folder */
    Vec constants;              /* const char *: of --constant, arrays that may come prepacked; of extract, macros that stay */
    bool trace;                 /* calls tell what they do and when, if their options ask */
    const char *command;        /* the options that change the output, in a canonical order, for the banner; NULL: there is none */
} EmitOptions;

typedef struct ExplainOptions {
    const char *values;   /* "M,N,K" of the integer parameters, or NULL */
    ExplainFormat format; /* also of tables of loops */
    bool has_format;
} ExplainOptions;

/* ---------------------------------------------------------------- the other commands */

/* Of --check and --regenerate: a generated file, to be compared with what its command gives, or replaced by it; or NULL. */
typedef struct AgainOptions {
    const char *check, *regenerate;
} AgainOptions;

/* Of --keep-loops, --extract and `mikgen cc`: how a source of C or CUDA is read, and what becomes of it. */
typedef struct SourceModeOptions {
    bool keep_loops;         /* source to source: the input is C or CUDA, its loops stay */
    bool line_markers;       /* the rewritten text says where each statement came from; for keep_loops */
    const char *extract;     /* FUNCTION, FUNCTION:LINE or "list": a C file's functions as specs; or NULL */
    Vec extents;             /* const char *: of --extent, "A:n,m", for extract */
    Vec hints;               /* const char *: of --hint, for keep_loops */
    Vec system_includes;     /* const char *: of -isystem */
    const char *sysroot;     /* of --sysroot, or NULL */
    const char *database;    /* of -p: folder of compile_commands.json, or NULL */
    Answers *answers;        /* of compilers, in a run over many files (system_headers.h); NULL: each file asks */
    const Vec *quoted;       /* of a source whose compiler has been asked: char *, folders of -iquote; else NULL */
    const Vec *folders;      /* char *: for #include <...>, too */
    const Vec *front;        /* char *: options that Clang gets as they are */
    const char *predefined;  /* a text in front of the source: what the compiler defines by itself */
} SourceModeOptions;

/* Of `mikgen cc` alone. */
typedef struct WrapOptions {
    bool wraps;      /* the words behind -- are a compiler's command line */
    bool strict;     /* what cannot be rewritten is an error */
    const char *log; /* file that gets a line for each source, or NULL */
} WrapOptions;

/* Of `mikgen tune`. */
typedef struct TuneOptions {
    bool is_wanted;      /* measure instead of generating */
    int n_pred;          /* the greatest number of steps that is measured */
    const char *nvcc;    /* CUDA: its path, or NULL: where it usually is */
    const char *program; /* CUDA: a measuring program that nvcc has compiled before, or NULL */
    int device;          /* CUDA: which GPU; -1: not given */
    int budget;          /* seconds that measuring on a GPU, or of nests, may take; 0: not given */
    int search;          /* how: SearchKind or TUNE_SEARCH_ALL */
    const char *table;   /* file that gets all that is measured of nests, or NULL */
    int trials;          /* configurations measured of a nest at most; 0: not given */
    int shard, shards;   /* which of how many parts of the nests; 1 of 1 by default, and shard 1 has the kernels */
    bool fresh, again, quick;
} TuneOptions;

typedef struct Options {
    InputOptions in;
    OutputOptions out;
    LookOptions look;
    CallOptions calls;
    PlannerOptions planner;
    EmitOptions emit;
    ExplainOptions explain;
    AgainOptions again;
    SourceModeOptions source;
    WrapOptions wrapping;
    TuneOptions tuning;
    LicmOptions licm; /* unroll_limit: -1 if not given */
    const char *cc;   /* the compiler and its flags, blanks between them: whose headers a source finds, and which measures; or NULL */
    const char *told; /* what --help or --version prints, else NULL */
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
