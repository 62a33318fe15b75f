/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of a kind are neighbours in the list, which is made anew when a pass has found those of one. */
#include "plan/stage_list.h"

/* clang-format off */
const StageInfo stage_info[STAGE_KINDS] = {
#define STAGE(KIND, Type, name, word, target, list, drawn, says) {word, target, list, drawn, says},
#include "ir/stages.def"
#undef STAGE
};
/* clang-format on */

void set_stages(Arena *arena, Stages *stages, StageKind kind, const Vec *found)
{
    const int from = stages->first[kind], to = stages->first[kind + 1], all = stages->first[STAGE_KINDS];
    Stage **items = arena_new_array(arena, Stage *, all - (to - from) + found->count + 1);
    for (int i = 0; i < from; i++)
        items[i] = stages->items[i];
    for (int i = 0; i < found->count; i++) {
        items[from + i] = found->items[i];
        items[from + i]->stage_kind = kind;
    }
    for (int i = to; i < all; i++)
        items[from + found->count + i - to] = stages->items[i];
    stages->items = items;
    for (int k = kind + 1; k <= STAGE_KINDS; k++)
        stages->first[k] += found->count - (to - from);
}
