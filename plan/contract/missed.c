/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts of plan/contract/missed.def. */
#include "plan/contract/missed.h"

const char *missed_text(Missed missed)
{
    static const char *const texts[] = {
#define MISSED(kind, text, cure) text,
#include "plan/contract/missed.def"
#undef MISSED
    };
    return texts[missed];
}

const char *missed_cure(Missed missed)
{
    static const char *const texts[] = {
#define MISSED(kind, text, cure) cure,
#include "plan/contract/missed.def"
#undef MISSED
    };
    return texts[missed];
}
