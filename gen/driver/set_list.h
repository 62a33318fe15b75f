/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instruction sets a file holds: --sets=avx2,neon! and #pragma mikgen sets(avx2, neon!). A set's bases come along, unless its name has
 * a ! behind it. */
#ifndef MIKGEN_GEN_DRIVER_SET_LIST_H
#define MIKGEN_GEN_DRIVER_SET_LIST_H

#include "gen/driver/pipeline.h"

/* The option's value into a bit for each Isa; false after a message. */
bool set_list_read(const char *list, unsigned *held);

/* Of a run: the option's, else those of the specs' pragmas, else 0: all. Faults go to ir->diag, at the pragma's words. */
unsigned set_list_of(Ir *ir, const Options *opt, const Unit *unit);

#endif
