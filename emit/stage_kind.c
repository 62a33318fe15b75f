/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of all kinds in one, and the walks over a plan's list. */
#include "emit/stage_kind.h"

#include "ir/check.h"
#include "ir/print.h"

/* clang-format off */
const StageOps *const stage_ops[STAGE_KINDS] = {
#define STAGE(KIND, Type, name, ...) [STAGE_##KIND] = &stage_##name,
#include "ir/stages.def"
#undef STAGE
};
/* clang-format on */

void stages_visit(const Plan *plan, const FuncVisitor *v)
{
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++) {
        const Stage *stage = plan->stages.items[i];
        if (stage_ops[stage->stage_kind]->visit)
            stage_ops[stage->stage_kind]->visit(stage, v);
    }
}

typedef struct Checking {
    Ir *ir;
    const PassWatch *watch;
    const char *pass;
} Checking;

static void check_one(void *user, Func *f)
{
    const Checking *c = user;
    watch_check(c->ir, c->watch, c->pass, f, TREE_PART);
}

void stages_check(Ir *ir, const Plan *plan, const PassWatch *watch, const char *pass)
{
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++) {
        const Stage *stage = plan->stages.items[i];
        if (stage_ops[stage->stage_kind]->check)
            stage_ops[stage->stage_kind]->check(plan, stage);
    }
    stages_visit(plan, &(FuncVisitor){check_one, &(Checking){ir, watch, pass}});
}

static void print_one(void *out, Func *f) { print_func(out, f); }

static void print_kind(Ir *ir, const Plan *plan, StageKind kind, StageHeading *heading, Text *out)
{
    const StageOps *ops = stage_ops[kind];
    for (int i = plan->stages.first[kind]; i < plan->stages.first[kind + 1]; i++) {
        heading(ir, plan->stages.items[i], out);
        if (ops->print)
            ops->print(ir, plan->stages.items[i], out);
        else if (ops->visit)
            ops->visit(plan->stages.items[i], &(FuncVisitor){print_one, out});
    }
}

/* Loops of the C target come last, with what has been decided about them. */
void stages_print(Ir *ir, const Plan *plan, StageHeading *heading, Text *out)
{
    for (int kind = 0; kind < STAGE_KINDS; kind++)
        if (kind != STAGE_HOST_NEST)
            print_kind(ir, plan, (StageKind)kind, heading, out);
    print_kind(ir, plan, STAGE_HOST_NEST, heading, out);
}

void stages_build(StageInput *in, json_t *op)
{
    const Stages *all = &in->plan->stages;
    for (int kind = 0; kind < STAGE_KINDS; kind++) {
        if (!*stage_info[kind].list)
            continue;
        json_t *list = json_object_get(op, stage_info[kind].list);
        if (!list)
            json_object_set_new(op, stage_info[kind].list, list = json_array());
        for (int i = all->first[kind]; i < all->first[kind + 1]; i++) {
            in->stage = all->items[i];
            json_array_append_new(list, stage_ops[kind]->build(in));
        }
    }
}

json_t *stages_kinds(bool cuda)
{
    json_t *list = json_array();
    for (int kind = 0; kind < STAGE_KINDS; kind++)
        if (stage_info[kind].target & (cuda ? STAGE_CUDA : STAGE_C))
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "word", stage_info[kind].word, "list", stage_info[kind].list, "drawn",
                                                  stage_info[kind].drawn));
    return list;
}
