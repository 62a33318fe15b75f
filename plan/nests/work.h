/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long loops take, roughly: enough to say whether threads are worth their while. */
#ifndef MIKGEN_PLAN_NESTS_WORK_H
#define MIKGEN_PLAN_NESTS_WORK_H

#include "ir/node.h"

/* Nanoseconds of one thread as a T_DOUBLE, over what is known where `loop` begins. */
Node *loop_work(Ir *ir, Node *loop);

#endif
