/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special registers (PTX ISA 10). */
#ifndef SIM_SPECIAL_H
#define SIM_SPECIAL_H

#include "multiprocessor.h"

int special_find(const char *name); /* its number, or -1 */
int special_bytes(int which);
bool special_is_fixed(int which); /* while its warp lives */
uint64_t special_value(const Warp *w, int which, int lane);
void special_start(Warp *w); /* sets the fixed ones that the code uses */

#endif
