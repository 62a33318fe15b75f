/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What arrays hold on entry, and what difference of results is allowed. */
#pragma once
#include "elements.h"

typedef enum { D_MIXED, D_EIGHTHS, D_RANDOM, D_DOMINANT, D_SCALED } DataKind;

/* One value: multiples of 1/8 in [-1, 1), whose sums of products are exact, or any number in [-1, 1). */
static double mik_draw(Element elem, DataKind data)
{
    if (elem == E_BOOL)
        return (double)mik_below(2);
    if (elem == E_U8 || elem == E_U16 || elem == E_U32 || elem == E_U64)
        return (double)mik_below(8);
    if (!mik_is_float(elem))
        return (double)mik_below(16) - 8;
    if (data == D_EIGHTHS)
        return ((double)mik_below(16) - 8) / 8;
    double unit = (double)mik_next_random() / 2147483648.0;
    return data == D_DOMINANT ? unit : 2 * unit - 1;
}

/* A power of two for all of an array, in its type's range: products of such arrays are subnormal, or have a subnormal
   factor, as often as not. */
static double mik_scale(Element elem)
{
    static const int wide[] = {0, -30, -70, -130, 50}, half[] = {0, -8, -18};
    if (elem == E_E4M3 || elem == E_E5M2)
        return ldexp(1, elem == E_E4M3 ? -(int)mik_below(7) : half[mik_below(2)]);
    return elem == E_HALF ? ldexp(1, half[mik_below(3)]) : elem == E_F32 || elem == E_BF16 ? ldexp(1, wide[mik_below(5)]) : 1;
}

/* Subscripts or loop bounds, from 0 and below limit: rising by equal steps, by unequal ones, some of them 0, or in any order. */
static void mik_fill_index(const Param *p, void *array, int64_t count, int64_t limit)
{
    static const int steps[] = {0, 0, 1, 2, 7};
    const int64_t order = mik_below(4);
    const uint64_t state = random_state;
    int64_t all = 1, sum = 0;
    for (int64_t i = 0; i < count; i++)
        all += steps[mik_below(5)];
    random_state = state;
    for (int64_t i = 0; i < count; i++) {
        const int64_t step = mik_below(5), equal = i * limit / count, unequal = sum * limit / all;
        const int64_t x = limit <= 0 ? 0 : order < 2 ? equal : order == 2 ? unequal : (step * limit / 5 + equal) % limit;
        mik_put(p->elem, array, i, (double)x);
        sum += steps[step];
    }
}

/* Members one by one; what is between them is no number. */
static void mik_fill_structs(const Param *p, void *array, int64_t bytes, DataKind data)
{
    if (bytes > 0)
        memset(array, 0xff, (size_t)bytes);
    for (int64_t at = 0; at < bytes; at += p->size)
        for (int r = 0; r < p->runs; r++)
            for (int i = 0; i < p->layout[r].count; i++)
                mik_put(p->layout[r].elem, (char *)array + at + p->layout[r].at, i, mik_draw(p->layout[r].elem, data));
}

/* Values of an array on entry.
   Dominant data is positive, with a heavy diagonal in square matrices: fit for factorisations. */
static void mik_fill(const Param *p, void *array, const int64_t *extent, int64_t count, int64_t limit, DataKind data)
{
    const double scale = data == D_SCALED ? mik_scale(p->elem) : 1;
    if (p->layout) {
        mik_fill_structs(p, array, count, data);
        return;
    }
    if (p->is_index) {
        mik_fill_index(p, array, count, limit);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        mik_put(p->elem, array, i, scale * mik_draw(p->elem, data));
    if (data != D_DOMINANT || p->rank != 2 || extent[0] != extent[1] || !mik_is_float(p->elem))
        return;
    for (int64_t i = 0; i < extent[0]; i++)
        for (int64_t j = 0; j < i; j++)
            mik_put(p->elem, array, i * extent[1] + j, mik_get(p->elem, array, j * extent[1] + i));
    for (int64_t i = 0; i < extent[0]; i++)
        mik_put(p->elem, array, i * extent[1] + i, (double)extent[0] + 1);
}

/* Relative spacing of an element type's values. */
static double mik_spacing(Element elem)
{
    switch (elem) {
    case E_E4M3: return 0x1p-3;
    case E_E5M2: return 0x1p-2;
    case E_HALF: return 0x1p-10;
    case E_BF16: return 0x1p-7;
    case E_F32: return 0x1p-23;
    case E_F64:
    case E_LD: return 0x1p-52;
    default: return 0;
    }
}

/* What reordering the sums may change: one step of the element type, plus the accumulated rounding of sums
   whose length grows with the extents and whose terms are as large as the array's largest value. */
static double mik_allowed(Element elem, double want, double largest, int64_t extent)
{
    if (!mik_is_float(elem))
        return 0;
    double sums = elem == E_F64 || elem == E_LD ? 0x1p-52 : 0x1p-23;
    double tiny = elem == E_E4M3 ? 0x1p-9 : elem == E_E5M2 ? 0x1p-16 : elem == E_HALF ? 0x1p-24 : elem == E_BF16 ? 0x1p-133 : 0;
    tiny += elem == E_F64 || elem == E_LD ? 0 : 0x1p-149 * (double)extent;
    return mik_spacing(elem) * fabs(want) + sums * (16 * fabs(want) + 8 * sqrt(1.0 + (double)extent) * largest) + tiny;
}
