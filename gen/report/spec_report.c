/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects what the page says; templates/report/page.html.j2 says how. */
#include "gen/report/spec_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/driver/file.h"
#include "gen/driver/program.h"
#include "gen/driver/run_files.h"
#include "gen/picture/picture.h"
#include "gen/report/report_device.h"
#include "gen/report/report_kernels.h"
#include "gen/report/report_nests.h"
#include "gen/report/report_passes.h"
#include "gen/report/report_shapes.h"

/* The model of emitted files; NULL after a message. */
static json_t *model_of(Ir *ir, const Options *opt, const Program *program)
{
    Options plan = *opt;
    Text text;
    text_init(&text, ir->arena);
    plan.emit.what = EMIT_PLAN;
    plan.look.dump_after = NULL;
    return program_emit(ir, &plan, program, &text) ? json_loads(text.data, 0, NULL) : NULL;
}

/* "functions" of the operators, side by side before and after passes. False after a message. */
static bool add_functions(const SpecReport *r, json_t *operators)
{
    static const char *const passes[] = {"linearize", "normalize", "licm"};
    json_t *models[3] = {NULL};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        Ir *ir;
        Program program;
        ok = r->after(r, passes[i], &ir, &program) && (models[i] = model_of(ir, r->opt, &program));
    }
    size_t i;
    json_t *op;
    if (ok)
        json_array_foreach(operators, i, op)
        {
            const json_t *of[3];
            for (int m = 0; m < 3; m++)
                of[m] = json_array_get(json_object_get(models[m], "ops"), i);
            json_object_set_new(op, "functions", report_functions(r->ir->arena, of[0], of[1], of[2]));
        }
    for (int m = 0; m < 3; m++)
        json_decref(models[m]);
    return ok;
}

/* "calls" of each operator: those that are not refused, with pictures. */
static void add_calls(Arena *arena, json_t *operators, const json_t *calls, const CallRequest *requests)
{
    size_t i;
    const json_t *call;
    json_t *op;
    json_array_foreach(operators, i, op) json_object_set_new(op, "calls", json_array());
    json_array_foreach(calls, i, call)
    {
        json_t *one;
        if (json_integer_value(json_object_get(call, "status")) != 0)
            continue;
        one = json_pack("[O]", (json_t *)call);
        json_array_append_new(json_object_get(json_array_get(operators, (size_t)requests[i].op), "calls"),
                              json_pack("{s:s, s:s, s:s}", "title", call_title(arena, call), "text",
                                        json_string_value(json_object_get(call, "text")), "picture", picture_svg(arena, one)));
        json_decref(one);
    }
}

/* All that the page says; NULL after a message. */
static json_t *page_of(const SpecReport *r)
{
    Arena *arena = r->ir->arena;
    json_t *operators = json_array(), *calls = NULL, *model = NULL, *page = NULL;
    int n = 0;
    CallRequest *requests = report_shapes(r->ir, r->opt, r->specs, r->program, &n);
    for (int i = 0; i < r->program->noperators; i++)
        json_array_append_new(operators, report_operator(r->ir, r->program->operators[i].plan, r->program->cuda));
    if (requests && (calls = calls_ask(r->ir, r->opt, r->program, requests, n, "--report")) && add_functions(r, operators) &&
        (model = model_of(r->ir, r->opt, r->program))) {
        const bool cuda = r->program->cuda;
        json_t *kernels = cuda ? report_device_kernels(arena, model, calls) : report_kernels(arena, model);
        json_t *rooflines = (cuda ? report_device_rooflines : report_rooflines)(arena, kernels, calls);
        add_calls(arena, operators, calls, requests);
        page = json_pack("{s:s, s:s, s:s, s:o, s:O, s:s, s:o, s:O, s:s, s:b}", "version", MIKGEN_VERSION, "spec",
                         spec_names(arena, &r->opt->in), "command", r->opt->emit.command, "sources",
                         report_sources(r->ir, &r->opt->in, r->specs, r->program), "operators", operators, "licm", r->licm_notes,
                         "rooflines", rooflines, "kernels", kernels, "origin", report_origin(arena, &r->opt->planner, cuda), "cuda", cuda);
        json_decref(kernels);
    }
    json_decref(operators);
    json_decref(calls);
    json_decref(model);
    return page;
}

/* The folder is there, or made. */
static bool make_folder(const char *path, bool *made)
{
    *made = mkdir(path, 0777) == 0;
    if (*made || errno == EEXIST)
        return true;
    fprintf(stderr, "%s: error: %s\nhelp: --report names a folder, which is made in one that is there\n", path, strerror(errno));
    return false;
}

bool spec_report_write(const SpecReport *r)
{
    Arena *arena = r->ir->arena;
    const char *folder = r->opt->out.report;
    Text text;
    bool made;
    json_t *page = page_of(r);
    if (!page)
        return false;
    text_init(&text, arena);
    const bool ok = program_render_model(arena, r->opt, "report/page.html.j2", page, &text);
    const char *file = arena_printf(arena, "%s/index.html", folder);
    json_decref(page);
    if (!ok || !run_files_differ(arena, r->opt, r->specs->included, &(RunOutput){"--report", file}, 1) || !make_folder(folder, &made))
        return false;
    if (file_write(arena, file, text.data, text.size))
        return true;
    if (made)
        rmdir(folder);
    return false;
}
