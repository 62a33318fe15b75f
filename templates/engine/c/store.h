/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Storing finished sums as 16-bit floats, rounded as the scalar conversions are: to nearest even. */
#pragma once
#include "../sets/avx2/store_rows.h"
#include "../sets/avx512/store_rows.h"
#include "processor.h"

/* c(i, j) = t[i * ldt + j] as half. */
MIK_SHARED void mik_store_half(int isa, const float *t, int64_t ldt, int64_t rows, int64_t cols, uint16_t *c, int64_t c_m, int64_t c_n)
{
#if MIK_X86
#if MIK_STORES_HALF
    const int vectors = MIK_RUNS(isa, avx2) && mik_has(mik_sets(), MIK_HAS_F16C); /* all with AVX2 do, but a hypervisor may hide it */
#else
    const int vectors = MIK_RUNS(isa, avx2);
#endif
    if (vectors && c_n == 1) {
        (MIK_RUNS(isa, avx512) ? mik_store_half_rows_avx512 : mik_store_half_rows)(t, ldt, rows, cols, c, c_m);
        return;
    }
#endif
    (void)isa;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            c[i * c_m + j * c_n] = mik_float_to_half(t[i * ldt + j]);
}
