/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every half and every bf16, and floats around every point where their rounding changes, go through the emitted
 * conversions on every instruction set of this machine and through the spec's own. Numbers must have the same bits, a
 * NaN must stay one. Built and run by conversions.sh.
 *
 * With -DSUMS there is no reference: what portable C gives is printed as one number for each operator, which must be the same
 * on machines of every kind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conversions_dyn.h"

enum { HALVES = 1 << 16, FLOATS = 6 << 16, PART = 2048 };

#ifdef SUMS
enum { HAS_REFERENCE = 0 };
#define REFERENCE(op) \
    static void op##_reference(int m, int n, int k, const void *a, const void *b, void *c) \
    { \
        (void)m, (void)n, (void)k, (void)a, (void)b, (void)c; \
    }
#else
enum { HAS_REFERENCE = 1 };
#define REFERENCE(op) extern void op##_reference(int, int, int, const void *, const void *, void *);
#endif
REFERENCE(half_columns)
REFERENCE(half_rows)
REFERENCE(bf16_columns)
REFERENCE(bf16_rows)
REFERENCE(float_to_half)
REFERENCE(float_to_bf16)

typedef void Reference(int, int, int, const void *, const void *, void *);
typedef int Emitted(const mikgen_options *, int, int, int, const void *, const void *, void *);

#define EMITTED(op, ta, tc) \
    static int op##_emitted(const mikgen_options *opt, int m, int n, int k, const void *a, const void *b, void *c) \
    { \
        return op##_with(opt, m, n, k, (const ta *)a, (const ta *)b, (tc *)c); \
    }
EMITTED(half_columns, uint16_t, uint16_t)
EMITTED(half_rows, uint16_t, float)
EMITTED(bf16_columns, uint16_t, uint16_t)
EMITTED(bf16_rows, uint16_t, float)
EMITTED(float_to_half, float, uint16_t)
EMITTED(float_to_bf16, float, uint16_t)

static const struct {
    const char *name;
    Reference *reference;
    Emitted *emitted;
    int in, out;   /* bits of an element */
    uint32_t one;  /* 1.0 as an input */
    uint32_t infinity;
} ops[] = {
    {"half_columns", half_columns_reference, half_columns_emitted, 16, 16, 0x3c00, 0x7c00},
    {"half_rows", half_rows_reference, half_rows_emitted, 16, 32, 0x3c00, 0x7f800000},
    {"bf16_columns", bf16_columns_reference, bf16_columns_emitted, 16, 16, 0x3f80, 0x7f80},
    {"bf16_rows", bf16_rows_reference, bf16_rows_emitted, 16, 32, 0x3f80, 0x7f800000},
    {"float_to_half", float_to_half_reference, float_to_half_emitted, 32, 16, 0x3f800000, 0x7c00},
    {"float_to_bf16", float_to_bf16_reference, float_to_bf16_emitted, 32, 16, 0x3f800000, 0x7f80},
};
enum { OPS = sizeof ops / sizeof *ops };

static uint32_t get(const void *array, int bits, size_t i)
{
    return bits == 16 ? ((const uint16_t *)array)[i] : ((const uint32_t *)array)[i];
}

static void put(void *array, int bits, size_t i, uint32_t x)
{
    if (bits == 16)
        ((uint16_t *)array)[i] = (uint16_t)x;
    else
        ((uint32_t *)array)[i] = x;
}

/* The same number, or both NaNs. */
static int same(int op, uint32_t x, uint32_t y)
{
    const uint32_t magnitude = ops[op].out == 16 ? 0x7fff : 0x7fffffff;
    return x == y || ((x & magnitude) > ops[op].infinity && (y & magnitude) > ops[op].infinity);
}

static uint32_t sum = 2166136261u; /* of the bits of all results so far, where all NaNs are one */

static void add_up(int op, uint32_t x)
{
    const uint32_t magnitude = ops[op].out == 16 ? 0x7fff : 0x7fffffff;
    sum = (sum ^ ((x & magnitude) > ops[op].infinity ? magnitude : x)) * 16777619u;
}

/* `count` inputs as the columns, or with `turned` as the rows, of one operand, all ones the other. */
static long check(int op, const uint32_t *inputs, int count, int turned, int isa)
{
    enum { OTHER = 3 };
    const int in = ops[op].in, out = ops[op].out, m = turned ? count : OTHER, n = turned ? OTHER : count;
    void *values = malloc((size_t)count * 4), *ones = malloc((size_t)OTHER * 4);
    void *want = calloc((size_t)count * OTHER, 4), *got = calloc((size_t)count * OTHER, 4);
    for (int i = 0; i < count; i++)
        put(values, in, (size_t)i, inputs[i]);
    for (int i = 0; i < OTHER; i++)
        put(ones, in, (size_t)i, ops[op].one);
    const void *a = turned ? values : ones, *b = turned ? ones : values;
    mikgen_options opt = {0};
    opt.isa = isa;
    opt.plan = 0x40; /* tiles */
    const int status = ops[op].emitted(&opt, m, n, 1, a, b, got);
    long wrong = 0;
    ops[op].reference(m, n, 1, a, b, want);
    for (size_t i = 0; status == MIKGEN_OK && i < (size_t)count * OTHER; i++)
        if (!HAS_REFERENCE)
            add_up(op, get(got, out, i));
        else if (!same(op, get(want, out, i), get(got, out, i)) && wrong++ == 0)
            printf("FAILED: %s on instruction set %d: %x becomes %x, not %x\n", ops[op].name, isa,
                   (unsigned)inputs[turned ? i / OTHER : i % (size_t)count], (unsigned)get(got, out, i), (unsigned)get(want, out, i));
    free(values), free(ones), free(want), free(got);
    if (status != MIKGEN_OK && status != MIKGEN_UNSUPPORTED)
        printf("FAILED: %s comes back with error %d\n", ops[op].name, status), wrong++;
    return wrong;
}

/* Floats next to the 16-bit number h and to the point halfway to its neighbour. */
static int around(int op, uint32_t h, uint32_t *out)
{
    static const int32_t steps[] = {-1, 0, 1};
    uint32_t bits = h << 16, middle = 0x8000;
    if (op == 4) { /* half: exponents biased by 15; subnormal ones by plain scaling */
        const uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
        float value = (float)(exponent ? fraction | 0x400 : fraction) * 0x1p-24f, next = 0x1p-25f;
        for (uint32_t e = exponent; e > 1; e--)
            value *= 2, next *= 2;
        next += value;
        memcpy(&bits, &value, 4);
        memcpy(&middle, &next, 4);
        if (exponent == 31) {
            bits = 0x7f800000 | fraction << 13;
            middle = bits | 0x1000;
        }
        bits |= sign;
        middle |= sign;
    } else {
        middle = bits + 0x8000;
    }
    for (int i = 0; i < 3; i++)
        out[i] = bits + (uint32_t)steps[i], out[3 + i] = middle + (uint32_t)steps[i];
    return 6;
}

int main(void)
{
    uint32_t *inputs = malloc(FLOATS * sizeof *inputs);
    long wrong = 0, checked = 0;
    for (int op = 0; op < OPS; op++) {
        int count = 0;
        for (uint32_t h = 0; h < HALVES; h++)
            if (ops[op].in == 16)
                inputs[count++] = h;
            else
                count += around(op, h, inputs + count);
        for (int at = 0; at < count; at += PART) {
            const int part = count - at < PART ? count - at : PART;
            for (int isa = 1; isa <= (HAS_REFERENCE ? 5 : 1); isa++)
                for (int turned = 0; turned < 2; turned++)
                    wrong += check(op, inputs + at, part, turned, isa);
        }
        checked += count;
        if (!HAS_REFERENCE)
            printf("%s %08x\n", ops[op].name, (unsigned)sum);
    }
    printf("%ld inputs, %ld wrong\n", checked, wrong);
    free(inputs);
    return wrong != 0;
}
