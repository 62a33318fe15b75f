/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of bits, against what the operators make of numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/vectors/bit_weights.h"

static uint64_t cut(Type type, uint64_t value) { return type_bits(type) == 64 ? value : value & (((uint64_t)1 << type_bits(type)) - 1); }

static uint64_t sum_of(const BitWeights *w, uint64_t x)
{
    uint64_t sum = 0;
    for (int i = 0; i < MOST_BITS; i++)
        sum += (x >> i & 1) * w->weight[i];
    return cut(w->type, sum);
}

/* As C has it: with copies of the sign. */
static uint64_t extended(Type type, uint64_t value)
{
    const int unused = 64 - type_bits(type);
    return type_is_signed(type) ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static uint64_t applied(Kind kind, Type type, uint64_t a, uint64_t b)
{
    switch (kind) {
    case N_ADD: return cut(type, a + b);
    case N_SUB: return cut(type, a - b);
    case N_MUL: return cut(type, a * b);
    case N_AND: return a & cut(type, b);
    case N_OR: return a | b;
    case N_XOR: return a ^ b;
    case N_SHL: return cut(type, a << b);
    default: {
        const uint64_t wide = extended(type, a);
        return cut(type, type_is_signed(type) ? (uint64_t)((int64_t)wide >> b) : wide >> b);
    }
    }
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* What the operators may do with constants, among them masks that population counts have. */
static uint64_t constant_for(Kind kind, uint64_t *state)
{
    static const uint64_t masks[] = {
        0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0101010101010101, 0x7f, 0xf0, 0xe};
    const uint64_t drawn = next(state);
    return kind == N_SHL || kind == N_SHR ? (uint64_t)1 << drawn % 5 : drawn % 9 == 8 ? next(state) : masks[drawn % 8];
}

static void test_against_numbers(void **unused)
{
    (void)unused;
    enum { NUMBERS = 6, STEPS = 9, ROUNDS = 40000 };
    static const Type types[] = {T_UINT, T_ULONG, T_UCHAR, T_INT, T_LONG, T_USHORT};
    static const Kind kinds[] = {N_ADD, N_SUB, N_AND, N_AND, N_SHR, N_SHR, N_MUL, N_SHL, N_OR, N_XOR};
    uint64_t state = 1;
    int done = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const Type type = types[next(&state) % 6];
        BitWeights w = bits_of_itself(type), before = w, result;
        uint64_t x[NUMBERS], value[NUMBERS], earlier[NUMBERS];
        for (int i = 0; i < NUMBERS; i++)
            earlier[i] = value[i] = x[i] = cut(type, i ? next(&state) << 32 ^ next(&state) : ~(uint64_t)0);
        for (int step = 0; step < STEPS; step++) {
            const Kind kind = kinds[next(&state) % 10];
            const bool casts = next(&state) % 8 == 0, two = next(&state) % 3 == 0 && before.type == w.type;
            const Type to = types[next(&state) % 6], from = w.type;
            const uint64_t constant = constant_for(kind, &state);
            const bool known = casts ? bits_cast(&w, to, &result)
                               : two ? bits_of_two(kind, &w, &before, &result)
                                     : bits_by_constant(kind, &w, constant, &result);
            if (!known)
                continue;
            for (int i = 0; i < NUMBERS; i++) {
                const uint64_t old = value[i];
                value[i] = casts ? cut(to, extended(from, old)) : applied(kind, from, old, two ? earlier[i] : constant);
                earlier[i] = old;
                assert_true(sum_of(&result, x[i]) == value[i]);
            }
            before = w;
            w = result;
            done++;
        }
    }
    assert_true(done > ROUNDS);
}

static void test_count(void **unused)
{
    (void)unused;
    uint64_t bits;
    BitWeights v = bits_of_itself(T_UINT), t, u;
    assert_true(bits_by_constant(N_SHR, &v, 1, &t) && bits_by_constant(N_AND, &t, 0x55555555, &t) && bits_of_two(N_SUB, &v, &t, &v));
    assert_true(bits_by_constant(N_SHR, &v, 2, &t) && bits_by_constant(N_AND, &t, 0x33333333, &t));
    assert_true(bits_by_constant(N_AND, &v, 0x33333333, &u) && bits_of_two(N_ADD, &u, &t, &v));
    assert_true(bits_by_constant(N_SHR, &v, 4, &t) && bits_of_two(N_ADD, &v, &t, &v) && bits_by_constant(N_AND, &v, 0x0f0f0f0f, &v));
    assert_false(bits_are_counted(&v, &bits));
    assert_true(bits_by_constant(N_MUL, &v, 0x01010101, &v) && bits_by_constant(N_SHR, &v, 24, &v));
    assert_true(bits_are_counted(&v, &bits) && bits == 0xffffffff);
}

/* Bits in reverse, one by one and by swaps; bytes; what has a bit too many. */
static void test_orders(void **unused)
{
    (void)unused;
    BitWeights v = bits_of_itself(T_UINT), r = {.type = T_UINT}, t, u;
    assert_true(bits_are_zero(&r) && !bits_are_zero(&v) && bits_are_apart(&v));
    for (int i = 0; i < 32; i++) {
        assert_false(bits_are_reversed(&r, 32));
        assert_true(bits_by_constant(N_AND, &v, 1, &t) && bits_by_constant(N_SHL, &r, 1, &r) && bits_of_two(N_OR, &r, &t, &r));
        assert_true(bits_by_constant(N_SHR, &v, 1, &v));
    }
    assert_true(bits_are_reversed(&r, 32) && !bits_are_reversed(&r, 16) && !bytes_are_reversed(&r, 32) && bits_are_zero(&v));
    v = bits_of_itself(T_USHORT);
    assert_true(bits_cast(&v, T_INT, &v) && bits_by_constant(N_SHL, &v, 8, &t) && bits_by_constant(N_SHR, &v, 8, &u));
    assert_true(bits_of_two(N_OR, &t, &u, &v) && !bytes_are_reversed(&v, 16));
    assert_true(bits_cast(&v, T_USHORT, &v) && bytes_are_reversed(&v, 16) && !bits_are_reversed(&v, 16));
    v = bits_of_itself(T_UCHAR);
    assert_false(bytes_are_reversed(&v, 8) || bits_are_reversed(&v, 8));
    v = bits_of_itself(T_UINT);
    assert_true(bits_by_constant(N_MUL, &v, 3, &v));
    assert_false(bits_are_apart(&v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_numbers), cmocka_unit_test(test_count), cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
