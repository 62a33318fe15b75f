/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The portable set: lanes of 16 bits from and to bytes in memory, converted as vectors. Written for eight lanes of int8_t. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int16_t i16p8 __attribute__((vector_size(16)));
typedef int8_t i16p8_i8 __attribute__((vector_size(8)));

MIK_INLINE MIK_LANES i16p8 i16p8_load_i8(const int8_t *p)
{
    i16p8_i8 x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, i16p8);
}
/* The lower bytes of all lanes. */
MIK_INLINE MIK_LANES void i16p8_store_i8(int8_t *p, i16p8 x)
{
    const i16p8_i8 bytes = __builtin_convertvector(x, i16p8_i8);
    memcpy(p, &bytes, sizeof bytes);
}
