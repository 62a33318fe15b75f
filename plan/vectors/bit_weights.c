/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value is looked at as fields: at each place of its binary digits there is a number of bits of which the weight has that digit. Where no
 * field can reach the next one, masks and shifts keep or drop whole fields. */
#include "plan/vectors/bit_weights.h"

static uint64_t ones(int bits) { return bits >= MOST_BITS ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1; }

/* How many binary digits n takes. */
static int digits(int n)
{
    int bits = 0;
    while (n >> bits)
        bits++;
    return bits;
}

/* The greatest number that the field at `place` may have; 0: there is no field. */
static int most_at(const BitWeights *of, int place)
{
    int most = 0;
    for (int i = 0; i < MOST_BITS; i++)
        most += (int)(of->weight[i] >> place & 1);
    return most;
}

static uint64_t field(const BitWeights *of, int place) { return ones(digits(most_at(of, place))) << place; }

/* The fields' digits, if none reaches another one, or beyond the type's digits. */
static bool fields_are_apart(const BitWeights *of, uint64_t *taken)
{
    const int bits = type_bits(of->type);
    *taken = 0;
    for (int place = 0; place < bits; place++) {
        const int most = most_at(of, place);
        const uint64_t here = ones(digits(most)) << place;
        if (place + digits(most) > bits || *taken & here)
            return false;
        *taken |= here;
    }
    return true;
}

bool bits_are_apart(const BitWeights *of)
{
    uint64_t taken;
    return fields_are_apart(of, &taken);
}

BitWeights bits_of_itself(Type type)
{
    BitWeights itself = {.type = type};
    for (int i = 0; i < type_bits(type); i++)
        itself.weight[i] = (uint64_t)1 << i;
    return itself;
}

static void cut(BitWeights *w)
{
    for (int i = 0; i < MOST_BITS; i++)
        w->weight[i] &= ones(type_bits(w->type));
}

/* Has it its value, and no less than 0? */
static bool is_natural(const BitWeights *of)
{
    uint64_t taken;
    return fields_are_apart(of, &taken) && !(type_is_signed(of->type) && taken >> (type_bits(of->type) - 1));
}

bool bits_cast(const BitWeights *of, Type type, BitWeights *result)
{
    if (type_bits(type) > type_bits(of->type) && !is_natural(of))
        return false;
    *result = *of;
    result->type = type;
    cut(result);
    return true;
}

/* Keeps the fields that lie in the mask. */
static bool keep(BitWeights *w, uint64_t mask)
{
    uint64_t taken;
    if (!fields_are_apart(w, &taken))
        return false;
    for (int place = 0; place < type_bits(w->type); place++) {
        const uint64_t here = field(w, place);
        if (here & mask && here & ~mask)
            return false;
        for (int i = 0; i < MOST_BITS && here && !(here & mask); i++)
            w->weight[i] &= ~((uint64_t)1 << place);
    }
    return true;
}

bool bits_by_constant(Kind kind, const BitWeights *of, uint64_t constant, BitWeights *result)
{
    *result = *of;
    const bool shifts = kind == N_SHL || kind == N_SHR;
    if (shifts && constant >= (uint64_t)type_bits(of->type))
        return false;
    if (kind == N_AND)
        return keep(result, constant);
    if (kind == N_SHR && (!is_natural(of) || !keep(result, ~ones((int)constant))))
        return false;
    if (!shifts && kind != N_MUL)
        return false;
    for (int i = 0; i < MOST_BITS; i++) {
        uint64_t *w = &result->weight[i];
        *w = kind == N_SHR ? *w >> constant : kind == N_SHL ? *w << constant : *w * constant;
    }
    cut(result);
    return true;
}

bool bits_of_two(Kind kind, const BitWeights *a, const BitWeights *b, BitWeights *result)
{
    uint64_t of_a, of_b;
    const bool joins = kind == N_OR || kind == N_XOR;
    if (joins && !(fields_are_apart(a, &of_a) && fields_are_apart(b, &of_b) && !(of_a & of_b)))
        return false;
    if (!joins && kind != N_ADD && kind != N_SUB)
        return false;
    *result = *a;
    for (int i = 0; i < MOST_BITS; i++)
        result->weight[i] += kind == N_SUB ? -b->weight[i] : b->weight[i];
    cut(result);
    return true;
}

bool bits_counted(const BitWeights *of, Type type, BitWeights *result)
{
    if (!is_natural(of))
        return false;
    for (int place = 0; place < type_bits(of->type); place++)
        if (most_at(of, place) > 1)
            return false;
    *result = (BitWeights){.type = type};
    for (int i = 0; i < MOST_BITS; i++) {
        if (of->weight[i] & (of->weight[i] - 1))
            return false;
        result->weight[i] = of->weight[i] != 0;
    }
    return true;
}

bool bits_are_counted(const BitWeights *of, uint64_t *counted)
{
    *counted = 0;
    for (int i = 0; i < MOST_BITS; i++) {
        if (of->weight[i] > 1)
            return false;
        *counted |= of->weight[i] << i;
    }
    return true;
}

/* Has bit i of the integer the place that it has when units of so many bits, the first of `bits`, are in reverse; and have others none? */
static bool units_are_reversed(const BitWeights *of, int bits, int unit)
{
    if (type_bits(of->type) < bits)
        return false;
    for (int i = 0; i < MOST_BITS; i++) {
        const int place = bits - unit - i / unit * unit + i % unit;
        if (of->weight[i] != (i < bits ? (uint64_t)1 << place : 0))
            return false;
    }
    return true;
}

bool bits_are_reversed(const BitWeights *of, int bits) { return units_are_reversed(of, bits, 1); }

bool bytes_are_reversed(const BitWeights *of, int bits) { return bits > 8 && units_are_reversed(of, bits, 8); }

bool bits_are_zero(const BitWeights *of)
{
    uint64_t any = 0;
    for (int i = 0; i < MOST_BITS; i++)
        any |= of->weight[i];
    return !any;
}
