/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Elements that are not neighbours, from and to memory: as far from one another as a stride says, or where a number of each lane says. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load_apart(const float *p, int64_t stride)
{
    f32p4 x = {0};
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        x[i] = P4_FROM(p[i * stride]);
    return x;
}
/* What several vectors at a time leave begins with whole ones. */
MIK_INLINE MIK_LANES f32p4 f32p4_load_apart_part(const float *p, int64_t stride, int64_t n)
{
    f32p4 x = {0};
    if (n >= P4_LANES)
        return f32p4_load_apart(p, stride);
    for (int i = 0; i < n; i++)
        x[i] = P4_FROM(p[i * stride]);
    return x;
}
MIK_INLINE MIK_LANES f32p4 f32p4_load_apart_where(const float *p, int64_t stride, maskp4 where)
{
    f32p4 x = {0};
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            x[i] = P4_FROM(p[i * stride]);
    return x;
}
MIK_INLINE MIK_LANES void f32p4_store_apart_part(float *p, f32p4 x, int64_t stride, int64_t n)
{
    for (int i = 0; i < P4_LANES && i < n; i++)
        p[i * stride] = P4_TO(x[i]);
}
MIK_INLINE MIK_LANES void f32p4_store_apart(float *p, f32p4 x, int64_t stride)
{
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        p[i * stride] = P4_TO(x[i]);
}
MIK_INLINE MIK_LANES void f32p4_store_apart_where(float *p, f32p4 x, int64_t stride, maskp4 where)
{
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            p[i * stride] = P4_TO(x[i]);
}
MIK_INLINE MIK_LANES f32p4 f32p4_gather_part(const float *p, P4_INDEX at, int64_t n)
{
    f32p4 x = {0};
    for (int i = 0; i < P4_LANES && i < n; i++)
        x[i] = P4_FROM(p[at[i]]);
    return x;
}
MIK_INLINE MIK_LANES f32p4 f32p4_gather(const float *p, P4_INDEX at)
{
    f32p4 x = {0};
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        x[i] = P4_FROM(p[at[i]]);
    return x;
}
/* Of lanes that rise, the last by no more than there are lanes. */
MIK_INLINE MIK_LANES f32p4 f32p4_gather_near_part(const float *p, P4_INDEX at, int64_t n) { return f32p4_gather_part(p, at, n); }
MIK_INLINE MIK_LANES f32p4 f32p4_gather_near(const float *p, P4_INDEX at) { return f32p4_gather(p, at); }
MIK_INLINE MIK_LANES f32p4 f32p4_gather_where(const float *p, P4_INDEX at, maskp4 where)
{
    f32p4 x = {0};
    if (!maskp4_any((maskp4)~where))
        return f32p4_gather(p, at); /* with no branch for each */
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            x[i] = P4_FROM(p[at[i]]);
    return x;
}
MIK_INLINE MIK_LANES void f32p4_scatter_part(float *p, f32p4 x, P4_INDEX at, int64_t n)
{
    for (int i = 0; i < P4_LANES && i < n; i++)
        p[at[i]] = P4_TO(x[i]);
}
MIK_INLINE MIK_LANES void f32p4_scatter(float *p, f32p4 x, P4_INDEX at)
{
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        p[at[i]] = P4_TO(x[i]);
}
MIK_INLINE MIK_LANES void f32p4_scatter_where(float *p, f32p4 x, P4_INDEX at, maskp4 where)
{
    MIK_UNROLL
    for (int i = 0; i < P4_LANES; i++)
        if (maskp4_has(where, i))
            p[at[i]] = P4_TO(x[i]);
}
