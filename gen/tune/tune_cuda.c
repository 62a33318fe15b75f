/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/tune_cuda.h"

#include "gen/driver/nest_shapes.h"
#include "gen/tune/nvcc.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_complete.h"
#include "gen/tune/tune_file.h"
#include "gen/tune/tune_grids.h"
#include "gen/tune/tune_products.h"

/* What is measured. */
typedef struct Parts {
    bool products, grids;
} Parts;

static bool any_has_grids(const InputOptions *in, const TuneSpec *specs)
{
    bool found = false;
    for (int i = 0; i < in->nspecs; i++)
        found = found || tune_has_grids(&specs[i].program);
    return found;
}

/* False after a message. */
static bool find_parts(Ir *ir, const Options *opt, const TuneSpec *specs, const Program *program, Parts *parts)
{
    *parts = (Parts){tune_has_products(program), any_has_grids(&opt->in, specs)};
    if (!parts->products && !parts->grids) {
        diag_error(ir->diag, (Loc){0, 0}, "take a spec with a sum of products, or with loops whose iterations are independent",
                   "nothing about it can be chosen, and nothing measured");
        return false;
    }
    if (opt->tuning.program) {
        const int forms = tune_grids_in(ir->arena, &opt->tuning);
        if (forms > 0 && opt->in.nspecs > 1) {
            tune_complain("--program measures the loops of one spec", "name that one alone, or leave --program away");
            return false;
        }
        const bool fits = forms > 0 ? parts->grids : parts->products;
        *parts = (Parts){fits && forms == 0, fits && forms > 0};
        if (forms >= 0 && !fits)
            tune_complain(arena_printf(ir->arena, "--program=%s measures %s, and the spec has none", opt->tuning.program,
                                       forms ? "loops" : "kernels of GEMMs"),
                          "compile a program for this spec, or leave --program away");
        return forms >= 0 && fits;
    }
    parts->products = parts->products && opt->tuning.shard == 1;
    return true;
}

static int measure(Ir *ir, const Options *opt, const TuneSpec *specs, const Program *program, const Parts *parts, TuneReport *report)
{
    Nvcc nvcc;
    Profile *profile = tune_begin(ir->arena, opt);
    if (!profile)
        return USER_FAULT;
    if (tune_is_complete(ir->arena, opt, specs, profile))
        return DONE;
    if (!tune_report_begin(ir->arena, opt, report) || !nvcc_begin(ir->arena, opt, &nvcc))
        return USER_FAULT;
    const char *before = profile_print(ir->arena, profile);
    int status = parts->products ? tune_products_run(ir, opt, program, &nvcc, profile, &report->is_short) : DONE;
    if (status == DONE && parts->grids)
        status = tune_grids_run(ir, opt, specs, &nvcc, profile, report);
    nvcc_end(&nvcc);
    if (status == DONE) {
        tune_report_end(report, opt, before, profile);
        if (!report->is_short && !opt->tuning.program)
            tune_mark_complete(ir->arena, opt, specs, profile);
    }
    return status == DONE ? tune_finish(ir->arena, opt, profile) : status;
}

int tune_cuda_run(Ir *ir, const Options *given, TuneSpec *specs, const Program *program)
{
    Options opt = *given;
    Parts parts;
    TuneReport report;
    opt.tuning.device = opt.tuning.device < 0 ? 0 : opt.tuning.device;
    if (!find_parts(ir, &opt, specs, program, &parts) || !nest_shapes(ir, specs, opt.in.nspecs, opt.calls.shapes))
        return USER_FAULT;
    return measure(ir, &opt, specs, program, &parts, &report);
}
