/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Draws coefficients and tuples of extents. */
#pragma once
#include "check_case.h"

static void mik_draw_coefficients(Case *c, int round)
{
    static const double values[] = {1, 0, -1, 0.5, 1.5, -0.25, 2};
    for (int i = 0; i < c->op->count; i++)
        if (c->op->params[i].kind == P_COEF)
            c->args[i].f = mik_is_float(c->op->params[i].elem) && round > 0 ? values[mik_below(7)] : 1;
}

typedef enum { ODD, ALIGNED, TILES } Sizes;

/* Lines of aligned arrays have whole 16 bytes, whatever the type. TILES: a tile and a part of one, of small tiles more than eight; the
   last extent is mostly the one that is summed over. */
static int64_t mik_draw_multiple(int cap, Sizes sizes, int last)
{
    static const int multiples[] = {16, 32, 48, 64, 80, 112, 144, 208, 272, 528, 1040};
    int count = (int)(sizeof multiples / sizeof multiples[0]);
    if (sizes == TILES && cap > 20)
        return last ? 80 + 64 * mik_below(2) : 272;
    return multiples[mik_below(cap < count ? cap : count)];
}

/* Extents near the sizes where vectors, register tiles and blocks end; the first ones more often. */
static int64_t mik_draw_extent(int cap)
{
    static const int sizes[] = {1,  2,  3,  4,  5,  0,  7,  8,   9,   12,  15,  16,  17,  24,  31,  32,  33,
                                47, 48, 49, 63, 64, 65, 96, 100, 127, 128, 129, 160, 191, 192, 255, 256, 257};
    int count = (int)(sizeof sizes / sizeof sizes[0]);
    return sizes[mik_below(cap < count ? cap : count)];
}

static int64_t mik_draw_attribute(const Param *p)
{
    if (p->hinted)
        return p->lo + mik_below(p->hi - p->lo + 1 > 8 ? 8 : p->hi - p->lo + 1);
    return p->role == R_BOUND ? mik_below(7) : mik_below(4);
}

/* Orders the sampled extents by position, rising or falling: leading dimensions usually come after the
   extents that they cover, filters after the images that hold them. */
static void mik_order_extents(Case *c, int falling)
{
    for (int i = 0; i < c->op->count; i++)
        for (int j = i + 1; j < c->op->count; j++) {
            const Param *p = &c->op->params[i], *q = &c->op->params[j];
            if (p->kind != P_INT || q->kind != P_INT || p->role != R_EXTENT || q->role != R_EXTENT)
                continue;
            int64_t a = c->args[i].i, b = c->args[j].i;
            if (falling ? a < b : a > b) {
                c->args[i].i = b;
                c->args[j].i = a;
            }
        }
}

/* Elements of the largest array. With many extents, some of them small, a tile may be all but empty, and there are many tiles. */
static int64_t mik_largest(const Case *c)
{
    int64_t most = 0;
    for (int i = 0; i < c->op->count; i++)
        most = mik_is_array(c, i) && c->count[i] > most ? c->count[i] : most;
    return most;
}

#if !MIK_CUDA
/* A few rows by weights of several vectors, for which there are kernels: the first extent, and any other one. */
static int64_t mik_draw_weights(int round, int first) { return first ? 1 + (round / 4 * 3 + mik_below(3)) % 8 : 128 + mik_below(72); }

#endif
/* A tuple whose loops stay small enough: the product of all extents bounds the work of many nests, with few extents three
   loops deep that of most. Some rounds go by the former alone, whose extents are greater. False when there is none. */
static int mik_draw_tuple(Case *c, int round, Sizes sizes)
{
    int all = 0;
    for (int i = 0; i < c->op->count; i++)
        all += c->op->params[i].kind == P_INT && c->op->params[i].role == R_EXTENT;
    const double most = sizes == TILES && all <= 4 ? 2.6e7 : 2e6;
    const int64_t more = sizes == TILES && round % 2 ? round / 2 % 4 * 4 : 0; /* aligned where a line has some elements besides */
    const int64_t small = sizes != ODD && all > 4 ? mik_below((int64_t)1 << all) : 0; /* of many extents: those of a filter, say */
    round = sizes == TILES && all > 4 ? 0 : round;
    for (int cap = 34; cap > 2; cap--) {
        double work = 1, greatest = 1;
        int extents = 0;
        const int64_t same = sizes == ODD ? mik_draw_extent(cap) : mik_draw_multiple(cap, sizes, 0);
        for (int i = 0; i < c->op->count; i++) {
            const Param *p = &c->op->params[i];
            if (p->kind != P_INT)
                continue;
            const int64_t size = sizes == ODD ? mik_draw_extent(cap)
                                 : small >> extents & 1
                                     ? 1 + mik_below(3)
                                     : more + mik_draw_multiple(all > 4 && cap > 20 ? 20 : cap, sizes, extents == all - 1);
            c->args[i].i = p->role != R_EXTENT ? mik_draw_attribute(p) : round % 4 == 1 ? same : size;
            if (p->role != R_EXTENT)
                continue;
#if !MIK_CUDA
            if (c->op->packed && round % 4 == 0 && all < 4)
                c->args[i].i = mik_draw_weights(round, extents == 0);
#endif
            extents++;
            work *= c->args[i].i > 1 ? (double)c->args[i].i : 1;
            greatest = (double)c->args[i].i > greatest ? (double)c->args[i].i : greatest;
        }
        for (; extents < 3 && round % 8 > 0; extents++)
            work *= greatest;
        if (round % 4 >= 2)
            mik_order_extents(c, round % 4 == 3);
        if (work < most && mik_measure(c) && (sizes == ODD || all <= 4 || mik_largest(c) <= 4096))
            return 1;
    }
    return 0;
}
