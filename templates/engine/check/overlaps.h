/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Arrays that are null or overlap: refused with nothing written, or right; and others that look like them. */
#pragma once
#include "placed.h"
#include "refused.h"

static long cautious;            /* null arrays that were refused although the spec does not use them, */
static int strict;               /* which is wrong */

/* Each array null in turn, with small extents and with one of them 0: an error where the spec uses the array, unless what it uses it for
   changes nothing, else none. */
static void mik_check_nulls(const Op *op)
{
    for (int zero = -1; zero < op->count; zero++) {
        Case c;
        if (!mik_uniform(&c, op, 3) || (zero >= 0 && op->params[zero].kind != P_INT))
            continue;
        if (zero >= 0)
            c.args[zero].i = 0;
        for (int i = 0; i < op->count; i++) {
            char what[200];
            if (!mik_measure(&c) || !mik_is_array(&c, i) || c.count[i] == 0)
                continue;
            const int usable = mik_prepare(&c, D_EIGHTHS), touched = usable && mik_is_touched(&c, i);
            snprintf(what, sizeof what, "%.100s null", op->params[i].name);
            for (int serial = 0; serial < 2 && usable; serial++) {
                Placed p = mik_place_apart(&c);
                p.at[i] = NO_PLACE;
                mik_run_placed(&c, &p, serial);
                const int refused_all_the_same = !touched && !strict && mik_is_refused(&p, -1);
                cautious += refused_all_the_same;
                mik_judge(&c, &p, refused_all_the_same || (touched && mik_is_refused(&p, -1)) || mik_is_right(&c, &p, what), what);
            }
            mik_finish(&c);
        }
    }
}

/* Array i at `at`, once through each entry point: refused, or right. */
static void mik_check_place(const Case *c, const Placed *apart, int i, int64_t at, int refused, const char *what)
{
    for (int serial = 0; serial < 2; serial++) {
        Placed p = *apart;
        p.at[i] = at;
        mik_run_placed(c, &p, serial);
        mik_judge(c, &p, refused ? mik_is_refused(&p, MIKGEN_OVERLAP) : mik_is_right(c, &p, what), what);
    }
}

/* An output and another array, i and j: at the same place, with one byte in common, and side by side. Array j has room on
   both sides for array i. */
static void mik_check_pair(const Case *c, int i, int j)
{
    char what[200];
    Placed p = mik_place_apart(c);
    const int64_t mine = (int64_t)mik_bytes(c, i), other = (int64_t)mik_bytes(c, j), aligned = (mine + APART - 1) / APART * APART;
    p.at[j] = (int64_t)p.size + aligned;
    p.size = (size_t)(p.at[j] + other + aligned);
    snprintf(what, sizeof what, "%.60s over %.60s", c->op->params[i].name, c->op->params[j].name);
    mik_check_place(c, &p, i, p.at[j], 1, what);
    mik_check_place(c, &p, i, p.at[j] + other - 1, 1, what);
    mik_check_place(c, &p, i, p.at[j] - mine + 1, 1, what);
    snprintf(what, sizeof what, "%.60s beside %.60s", c->op->params[i].name, c->op->params[j].name);
    if (other % (int64_t)mik_alignment(c, i) == 0)
        mik_check_place(c, &p, i, p.at[j] + other, 0, what);
    mik_check_place(c, &p, i, p.at[j] - mine, 0, what);
}

static void mik_check_overlaps(const Op *op)
{
    Case c;
    if (!mik_uniform(&c, op, 3) || !mik_prepare(&c, D_EIGHTHS)) {
        mik_finish(&c);
        return;
    }
    for (int i = 0; i < op->count; i++) {
        if (!mik_is_array(&c, i) || c.count[i] == 0)
            continue;
        for (int j = 0; j < op->count; j++)
            if (j != i && mik_is_array(&c, j) && c.count[j] > 0 && !(op->params[i].unwritten && op->params[j].unwritten))
                mik_check_pair(&c, i, j);
        Placed p = mik_place_apart(&c);
        p.workspace = p.at[i];
        mik_run_placed(&c, &p, 0);
        mik_judge(&c, &p, op->takes_room ? mik_is_refused(&p, MIKGEN_OVERLAP) : mik_is_right(&c, &p, "placed"), "a workspace in an array");
    }
    mik_finish(&c);
}

static void mik_check_errors(const Op *op)
{
    mik_check_negative_extents(op);
    mik_check_large(op);
    mik_check_nulls(op);
    mik_check_overlaps(op);
}
