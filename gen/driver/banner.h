/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the head of a generated file says of itself. */
#ifndef MIKGEN_GEN_DRIVER_BANNER_H
#define MIKGEN_GEN_DRIVER_BANNER_H

#include "ir/arena.h"

/* The command in the banner of the file with this text (templates/banner.j2); NULL: there is no banner. Owned by the arena. */
const char *banner_command(Arena *arena, const char *text);

#endif
