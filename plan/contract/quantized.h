/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products whose B is quantized, a number of few bits times a scale that a group of steps shares, perhaps less a zero point or plus an
 * offset, as ggml's Q4_0, Q4_1, Q5_0 and Q8_0 are, and weights with zero points:
 *
 *     sum += x[m][b][i] * d[n][b] * ((q[n][b][i] & 15) - 8)      code = (q[n][b][i] & 15) - 8 in -8 .. 7: 4 bits
 *                                                                scale = d[n][b], the same for all i: groups of 32 steps
 *     sum += x[m][b][i] * (q[n][b][i] - z[n][b]) * d[n][b]       zero = z[n][b]
 *     sum += x[m][b][i] * (q[n][b][i] * d[n][b] + e[n][b])       offset = e[n][b]
 *
 * Zero points are subtracted before anything is scaled, and offsets added after it, as the spec does: code and zero point may be equal,
 * and scaling one without the other would leave something of them. Only a factor of all that a group's steps are may wait for their sum.
 * What is added twice, or to what two factors have scaled, has no such form.
 *
 * or whose B is of half or bf16, where x is not. C target: prepacked its codes stay codes (plan/lower/pack_ahead.h). CUDA:
 * plan/contract/device_codes.h. */
#ifndef MIKGEN_PLAN_CONTRACT_QUANTIZED_H
#define MIKGEN_PLAN_CONTRACT_QUANTIZED_H

#include "plan/plan.h"

/* What B is made of; NULL: it is not so made. Allocated in ir's arena. */
const Quantized *take_quantized(Ir *ir, const Contraction *c);

/* The same, or NULL where its arrays are not all constant (`#pragma mikgen constant`). */
const Quantized *find_quantized(Ir *ir, const Contraction *c);

#endif
