/* C target: products whose B is quantized, a number of few bits times a scale that a group of steps shares, as ggml's Q4_0 and Q8_0 are:
 *
 *     sum += x[m][b][i] * d[n][b] * ((q[n][b][i] & 15) - 8)      code = (q[n][b][i] & 15) - 8 in -8 .. 7: 4 bits
 *                                                                scale = d[n][b], the same for all i: groups of 32 steps
 *
 * Packed ahead of calls its codes stay codes (plan/contract/pack_ahead.h). */
#ifndef MIKGEN_PLAN_CONTRACT_QUANTIZED_H
#define MIKGEN_PLAN_CONTRACT_QUANTIZED_H

#include "plan/plan.h"

/* What B is made of; NULL: it is not so made, or its arrays are not all constant (`#pragma mikgen constant`). Allocated in ir's arena. */
const Quantized *find_quantized(Ir *ir, const Contraction *c);

#endif
