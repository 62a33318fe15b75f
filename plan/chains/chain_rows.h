/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows the stages of a chain must have besides a block's, and of which arrays there need be no others. */
#ifndef MIKGEN_PLAN_CHAINS_CHAIN_ROWS_H
#define MIKGEN_PLAN_CHAINS_CHAIN_ROWS_H

#include "plan/chains/chain_stage.h"

/* Fills the windows (ChainWindow *) and sets the stages' `before` and `after`. False: the stages cannot go by blocks, *why says why not
 * unless it is NULL. */
bool chain_rows(ChainRun *run, Vec *windows, const char **why);

/* Does stage `i` touch the array? */
bool chain_touches(const ChainRun *run, int i, const Sym *array);

#endif
