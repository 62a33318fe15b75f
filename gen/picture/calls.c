/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes requests, has them answered by a program of its own, reads the answers. */
#include "gen/picture/calls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/driver/file.h"
#include "gen/picture/known.h"
#include "gen/picture/known_cuda.h"
#include "plan/targets.h"

static json_t *complain(const char *option, const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: %s: %s\nhelp: %s\n", option, what, help);
    return NULL;
}

bool is_int_param(const Sym *p) { return !p->rank && type_is_integer(p->type); }

int count_ints(const Func *f)
{
    int n = 0;
    for (int i = 0; i < f->nparams; i++)
        n += is_int_param(f->params[i]);
    return n;
}

/* The number of an instruction set in options.isa; 0 for NULL. */
static int isa_number(const char *name) { return name ? isa_info[isa_named(name)].number : 0; }

/* ---------------------------------------------------------------- questions */

static const char *requests_text(Arena *arena, const CallOptions *calls, const Program *program, const CallRequest *requests, int n)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < n; i++) {
        const CallRequest *r = requests + i;
        text_printf(&t, "%d %d %d", r->op, isa_number(calls->isa), r->threads);
        for (int v = 0; v < count_ints(program->operators[r->op].plan->func); v++)
            text_printf(&t, " %" PRId64, r->values[v]);
        text_putc(&t, '\n');
    }
    return t.data;
}

static bool run(char *const argv[], const char *option, const char *help)
{
    const char *wrong = child_run(argv, NULL);
    if (wrong)
        complain(option, wrong, help);
    return !wrong;
}

/* The compiler that an environment variable names, or else `usual`. */
static char *compiler(const char *variable, const char *usual)
{
    const char *named = getenv(variable);
    return (char *)(named && *named ? named : usual);
}

/* Kernels are not made for any GPU: none runs. */
static bool compile(Arena *arena, const Program *of, char *file, char *program, const char *option)
{
    char *c[] = {compiler("CC", "cc"), (char *)"-O0", (char *)"-w", file, (char *)"-o", program, (char *)"-lm", NULL};
    char *cuda[] = {compiler("NVCC", "nvcc"),
                    (char *)"-O0",
                    (char *)"-w",
                    of->cuda ? arena_printf(arena, "-arch=compute_%s", of->arch + 3) : NULL,
                    file,
                    (char *)"-o",
                    program,
                    (char *)"-lm",
                    NULL};
    return of->cuda ? run(cuda, option, "NVCC names the CUDA compiler") : run(c, option, "CC names the C compiler");
}

/* What the program made of `source` answers, or NULL after a message; files go to `folder`. */
static char *answers_text(Arena *arena, const Program *of, const Text *source, const char *requests, const char *folder, const char *option)
{
    char *file = arena_printf(arena, "%s/explain.%s", folder, of->cuda ? "cu" : "c"), *program = arena_printf(arena, "%s/explain", folder);
    char *asked = arena_printf(arena, "%s/requests", folder), *answered = arena_printf(arena, "%s/answers", folder);
    char *execute[] = {program, asked, answered, NULL};
    char *answers = NULL;
    struct stat st;
    size_t len;
    if (file_write(arena, file, source->data, source->size) && file_write(arena, asked, requests, strlen(requests)) &&
        compile(arena, of, file, program, option) && run(execute, option, "call the emitted NAME_explain from your own program instead"))
        answers = file_read(arena, answered, stat(answered, &st) == 0 ? (size_t)st.st_size : 0, &len);
    char *const files[] = {file, program, asked, answered};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir(folder);
    return answers;
}

/* ---------------------------------------------------------------- answers */

static json_t *extents_of(const Func *f, const int64_t *values)
{
    json_t *extents = json_object();
    for (int i = 0, v = 0; i < f->nparams; i++)
        if (is_int_param(f->params[i]))
            json_object_set_new(extents, f->params[i]->name, json_integer(values[v++]));
    return extents;
}

/* The line's call with what is known of it. */
static json_t *call_of(Ir *ir, const CallOptions *calls, const Program *program, const CallRequest *r, const char *line)
{
    const Plan *plan = program->operators[r->op].plan;
    json_t *call = json_loads(line, 0, NULL);
    if (!call)
        internal_error("no JSON comes from the explanation: %.200s", line);
    json_object_set_new(call, "extents", extents_of(plan->func, r->values));
    json_object_set_new(call, "threads", json_integer(r->threads));
    json_object_set_new(call, "target", json_string(program->cuda ? "cuda" : "c"));
    json_object_set_new(call, "set", program->cuda ? json_null() : json_string(calls->isa ? calls->isa : "best"));
    if (json_integer_value(json_object_get(call, "status")) == 0)
        (program->cuda ? known_add_cuda : known_add)(ir, plan, call);
    return call;
}

static json_t *calls_of(Ir *ir, const Options *opt, const Program *program, const CallRequest *requests, int n, char *answers)
{
    json_t *calls = json_array();
    for (int i = 0; i < n; i++) {
        char *end = strchr(answers, '\n');
        if (!end)
            internal_error("%d of %d requests are answered", i, n);
        *end = '\0';
        json_array_append_new(calls, call_of(ir, &opt->calls, program, requests + i, answers));
        answers = end + 1;
    }
    return calls;
}

json_t *calls_ask(Ir *ir, const Options *opt, const Program *program, const CallRequest *requests, int n, const char *option)
{
    Options source = *opt;
    Text text;
    text_init(&text, ir->arena);
    source.emit.what = EMIT_SOURCE;
    source.emit.engine_shared = false;
    source.emit.trace = false;
    json_t *explain = json_pack("{s:o, s:b}", "unknown", known_unknown(ir->arena, program), "any_processor", opt->calls.isa != NULL);
    const bool ok = program_render_with(ir, &source, program, program->cuda ? "explain.cu.j2" : "explain.c.j2", "explain", explain, &text);
    json_decref(explain);
    char *folder = ok ? child_folder(ir->arena) : NULL;
    if (!folder)
        return ok ? complain(option, strerror(errno), "TMPDIR names a folder for temporary files") : NULL;
    char *answers = answers_text(ir->arena, program, &text, requests_text(ir->arena, &opt->calls, program, requests, n), folder, option);
    return answers ? calls_of(ir, opt, program, requests, n, answers) : NULL;
}
