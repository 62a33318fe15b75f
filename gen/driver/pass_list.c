/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table as text. */
#include "gen/driver/pass_list.h"

static const struct ListedRow {
    const char *name, *what;
    RowKind kind;
    unsigned when;
} rows[] =
    {
#define PASS(name, when, then, code, what) {#name, what, ROW_PASS, when},
#define GROUP(name, what)                  {#name, what, ROW_GROUP, ALWAYS},
#define STEP(name, when, then, code, what) {#name, what, ROW_STEP, when},
#define PLAN_STEP(name, code, what)        {#name, what, ROW_INNER, ALWAYS},
#define NEST_STEP(name, code, what)        {#name, what, ROW_INNER, ON_C},
#define GRID_STEP(name, code, what)        {#name, what, ROW_INNER, ON_CUDA},
#define DEVICE_STEP(name, code, what)      {#name, what, ROW_INNER, ON_CUDA},
#define FORM_STEP(name, code, what)        {#name, what, ROW_INNER, ON_C},
#include "plan/passes.def"
},
  keep_rows[] = {
#define KEEP_PASS(name, when, code, what) {#name, what, ROW_PASS, when},
#include "plan/passes.def"
};
enum { ROWS = sizeof rows / sizeof *rows, KEEP_ROWS = sizeof keep_rows / sizeof *keep_rows };

const char *const *pass_names(Arena *arena, bool keep_loops)
{
    Vec names = {0};
    vec_push(arena, &names, (void *)"list");
    for (int i = 0; i < (keep_loops ? KEEP_ROWS : ROWS); i++)
        vec_push(arena, &names, (void *)(keep_loops ? keep_rows : rows)[i].name);
    vec_push(arena, &names, NULL);
    return (const char *const *)names.items;
}

const char *pass_list(Arena *arena, bool keep_loops)
{
    Text out;
    text_init(&out, arena);
    for (int i = 0; i < (keep_loops ? KEEP_ROWS : ROWS); i++) {
        const struct ListedRow *row = &(keep_loops ? keep_rows : rows)[i];
        const int indent = row->kind == ROW_INNER ? 4 : row->kind == ROW_STEP ? 2 : 0;
        text_printf(&out, "%*s%-*s  %-5s %s\n", indent, "", 30 - indent, row->name,
                    row->when & ON_C      ? "C"
                    : row->when & ON_CUDA ? "CUDA"
                                          : "",
                    row->what);
    }
    return out.data;
}
