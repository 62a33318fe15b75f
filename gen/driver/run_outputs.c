/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects texts and their rules; writes them in their order. */
#include "gen/driver/run_outputs.h"

#include <string.h>

#include "gen/driver/file.h"
#include "gen/driver/run_files.h"

void outputs_init(Outputs *outputs, Arena *arena)
{
    memset(outputs, 0, sizeof *outputs);
    outputs->arena = arena;
    text_init(&outputs->rules, arena);
}

void outputs_add(Outputs *outputs, const char *path, const Text *text)
{
    Output *output = arena_new_array(outputs->arena, Output, 1);
    output->path = path;
    output->text = *text;
    vec_push(outputs->arena, &outputs->texts, output);
}

/* As gcc -M does: a blank and # behind a backslash, as many backslashes in front of them twice, and $ twice. */
static void put_name(Text *rules, const char *name)
{
    for (const char *p = name; *p; p++) {
        if (*p == ' ' || *p == '\t' || *p == '#') {
            for (const char *q = p; *p != '#' && q > name && q[-1] == '\\'; q--)
                text_putc(rules, '\\');
            text_putc(rules, '\\');
        } else if (*p == '$')
            text_putc(rules, '$');
        text_putc(rules, *p);
    }
}

static bool is_among(const Vec *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

void outputs_rule(Outputs *outputs, int first, const Vec *names)
{
    Text *rules = &outputs->rules;
    for (int i = first; i < outputs->texts.count; i++) {
        const Output *output = outputs->texts.items[i];
        if (i > first)
            text_putc(rules, ' ');
        put_name(rules, output->path);
    }
    text_putc(rules, ':');
    for (int i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        if (strcmp(name, "-") == 0 || is_among(names, i, name))
            continue;
        text_puts(rules, " \\\n  ");
        put_name(rules, name);
    }
    text_putc(rules, '\n');
}

/* Whether nothing is lost when all of it is written. */
static bool may_be_written(const Outputs *outputs, const Options *opt)
{
    const int n = outputs->texts.count;
    RunOutput *files = arena_new_array(outputs->arena, RunOutput, n + 1);
    for (int i = 0; i < n; i++)
        files[i] = (RunOutput){opt->out.folder ? "--output-dir" : "-o", ((const Output *)outputs->texts.items[i])->path};
    files[n] = (RunOutput){"--depfile", opt->out.depfile};
    return run_files_differ(outputs->arena, opt, &outputs->inputs, files, n + (opt->out.depfile != NULL));
}

bool outputs_write(const Outputs *outputs, const Options *opt)
{
    const char *depfile = opt->out.depfile;
    if (!may_be_written(outputs, opt))
        return false;
    if (depfile && !file_write(outputs->arena, depfile, outputs->rules.data, outputs->rules.size))
        return false;
    for (int i = 0; i < outputs->texts.count; i++) {
        const Output *output = outputs->texts.items[i];
        if (!file_write(outputs->arena, output->path, output->text.data, output->text.size))
            return false;
    }
    return true;
}
