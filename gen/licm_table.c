/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the loops of each file before the passes and the notes of licm behind them; notes belong to the loop around their statement. */
#include "gen/licm_table.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/driver/compile_database.h"
#include "gen/driver/pipeline.h"
#include "gen/driver/system_headers.h"
#include "gen/explain_licm.h"
#include "gen/front/source.h"
#include "gen/generate.h"
#include "gen/keep.h"
#include "ir/walk.h"

/* One loop of one file. */
typedef struct Row {
    const char *file, *function;
    int line, depth;   /* depth: loops around it, itself included */
    int moved, stayed; /* expressions */
    int cost[16];      /* by reason: what it would save to lift it, see weight_of() */
    int count[16];
} Row;

typedef struct Table {
    Arena *arena;
    Vec rows;         /* Row * */
    Vec reasons;      /* const char *: the words of LicmNote.rule, in the order in which they are met */
    Vec read;         /* const char *: the files, and those they include */
    int files, wrong; /* read, and not compiling */
    Answers answers;  /* of compilers */
} Table;

/* A statement's place, and the loop around it. */
typedef struct Spot {
    uint32_t beg;
    Row *row;
} Spot;

/* Of one function's walk. */
typedef struct Walk {
    const Ir *ir;
    Table *table;
    const char *function;
    Vec *spots; /* Spot * */
    Row *open[64];
    int depth;
} Walk;

static bool enter(void *user, Node *n)
{
    Walk *w = user;
    if (is_expr(n))
        return false;
    if (is_loop(n) && w->depth < 63) {
        Row *row = arena_new_array(w->table->arena, Row, 1);
        int column;
        diag_line_column(w->ir->diag, n->loc, &row->line, &column);
        const char *file = diag_name(w->ir->diag, n->loc);
        row->file = arena_strndup(w->table->arena, file, strlen(file));
        row->function = w->function;
        row->depth = w->depth + 1;
        w->open[++w->depth] = row;
        vec_push(w->table->arena, &w->table->rows, row);
    }
    if (n->loc.beg && w->depth) {
        Spot *spot = arena_new_array(w->ir->arena, Spot, 1);
        *spot = (Spot){n->loc.beg, w->open[w->depth]};
        vec_push(w->ir->arena, w->spots, spot);
    }
    return true;
}

static void leave(void *user, Node *n)
{
    Walk *w = user;
    if (!is_expr(n) && is_loop(n) && w->depth)
        w->depth--;
}

static int by_place(const void *a, const void *b)
{
    const Spot *x = *(Spot *const *)a, *y = *(Spot *const *)b;
    return x->beg < y->beg ? -1 : x->beg > y->beg;
}

/* The loop around the statement that begins there, or last before; NULL: there is none. */
static Row *row_at(const Vec *spots, uint32_t beg)
{
    int low = 0, high = spots->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (((Spot *)spots->items[middle])->beg <= beg)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? ((Spot *)spots->items[low - 1])->row : NULL;
}

static int reason_index(Table *table, const char *rule)
{
    for (int i = 0; i < table->reasons.count; i++)
        if (strcmp(table->reasons.items[i], rule) == 0)
            return i;
    vec_push(table->arena, &table->reasons, (void *)rule);
    return table->reasons.count - 1;
}

/* What computing it in each iteration costs, times the loops around it that it could leave: one at least. */
static int weight_of(const LicmNote *note)
{
    const int cost = note->cost > 0 ? note->cost : 1;
    return cost * (note->from > 0 ? note->from : 1);
}

static void add_note(Table *table, const Vec *spots, const LicmNote *note)
{
    Row *row = row_at(spots, note->stmt && note->stmt->loc.beg ? note->stmt->loc.beg : note->e->loc.beg);
    if (!row)
        return;
    if (note->loop)
        row->moved++;
    else if (note->rule)
        row->stayed++;
    if (!note->rule || (note->loop && note->to <= 0))
        return;
    const int i = reason_index(table, note->rule);
    if (i < 16) {
        row->count[i]++;
        row->cost[i] += weight_of(note);
    }
}

/* One file. Whether it compiles is counted; messages are on stderr. */
static void add_file(Table *table, const Options *opt, const char *path)
{
    vec_push(table->arena, &table->read, (void *)arena_strndup(table->arena, path, strlen(path)));
    Arena *arena = arena_new();
    Options each = *opt;
    SpecText *text;
    Vec included = {0}, notes = {0}, spots = {0};
    each.in.specs = &path;
    each.in.nspecs = 1;
    each.in.spec = path;
    each.licm.notes = &notes;
    each.source.answers = &table->answers;
    Ir *ir = read_specs(arena, &each, &included, &text);
    const bool known = ir && (!opt->source.database || database_options(arena, source_is_cuda(text->name, text->text), &included, &each));
    Source *source = known ? keep_source(ir, &each, text) : NULL;
    table->files++;
    table->wrong += !source;
    for (int i = 0; source && i < source->functions.count; i++) {
        const KeptFunc *f = source->functions.items[i];
        Walk w = {.ir = ir, .table = table, .function = arena_strndup(table->arena, f->func->name, strlen(f->func->name)), .spots = &spots};
        walk(&(Walker){enter, leave, &w}, f->func->body);
    }
    if (spots.count)
        qsort(spots.items, (size_t)spots.count, sizeof(void *), by_place);
    if (source && pipeline_keep(ir, &each, source))
        for (int i = 0; i < notes.count; i++)
            add_note(table, &spots, notes.items[i]);
    for (int i = 0; i < included.count; i++)
        vec_push(table->arena, &table->read, (void *)arena_strndup(table->arena, included.items[i], strlen(included.items[i])));
    arena_free(arena);
}

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".cu") == 0);
}

static void add_path(Table *table, const Options *opt, const char *path)
{
    struct dirent **found;
    if (!is_folder(path)) {
        add_file(table, opt, path);
        return;
    }
    const int n = scandir(path, &found, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = found[i]->d_name, *below = arena_printf(table->arena, "%s/%s", path, name);
        struct stat s;
        const bool is_link = lstat(below, &s) == 0 && S_ISLNK(s.st_mode); /* a folder that leads back has no end */
        if (*name != '.' && (is_folder(below) ? !is_link : is_source(name)))
            add_path(table, opt, below);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

/* The reason of a row, or of all (NULL), that costs most; -1: none. */
static int greatest(const Table *table, const Row *row, const bool *done, int *cost, int *count)
{
    int best = -1;
    for (int i = 0; i < table->reasons.count && i < 16; i++) {
        int sum = row ? row->cost[i] : 0, number = row ? row->count[i] : 0;
        for (int j = 0; !row && j < table->rows.count; j++) {
            sum += ((Row *)table->rows.items[j])->cost[i];
            number += ((Row *)table->rows.items[j])->count[i];
        }
        if ((!done || !done[i]) && number && (best < 0 || sum > *cost)) {
            best = i;
            *cost = sum;
            *count = number;
        }
    }
    return best;
}

static void put_text(const Table *table, Text *out)
{
    bool done[16] = {false};
    int cost = 0, count = 0;
    text_printf(out, "%-40s %-24s %5s %5s %6s  %s\n", "loop", "function", "depth", "moved", "stayed", "what would change most");
    for (int i = 0; i < table->rows.count; i++) {
        const Row *row = table->rows.items[i];
        const int best = greatest(table, row, NULL, &cost, &count);
        text_printf(out, "%-40s %-24s %5d %5d %6d  ", arena_printf(table->arena, "%s:%d", row->file, row->line), row->function, row->depth,
                    row->moved, row->stayed);
        if (best >= 0)
            text_printf(out, "%s (%d expression%s)\n", (char *)table->reasons.items[best], count, count == 1 ? "" : "s");
        else
            text_puts(out, "-\n");
    }
    text_printf(out, "\n%d loop%s in %d file%s", table->rows.count, table->rows.count == 1 ? "" : "s", table->files,
                table->files == 1 ? "" : "s");
    text_printf(out, table->wrong ? "; %d of these do%s not compile with these options\n" : "\n", table->wrong,
                table->wrong == 1 ? "es" : "");
    for (int i; (i = greatest(table, NULL, done, &cost, &count)) >= 0; done[i] = true)
        text_printf(out, "%5d expression%s cost x depth %6d: %s (%s)\n", count, count == 1 ? ", " : "s,", cost,
                    licm_rule_meaning(table->reasons.items[i]), (char *)table->reasons.items[i]);
}

static void put_json(const Table *table, Text *out)
{
    json_t *loops = json_array(), *reasons = json_array();
    bool done[16] = {false};
    int cost = 0, count = 0;
    for (int i = 0; i < table->rows.count; i++) {
        const Row *row = table->rows.items[i];
        const int best = greatest(table, row, NULL, &cost, &count);
        json_array_append_new(loops, json_pack("{s:s, s:i, s:s, s:i, s:i, s:i, s:s?}", "file", row->file, "line", row->line, "function",
                                               row->function, "depth", row->depth, "moved", row->moved, "stayed", row->stayed, "reason",
                                               best >= 0 ? table->reasons.items[best] : NULL));
    }
    for (int i; (i = greatest(table, NULL, done, &cost, &count)) >= 0; done[i] = true)
        json_array_append_new(reasons, json_pack("{s:s, s:s, s:i, s:i}", "reason", table->reasons.items[i], "meaning",
                                                 licm_rule_meaning(table->reasons.items[i]), "expressions", count, "cost_x_depth", cost));
    json_t *all = json_pack("{s:s, s:i, s:i, s:o, s:o}", "mikgen", MIKGEN_VERSION, "files", table->files, "not_compiling", table->wrong,
                            "loops", loops, "reasons", reasons);
    char *text = json_dumps(all, JSON_INDENT(2));
    text_puts(out, text);
    text_putc(out, '\n');
    free(text);
    json_decref(all);
}

bool licm_table_wanted(const Options *opt)
{
    return opt->source.keep_loops && opt->look.explain_licm && (opt->in.nspecs > 1 || opt->explain.has_format || is_folder(opt->in.spec));
}

bool licm_table_run(const Options *opt, Outputs *outputs)
{
    Table table = {.arena = outputs->arena, .answers = {.arena = outputs->arena}};
    Text out;
    text_init(&out, outputs->arena);
    for (int i = 0; i < opt->in.nspecs; i++)
        add_path(&table, opt, opt->in.specs[i]);
    if (!table.files)
        fprintf(stderr, "mikgen: error: '%s' has no .c or .cu files\nhelp: name files, or a folder that has some\n", opt->in.spec);
    if (table.files == table.wrong)
        return false;
    if (opt->explain.format == FORMAT_JSON)
        put_json(&table, &out);
    else
        put_text(&table, &out);
    outputs->inputs = table.read;
    outputs_add(outputs, opt->out.file, &out);
    return true;
}
