/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that were one in the spec say the same: once. */
#include "plan/add_remark.h"

#include <string.h>

void add_remark(Ir *ir, Vec *remarks, Loc loc, RemarkKind kind, bool is_of_nest, const char *text)
{
    for (int i = 0; i < remarks->count; i++) {
        const PlanRemark *known = remarks->items[i];
        if (known->loc.beg == loc.beg && strcmp(known->text, text) == 0)
            return;
    }
    PlanRemark *remark = arena_alloc(ir->arena, sizeof *remark);
    *remark = (PlanRemark){loc, kind, is_of_nest, text};
    vec_push(ir->arena, remarks, remark);
}
