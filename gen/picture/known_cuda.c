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

static void add_stages(Ir *ir, json_t *part, Loc loc, json_t *stages)
{
    json_object_set_new(part, "line", json_integer(line_of(ir, loc)));
    json_object_set_new(part, "stages", stages);
}

/* Says of a part that something else may run in its place. */
static void belongs(json_t *call, const char *list, const char *stem, const char *to)
{
    json_t *part = part_of(call, list, stem);
    if (part)
        json_object_set_new(part, "in", json_string(to));
}

static void add_group(Ir *ir, const Plan *plan, const ProductGroup *group, json_t *call)
{
    json_t *stages = json_array(), *part = part_of(call, "groups", group->stem);
    for (int i = 0; i < group->nmembers; i++) {
        const Contraction *c = plan->contractions[group->member[i]];
        json_array_append_new(stages, json_string(c->stem));
        if (json_is_true(json_object_get(part, "together")))
            belongs(call, "products", c->stem, group->stem);
    }
    json_object_set_new(part, "in_turn", json_boolean(group->in_turn));
    add_stages(ir, part, plan->contractions[group->member[0]]->loc, stages);
}

static void add_attention(Ir *ir, const Plan *plan, const Attention *attention, json_t *call)
{
    const Contraction *scores = plan->contractions[attention->scores], *product = plan->contractions[attention->product];
    const DeviceNest *nest = plan->nests[attention->nest];
    json_t *part = part_of(call, "attentions", attention->stem);
    if (json_is_true(json_object_get(part, "together"))) {
        belongs(call, "products", scores->stem, attention->stem);
        belongs(call, "nests", nest->stem, attention->stem);
        belongs(call, "products", product->stem, attention->stem);
    }
    add_stages(ir, part, scores->loc, json_pack("[s, s, s]", scores->stem, nest->stem, product->stem));
}

void known_add_cuda(Ir *ir, const Plan *plan, json_t *call)
{
    json_t *part;
    add_products(ir, plan, call);
    for (int i = 0; i < plan->nnests; i++)
        if ((part = part_of(call, "nests", plan->nests[i]->stem)))
            add_nest(ir, plan, plan->nests[i], part);
    for (int i = 0; i < plan->ngroups; i++)
        add_group(ir, plan, plan->groups[i], call);
    for (int i = 0; i < plan->nattentions; i++)
        add_attention(ir, plan, plan->attentions[i], call);
    add_ragged(ir, plan, call);
}
