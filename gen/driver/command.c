/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options one by one, as far as they differ from their defaults. */
#include "gen/driver/command.h"

#include <string.h>

#include "gen/driver/command_words.h"
#include "plan/stack.h"

/* The options of normalize and licm that are not what they are by default. */
static void put_licm_options(Text *t, const LicmOptions *licm)
{
    static const char *const modes[] = {[LICM_OFF] = "off", [LICM_HALIDE] = "halide", [LICM_FULL] = "full"};
    static const char *const smalls[] = {[SMALL_REFINED] = "refined", [SMALL_PAPER] = "paper", [SMALL_CONDITIONS] = "conditions"};
    static const char *const overflows[] = {
        [OVERFLOW_WRAP] = "wrap", [OVERFLOW_KEEP] = "keep", [OVERFLOW_ASSUME] = "assume", [OVERFLOW_CONDITIONS] = "conditions"};
    static const char *const fps[] = {[FP_EXACT] = "exact", [FP_NONE] = "none", [FP_SPECULATIVE] = "speculative"};
    if (licm->mode != LICM_FULL)
        text_printf(t, " --licm=%s", modes[licm->mode]);
    if (licm->threshold != 1)
        text_printf(t, " --licm-threshold=%d", licm->threshold);
    if (licm->unroll_limit >= 0)
        text_printf(t, " --unroll-limit=%d", licm->unroll_limit);
    if (licm->small != SMALL_BY_TARGET)
        text_printf(t, " --licm-small=%s", smalls[licm->small]);
    if (licm->loads_proven)
        text_puts(t, " --licm-loads=proven");
    if (licm->fp != FP_BY_TARGET)
        text_printf(t, " --licm-fp=%s", fps[licm->fp]);
    if (licm->barrier_legal)
        text_puts(t, " --licm-barrier=legal");
    if (licm->overflow != OVERFLOW_BY_TARGET && licm->overflow != OVERFLOW_WRAP)
        text_printf(t, " --overflow=%s", overflows[licm->overflow]);
    if (licm->const_pos_low)
        text_puts(t, " --const-pos=low");
    if (licm->distribute)
        text_puts(t, " --distribute=1");
    if (licm->no_unswitch)
        text_puts(t, " --unswitch=0");
    if (licm->chains != CHAINS_BY_TARGET)
        text_printf(t, " --chains=%s", licm->chains == CHAINS_FLAT ? "flat" : "grouped");
}

/* An option, which may be "", and the name of a file or folder without the folders it is in, in quotes where these are wanted. */
static void put_file(Arena *arena, Text *t, const char *option, const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    path = arena_strndup(arena, path, len);
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path; /* / itself is a folder */
    /* Standard input, for which no folder is named, is -; a file whose name is an option's, a response file's or a command's is not. */
    const bool is_special = strchr("-@", *name) || strcmp(name, "tune") == 0 || strcmp(name, "cc") == 0, is_input = strcmp(path, "-") == 0;
    const char *folder = *name && *option == '\0' && is_special && !is_input ? "./" : "";
    text_printf(t, " %s", word_quoted(arena, arena_printf(arena, "%s%s%s", option, folder, name)));
}

const char *output_stem(Arena *arena, const char *spec)
{
    const char *slash = strrchr(spec, '/'), *name = slash ? slash + 1 : spec, *dot = strrchr(name, '.');
    return dot && dot != name ? arena_strndup(arena, name, (size_t)(dot - name)) : name;
}

const char *definition_words(Arena *arena, const InputOptions *in)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < in->definitions.count; i++)
        text_printf(&t, " %s", word_quoted(arena, in->definitions.items[i]));
    return t.data;
}

const char *canonical_command(Arena *arena, const Options *opt)
{
    /* Files with a banner; NULL: the source, which needs no word, and what has none. */
    static const char *const emits[EMIT_TRACE_WRITER + 1] = {
        [EMIT_ENGINE] = "engine", [EMIT_HEADER] = "header", [EMIT_PYTHON] = "python",     [EMIT_SELFCHECK] = "selfcheck",
        [EMIT_CPP] = "cpp",       [EMIT_RUST] = "rust",     [EMIT_TRACE_WRITER] = "trace"};
    Text t;
    text_init(&t, arena);
    text_puts(&t, "mikgen");
    if (opt->planner.target)
        text_printf(&t, " --target=%s", opt->planner.target);
    if (opt->planner.arch)
        text_printf(&t, " --arch=%s", opt->planner.arch);
    if (emits[opt->emit.what])
        text_printf(&t, " --emit=%s", emits[opt->emit.what]);
    if (opt->emit.engine_shared)
        text_puts(&t, " --engine=shared");
    if (opt->emit.families)
        text_printf(&t, " --families=%s", opt->emit.families);
    if (opt->planner.sets)
        text_printf(&t, " --sets=%s", opt->planner.sets);
    for (int i = 0; i < opt->in.includes.count; i++)
        put_file(arena, &t, "-I", opt->in.includes.items[i]);
    text_puts(&t, definition_words(arena, &opt->in));
    if (*opt->emit.prefix)
        text_printf(&t, " --prefix=%s", opt->emit.prefix);
    if (opt->emit.license_header)
        put_file(arena, &t, "--license-header=", opt->emit.license_header);
    if (opt->planner.kernels.n_mik != kernel_defaults.n_mik)
        text_printf(&t, " --max-kernels=%d", opt->planner.kernels.n_mik);
    if (opt->planner.kernels.n_gen != kernel_defaults.n_gen)
        text_printf(&t, " --n-gen=%d", opt->planner.kernels.n_gen);
    if (opt->planner.kernels.n_syn != kernel_defaults.n_syn)
        text_printf(&t, " --n-syn=%d", opt->planner.kernels.n_syn);
    for (int i = 0; i < opt->planner.profiles.count; i++)
        put_file(arena, &t, "--profile=", opt->planner.profiles.items[i]);
    if (opt->planner.stack != STACK_DEFAULT)
        text_printf(&t, " --stack=%d", opt->planner.stack);
    if (opt->planner.fp_strict)
        text_puts(&t, " --fp=strict");
    if (opt->planner.math != MATH_UNSAID)
        text_printf(&t, " --math=%s", math_form_name(opt->planner.math));
    if (opt->planner.fuse_off)
        text_puts(&t, " --fuse=off");
    if (opt->emit.trace)
        text_puts(&t, " --trace");
    for (int i = 0; i < opt->emit.constants.count; i++)
        text_printf(&t, " --constant=%s", (const char *)opt->emit.constants.items[i]);
    if (opt->planner.tf32)
        text_puts(&t, opt->planner.tf32 == TF32_ONCE ? " --allow-tf32" : " --allow-3xtf32");
    if (opt->planner.winograd)
        text_printf(&t, " --allow-winograd=%d", opt->planner.winograd);
    put_licm_options(&t, &opt->licm);
    for (int i = 0; i < opt->in.nspecs; i++)
        put_file(arena, &t, "", opt->in.specs[i]);
    return t.data;
}
