/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops are shown as they were planned; each takes the axis that it goes along, or why it runs in order. */
#include "gen/picture/known_cuda.h"

#include <string.h>

#include "gen/picture/known_loops.h"

typedef struct Listing {
    const Plan *plan;
    const DeviceNest *nest;
    Arena *arena;
} Listing;

static const char *axis_note(const Listing *l, const Sym *variable)
{
    static const char *const axes[] = {"along x", "along y", "along z"};
    Sym *const *along = l->nest->along;
    for (int i = 0; along[i]; i++)
        if (along[i] == variable)
            return l->nest->form[FORM_VECTOR] ? arena_printf(l->arena, "along x: a thread may take %d", l->nest->width)
                                              : axes[i < AXIS_Z ? i : AXIS_Z];
    return NULL;
}

/* The axis, then what remarks say of the loop itself. */
static json_t *notes_of(const void *user, const Node *loop)
{
    const Listing *l = user;
    json_t *notes = json_array();
    const char *axis = axis_note(l, loop->sym);
    if (axis)
        json_array_append_new(notes, json_string(axis));
    for (int i = 0; i < l->plan->remarks.count; i++) {
        const PlanRemark *remark = l->plan->remarks.items[i];
        if (!remark->is_of_nest && remark->loc.beg == loop->loc.beg)
            json_array_append_new(notes, json_string(remark->text));
    }
    return notes;
}

/* The extents of a nest that calls' integers do not tell. */
static json_t *extents_text(Ir *ir, const DeviceNest *nest)
{
    json_t *texts = json_array();
    for (int a = 0; a < nest->naxes; a++)
        json_array_append_new(texts, json_string(expr_words(ir, nest->extent[a])));
    return texts;
}

static void add_nest(Ir *ir, const Plan *plan, const DeviceNest *nest, json_t *part)
{
    if (!json_object_get(part, "form"))
        json_object_set_new(part, "counts_text", extents_text(ir, nest));
    const Listing listing = {plan, nest, ir->arena};
    json_object_set_new(part, "line", json_integer(line_of(ir, nest->loc)));
    json_object_set_new(part, "what", json_string(remark_at(plan, nest->loc)));
    json_object_set_new(part, "loops", list_loops(ir, nest->source, notes_of, &listing));
}

/* Says of a part that something else may run in its place. */
static void belongs(json_t *call, const char *list, const char *stem, const char *to)
{
    json_t *part = part_of(call, list, stem);
    if (part)
        json_object_set_new(part, "in", json_string(to));
}

/* Of a group and of attention: its members have no launch of their own where it has one. */
static void add_together(const Plan *plan, StageKind kind, const char *list, json_t *call)
{
    for (int i = plan->stages.first[kind]; i < plan->stages.first[kind + 1]; i++) {
        const Stage *stage = plan->stages.items[i];
        json_t *part = part_of(call, list, stage->stem);
        for (int j = 0; j < stage->nmembers && json_is_true(json_object_get(part, "together")); j++)
            belongs(call, stage_info[stage->members[j]->stage_kind].drawn, stage->members[j]->stem, stage->stem);
    }
}

void known_add_cuda(Ir *ir, const Plan *plan, json_t *call)
{
    json_t *part;
    for (int i = 0; i < device_nest_count(plan); i++)
        if ((part = part_of(call, "nests", device_nest_at(plan, i)->stem)))
            add_nest(ir, plan, device_nest_at(plan, i), part);
    for (int i = 0; i < group_count(plan); i++)
        if ((part = part_of(call, "groups", group_at(plan, i)->stem)))
            json_object_set_new(part, "in_turn", json_boolean(group_at(plan, i)->in_turn));
    add_together(plan, STAGE_GROUP, "groups", call);
    add_together(plan, STAGE_ATTENTION, "attentions", call);
    add_stages(ir, plan, call);
}
