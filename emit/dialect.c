/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types, literals and functions, as C11 and as CUDA C++ spell them. */
#include "emit/dialect.h"

const Dialect dialect_c = {
    .cuda = false,
    .restrict_word = "restrict",
    .bool_name = "_Bool",
    .long_to_bf16 = "mik_long_to_bf16",
    .ulong_to_bf16 = "mik_ulong_to_bf16",
    .round_to_odd = "mik_long_round_to_odd",
    .status_type = "int",
    .status_ok = "MIKGEN_OK",
    .status_extent = "MIKGEN_NEGATIVE_EXTENT",
};

const Dialect dialect_cuda = {
    .cuda = true,
    .restrict_word = "__restrict__",
    .bool_name = "bool",
    .long_to_bf16 = "__ll2bfloat16_rn",
    .ulong_to_bf16 = "__ull2bfloat16_rn",
    .status_type = "cudaError_t",
    .status_ok = "cudaSuccess",
    .status_extent = "cudaErrorInvalidValue",
};

/* Per dialect, CUDA's the second. */
static const struct {
    const char *name[2];
} types[T_COUNT] = {
#define TYPE(id, spec, c, bits, cls, rank, cuda, ...) [id] = {{c, cuda}},
#include "ir/types.def"
};

static const struct {
    const char *to_float[2], *from_float[2], *from_double[2];
} converters[T_COUNT] = {
#define CONVERT(id, to_float, from_float, from_double, cuda_to_float, cuda_from_float, cuda_from_double, ...) \
    [id] = {{to_float, cuda_to_float}, {from_float, cuda_from_float}, {from_double, cuda_from_double}},
#include "ir/types.def"
};

const char *dialect_type(const Dialect *d, Type type) { return type == T_BOOL ? d->bool_name : types[type_element(type)].name[d->cuda]; }

const char *dialect_to_float(const Dialect *d, Type narrow) { return converters[narrow].to_float[d->cuda]; }
const char *dialect_from_float(const Dialect *d, Type narrow) { return converters[narrow].from_float[d->cuda]; }
const char *dialect_from_double(const Dialect *d, Type narrow) { return converters[narrow].from_double[d->cuda]; }

json_t *dialect_types(void)
{
    json_t *all = json_object();
#define TYPE(id, spec, c, bits, cls, rank, cuda, numpy, rust, check) \
    json_object_set_new(all, spec, json_pack("{s:s, s:s, s:s, s:s}", "numpy", numpy, "rust", rust, "check", check, "added", ""));
#define CONVERT(id, a, b, c, d, e, f, numpy) json_object_set_new(json_object_get(all, type_spec_name(id)), "added", json_string(numpy));
#include "ir/types.def"
    return all;
}
