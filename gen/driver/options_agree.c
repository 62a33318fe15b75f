/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options exclude one another, and which ask for others. */
#include "gen/driver/options_agree.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit/reserved.h"
#include "gen/driver/command.h"
#include "gen/driver/nearest.h"
#include "gen/driver/pass_list.h"
#include "plan/stack.h"

bool option_wrong(const char *format, const char *what, const char *expected)
{
    fprintf(stderr, "mikgen: error: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\nhelp: %s\n", expected);
    return false;
}

bool is_identifier(const char *s)
{
    if (*s >= '0' && *s <= '9')
        return false;
    for (; *s; s++)
        if (!(*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')))
            return false;
    return true;
}

const char *source_mode(const Options *opt) { return opt->source.keep_loops ? "--keep-loops" : opt->source.extract ? "--extract" : NULL; }

/* An option about kernels that is not as by default, or NULL. */
static const char *kernel_option(const KernelOptions *k)
{
    return k->n_mik != kernel_defaults.n_mik   ? "--max-kernels"
           : k->n_gen != kernel_defaults.n_gen ? "--n-gen"
           : k->n_syn != kernel_defaults.n_syn ? "--n-syn"
                                               : NULL;
}

/* Are plans of calls looked at, rather than an output made? */
static bool asks_plans(const Options *opt) { return opt->explain.values || (opt->out.report && !opt->tuning.is_wanted); }

/* What goes with `mikgen tune` only, and what never. */
static bool check_tune(const Options *opt)
{
    const TuneOptions *tuning = &opt->tuning;
    const char *only = tuning->n_pred        ? "--n-pred"
                       : tuning->again       ? "--again"
                       : tuning->fresh       ? "--fresh"
                       : tuning->quick       ? "--quick"
                       : tuning->device >= 0 ? "--device"
                       : tuning->nvcc        ? "--nvcc"
                       : tuning->program     ? "--program"
                       : tuning->budget      ? "--budget"
                       : tuning->table       ? "--measurements"
                       : tuning->trials      ? "--trials"
                       : tuning->shards      ? "--shard"
                                             : NULL;
    const char *never = source_mode(opt)              ? source_mode(opt)
                        : opt->emit.is_given          ? "--emit"
                        : *opt->emit.prefix           ? "--prefix"
                        : opt->emit.license_header    ? "--license-header"
                        : opt->planner.profiles.count ? "--profile"
                        : opt->explain.values         ? "--explain"
                        : opt->look.explain_licm      ? "--explain-licm"
                        : opt->look.remarks           ? "--remarks"
                        : opt->look.dump_after        ? "--dump-after"
                        : opt->out.folder             ? "--output-dir"
                        : opt->out.depfile            ? "--depfile"
                        : opt->emit.trace             ? "--trace"
                                                      : NULL;
    if (opt->calls.isa && !opt->tuning.is_wanted && !asks_plans(opt))
        return option_wrong("--isa%s goes with mikgen tune, --explain and --report only", "",
                            "calls have an instruction set in their options");
    if (opt->calls.shapes && !opt->tuning.is_wanted && !opt->out.report)
        return option_wrong("--shapes%s goes with mikgen tune and --report only", "", "--explain takes one call's extents");
    if (!opt->tuning.is_wanted && only)
        return option_wrong("%s goes with mikgen tune only", only, "write: mikgen tune --target=c|cuda [options] SPEC... -o FILE");
    if (opt->cc && !opt->tuning.is_wanted && !source_mode(opt))
        return option_wrong("--cc%s goes with mikgen tune, --keep-loops and --extract only", "",
                            "the environment's CC says what --explain compiles with");
    if (opt->tuning.is_wanted && never)
        return option_wrong("mikgen tune measures and prints no code: %s does not go with it", never, "mikgen tune --help lists what does");
    return true;
}

/* What goes with engines that files share. */
static bool check_engine(const Options *opt)
{
    const bool emits = opt->emit.what == EMIT_ENGINE;
    if (opt->emit.families && !emits)
        return option_wrong("--families goes with --emit=engine only%s", "", "an operator's file has the families that its operators use");
    if (emits && opt->emit.families && opt->in.nspecs)
        return option_wrong("--families and '%s' both say which kernels the engine has", opt->in.specs[0], "leave one of the two away");
    if (emits && !opt->out.file)
        return option_wrong("--emit=engine writes mikgen_engine.c and mikgen_engine.h%s", "", "add -o FOLDER, into which they go");
    const char *of_operators = opt->explain.values    ? "--explain"
                               : opt->look.dump_after ? "--dump-after"
                               : opt->look.remarks    ? "--remarks"
                                                      : NULL;
    if (emits && of_operators)
        return option_wrong("--emit=engine is about no operator: %s does not go with it", of_operators, "leave one of the two away");
    if (opt->emit.what == EMIT_TRACE_WRITER && (of_operators || opt->planner.target || opt->emit.trace))
        return option_wrong("--emit=trace is about no operator: %s does not go with it",
                            of_operators          ? of_operators
                            : opt->planner.target ? "--target"
                                                  : "--trace",
                            "write: mikgen --emit=trace -o mikgen_trace.h");
    if (opt->planner.sets && opt->planner.target && strcmp(opt->planner.target, "cuda") == 0)
        return option_wrong("--sets%s is about C files: GPUs have no such instruction sets", "", "leave it away, or write --target=c");
    if ((emits || opt->emit.engine_shared) && opt->planner.target && strcmp(opt->planner.target, "cuda") == 0)
        return option_wrong("--%s is about C files: in CUDA, kernels are made for each operator", emits ? "emit=engine" : "engine=shared",
                            "write --target=c, or put several specs on one command line, whose operators then share one file");
    return true;
}

/* The macros of specs, which go into banners and references. (Those of source-to-source mode are as a compiler takes them.) */
static bool check_definitions(Arena *arena, const Options *opt)
{
    for (int i = 0; i < opt->in.definitions.count && !source_mode(opt); i++) {
        const char *word = opt->in.definitions.items[i], *value = strchr(word, '=');
        const char *name = arena_strndup(arena, word + 2, value ? (size_t)(value - word) - 2 : strlen(word) - 2);
        const bool defines = word[1] == 'D', is_compilers = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
        if (!*name || !is_identifier(name) || (value && !defines))
            return option_wrong(defines ? "-D takes NAME or NAME=VALUE, not '%s'" : "-U takes the NAME of a macro, not '%s'", word + 2,
                                defines ? "for example -DTAPS=5; a macro with parameters goes into a file that the spec includes"
                                        : "for example -UTAPS");
        if (is_compilers || name_is_keyword(name) || strcmp(name, "defined") == 0)
            return option_wrong("'%s' is a word of the language, or a compiler's own name: no macro can have it", name,
                                "give it another name, for example -DTAPS=5");
        for (const char *p = value ? value : ""; *p; p++)
            if (*p < ' ' || *p > '~' || (*p == '/' && (p[1] == '*' || p[1] == '/')) || (*p == '*' && p[1] == '/'))
                return option_wrong("%s has a comment, or a character that C does not have, in its value", word,
                                    "write it into a file that the spec includes");
    }
    return true;
}

bool emit_binds(Emit emit) { return emit == EMIT_PYTHON || emit == EMIT_CPP || emit == EMIT_RUST; }

/* What goes with modules for other languages. */
static bool check_bindings(const Options *opt)
{
    if (emit_binds(opt->emit.what) && opt->planner.target && strcmp(opt->planner.target, "cuda") == 0)
        return option_wrong("modules for other languages call C files, and this one is CUDA%s", "",
                            "write --target=c; a CUDA file is called from C++, with the header that --emit=header writes");
    if (opt->emit.trace && (opt->emit.what == EMIT_PYTHON || opt->emit.what == EMIT_RUST))
        return option_wrong("the options of calls from %s have no hooks: --trace does not go with it",
                            opt->emit.what == EMIT_RUST ? "--emit=rust" : "--emit=python",
                            "leave it away, for the module and for its C file");
    return true;
}

/* What goes with a page about a spec. */
static bool check_report(const Options *opt)
{
    const char *other = source_mode(opt)          ? source_mode(opt)
                        : opt->emit.is_given      ? "--emit"
                        : opt->emit.engine_shared ? "--engine"
                        : opt->out.file           ? "-o"
                        : opt->out.folder         ? "--output-dir"
                        : opt->out.depfile        ? "--depfile"
                        : opt->explain.values     ? "--explain"
                        : opt->look.explain_licm  ? "--explain-licm"
                        : opt->look.dump_after    ? "--dump-after"
                        : opt->look.remarks       ? "--remarks"
                                                  : NULL;
    if (opt->tuning.is_wanted || !opt->out.report)
        return true;
    return !other || option_wrong("--report writes a page into a folder and nothing else: %s does not go with it", other,
                                  "leave one of the two away");
}

/* Where the output goes, and what it depends on. */
static bool check_outputs(const Options *opt)
{
    const char *other = source_mode(opt)                                                                       ? source_mode(opt)
                        : opt->emit.is_given && opt->emit.what != EMIT_SOURCE && opt->emit.what != EMIT_HEADER ? "--emit"
                        : opt->look.explain_licm                                                               ? "--explain-licm"
                        : opt->look.dump_after                                                                 ? "--dump-after"
                        : opt->explain.values                                                                  ? "--explain"
                                                                                                               : NULL;
    if (opt->out.file && opt->out.folder)
        return option_wrong("-o and --output-dir=%s both say where the output goes", opt->out.folder, "leave one of the two away");
    if (opt->out.folder && other)
        return option_wrong("--output-dir writes sources and headers: %s does not go with it", other, "leave one of the two away");
    if (opt->out.depfile && !opt->out.file && !opt->out.folder)
        return option_wrong("--depfile%s says what files depend on, and the output is none", "", "add -o FILE or --output-dir=FOLDER");
    if (opt->out.depfile && opt->explain.values)
        return option_wrong("--explain%s writes no file: --depfile does not go with it", "", "leave one of the two away");
    return true;
}

/* What goes with specs that are made of C. */
static bool check_extract(const Options *opt)
{
    const char *other = opt->source.keep_loops    ? "--keep-loops"
                        : opt->emit.is_given      ? "--emit"
                        : opt->look.explain_licm  ? "--explain-licm"
                        : opt->look.dump_after    ? "--dump-after"
                        : opt->source.hints.count ? "--hint"
                                                  : NULL;
    if (opt->source.extract && other)
        return option_wrong("--extract writes a spec and makes no kernels: %s does not go with it", other, "leave one of the two away");
    if (!opt->source.extract && opt->source.extents.count)
        return option_wrong("--extent%s goes with --extract only", "", "a spec's arrays have their extents in their declarations");
    return true;
}

/* What goes with `mikgen cc`, and with it alone. */
static bool check_wrapping(const Options *opt)
{
    const WrapOptions *wrapping = &opt->wrapping;
    const char *only = wrapping->strict ? "--strict" : wrapping->log ? "--log" : NULL;
    const char *never = opt->out.file                       ? "-o"
                        : opt->emit.is_given                ? "--emit"
                        : opt->out.depfile                  ? "--depfile"
                        : opt->look.explain_licm            ? "--explain-licm"
                        : opt->look.dump_after              ? "--dump-after"
                        : opt->in.definitions.count         ? "-D"
                        : opt->in.includes.count            ? "-I"
                        : opt->source.system_includes.count ? "-isystem"
                        : opt->source.sysroot               ? "--sysroot"
                        : opt->cc                           ? "--cc"
                        : opt->source.hints.count           ? "--hint"
                                                            : NULL;
    if (!wrapping->wraps && only)
        return option_wrong("%s goes with mikgen cc only", only, "write: mikgen cc [options] -- gcc -O2 -c FILE.c");
    if (!opt->source.keep_loops && opt->source.line_markers)
        return option_wrong("--line-markers%s goes with --keep-loops only", "", "generated files are their own sources");
    if (opt->source.line_markers && (opt->look.explain_licm || opt->look.dump_after))
        return option_wrong("--line-markers%s is about the rewritten file", "", "leave it away");
    return !wrapping->wraps || !never ||
           option_wrong("mikgen cc takes this from the compiler's command line: %s does not go with it", never, "put it behind the --");
}

/* Whether there is the pass of --dump-after. */
static bool check_pass(Arena *arena, const Options *opt)
{
    const char *name = opt->look.dump_after, *near;
    const char *const *passes = pass_names(arena, opt->source.keep_loops);
    for (int i = 0; name && passes[i]; i++)
        if (strcmp(name, passes[i]) == 0)
            return true;
    if (!name)
        return true;
    near = nearest_word(name, strlen(name), passes);
    return option_wrong("there is no pass '%s'", name,
                        near                     ? arena_printf(arena, "did you mean --dump-after=%s?", near)
                        : opt->source.keep_loops ? "with --keep-loops, --dump-after takes parse, signs, normalize or licm"
                                                 : "mikgen --dump-after=list names them");
}

/* What does not go together. */
static bool check_combination(Arena *arena, const Options *opt)
{
    if (!check_tune(opt))
        return false;
    if (opt->planner.fp_strict && opt->planner.math == MATH_FAST)
        return option_wrong("--fp=strict calls the C library's functions: --math=fast%s does not go with it", "",
                            "leave one of the two away");
    if (opt->planner.fp_strict && opt->planner.winograd)
        return option_wrong("--fp=strict keeps the order of every sum: --allow-winograd%s does not go with it", "",
                            "leave one of the two away");
    bool other_text = opt->emit.is_given && opt->emit.what != EMIT_IR;
    const char *kernels = kernel_option(&opt->planner.kernels);
    const char *spec_only = opt->planner.target                                 ? "--target"
                            : opt->planner.arch                                 ? "--arch"
                            : other_text                                        ? "--emit"
                            : opt->emit.engine_shared                           ? "--engine"
                            : opt->planner.sets                                 ? "--sets"
                            : *opt->emit.prefix                                 ? "--prefix"
                            : opt->emit.license_header                          ? "--license-header"
                            : kernels                                           ? kernels
                            : opt->planner.profiles.count                       ? "--profile"
                            : opt->planner.has_fp                               ? "--fp"
                            : opt->planner.math != MATH_UNSAID                  ? "--math"
                            : opt->planner.fuse_off                             ? "--fuse"
                            : opt->emit.constants.count && !opt->source.extract ? "--constant"
                            : opt->planner.stack != STACK_DEFAULT               ? "--stack"
                            : opt->emit.trace                                   ? "--trace"
                            : opt->planner.tf32 == TF32_ONCE                    ? "--allow-tf32"
                            : opt->planner.tf32                                 ? "--allow-3xtf32"
                            : opt->planner.winograd                             ? "--allow-winograd"
                            : opt->explain.values                               ? "--explain"
                            : opt->look.remarks && opt->source.extract          ? "--remarks"
                            : opt->emit.templates                               ? "--templates"
                                                                                : NULL;
    if (source_mode(opt) && spec_only)
        return option_wrong(opt->source.extract
                                ? "--extract writes a spec and makes no kernels: %s does not go with it"
                                : "--keep-loops rewrites a file in its own language and makes no kernels: %s does not go with it",
                            spec_only, "leave one of the two away");
    const char *keep_only = opt->source.hints.count             ? "--hint"
                            : opt->source.system_includes.count ? "-isystem"
                            : opt->source.sysroot               ? "--sysroot"
                            : opt->source.database              ? "-p"
                                                                : NULL;
    if (!source_mode(opt) && keep_only)
        return option_wrong(opt->source.hints.count ? "%s goes with --keep-loops only" : "%s goes with --keep-loops and --extract only",
                            keep_only,
                            opt->source.hints.count ? "write #pragma mikgen hint(name, lo, hi) into the spec"
                            : opt->source.database  ? "no build compiles a spec: write -D and -I"
                                                    : "-I names folders of a spec's own files");
    if (!check_wrapping(opt) || !check_definitions(arena, opt))
        return false;
    if (!check_extract(opt) || !check_report(opt) || !check_engine(opt) || !check_bindings(opt) || !check_outputs(opt))
        return false;
    const bool of_loops = opt->source.keep_loops && opt->look.explain_licm;
    if (opt->explain.has_format && !opt->explain.values && !of_loops)
        return option_wrong("--format%s says what --explain prints", "", "add --explain with a value for each integer parameter");
    if (of_loops && opt->explain.format == FORMAT_SVG)
        return option_wrong("--explain-licm%s draws no picture", "", "write --format=text or --format=json");
    if (of_loops && opt->in.nspecs > 1 && opt->out.depfile)
        return option_wrong("--explain-licm%s of several files depends on all they include: --depfile does not go with it", "",
                            "leave one of the two away");
    if (opt->calls.threads && !asks_plans(opt) && !opt->tuning.is_wanted)
        return option_wrong("--threads%s goes with --explain, --report and mikgen tune only", "",
                            "calls have threads in their options: NAME_with");
    if (opt->look.explain_licm && (opt->look.dump_after || opt->explain.values || opt->emit.is_given))
        return option_wrong("--explain-licm prints no code: %s does not go with it",
                            opt->look.dump_after  ? "--dump-after"
                            : opt->explain.values ? "--explain"
                                                  : "--emit",
                            "leave one of the two away");
    return check_pass(arena, opt);
}

/* How many files there may be. */
static bool check_specs(Arena *arena, const Options *opt)
{
    if (opt->wrapping.wraps && opt->source.database && opt->in.nspecs != 1)
        return option_wrong("mikgen cc -p %s compiles one file", opt->source.database, "write: mikgen cc -p BUILD FILE.c");
    if (opt->wrapping.wraps)
        return true;
    if (opt->source.database && opt->source.sysroot)
        return option_wrong("--sysroot=%s: -p takes this from the file's command", opt->source.sysroot, "leave one of the two away");
    const bool one = (source_mode(opt) && !(opt->source.keep_loops && opt->look.explain_licm)) || opt->emit.what == EMIT_REFERENCE;
    int from_input = 0;
    for (int i = 0; i < opt->in.nspecs; i++)
        from_input += strcmp(opt->in.specs[i], "-") == 0;
    if (opt->emit.what == EMIT_TRACE_WRITER && opt->in.nspecs)
        return option_wrong("--emit=trace is about no operator: '%s' does not go with it", opt->in.specs[0],
                            "write: mikgen --emit=trace -o mikgen_trace.h");
    if (opt->in.nspecs == 0 && !(opt->emit.what == EMIT_ENGINE && opt->emit.families) && opt->emit.what != EMIT_TRACE_WRITER)
        return option_wrong("no %s given", source_mode(opt) ? "file" : "spec",
                            opt->tuning.is_wanted ? "write: mikgen tune --target=c|cuda [options] SPEC... -o FILE"
                                                  : "write: mikgen [options] SPEC (mikgen --help tells more)");
    if (opt->in.nspecs > 1 && one)
        return option_wrong(source_mode(opt) ? "one file at a time: '%s' is a second one" : "one spec at a time: '%s' is a second one",
                            opt->in.specs[1], "call mikgen for each");
    if (from_input > 1)
        return option_wrong("standard input is read once%s", "", "give one -, and files");
    if (from_input && opt->source.database)
        return option_wrong("-p %s finds a file's command, and standard input is no file", opt->source.database, "name the file");
    if (from_input && opt->out.folder)
        return option_wrong("--output-dir names files after specs, and standard input has no name%s", "", "name a file, or write -o FILE");
    for (int i = 0; opt->out.folder && i < opt->in.nspecs; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(output_stem(arena, opt->in.specs[i]), output_stem(arena, opt->in.specs[j])) == 0)
                return option_wrong("--output-dir: '%s' and a spec in front of it would be one file", opt->in.specs[i],
                                    "give them names that differ");
    return true;
}

bool options_agree(Arena *arena, const Options *opt) { return check_specs(arena, opt) && check_combination(arena, opt); }
