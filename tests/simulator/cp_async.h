/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CP_ASYNC_H
#define SIM_CP_ASYNC_H

#include "decode.h"

void decode_cp_async(Decoder *d);

/* Lands what an mbarrier may be waiting for, or (not ALL) some copies by chance. False: nothing landed. */
bool cp_async_land(Warp *w, bool all);

#endif
