/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tensor cores multiply. */
#include "plan/kernels/gpu.h"

/* clang-format off */
static const GpuProduct products[] = {
    {"f16", "f16", "float", "f32", 2, 16, 16, "uint32_t", 4, 2},
    {"bf16", "bf16", "float", "f32", 2, 16, 16, "uint32_t", 4, 2},
    {"f64", "f64", "double", "f64", 8, 8, 4, "double", 1, 1},
    {"tf32", "tf32", "float", "f32", 4, 16, 8, "uint32_t", 4, 2},
    {"s8", "s8", "int", "s32", 1, 16, 32, "uint32_t", 4, 2},
    {"s8", "u8", "int", "s32", 1, 16, 32, "uint32_t", 4, 2},
    {"u8", "s8", "int", "s32", 1, 16, 32, "uint32_t", 4, 2},
    {"u8", "u8", "int", "s32", 1, 16, 32, "uint32_t", 4, 2},
    {"e4m3", "e4m3", "float", "f32", 1, 16, 32, "uint32_t", 4, 2},
    {"e4m3", "e5m2", "float", "f32", 1, 16, 32, "uint32_t", 4, 2},
    {"e5m2", "e4m3", "float", "f32", 1, 16, 32, "uint32_t", 4, 2},
    {"e5m2", "e5m2", "float", "f32", 1, 16, 32, "uint32_t", 4, 2},
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
