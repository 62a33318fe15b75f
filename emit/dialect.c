/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types, literals and functions, as C11 and as CUDA C++ spell them. */
#include "emit/dialect.h"

const Dialect dialect_c = {
    .cuda = false,
    .restrict_word = "restrict",
    .bool_name = "_Bool",
    .half_name = "uint16_t",
    .bf16_name = "uint16_t",
    .e4m3_name = "uint8_t",
    .e5m2_name = "uint8_t",
    .half_to_float = "mik_half_to_float",
    .float_to_half = "mik_float_to_half",
    .double_to_half = "mik_double_to_half",
    .bf16_to_float = "mik_bf16_to_float",
    .float_to_bf16 = "mik_float_to_bf16",
    .double_to_bf16 = "mik_double_to_bf16",
    .e4m3_to_float = "mik_e4m3_to_float",
    .float_to_e4m3 = "mik_float_to_e4m3",
    .e5m2_to_float = "mik_e5m2_to_float",
    .float_to_e5m2 = "mik_float_to_e5m2",
    .long_to_bf16 = "mik_long_to_bf16",
    .ulong_to_bf16 = "mik_ulong_to_bf16",
    .round_to_odd = "mik_long_round_to_odd",
    .status_type = "int",
    .status_ok = "MIKGEN_OK",
    .status_extent = "MIKGEN_NEGATIVE_EXTENT",
    .status_overlap = "MIKGEN_OVERLAP",
};

const Dialect dialect_cuda = {
    .cuda = true,
    .restrict_word = "__restrict__",
    .bool_name = "bool",
    .half_name = "__half",
    .bf16_name = "__nv_bfloat16",
    .e4m3_name = "__nv_fp8_e4m3",
    .e5m2_name = "__nv_fp8_e5m2",
    .half_to_float = "__half2float",
    .float_to_half = "__float2half_rn",
    .double_to_half = "__double2half",
    .bf16_to_float = "__bfloat162float",
    .float_to_bf16 = "__float2bfloat16_rn",
    .double_to_bf16 = "__double2bfloat16",
    .e4m3_to_float = "float",
    .float_to_e4m3 = "__nv_fp8_e4m3",
    .e5m2_to_float = "float",
    .float_to_e5m2 = "__nv_fp8_e5m2",
    .long_to_bf16 = "__ll2bfloat16_rn",
    .ulong_to_bf16 = "__ull2bfloat16_rn",
    .status_type = "cudaError_t",
    .status_ok = "cudaSuccess",
    .status_extent = "cudaErrorInvalidValue",
    .status_overlap = "MIKGEN_OVERLAP",
};

const char *dialect_type(const Dialect *d, Type type)
{
    switch (type) {
    case T_BOOL: return d->bool_name;
    case T_HALF: return d->half_name;
    case T_BF16: return d->bf16_name;
    case T_E4M3: return d->e4m3_name;
    case T_E5M2: return d->e5m2_name;
    default: return type_c_name(type);
    }
}

const char *dialect_to_float(const Dialect *d, Type narrow)
{
    switch (narrow) {
    case T_HALF: return d->half_to_float;
    case T_BF16: return d->bf16_to_float;
    case T_E4M3: return d->e4m3_to_float;
    default: return d->e5m2_to_float;
    }
}

const char *dialect_from_float(const Dialect *d, Type narrow)
{
    switch (narrow) {
    case T_HALF: return d->float_to_half;
    case T_BF16: return d->float_to_bf16;
    case T_E4M3: return d->float_to_e4m3;
    default: return d->float_to_e5m2;
    }
}
