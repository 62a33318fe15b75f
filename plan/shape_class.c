/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/shape_class.h"

#include <math.h>
#include <string.h>

const ShapeClassInfo shape_classes[CLASS_COUNT] = {
    [CLASS_ALL] = {"", INFINITY, "is of any size"},
#define SHAPE_CLASS(name, word, bytes, what) [name] = {word, bytes, what},
#include "plan/shape_classes.def"
#undef SHAPE_CLASS
};

ShapeClass shape_class_of(double bytes)
{
    int i = CLASS_ALL + 1;
    while (i < CLASS_COUNT && !(bytes <= shape_classes[i].bytes))
        i++;
    return i < CLASS_COUNT ? (ShapeClass)i : CLASS_ALL;
}

ShapeClass shape_class_named(const char *word, size_t length)
{
    for (int i = CLASS_ALL + 1; i < CLASS_COUNT; i++)
        if (strlen(shape_classes[i].word) == length && memcmp(shape_classes[i].word, word, length) == 0)
            return (ShapeClass)i;
    return CLASS_ALL;
}

const char *shape_class_words(Arena *arena)
{
    const char *words = "";
    for (int i = CLASS_ALL + 1; i < CLASS_COUNT; i++)
        words = arena_printf(arena, "%s%s%s", words, !*words ? "" : i < CLASS_COUNT - 1 ? ", " : " or ", shape_classes[i].word);
    return words;
}
