/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds parts by their stems. Loops are shown as the spec has them; each takes what vectorize_nest() has made of it for the set at hand. */
#include "gen/picture/known.h"

#include <string.h>

#include "gen/picture/known_loops.h"
#include "ir/walk.h"
#include "plan/vectors/class_forms.h"
#include "plan/vectors/loop_table.h"

/* ---------------------------------------------------------------- what depends on memory */

static bool knows(Node *n) { return !n || !reads_array(n, NULL); }

/* Scalars that the operator's body computes are unknown as well. */
static bool knows_nest(const HostNest *nest)
{
    bool all = nest->ncaptured == 0 && knows(nest->costs.work) && knows(nest->costs.stored) && knows(nest->vectors.few) &&
               knows(nest->costs.touched);
    for (int i = 0; i < nest->cut.loops; i++)
        all = all && knows(nest->cut.count[i]);
    return all;
}

static bool knows_wave(const Wave *wave)
{
    bool all = wave->ncaptured == 0 && knows(wave->steps) && knows(wave->row_bytes);
    for (int i = 0; i < wave->nstages; i++) {
        const WaveStage *s = wave->stages + i;
        all = all && knows_nest(s->nest) && knows(s->when) && knows(s->row) && knows(s->rows) && knows(s->per_row);
    }
    return all;
}

static bool knows_stage(const Stage *stage)
{
    return stage->stage_kind == STAGE_HOST_NEST ? knows_nest((const HostNest *)stage)
           : stage->stage_kind == STAGE_WAVE    ? knows_wave((const Wave *)stage)
                                                : true;
}

json_t *known_unknown(Arena *arena, const Program *program)
{
    json_t *stems = json_array();
    (void)arena;
    for (int i = 0; i < program->noperators; i++) {
        const Stages *stages = &program->operators[i].plan->stages;
        for (int j = 0; j < stages->first[STAGE_KINDS]; j++)
            if (!knows_stage(stages->items[j]))
                json_array_append_new(stems, json_string(stages->items[j]->stem));
    }
    return stems;
}

/* ---------------------------------------------------------------- loops */

typedef struct Listing {
    Ir *ir;
    const Vec *table; /* LoopRow of the nest */
    int set;
} Listing;

/* Vectors of another set than the first that the row is about have as many bytes for each element. */
static int lanes_for(const LoopRow *row, int set)
{
    int first = 0;
    while (first < SET_COUNT && !(row->sets >> first & 1))
        first++;
    return first == SET_COUNT ? 1 : row->lanes * vector_sets[set].bytes / vector_sets[first].bytes;
}

static const char *row_note(const Listing *l, const LoopRow *row)
{
    Arena *arena = l->ir->arena;
    if (row->why)
        return arena_printf(arena, "%s: %s", row->form, row->why);
    const char *note = arena_printf(arena, "%s: vectors of %d", row->form, lanes_for(row, l->set));
    if (row->layout.copies > 1)
        note = arena_printf(arena, "%s, unrolled by %d", note, row->layout.copies);
    if (row->rows > 1)
        note = arena_printf(arena, "%s, %d rows together", note, row->rows);
    if (row->accumulators)
        note = arena_printf(arena, "%s, %d accumulator%s", note, row->accumulators, row->accumulators > 1 ? "s" : "");
    if (strcmp(row->guards, "-") != 0)
        note = arena_printf(arena, "%s, %s", note, row->guards);
    return strcmp(row->stores, "non-temporal") == 0 ? arena_printf(arena, "%s, non-temporal stores", note) : note;
}

/* What became of a loop for the set at hand, in a line each. */
static json_t *notes_of(const void *user, const Node *loop)
{
    const Listing *l = user;
    json_t *notes = json_array();
    for (int i = 0; l->set < SET_COUNT && i < l->table->count; i++) {
        const LoopRow *row = l->table->items[i];
        if (row->loop->loc.beg == loop->loc.beg && (row->sets >> l->set & 1 || !row->sets))
            json_array_append_new(notes, json_string(row_note(l, row)));
    }
    return notes;
}

/* ---------------------------------------------------------------- parts */

static void add_nest(Ir *ir, const Plan *plan, const HostNest *nest, json_t *part)
{
    const json_t *isa = json_object_get(part, "set");
    const int number = isa ? (int)json_integer_value(isa) : -1, set = number > 0 ? (int)isa_loops(number) : SET_COUNT;
    const Listing listing = {.ir = ir, .table = &nest->vectors.table, .set = set};
    json_t *threads = json_array(), *counts = json_array(), *instead = json_array();
    for (int i = 0; i < nest->cut.loops; i++) {
        json_array_append_new(threads, json_string(nest->cut.var[i]->name));
        json_array_append_new(counts, json_string(expr_words(ir, nest->cut.count[i])));
    }
    for (int i = 0; i < contraction_count(plan); i++)
        if (contraction_at(plan, i)->loc.beg == nest->loc.beg)
            json_array_append_new(instead, json_string(contraction_at(plan, i)->stem));
    const char *chosen = set < SET_COUNT ? chosen_words(ir->arena, &nest->chosen, (VectorSetId)set) : NULL;
    json_object_set_new(part, "line", json_integer(line_of(ir, nest->loc)));
    json_object_set_new(part, "what", json_string(remark_at(plan, nest->loc)));
    json_object_set_new(part, "threads", threads);
    if (!isa)
        json_object_set_new(part, "counts_text", counts);
    else
        json_decref(counts);
    json_object_set_new(part, "loops", list_loops(ir, nest->source ? nest->source : nest->loops->body, notes_of, &listing));
    json_object_set_new(part, "chosen", chosen ? json_string(chosen) : json_null());
    json_object_set_new(part, "instead_of", instead);
}

void known_add(Ir *ir, const Plan *plan, json_t *call)
{
    json_t *part;
    for (int i = 0; i < host_nest_count(plan); i++) {
        const HostNest *nest = host_nest_at(plan, i);
        if (nest->part)
            continue;
        if (nest->in_wave)
            json_array_append_new(json_object_get(call, "nests"), json_pack("{s:s, s:b}", "stem", nest->stem, "in_wave", 1));
        if ((part = part_of(call, "nests", nest->stem)))
            add_nest(ir, plan, nest, part);
    }
    add_stages(ir, plan, call);
}
