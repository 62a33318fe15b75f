/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a loop nest is no contraction: noted where that is found out, said by --remarks. */
#ifndef MIKGEN_PLAN_CONTRACT_MISSED_H
#define MIKGEN_PLAN_CONTRACT_MISSED_H

typedef enum Missed {
#define MISSED(kind, text, cure) kind,
#include "plan/contract/missed.def"
#undef MISSED
} Missed;

/* What follows "not a contraction: ". */
const char *missed_text(Missed missed);
/* What to write instead, if anything. */
const char *missed_cure(Missed missed);

#endif
