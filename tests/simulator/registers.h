/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers that warps of a block give back and take. */
#ifndef SIM_REGISTERS_H
#define SIM_REGISTERS_H

#include "multiprocessor.h"

/* Text about a warp that waits for some: "registers: it has 40 for each thread, the block 128 left for a warp". */
void registers_describe(const Warp *w, char *text, size_t size);

#endif
