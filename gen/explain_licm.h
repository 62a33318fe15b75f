/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain-licm: every expression that might have left a loop, and what became of it, one line each:
 *     blur.c:7: y * w  cost 1  in front of the loop at line 5
 *     blur.c:9: k[j]  stays: loads do not move (--licm-loads=never) */
#ifndef MIKGEN_GEN_EXPLAIN_LICM_H
#define MIKGEN_GEN_EXPLAIN_LICM_H

#include "emit/kept_text.h"
#include "ir/licm_options.h"

/* `notes`: const LicmNote *, from the passes. `keep` is NULL for specs. Appends to `out`. */
void explain_licm(Ir *ir, const Keep *keep, const Vec *notes, Text *out);

/* What a word of LicmNote.rule means to a reader. */
const char *licm_rule_meaning(const char *rule);

/* One of them as a remark on ir->diag, in the form that gcc's -fopt-info has: "blur.c:7:20: optimized: ..." or "missed: ...". */
void explain_licm_remark(Ir *ir, const Keep *keep, const LicmNote *note);

#endif
