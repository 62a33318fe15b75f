/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ir/placement.h"

#include <string.h>

const PlacementInfo placement_info[PLACEMENT_COUNT] = {
#define PLACEMENT(name, word, what) [name] = {word, what},
#include "ir/placements.def"
#undef PLACEMENT
};

Placement placement_named(const char *word, size_t length)
{
    for (int i = 0; i < PLACEMENT_COUNT; i++)
        if (strlen(placement_info[i].word) == length && memcmp(placement_info[i].word, word, length) == 0)
            return (Placement)i;
    return PLACEMENT_COUNT;
}

const char *placement_words(Arena *arena)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < PLACEMENT_COUNT; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : i == PLACEMENT_COUNT - 1 ? " or " : ", ", placement_info[i].word);
    return t.data;
}
