/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs alu.def's instructions: each is one loop over the lanes. Compiled with -ffp-contract=off. */
#include <fenv.h>
#include <stdlib.h>

#include "decode.h"
#include "float_bits.h"

static inline s32 clamp_s32(s64 x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x; }

static inline u32 reverse_bits(u32 x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}

static inline u32 bfind_s32_bits(u32 x)
{
    x = (s32)x < 0 ? ~x : x;
    return x ? 31 - (u32)__builtin_clz(x) : ~0u;
}

static inline u32 bfind_64(u64 x) { return x ? 63 - (u32)__builtin_clzll(x) : ~0u; }

static inline u64 extract_u(u64 a, u32 at, u32 length, u32 width)
{
    if (at >= width || length == 0)
        return 0;
    a >>= at;
    return length >= 64 ? a : a & ((1ull << length) - 1);
}

/* A is sign-extended to 64 bits. */
static inline u64 extract_s(u64 a, u32 at, u32 length, u32 width)
{
    if (length == 0)
        return 0;
    u32 top = at + length - 1 < width - 1 ? at + length - 1 : width - 1;
    u64 sign = a >> top & 1 ? ~0ull : 0;
    if (at >= width)
        return sign;
    u32 taken = top - at + 1;
    u64 bits = a >> at;
    return taken >= 64 ? bits : (bits & ((1ull << taken) - 1)) | (sign & ~((1ull << taken) - 1));
}

static inline u64 insert(u64 a, u64 b, u32 at, u32 length, u32 width)
{
    if (length == 0 || at >= width)
        return b;
    u64 mask = (length >= 64 ? ~0ull : (1ull << length) - 1) << at;
    return (b & ~mask) | ((a << at) & mask);
}

/* 9.7.1.17: the position of the n-th set bit from a base, upwards or downwards. */
static u32 find_nth_set(u32 mask, u32 base, s32 offset)
{
    s32 count = 0;
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : ~0u;
    for (s32 at = (s32)base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
        if (mask >> at & 1 && ++count == abs(offset))
            return (u32)at;
    return ~0u;
}

static inline u32 bit_mask(u32 at, u32 width)
{
    u64 ones = (1ull << width) - 1;
    return (u32)(ones << at);
}

static inline s32 byte_of(u32 x, int k, int is_signed)
{
    u8 byte = (u8)(x >> (8 * k));
    return is_signed ? (s8)byte : byte;
}

static inline u32 dot4(u32 a, u32 b, int a_signed, int b_signed)
{
    u32 sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (u32)(byte_of(a, k, a_signed) * byte_of(b, k, b_signed));
    return sum;
}

static inline u32 dot2(u32 a, u32 b, int a_signed, int b_signed)
{
    u32 sum = 0;
    for (int k = 0; k < 2; k++)
        sum += (u32)((a_signed ? (s16)(a >> (16 * k)) : (s32)(u16)(a >> (16 * k))) * byte_of(b, k, b_signed));
    return sum;
}

static inline u32 logic3(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;
    for (int k = 0; k < 8; k++)
        if (table >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}

static inline u32 permute(u32 a, u32 b, u32 selector)
{
    u64 both = (u64)b << 32 | a;
    u32 r = 0;
    for (int k = 0; k < 4; k++) {
        u32 s = selector >> (4 * k);
        u32 byte = (u32)(both >> (8 * (s & 7))) & 0xff;
        if (s & 8)
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << (8 * k);
    }
    return r;
}

static const u32 permute_backward[] = {0x5670, 0x6701, 0x7012, 0x0123};
static const u32 permute_left[] = {0x3210, 0x3211, 0x3222, 0x3333};
static const u32 permute_right[] = {0x0000, 0x1110, 0x2210, 0x3210};

/* 9.7.3.12: NaN loses, -0 is less than +0. */
static inline float min_number(float a, float b) { return a != a ? b : b != b ? a : a < b ? a : b < a ? b : bits_of(a) >> 31 ? a : b; }

static inline float max_number(float a, float b) { return a != a ? b : b != b ? a : a > b ? a : b > a ? b : bits_of(a) >> 31 ? b : a; }

static inline double min_number_64(double a, double b) { return a != a ? b : b != b ? a : a < b ? a : b < a ? b : signbit(a) ? a : b; }

static inline double max_number_64(double a, double b) { return a != a ? b : b != b ? a : a > b ? a : b > a ? b : signbit(a) ? b : a; }

static inline float nan_or(float a, float b, float r) { return a != a || b != b ? NAN : r; }

#define FMA_f16(x, y, z)  double_to_half((double)(x) * (y) + (z), ROUND_NEAREST)
#define FMA_bf16(x, y, z) double_to_bf16(fma(x, y, z), ROUND_NEAREST)

/* Compilers move arithmetic across fesetround unless its operands are volatile. */
#define DIRECT(mode, T, expr, p, q, r) \
    __extension__({ \
        volatile T x = (p), y = (q), z = (r); \
        (void)x, (void)y, (void)z; \
        fesetround(mode); \
        volatile T result = (expr); \
        fesetround(FE_TONEAREST); \
        result; \
    })

#define ONCE(expr) \
    __extension__({ \
        u32 r = 0; \
        for (int h = 0; h < 32; h += 16) { \
            u16 x = (u16)(a >> h); \
            r |= (u32)(u16)(expr) << h; \
        } \
        r; \
    })
#define TWICE(expr) \
    ONCE(__extension__({ \
        u16 y = (u16)(b >> h); \
        expr; \
    }))
#define THRICE(expr) \
    TWICE(__extension__({ \
        u16 z = (u16)(c >> h); \
        expr; \
    }))

/* A result may be an operand, but only in the same lane. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some cannot be */
#define NO_ALIAS _Pragma("clang loop vectorize(assume_safety)")
#else
#define NO_ALIAS _Pragma("GCC ivdep")
#endif

#define LOOP(D, read, expr) \
    D *d = reg(w, i->d); \
    if (mask == ~0u) { \
        NO_ALIAS \
        for (int l = 0; l < LANES; l++) { \
            read; \
            d[l] = (D)(expr); \
        } \
    } else { \
        EACH_LANE (l, mask) { \
            read; \
            d[l] = (D)(expr); \
        } \
    }
#define OP1(id, key, D, A, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        const A *a_ = reg(w, i->a); \
        LOOP(D, const A a = a_[l], expr) \
    }
#define OP2(id, key, D, A, B, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        const A *a_ = reg(w, i->a); \
        const B *b_ = reg(w, i->b); \
        LOOP(D, const A a = a_[l]; const B b = b_[l], expr) \
    }
#define OP3(id, key, D, A, B, C, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        const A *a_ = reg(w, i->a); \
        const B *b_ = reg(w, i->b); \
        const C *c_ = reg(w, i->c); \
        LOOP(D, const A a = a_[l]; const B b = b_[l]; const C c = c_[l], expr) \
    }
#define OP4(id, key, D, A, B, C, E, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        const A *a_ = reg(w, i->a); \
        const B *b_ = reg(w, i->b); \
        const C *c_ = reg(w, i->c); \
        const E *e_ = reg(w, i->e); \
        LOOP(D, const A a = a_[l]; const B b = b_[l]; const C c = c_[l]; const E e = e_[l], expr) \
    }
#include "alu.def"
#undef OP1
#undef OP2
#undef OP3
#undef OP4

#define OP1(id, key, D, A, expr)          {key, id, {sizeof(D), sizeof(A), 0, 0, 0}},
#define OP2(id, key, D, A, B, expr)       {key, id, {sizeof(D), sizeof(A), sizeof(B), 0, 0}},
#define OP3(id, key, D, A, B, C, expr)    {key, id, {sizeof(D), sizeof(A), sizeof(B), sizeof(C), 0}},
#define OP4(id, key, D, A, B, C, E, expr) {key, id, {sizeof(D), sizeof(A), sizeof(B), sizeof(C), sizeof(E)}},
static AluOp ops[] = {
#include "alu.def"
};

static int by_key(const void *a, const void *b) { return strcmp(((const AluOp *)a)->key, ((const AluOp *)b)->key); }

const AluOp *alu_find(const char *key)
{
    static bool is_sorted;
    if (!is_sorted)
        qsort(ops, sizeof ops / sizeof ops[0], sizeof ops[0], by_key);
    is_sorted = true;
    AluOp wanted = {.key = key};
    return bsearch(&wanted, ops, sizeof ops / sizeof ops[0], sizeof ops[0], by_key);
}
