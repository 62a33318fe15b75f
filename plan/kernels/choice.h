/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is settled about the kernels of a contraction before any call. */
#ifndef MIKGEN_PLAN_KERNELS_CHOICE_H
#define MIKGEN_PLAN_KERNELS_CHOICE_H

#include "plan/kernels/kernel.h"

/* C target: sets c->covers, the exact covers of an output of constant extents, and c->at_once. */
void choose_kernels(Kernels *kernels, Contraction *c);

#endif
