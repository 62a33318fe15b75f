/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: what groups by halves take of those of 32 bytes (avx2/loops/groups.h): declarations. */
#pragma once
#include "bytes.h"

typedef uint8_t u8z32 __attribute__((vector_size(32)));
u8z32 u8z32_load_member(const uint8_t *p, int size, int which);
u8z32 u8z32_load_member_part(const uint8_t *p, int size, int which, int64_t n);
void u8z32_store_groups2(uint8_t *p, u8z32 x, u8z32 y);
void u8z32_store_groups3(uint8_t *p, u8z32 x, u8z32 y, u8z32 z);
void u8z32_store_groups4(uint8_t *p, u8z32 x, u8z32 y, u8z32 z, u8z32 w);
void u8z32_store_groups6(uint8_t *p, u8z32 x0, u8z32 x1, u8z32 x2, u8z32 x3, u8z32 x4, u8z32 x5);
void u8z32_store_groups8(uint8_t *p, u8z32 x0, u8z32 x1, u8z32 x2, u8z32 x3, u8z32 x4, u8z32 x5, u8z32 x6, u8z32 x7);
