/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Words of operands that are prepacked for dot products: what is in them. */
#pragma once
#include "float16.h"
#include "tables.h"

#if MIK_F32_INTEGERS
enum { MIK_F32_IN_WORD = 4 };  /* steps */
#else
enum { MIK_F32_IN_WORD = 2 };
#endif

/* The bits of an element that come into a word. */
static uint32_t mik_f32_narrow_bits(mik_f32_panel x, int plus)
{
#if MIK_F32_INTEGERS
    return (uint8_t)(x + plus);
#else
    (void)plus;
    return mik_float_bits(x) >> 16;
#endif
}

#if !MIK_F32_INTEGERS
/* The least magnitude of bf16, of one more, less one, which makes zeros the greatest of all. */
static uint32_t mik_f32_least_of(uint32_t least, uint32_t bits)
{
    const uint32_t magnitude = ((bits & 0x7fff) - 1) & 0xffff;
    return magnitude < least ? magnitude : least;
}

/* Its exponent, as mik_bf16_head has it. */
static uint32_t mik_f32_head_of_least(uint32_t least)
{
    const int16_t exponent = (int16_t)(least == 0xffff ? 255 : least < 0x7f ? -256 : (int)((least + 1) >> 7));
    uint32_t head = 0;
    memcpy(&head, &exponent, sizeof exponent);
    return head;
}

#endif
