/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types: sizes, names, C's conversions and promotions. */
#include "ir/node.h"

typedef enum TypeClass { V, B, S, U, F } TypeClass;

static const struct {
    const char *spec;
    int bits;
    TypeClass cls;
    int rank;
} types[T_COUNT] = {
#define TYPE(id, spec, c, bits, cls, rank, ...) [id] = {spec, bits, cls, rank},
#include "ir/types.def"
};

enum { FLAGS = T_LANES | (LANE_WIDTHS - 1) * T_LANE_WIDTH };
Type type_element(Type t) { return (Type)((unsigned)t & ~(unsigned)FLAGS); }
Type type_vector(Type t, LaneWidth width)
{
    return (Type)((unsigned)type_element(t) | (unsigned)T_LANES | (unsigned)width * (unsigned)T_LANE_WIDTH);
}
LaneWidth type_lane_width(Type t) { return (LaneWidth)((unsigned)t / (unsigned)T_LANE_WIDTH % (unsigned)LANE_WIDTHS); }
int lane_bits(LaneWidth width)
{
    static const int bits[LANE_WIDTHS] = {[LANES_32] = 32, [LANES_64] = 64, [LANES_16] = 16, [LANES_8] = 8};
    return bits[width];
}
Type type_like(Type t, Type vector) { return (Type)((unsigned)type_element(t) | ((unsigned)vector & FLAGS)); }
bool type_is_vector(Type t) { return ((unsigned)t & (unsigned)T_LANES) != 0; }

static TypeClass class_of(Type t) { return types[type_element(t)].cls; }

const char *type_spec_name(Type t) { return types[type_element(t)].spec; }
int type_bits(Type t) { return types[type_element(t)].bits; }
int type_bytes(Type t) { return types[type_element(t)].bits / 8; }
bool type_is_float(Type t) { return class_of(t) == F; }
bool type_is_fp8(Type t) { return type_element(t) == T_E4M3 || type_element(t) == T_E5M2; }
bool type_is_integer(Type t) { return class_of(t) == B || class_of(t) == S || class_of(t) == U; }
bool type_is_signed(Type t) { return class_of(t) == S || class_of(t) == F; }

Type type_promote(Type t) { return type_is_integer(t) && types[t].rank < types[T_INT].rank ? T_INT : t; }

static Type to_unsigned(Type t)
{
    switch (t) {
    case T_INT: return T_UINT;
    case T_LONG: return T_ULONG;
    default: return T_ULLONG;
    }
}

Type type_common(Type a, Type b)
{
    if (type_is_float(a) || type_is_float(b)) {
        if (!type_is_float(a))
            return b;
        if (!type_is_float(b))
            return a;
        return types[a].rank >= types[b].rank ? a : b;
    }
    a = type_promote(a);
    b = type_promote(b);
    if (a == b)
        return a;
    if (type_is_signed(a) == type_is_signed(b)) {
        if (types[a].rank == types[b].rank) /* the index type against long long */
            return a == T_INDEX ? a : b;
        return types[a].rank > types[b].rank ? a : b;
    }
    Type u = type_is_signed(a) ? b : a, s = type_is_signed(a) ? a : b;
    if (types[u].rank >= types[s].rank)
        return u;
    return type_bits(s) > type_bits(u) ? s : to_unsigned(s);
}

int64_t type_min(Type t)
{
    if (types[t].cls != S)
        return 0;
    return types[t].bits == 64 ? INT64_MIN : -((int64_t)1 << (types[t].bits - 1));
}

int64_t type_max(Type t)
{
    if (types[t].cls == B)
        return 1;
    if (types[t].bits == 64)
        return INT64_MAX;
    return ((int64_t)1 << (types[t].bits - (types[t].cls == S))) - 1;
}
