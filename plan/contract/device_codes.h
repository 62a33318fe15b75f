/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA: a B of packed codes that kernels unpack in registers, 16 bytes at a time:
 *
 *     sum += x[m][k] * w[n][k]                              bytes, with a sign or without one
 *     sum += x[m][b][t][i] * d[n][b] * (((w[n][b][i] >> 4 * t) & 15) - 8)
 *                                                           two in a byte, the high ones 16 steps behind the low ones; a scale for 32
 *     sum += x[m][i][t] * ((w[n][i] >> 4 * t) & 15)         two in a byte, neighbours
 *
 * Bytes of a column lie one after the other, as do its scales; of bytes that are a code each, without scales, those of a step
 * may instead. */
#ifndef MIKGEN_PLAN_CONTRACT_DEVICE_CODES_H
#define MIKGEN_PLAN_CONTRACT_DEVICE_CODES_H

#include "plan/contract/map.h"

/* How B is packed, or NULL where it is not, or in another form. After the loops are folded. Allocated in ir's arena. */
const DeviceCodes *find_device_codes(const Mapping *m);

#endif
