/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons, selections and predicates (PTX ISA 9.7.6, 9.7.7, 9.7.8): setp, set, selp, slct, testp, logic on
 * predicates. */
#include <stdio.h>

#include "decode.h"
#include "float_bits.h"

/* flags of setp: how the comparison is combined with the predicate c */
enum { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

/* d and e are the comparison and its negation, both combined. */
static void set_preds(Warp *w, const Inst *i, uint32_t mask, uint32_t holds)
{
    uint32_t c = i->flags ? pred(w, i->c) : 0, not_holds = ~holds;
    switch (i->flags) {
    case COMBINE_AND:
        holds &= c;
        not_holds &= c;
        break;
    case COMBINE_OR:
        holds |= c;
        not_holds |= c;
        break;
    case COMBINE_XOR:
        holds ^= c;
        not_holds ^= c;
        break;
    default: break;
    }
    uint32_t *d = reg(w, i->d);
    *d = (*d & ~mask) | (holds & mask);
    if (i->e != NO_REF) {
        uint32_t *e = reg(w, i->e);
        *e = (*e & ~mask) | (not_holds & mask);
    }
}

#define COMPARE(id, T, V, read, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        const T *a_ = reg(w, i->a), *b_ = reg(w, i->b); \
        uint32_t holds = 0; \
        for (int l = 0; l < LANES; l++) { \
            const V a = read(a_[l]), b = read(b_[l]); \
            holds |= (uint32_t)(expr) << l; \
        } \
        set_preds(w, i, mask, holds); \
    }
#define ORDERED(id, T, V, read) \
    COMPARE(id##_eq, T, V, read, a == b) \
    COMPARE(id##_ne, T, V, read, a != b) \
    COMPARE(id##_lt, T, V, read, a < b) \
    COMPARE(id##_le, T, V, read, a <= b) \
    COMPARE(id##_gt, T, V, read, a > b) \
    COMPARE(id##_ge, T, V, read, a >= b)
/* ne of numbers is false with a NaN, and the u forms are true. */
#define FLOATS(id, T, V, read) \
    COMPARE(id##_eq, T, V, read, a == b) \
    COMPARE(id##_ne, T, V, read, a == a && b == b && a != b) \
    COMPARE(id##_lt, T, V, read, a < b) \
    COMPARE(id##_le, T, V, read, a <= b) \
    COMPARE(id##_gt, T, V, read, a > b) \
    COMPARE(id##_ge, T, V, read, a >= b) \
    COMPARE(id##_equ, T, V, read, !(a == a && b == b) || a == b) \
    COMPARE(id##_neu, T, V, read, a != b) \
    COMPARE(id##_ltu, T, V, read, !(a >= b)) \
    COMPARE(id##_leu, T, V, read, !(a > b)) \
    COMPARE(id##_gtu, T, V, read, !(a <= b)) \
    COMPARE(id##_geu, T, V, read, !(a < b)) \
    COMPARE(id##_num, T, V, read, a == a && b == b) \
    COMPARE(id##_nan, T, V, read, a != a || b != b)
#define SELF(x) (x)
ORDERED(cmp_u16, u16, u16, SELF)
ORDERED(cmp_s16, s16, s16, SELF)
ORDERED(cmp_u32, u32, u32, SELF)
ORDERED(cmp_s32, s32, s32, SELF)
ORDERED(cmp_u64, u64, u64, SELF)
ORDERED(cmp_s64, s64, s64, SELF)
FLOATS(cmp_f16, u16, f32, half_to_float)
FLOATS(cmp_bf16, u16, f32, bf16_to_float)
FLOATS(cmp_f32, f32, f32, SELF)
FLOATS(cmp_f64, f64, f64, SELF)

typedef struct {
    const char *key;
    Run *run;
} CompareOp;

#define ORDERED_ROWS(id, name, lt, le, gt, ge) \
    {"eq." name, id##_eq}, {"ne." name, id##_ne}, {lt "." name, id##_lt}, {le "." name, id##_le}, {gt "." name, id##_gt}, \
    { \
        ge "." name, id##_ge \
    }
#define FLOAT_ROWS(id, name) \
    ORDERED_ROWS(id, name, "lt", "le", "gt", "ge"), {"equ." name, id##_equ}, {"neu." name, id##_neu}, {"ltu." name, id##_ltu}, \
        {"leu." name, id##_leu}, {"gtu." name, id##_gtu}, {"geu." name, id##_geu}, {"num." name, id##_num}, \
    { \
        "nan." name, id##_nan \
    }
static const CompareOp compares[] = {
    ORDERED_ROWS(cmp_u32, "u32", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_s32, "s32", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_u64, "u64", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_s64, "s64", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_u16, "u16", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_s16, "s16", "lt", "le", "gt", "ge"),
    ORDERED_ROWS(cmp_u32, "u32", "lo", "ls", "hi", "hs"),
    ORDERED_ROWS(cmp_u64, "u64", "lo", "ls", "hi", "hs"),
    ORDERED_ROWS(cmp_u16, "u16", "lo", "ls", "hi", "hs"),
    {"eq.b16", cmp_u16_eq},
    {"ne.b16", cmp_u16_ne},
    {"eq.b32", cmp_u32_eq},
    {"ne.b32", cmp_u32_ne},
    {"eq.b64", cmp_u64_eq},
    {"ne.b64", cmp_u64_ne},
    FLOAT_ROWS(cmp_f32, "f32"),
    FLOAT_ROWS(cmp_f64, "f64"),
    FLOAT_ROWS(cmp_f16, "f16"),
    FLOAT_ROWS(cmp_bf16, "bf16"),
};

static Run *find_compare(Decoder *d, const char *how, const char *type)
{
    char key[32];
    snprintf(key, sizeof key, "%s.%s", how, type);
    for (size_t k = 0; k < sizeof compares / sizeof compares[0]; k++)
        if (strcmp(compares[k].key, key) == 0)
            return compares[k].run;
    decode_fail(d, "unsupported instruction (comparison %s)", key);
}

static uint32_t take_combination(Decoder *d)
{
    return take(d, "and") ? COMBINE_AND : take(d, "or") ? COMBINE_OR : take(d, "xor") ? COMBINE_XOR : COMBINE_NONE;
}

/* setp.f16x2 p|q: one predicate for each half. */
static void unpack_halves(Decoder *d, Ref both, Ref *low, Ref *high)
{
    *low = new_temp(d, 2);
    *high = new_temp(d, 2);
    Ref shifted = new_temp(d, 4);
    emit_alu(d, "shr.u32", shifted, both, new_constant(d, 4, 16));
    emit_alu(d, "low.u16", *low, both, NO_REF);
    emit_alu(d, "low.u16", *high, shifted, NO_REF);
}

static void emit_compare(Decoder *d, Run *run, Ref p, Ref q, Ref a, Ref b, Ref c, uint32_t combination)
{
    Inst *i = emit(d, run);
    i->d = p;
    i->e = q;
    i->a = a;
    i->b = b;
    i->c = c;
    i->flags = combination;
}

void decode_setp(Decoder *d);
void decode_setp(Decoder *d)
{
    const char *type = take_last(d);
    bool is_flushed = take(d, "ftz");
    uint32_t combination = take_combination(d);
    const char *how = take_first(d);
    finish_parts(d);
    const Operand *to = operand_at(d, 0);
    Ref p = dest_pred(d, to->kind == O_PAIR ? &to->parts[0] : to);
    Ref q = to->kind == O_PAIR ? dest_pred(d, &to->parts[1]) : NO_REF;
    Ref a = source_at(d, 1, type), b = source_at(d, 2, type);
    Ref c = combination ? source_pred(d, operand_at(d, 3)) : NO_REF;
    size_t length = strlen(type);
    if (length > 2 && strcmp(type + length - 2, "x2") == 0) {
        const char *half = type[0] == 'b' ? "bf16" : "f16";
        Ref a_low, a_high, b_low, b_high;
        unpack_halves(d, a, &a_low, &a_high);
        unpack_halves(d, b, &b_low, &b_high);
        emit_compare(d, find_compare(d, how, half), p, NO_REF, a_low, b_low, c, combination);
        if (q != NO_REF)
            emit_compare(d, find_compare(d, how, half), q, NO_REF, a_high, b_high, c, combination);
        return;
    }
    if (is_flushed && strcmp(type, "f32") == 0) {
        Ref fa = new_temp(d, 4), fb = new_temp(d, 4);
        emit_alu(d, "flush.f32", fa, a, NO_REF);
        emit_alu(d, "flush.f32", fb, b, NO_REF);
        a = fa;
        b = fb;
    }
    emit_compare(d, find_compare(d, how, type), p, q, a, b, c, combination);
}

/* ---- selp, slct, set ---- */

#define SELECT(id, T) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        T *d = reg(w, i->d); \
        const T *a = reg(w, i->a), *b = reg(w, i->b); \
        uint32_t p = pred(w, i->c); \
        if (mask == ~0u) \
            for (int l = 0; l < LANES; l++) \
                d[l] = p >> l & 1 ? a[l] : b[l]; \
        else \
            EACH_LANE (l, mask) \
                d[l] = p >> l & 1 ? a[l] : b[l]; \
    }
SELECT(select_16, u16)
SELECT(select_32, u32)
SELECT(select_64, u64)

static void emit_select(Decoder *d, int bytes, Ref to, Ref a, Ref b, Ref p)
{
    Inst *i = emit(d, bytes == 2 ? select_16 : bytes == 4 ? select_32 : select_64);
    i->d = to;
    i->a = a;
    i->b = b;
    i->c = p;
}

void decode_selp(Decoder *d);
void decode_selp(Decoder *d)
{
    const char *type = take_last(d);
    finish_parts(d);
    need_operands(d, 4);
    Ref a = source_at(d, 1, type), b = source_at(d, 2, type), p = source_pred(d, operand_at(d, 3));
    emit_select(d, type_bytes(d, type), dest_at(d, 0, type), a, b, p);
}

/* d = c >= 0 ? a : b */
void decode_slct(Decoder *d);
void decode_slct(Decoder *d)
{
    const char *by = take_last(d), *type = take_last(d);
    take(d, "ftz");
    finish_parts(d);
    Ref a = source_at(d, 1, type), b = source_at(d, 2, type), c = source_at(d, 3, by), p = new_temp(d, 0);
    emit_compare(d, find_compare(d, "ge", by), p, NO_REF, c, new_constant(d, 4, 0), NO_REF, COMBINE_NONE);
    emit_select(d, type_bytes(d, type), dest_at(d, 0, type), a, b, p);
}

void decode_set(Decoder *d);
void decode_set(Decoder *d)
{
    const char *type = take_last(d), *result = take_last(d);
    take(d, "ftz");
    uint32_t combination = take_combination(d);
    const char *how = take_first(d);
    finish_parts(d);
    Ref a = source_at(d, 1, type), b = source_at(d, 2, type), p = new_temp(d, 0);
    Ref c = combination ? source_pred(d, operand_at(d, 3)) : NO_REF;
    if (strstr(type, "x2")) {
        const char *half = type[0] == 'b' ? "bf16" : "f16";
        Ref q = new_temp(d, 0), a_low, a_high, b_low, b_high, low = new_temp(d, 4), high = new_temp(d, 4);
        bool is_float = strstr(result, "x2") != NULL;
        unpack_halves(d, a, &a_low, &a_high);
        unpack_halves(d, b, &b_low, &b_high);
        emit_compare(d, find_compare(d, how, half), p, NO_REF, a_low, b_low, c, combination);
        emit_compare(d, find_compare(d, how, half), q, NO_REF, a_high, b_high, c, combination);
        uint64_t one = is_float ? (half[0] == 'b' ? 0x3f80 : 0x3c00) : 0xffff;
        Ref zero = new_constant(d, 4, 0);
        emit_select(d, 4, low, new_constant(d, 4, one), zero, p);
        emit_select(d, 4, high, new_constant(d, 4, one << 16), zero, q);
        emit_alu(d, "or.u32", dest(d, operand_at(d, 0), 4, false), low, high);
        return;
    }
    emit_compare(d, find_compare(d, how, type), p, NO_REF, a, b, c, combination);
    int bytes = type_bytes(d, result);
    uint64_t one = strcmp(result, "f32") == 0    ? 0x3f800000u
                   : strcmp(result, "f16") == 0  ? 0x3c00
                   : strcmp(result, "bf16") == 0 ? 0x3f80
                                                 : ~0ull;
    emit_select(d, bytes, dest_at(d, 0, result), new_constant(d, bytes, bytes < 8 ? one & ((1ull << 8 * bytes) - 1) : one),
                new_constant(d, bytes, 0), p);
}

/* ---- testp ---- */

static void run_testp(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t holds = 0;
    EACH_LANE (l, mask) {
        double x = i->size == 8 ? ((f64 *)reg(w, i->a))[l] : ((f32 *)reg(w, i->a))[l];
        double least = i->size == 8 ? 0x1p-1022 : 0x1p-126;
        bool is_subnormal = x != 0 && fabs(x) < least;
        bool answers[] = {isfinite(x), isinf(x), !isnan(x), isnan(x), isfinite(x) && x != 0 && !is_subnormal, is_subnormal};
        holds |= (uint32_t)answers[i->imm] << l;
    }
    set_preds(w, i, mask, holds);
}

void decode_testp(Decoder *d);
void decode_testp(Decoder *d)
{
    static const char *const questions[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    const char *type = take_last(d);
    int question = -1;
    for (int k = 0; k < 6; k++)
        if (take(d, questions[k]))
            question = k;
    if (question < 0)
        decode_fail(d, "unsupported instruction");
    Ref p = dest_pred(d, operand_at(d, 0)), a = source_at(d, 1, type);
    Inst *i = emit(d, run_testp);
    i->d = p;
    i->a = a;
    i->imm = question;
    i->size = (uint8_t)type_bytes(d, type);
}

/* ---- logic on predicates ---- */

#define LOGIC(id, expr) \
    static void id(Warp *w, const Inst *i, uint32_t mask) \
    { \
        uint32_t *d = reg(w, i->d); \
        const uint32_t a = pred(w, i->a), b = pred(w, i->b); \
        (void)b; \
        *d = (*d & ~mask) | ((expr) & mask); \
    }
LOGIC(pred_and, a &b)
LOGIC(pred_or, a | b)
LOGIC(pred_xor, a ^ b)
LOGIC(pred_not, ~a)
LOGIC(pred_mov, a)

/* and.pred and its like; false if the instruction is not about predicates. */
bool decode_pred_logic(Decoder *d);
bool decode_pred_logic(Decoder *d)
{
    if (!take(d, "pred"))
        return false;
    Run *run = strcmp(d->first, "and") == 0   ? pred_and
               : strcmp(d->first, "or") == 0  ? pred_or
               : strcmp(d->first, "xor") == 0 ? pred_xor
               : strcmp(d->first, "not") == 0 ? pred_not
               : strcmp(d->first, "mov") == 0 ? pred_mov
                                              : NULL;
    if (!run)
        decode_fail(d, "unsupported instruction");
    Ref to = dest_pred(d, operand_at(d, 0)), a = source_pred(d, operand_at(d, 1));
    Ref b = d->stmt->count > 2 ? source_pred(d, operand_at(d, 2)) : a;
    Inst *i = emit(d, run);
    i->d = to;
    i->a = a;
    i->b = b;
    return true;
}
