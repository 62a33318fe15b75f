/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvt (PTX ISA 9.7.9.21): every pair of types and rounding mode, f16x2, bf16x2 and tf32 results; pairs of e4m3 and e5m2 from f32, and to f16. */
#include <fenv.h>

#include "decode.h"
#include "float_bits.h"

typedef enum { N_U8, N_U16, N_U32, N_U64, N_S8, N_S16, N_S32, N_S64, N_F16, N_BF16, N_TF32, N_F32, N_F64, N_TYPES } Number;

static const char *const number_names[N_TYPES] = {"u8",  "u16", "u32",  "u64",  "s8",  "s16", "s32",
                                                  "s64", "f16", "bf16", "tf32", "f32", "f64"};

/* What cvt knows besides the types. */
typedef struct {
    Number to, from;
    Rounding rounding;
    bool is_integral; /* .rni and its like: round to a whole number */
    bool is_saturated, is_relu, is_flushed;
} Conversion;

static bool is_whole(Number n) { return n <= N_S64; }

static int number_bytes(Number n)
{
    static const int bytes[N_TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 4, 8};
    return bytes[n];
}

static double read_float(Number n, const void *p, uint32_t l)
{
    switch (n) {
    case N_F16: return half_to_float(((const u16 *)p)[l]);
    case N_BF16: return bf16_to_float(((const u16 *)p)[l]);
    case N_F32: return ((const f32 *)p)[l];
    default: return ((const f64 *)p)[l];
    }
}

static s128 read_whole(Number n, const void *p, uint32_t l)
{
    switch (n) {
    case N_U8: return ((const u8 *)p)[l];
    case N_U16: return ((const u16 *)p)[l];
    case N_U32: return ((const u32 *)p)[l];
    case N_U64: return ((const u64 *)p)[l];
    case N_S8: return ((const s8 *)p)[l];
    case N_S16: return ((const s16 *)p)[l];
    case N_S32: return ((const s32 *)p)[l];
    default: return ((const s64 *)p)[l];
    }
}

static s128 clamp_whole(Number n, s128 x)
{
    int bits = 8 * number_bytes(n);
    s128 least = n >= N_S8 ? -((s128)1 << (bits - 1)) : 0;
    s128 greatest = n >= N_S8 ? ((s128)1 << (bits - 1)) - 1 : ((s128)1 << bits) - 1;
    return x < least ? least : x > greatest ? greatest : x;
}

static double round_whole(double x, Rounding rounding)
{
    switch (rounding) {
    case ROUND_ZERO: return trunc(x);
    case ROUND_DOWN: return floor(x);
    case ROUND_UP: return ceil(x);
    default: return nearbyint(x);
    }
}

static int hardware_mode(Rounding rounding)
{
    return rounding == ROUND_ZERO ? FE_TOWARDZERO : rounding == ROUND_DOWN ? FE_DOWNWARD : rounding == ROUND_UP ? FE_UPWARD : FE_TONEAREST;
}

static void write_whole(Number n, void *p, uint32_t l, s128 x)
{
    u64 bits = (u64)x;
    int bytes = number_bytes(n);
    memcpy((u8 *)p + (size_t)l * (size_t)bytes, &bits, (size_t)bytes);
}

static void write_float(const Conversion *c, void *p, uint32_t l, double x)
{
    if (c->is_saturated)
        x = x > 0 ? x < 1 ? x : 1 : 0;
    if (c->is_relu && !(x > 0) && x == x)
        x = 0;
    switch (c->to) {
    case N_F16: ((u16 *)p)[l] = double_to_half(x, c->rounding); break;
    case N_BF16: ((u16 *)p)[l] = double_to_bf16(x, c->rounding); break;
    case N_TF32: ((u32 *)p)[l] = double_to_tf32(x, c->rounding); break;
    case N_F64: ((f64 *)p)[l] = x; break;
    default: {
        volatile double exact = x;
        fesetround(hardware_mode(c->rounding));
        volatile float rounded = (float)exact;
        fesetround(FE_TONEAREST);
        float f = rounded;
        if (c->is_flushed && fabsf(f) < 0x1p-126f)
            f = copysignf(0, f);
        ((f32 *)p)[l] = f;
    }
    }
}

static void whole_to_float(const Conversion *c, void *p, uint32_t l, s128 x)
{
    if (c->to != N_F32 && c->to != N_F64) {
        write_float(c, p, l, (double)x);
        return;
    }
    volatile s64 low = (s64)x;
    volatile u64 unsigned_low = (u64)x;
    fesetround(hardware_mode(c->rounding));
    volatile float f = x < 0 ? (float)low : (float)unsigned_low;
    volatile double d = x < 0 ? (double)low : (double)unsigned_low;
    fesetround(FE_TONEAREST);
    if (c->to == N_F32)
        ((f32 *)p)[l] = c->is_saturated ? (f < 0 ? 0 : f > 1 ? 1 : f) : f;
    else
        ((f64 *)p)[l] = c->is_saturated ? (d < 0 ? 0 : d > 1 ? 1 : d) : d;
}

/* Out of range: the nearest number of the result's type. NaN: 0, or of 64 bits the sign bit alone. */
static void float_to_whole(const Conversion *c, void *p, uint32_t l, double x)
{
    if (isnan(x)) {
        write_whole(c->to, p, l, number_bytes(c->to) == 8 && c->from == N_F64 ? (s128)(1ull << 63) : 0);
        return;
    }
    x = round_whole(x, c->rounding);
    s128 whole = x > 0x1p100 ? (s128)1 << 100 : x < -0x1p100 ? -((s128)1 << 100) : (s128)x;
    write_whole(c->to, p, l, clamp_whole(c->to, whole));
}

static void run_convert(Warp *w, const Inst *i, uint32_t mask)
{
    const Conversion *c = i->extra;
    void *to = reg(w, i->d);
    const void *from = reg(w, i->a);
    EACH_LANE (l, mask) {
        if (is_whole(c->from)) {
            s128 x = read_whole(c->from, from, l);
            if (is_whole(c->to))
                write_whole(c->to, to, l, c->is_saturated ? clamp_whole(c->to, x) : x);
            else
                whole_to_float(c, to, l, x);
            continue;
        }
        double x = read_float(c->from, from, l);
        if (c->is_flushed && c->from == N_F32 && fabs(x) < 0x1p-126)
            x = copysign(0, x);
        if (is_whole(c->to))
            float_to_whole(c, to, l, x);
        else
            write_float(c, to, l, c->is_integral ? round_whole(x, c->rounding) : x);
    }
}

/* The frequent ones. */
#define FAST(id, D, A, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        D *d = reg(w, i->d); \
        const A *a_ = reg(w, i->a); \
        if (mask == ~0u) \
            for (int l = 0; l < LANES; l++) { \
                const A a = a_[l]; \
                d[l] = (D)(expr); \
            } \
        else \
            EACH_LANE (l, mask) { \
                const A a = a_[l]; \
                d[l] = (D)(expr); \
            } \
    }
FAST(fast_u64_u32, u64, u32, a)
FAST(fast_s64_s32, s64, s32, a)
FAST(fast_u32_u64, u32, u64, a)
FAST(fast_u16_u32, u16, u32, a)
FAST(fast_u32_u16, u32, u16, a)
FAST(fast_s32_s16, s32, s16, a)
FAST(fast_f32_s32, f32, s32, a)
FAST(fast_f32_u32, f32, u32, a)
FAST(fast_f32_f16, f32, u16, half_to_float(a))
FAST(fast_f16_f32, u16, f32, float_to_half(a))
FAST(fast_f32_bf16, f32, u16, bf16_to_float(a))
FAST(fast_bf16_f32, u16, f32, float_to_bf16(a))
FAST(fast_f64_f32, f64, f32, a)
FAST(fast_f32_f64, f32, f64, a)

static Run *find_fast(const Conversion *c)
{
    static const struct {
        Number to, from;
        Run *run;
    } fast[] = {
        {N_U64, N_U32, fast_u64_u32},   {N_S64, N_U32, fast_u64_u32},   {N_S64, N_S32, fast_s64_s32}, {N_U64, N_S32, fast_s64_s32},
        {N_U32, N_U64, fast_u32_u64},   {N_U32, N_S64, fast_u32_u64},   {N_S32, N_U64, fast_u32_u64}, {N_S32, N_S64, fast_u32_u64},
        {N_U16, N_U32, fast_u16_u32},   {N_U16, N_S32, fast_u16_u32},   {N_U32, N_U16, fast_u32_u16}, {N_S32, N_S16, fast_s32_s16},
        {N_F32, N_S32, fast_f32_s32},   {N_F32, N_U32, fast_f32_u32},   {N_F32, N_F16, fast_f32_f16}, {N_F16, N_F32, fast_f16_f32},
        {N_F32, N_BF16, fast_f32_bf16}, {N_BF16, N_F32, fast_bf16_f32}, {N_F64, N_F32, fast_f64_f32}, {N_F32, N_F64, fast_f32_f64},
    };
    if (c->rounding != ROUND_NEAREST || c->is_integral || c->is_saturated || c->is_relu || c->is_flushed)
        return NULL;
    for (size_t k = 0; k < sizeof fast / sizeof fast[0]; k++)
        if (fast[k].to == c->to && fast[k].from == c->from)
            return fast[k].run;
    return NULL;
}

static Number take_number(Decoder *d, const char *name)
{
    for (int k = 0; k < N_TYPES; k++)
        if (strcmp(number_names[k], name) == 0)
            return (Number)k;
    decode_fail(d, "unsupported instruction (type .%s)", name);
}

static void take_modifiers(Decoder *d, Conversion *c)
{
    static const struct {
        const char *name;
        Rounding rounding;
        bool is_integral;
    } modes[] = {
        {"rn", ROUND_NEAREST, false}, {"rz", ROUND_ZERO, false},  {"rm", ROUND_DOWN, false},
        {"rp", ROUND_UP, false},      {"rna", ROUND_AWAY, false}, {"rni", ROUND_NEAREST, true},
        {"rzi", ROUND_ZERO, true},    {"rmi", ROUND_DOWN, true},  {"rpi", ROUND_UP, true},
    };
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++)
        if (take(d, modes[k].name)) {
            c->rounding = modes[k].rounding;
            c->is_integral = modes[k].is_integral;
        }
    c->is_saturated = take(d, "sat");
    c->is_relu = take(d, "relu");
    c->is_flushed = take(d, "ftz");
    take(d, "satfinite");
}

static void emit_convert(Decoder *d, Conversion c, Ref to, Ref from)
{
    Run *run = find_fast(&c);
    Inst *i = emit(d, run ? run : run_convert);
    i->d = to;
    i->a = from;
    if (!run) {
        Conversion *kept = ptx_new(sizeof *kept);
        *kept = c;
        i->extra = kept;
    }
}

static void run_pair(Warp *w, const Inst *i, uint32_t mask)
{
    u32 *d = reg(w, i->d);
    const u16 *high = reg(w, i->a), *low = reg(w, i->b);
    EACH_LANE (l, mask)
        d[l] = (u32)high[l] << 16 | low[l];
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. */
static void decode_pair(Decoder *d, Conversion c, const char *from)
{
    Ref a = source_at(d, 1, from), b = source_at(d, 2, from), high = new_temp(d, 2), low = new_temp(d, 2);
    emit_convert(d, c, high, a);
    emit_convert(d, c, low, b);
    Ref to = dest(d, operand_at(d, 0), 4, false);
    Inst *i = emit(d, run_pair);
    i->d = to;
    i->a = high;
    i->b = low;
}

/* cvt.rn.satfinite.e4m3x2.f32 d, a, b: a becomes the upper byte. */
static void run_to_bytes(Warp *w, const Inst *i, uint32_t mask)
{
    u16 *d = reg(w, i->d);
    const f32 *high = reg(w, i->a), *low = reg(w, i->b);
    EACH_LANE (l, mask)
        d[l] = i->flags ? (u16)(double_to_e5m2(high[l]) << 8 | double_to_e5m2(low[l]))
                        : (u16)(double_to_e4m3(high[l]) << 8 | double_to_e4m3(low[l]));
}

/* cvt.rn.f16x2.e4m3x2 d, a. */
static void run_from_bytes(Warp *w, const Inst *i, uint32_t mask)
{
    u32 *d = reg(w, i->d);
    const u16 *a = reg(w, i->a);
    EACH_LANE (l, mask) {
        const u8 high = (u8)(a[l] >> 8), low = (u8)a[l];
        d[l] = i->flags ? (u32)float_to_half(e5m2_to_float(high)) << 16 | float_to_half(e5m2_to_float(low))
                        : (u32)float_to_half(e4m3_to_float(high)) << 16 | float_to_half(e4m3_to_float(low));
    }
}

static bool is_bytes(const char *type) { return strcmp(type, "e4m3x2") == 0 || strcmp(type, "e5m2x2") == 0; }

static void decode_bytes(Decoder *d, const char *to, const char *from)
{
    const bool to_bytes = is_bytes(to);
    if (!take(d, "rn") || (to_bytes && (!take(d, "satfinite") || strcmp(from, "f32") != 0)) || (!to_bytes && strcmp(to, "f16x2") != 0))
        decode_fail(d, "unsupported instruction");
    finish_parts(d);
    Ref a = source(d, operand_at(d, 1), to_bytes ? 4 : 2, to_bytes ? "f32" : NULL);
    Ref b = to_bytes ? source(d, operand_at(d, 2), 4, "f32") : NO_REF;
    Ref result = dest(d, operand_at(d, 0), to_bytes ? 2 : 4, false);
    Inst *i = emit(d, to_bytes ? run_to_bytes : run_from_bytes);
    i->d = result;
    i->a = a;
    i->b = b;
    i->flags = strcmp(to_bytes ? to : from, "e5m2x2") == 0;
}

static int storage(Number n) { return number_bytes(n); }

void decode_cvt(Decoder *d);
void decode_cvt(Decoder *d)
{
    Conversion c = {.rounding = ROUND_NEAREST};
    const char *from = take_last(d), *to = take_last(d);
    if (is_bytes(from) || is_bytes(to)) {
        decode_bytes(d, to, from);
        return;
    }
    take_modifiers(d, &c);
    finish_parts(d);
    bool is_pair = strcmp(to, "f16x2") == 0 || strcmp(to, "bf16x2") == 0;
    c.from = take_number(d, from);
    c.to = is_pair ? (to[0] == 'b' ? N_BF16 : N_F16) : take_number(d, to);
    if (is_pair) {
        decode_pair(d, c, from);
        return;
    }
    if (!is_whole(c.from) && is_whole(c.to) && !c.is_integral)
        decode_fail(d, "unsupported instruction (no rounding mode)");
    Ref a = source(d, operand_at(d, 1), storage(c.from), from);
    Ref r = dest(d, operand_at(d, 0), storage(c.to), c.to >= N_S8 && c.to <= N_S64);
    emit_convert(d, c, r, a);
}
