/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls of a nest have in common, so that a profile can say something about them alone. The class is decided by a call's extents, in
 * the emitted file as in the tuner: it is one number, and its limits are constants. */
#ifndef MIKGEN_PLAN_SHAPE_CLASS_H
#define MIKGEN_PLAN_SHAPE_CLASS_H

#include <stdbool.h>

#include "ir/arena.h"

typedef enum ShapeClass {
    CLASS_ALL, /* of lines that hold for those that have none of their own */
#define SHAPE_CLASS(name, word, bytes, what) name,
#include "plan/shape_classes.def"
#undef SHAPE_CLASS
    CLASS_COUNT
} ShapeClass;

typedef struct ShapeClassInfo {
    const char *word; /* in profiles; CLASS_ALL has none */
    double bytes;     /* the most that are touched */
    const char *what;
} ShapeClassInfo;

extern const ShapeClassInfo shape_classes[CLASS_COUNT];

/* Of calls whose loops touch so many bytes; CLASS_ALL: nobody knows how many (NAN). */
ShapeClass shape_class_of(double bytes);

/* The class of that word, of so many characters; CLASS_ALL: there is none. */
ShapeClass shape_class_named(const char *word, size_t length);

/* "l2, l3 or memory", for messages. */
const char *shape_class_words(Arena *arena);

#endif
