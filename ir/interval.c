/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interval arithmetic by kind of node. */
#include "ir/interval.h"

static const Wide far = (Wide)1 << 100; /* beyond every value and far from Wide's own limits */

Range type_range(Type type)
{
    if (!type_is_integer(type))
        return (Range){-far, far};
    if (type == T_BOOL)
        return (Range){0, 1};
    if (type_is_signed(type))
        return (Range){-((Wide)1 << (type_bits(type) - 1)), ((Wide)1 << (type_bits(type) - 1)) - 1};
    return (Range){0, ((Wide)1 << type_bits(type)) - 1};
}

bool range_within(Range inner, Range outer) { return outer.lo <= inner.lo && inner.hi <= outer.hi; }

Range range_empty(void) { return (Range){far, -far}; }

Range range_hull(Range a, Range b) { return (Range){min_wide(a.lo, b.lo), max_wide(a.hi, b.hi)}; }

/* Products of two 64-bit unsigned values exceed Wide; nothing beyond `far` matters. */
static Wide product(Wide a, Wide b)
{
    Wide result;
    if (!__builtin_mul_overflow(a, b, &result))
        return min_wide(max_wide(result, -far), far);
    return (a < 0) == (b < 0) ? far : -far;
}

static Range corners(Range a, Range b, Wide (*op)(Wide, Wide))
{
    Wide v[] = {op(a.lo, b.lo), op(a.lo, b.hi), op(a.hi, b.lo), op(a.hi, b.hi)};
    return (Range){min_wide(min_wide(v[0], v[1]), min_wide(v[2], v[3])), max_wide(max_wide(v[0], v[1]), max_wide(v[2], v[3]))};
}

static Wide quotient(Wide a, Wide b) { return a / b; }

static Range divide_range(Range a, Range b, Range whole)
{
    if (b.lo <= 0 && b.hi >= 0)
        return whole;
    return corners(a, b, quotient);
}

static bool is_one_value(Range r) { return r.lo == r.hi; }

static Range modulo_range(Range a, Range b, Range whole)
{
    if (b.lo <= 0 && b.hi >= 0)
        return whole;
    if (is_one_value(a) && is_one_value(b))
        return (Range){a.lo % b.lo, a.lo % b.lo};
    Wide most = max_wide(b.hi < 0 ? -b.lo : b.hi, b.lo < 0 ? -b.lo : b.lo) - 1;
    return (Range){a.lo < 0 ? max_wide(a.lo, -most) : 0, a.hi > 0 ? min_wide(a.hi, most) : 0};
}

static Range shift_range(Kind kind, Range a, Range b, Type type)
{
    if (kind == N_SHR && a.lo >= 0 && (b.lo < 0 || b.hi >= type_bits(type)))
        return (Range){0, a.hi};
    if (b.lo < 0 || b.hi >= type_bits(type) || a.lo < 0)
        return kind == N_SHL ? (Range){-far, far} : type_range(type);
    if (kind == N_SHL)
        return (Range){product(a.lo, (Wide)1 << b.lo), product(a.hi, (Wide)1 << b.hi)};
    return (Range){a.lo >> b.hi, a.hi >> b.lo};
}

static Range bits_range(Kind kind, Range a, Range b, Range whole)
{
    if (is_one_value(a) && is_one_value(b)) {
        const Wide bits = kind == N_AND ? a.lo & b.lo : kind == N_OR ? a.lo | b.lo : a.lo ^ b.lo;
        return (Range){bits, bits};
    }
    if (kind == N_AND && (a.lo >= 0 || b.lo >= 0))
        return (Range){0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : min_wide(a.hi, b.hi)};
    if (kind == N_AND || a.lo < 0 || b.lo < 0)
        return whole;
    Wide all = 1; /* | and ^ set no bit above the highest of their operands */
    while (all <= max_wide(a.hi, b.hi))
        all *= 2;
    return (Range){0, all - 1};
}

Range exact_range(Kind kind, Type type, Range a, Range b)
{
    Range whole = type_range(type);
    switch (kind) {
    case N_NEG: return (Range){-a.hi, -a.lo};
    case N_BNOT: return type_is_signed(type) ? (Range){-a.hi - 1, -a.lo - 1} : (Range){whole.hi - a.hi, whole.hi - a.lo};
    case N_ADD: return (Range){a.lo + b.lo, a.hi + b.hi};
    case N_SUB: return (Range){a.lo - b.hi, a.hi - b.lo};
    case N_MUL: return corners(a, b, product);
    case N_DIV: return divide_range(a, b, whole);
    case N_MOD: return modulo_range(a, b, whole);
    case N_SHL:
    case N_SHR: return shift_range(kind, a, b, type);
    case N_AND:
    case N_OR:
    case N_XOR: return bits_range(kind, a, b, whole);
    case N_MIN: return (Range){min_wide(a.lo, b.lo), min_wide(a.hi, b.hi)};
    case N_MAX: return (Range){max_wide(a.lo, b.lo), max_wide(a.hi, b.hi)};
    default: return whole;
    }
}

Range representable(Type type, Range exact)
{
    Range whole = type_range(type);
    if (range_within(exact, whole))
        return exact;
    if (type != T_INDEX || exact.hi < whole.lo || exact.lo > whole.hi)
        return whole;
    return (Range){max_wide(exact.lo, whole.lo), min_wide(exact.hi, whole.hi)};
}
