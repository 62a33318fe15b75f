/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies that land later: cp.async of threads, bulk and tensor copies of a cluster. */
#ifndef SIM_IN_FLIGHT_H
#define SIM_IN_FLIGHT_H

#include "multiprocessor.h"

/* Lets one or more pending copies land; ALL: whatever somebody may wait for. False: there is nothing left to
 * land. */
bool async_land(Cluster *c, bool all);
void async_block_done(Block *b);
void async_end(Cluster *c);

#endif
