/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the passes' result to text: a template rendered with the model of the whole program. */
#ifndef MIKGEN_GEN_DRIVER_PROGRAM_H
#define MIKGEN_GEN_DRIVER_PROGRAM_H

#include <jansson.h>

#include "gen/driver/run_outputs.h"
#include "gen/driver/pipeline.h"

enum { DONE = 0, USER_FAULT = 1 }; /* exit statuses; an internal error exits with 2 at once */

/* The last part of a path; "stdin.spec" for "-". */
const char *base_name(const char *path);

/* The specs' names without folders, blanks between them. Arena-owned. */
const char *spec_names(Arena *arena, const InputOptions *in);

/* Renders any model by a template of this run's into `out`. False after a message: the user's fault. */
bool program_render_model(Arena *arena, const Options *opt, const char *template, const json_t *model, Text *out);

/* `template` with the model of the program. False after a message: the user's fault. */
bool program_render(Ir *ir, const Options *opt, const Program *program, const char *template, Text *out);

/* The same, the model having `value`, which stays the caller's, besides, called `name`. */
bool program_render_with(Ir *ir, const Options *opt, const Program *program, const char *template, const char *name, json_t *value,
                         Text *out);

/* Can a module for another language be made of the program? False after a located message. */
bool program_can_bind(Ir *ir, const EmitOptions *emit, const Program *program);

/* The text that --emit asks for. False after a message: the user's fault. */
bool program_emit(Ir *ir, const Options *opt, const Program *program, Text *out);

/* The header that --emit=trace writes, which is about no operator. False after a message: the user's fault. */
bool program_trace_writer(Ir *ir, const Options *opt, Text *out);

/* Adds mikgen_engine.c and mikgen_engine.h, with these families, by Family, for the folder opt->out.file. False after a message. */
bool program_engine(Ir *ir, const Options *opt, const bool *families, Outputs *outputs);

#endif
