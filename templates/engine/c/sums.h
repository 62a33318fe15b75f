/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What every vocabulary has beside its instructions: sums that are added to what is there, and to one number. */
#pragma once
#include "types.h"
#include "../sets/avx512/f32.h"

/* x plus, with add, what is at p; and storing that. */
MIK_INLINE MIK_AVX512 f32z_vec f32z_plus(const mik_f32_acc *p, f32z_vec x, int add) { return add ? f32z_add(x, f32z_get(p)) : x; }
MIK_INLINE MIK_AVX512 void f32z_end(mik_f32_acc *p, f32z_vec x, int add) { f32z_put(p, f32z_plus(p, x, add)); }
MIK_INLINE MIK_AVX512 void f32z_end_part(mik_f32_acc *p, f32z_vec x, int add, f32z_mask last)
{
    f32z_put_part(p, add ? f32z_add(x, f32z_get_part(p, last)) : x, last);
}
#if !F32Z_SUM4
/* The sums of four vectors. */
MIK_INLINE MIK_AVX512 void f32z_sum4(f32z_vec x, f32z_vec y, f32z_vec z, f32z_vec w, mik_f32_acc *sum)
{
    sum[0] = f32z_sum(x), sum[1] = f32z_sum(y);
    sum[2] = f32z_sum(z), sum[3] = f32z_sum(w);
}
#endif
