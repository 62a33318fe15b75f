/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that are not in use yet. */
#ifndef MIKGEN_FUSE_NAMES_H
#define MIKGEN_FUSE_NAMES_H

#include <stdbool.h>

#include "ir/arena.h"

typedef struct Names {
    Arena *arena;
    struct NameEntry *table; /* open addressing, a power of two entries */
    int size, used;
} Names;

void names_init(Names *names, Arena *arena);
void names_add(Names *names, const char *name);
bool names_has(const Names *names, const char *name);

/* `base` itself when it is free, else base_1, base_2, ... (for base_1: base_2, ...); in use from now on. Owned
 * by the arena. */
const char *names_fresh(Names *names, const char *base);

#endif
