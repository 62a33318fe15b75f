/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scheduler knows of wgmma; see wgmma.c. */
#ifndef SIM_WGMMA_H
#define SIM_WGMMA_H

#include "multiprocessor.h"

void wgmma_check_taint(Warp *w, const Inst *i);
void wgmma_exit(Warp *w, const Inst *i);
void wgmma_block_done(Block *b);
void wgmma_end(Warp *w);

#endif
