/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tensor cores multiply. */
#include "plan/kernels/gpu.h"

/* clang-format off */
static const GpuProduct products[] = {
    {"f16", "f16", "f32", 2},
    {"bf16", "bf16", "f32", 2},
    {"f64", "f64", "f64", 8},
    {"tf32", "tf32", "f32", 4},
    {"s8", "s8", "s32", 1},
    {"s8", "u8", "s32", 1},
    {"u8", "s8", "s32", 1},
    {"u8", "u8", "s32", 1},
    {"e4m3", "e4m3", "f32", 1},
    {"e4m3", "e5m2", "f32", 1},
    {"e5m2", "e4m3", "f32", 1},
    {"e5m2", "e5m2", "f32", 1},
};
/* clang-format on */

const GpuProduct *gpu_product(const Contraction *c)
{
    switch (c->family) {
    case FAM_F16: return &products[0];
    case FAM_BF16: return &products[1];
    case FAM_F64: return &products[2];
    case FAM_F32: return c->tf32 ? &products[3] : NULL;
    case FAM_U8S8: return &products[4 + 2 * (c->a.value->type == T_UCHAR) + (c->b.value->type == T_UCHAR)];
    case FAM_F8: return &products[8 + 2 * (c->a.value->type == T_E5M2) + (c->b.value->type == T_E5M2)];
    default: return NULL;
    }
}
