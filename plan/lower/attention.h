/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA: attention as one launch. Two products with a softmax between them,
 *
 *     contract #0 into S      S[t][l] = E(sum over d of Q[t][d] * K[l][d])
 *     launch #0               P[t][l] = exp(S[t][l] - max) / sum
 *     contract #1 into O      O[t][d] = E(sum over l of P[t][l] * V[l][d])
 *
 * become a kernel that holds some rows of the output and goes through keys and values block by block: scores and weights never leave
 * the multiprocessor, and the maximum and the sum of a row are corrected as blocks come in (Milakov and Gimelshein, Online normalizer
 * calculation for softmax, 2018; Dao, FlashAttention-2, 2023). Rows that end early (causal attention) end their block's loop.
 *
 * The three launches remain beside it: for shapes that the kernel has no room for, and for few rows of many keys. */
#ifndef MIKGEN_PLAN_LOWER_ATTENTION_H
#define MIKGEN_PLAN_LOWER_ATTENTION_H

#include "plan/plan.h"

/* The plan's attentions, of its contractions, which lower_device() has given their hooks, and device nests; N_LAUNCH of these
 * in the operator's body, as split_device() has left it. Remarks say which. */
void find_attention(Ir *ir, Plan *plan);

#endif
