/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the dispatcher: gen/picture/calls.h. */
#include "gen/explain.h"

#include <stdlib.h>
#include <string.h>

#include "gen/picture/calls.h"
#include "gen/picture/picture.h"
#include "ir/number.h"

static bool complain(const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: --explain: %s\nhelp: %s\n", what, help);
    return false;
}

/* Number of values in "M,N,K". */
static int count_values(const char *list)
{
    int n = *list != '\0';
    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* The next value of the list for `p`, whose type it must fit. False after a message. */
static bool next_value(Arena *arena, const char **list, const Func *f, const Sym *p, int64_t *value)
{
    const size_t len = strcspn(*list, ",");
    const int64_t least = type_min(p->type), most = type_max(p->type);
    if (!number_within(*list, len, least, most, value))
        return complain(arena_printf(arena, "%s of %s takes %s", p->name, f->name, number_expected(arena, *list, len, least, most)),
                        "give one value for each integer parameter, for example --explain=1024,1024,1024");
    *list += len + ((*list)[len] == ',');
    return true;
}

/* The values of --explain for an operator that has as many integer parameters; NULL after a message. */
static const int64_t *read_values(Arena *arena, const char *list, const Func *f)
{
    int64_t *values = arena_new_array(arena, int64_t, f->nparams + 1);
    for (int i = 0, n = 0; i < f->nparams; i++)
        if (is_int_param(f->params[i]) && !next_value(arena, &list, f, f->params[i], &values[n++]))
            return NULL;
    return values;
}

/* The names of the operator's integer parameters from number `from` on, in their order. */
static const char *names_of_ints(Arena *arena, const Func *f, int from)
{
    const char *names = "";
    for (int i = 0, n = 0; i < f->nparams; i++)
        if (is_int_param(f->params[i]) && n++ >= from)
            names = arena_printf(arena, "%s%s%s", names, *names ? "," : "", f->params[i]->name);
    return names;
}

/* No operator takes so many values: which take which. */
static void complain_of_count(Arena *arena, const Program *program, int values)
{
    const char *takers = "", *help = "";
    for (int i = 0; i < program->noperators; i++) {
        const Func *f = program->operators[i].plan->func;
        const int ints = count_ints(f);
        const char *names = names_of_ints(arena, f, 0);
        takers = arena_printf(arena, "%s%s%s takes %d", takers, i ? "; " : "", f->name, ints);
        if (ints)
            takers = arena_printf(arena, "%s: %s", takers, names);
        if (values < ints)
            takers = arena_printf(arena, "%s (without a value: %s)", takers, names_of_ints(arena, f, values));
        help = arena_printf(arena, "%s%s--explain=%s", help, i ? " or " : "", ints ? names : "''");
    }
    complain(arena_printf(arena, "no operator of the spec has that many integer parameters: %d value%s given, and %s", values,
                          values == 1 ? " is" : "s are", takers),
             arena_printf(arena, "write a value for each integer parameter, in their order: %s", help));
}

/* A request for each operator that has so many integer parameters; how many there are, -1 after a message. */
static int read_requests(Arena *arena, const Options *opt, const Program *program, CallRequest *requests)
{
    const int values = count_values(opt->explain.values);
    int n = 0;
    for (int i = 0; i < program->noperators; i++) {
        const Func *f = program->operators[i].plan->func;
        if (count_ints(f) != values)
            continue;
        requests[n] = (CallRequest){i, opt->calls.threads ? opt->calls.threads : 1, read_values(arena, opt->explain.values, f)};
        if (!requests[n++].values)
            return -1;
    }
    if (n == 0)
        complain_of_count(arena, program, values);
    return n ? n : -1;
}

/* ---------------------------------------------------------------- answers */

static void put_json(const json_t *calls, const Options *opt, Arena *arena, Text *out)
{
    json_t *all = json_pack("{s:s, s:s, s:O}", "mikgen", MIKGEN_VERSION, "spec", spec_names(arena, &opt->in), "calls", (json_t *)calls);
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(9));
    text_puts(out, text);
    text_putc(out, '\n');
    free(text);
    json_decref(all);
}

static bool explain(Ir *ir, const Options *opt, const Program *program, const CallRequest *requests, int n, Text *out)
{
    json_t *calls = calls_ask(ir, opt, program, requests, n, "--explain");
    size_t i;
    const json_t *call;
    if (!calls)
        return false;
    switch (opt->explain.format) {
    case FORMAT_TEXT: json_array_foreach(calls, i, call) text_puts(out, json_string_value(json_object_get(call, "text"))); break;
    case FORMAT_JSON: put_json(calls, opt, ir->arena, out); break;
    case FORMAT_SVG: text_puts(out, picture_svg(ir->arena, calls)); break;
    }
    json_decref(calls);
    return true;
}

/* What is about C files alone, or NULL. */
static const char *c_only(const Options *opt) { return opt->calls.threads ? "--threads" : opt->calls.isa ? "--isa" : NULL; }

bool explain_run(Ir *ir, const Options *opt, const Program *program, Text *out)
{
    CallRequest *requests = arena_new_array(ir->arena, CallRequest, program->noperators);
    if (program->cuda && c_only(opt))
        return complain(arena_printf(ir->arena, "%s is about C files, and this one is CUDA", c_only(opt)),
                        arena_printf(ir->arena, "add --target=c, or leave %s away", c_only(opt)));
    if (opt->emit.what != EMIT_SOURCE || opt->look.dump_after)
        return complain("it goes with --emit=source only", "leave --emit and --dump-after away");
    const int n = read_requests(ir->arena, opt, program, requests);
    return n >= 0 && explain(ir, opt, program, requests, n, out);
}
