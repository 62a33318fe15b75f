/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes what alu.def lists, and mov, cvta, carries: instructions that only touch registers. */
#include <stdio.h>

#include "decode.h"
#include "float_bits.h"

/* ---- the table of alu.def ---- */

static const AluOp *find_op(const char *start, const char *type)
{
    char key[100];
    snprintf(key, sizeof key, "%s.%s", start, type);
    const AluOp *op = alu_find(key);
    if (op || type[0] == 'u')
        return op;
    /* Where the sign does not matter, and for bits, there is one line, of .u. */
    bool is_only_moved = strcmp(start, "mov") == 0;
    if (type[0] == 's' || (type[0] == 'b' && type[1] != 'f') || is_only_moved) {
        const char *digits = type;
        while (*digits && (*digits < '0' || *digits > '9'))
            digits++;
        snprintf(key, sizeof key, "%s.u%s", start, digits);
        op = alu_find(key);
    }
    return op;
}

static bool is_dropped(const char *part)
{
    static const char *const dropped[] = {"rn", "approx", "full", "uni", "noftz"};
    for (size_t k = 0; k < sizeof dropped / sizeof dropped[0]; k++)
        if (strcmp(dropped[k], part) == 0)
            return true;
    return false;
}

static Ref flushed(Decoder *d, Ref a, const char *type)
{
    char key[32];
    snprintf(key, sizeof key, "flush.%s", type);
    Ref temp = new_temp(d, type_bytes(d, type));
    emit_alu(d, key, temp, a, NO_REF);
    return temp;
}

static void post(Decoder *d, const char *what, const char *type, Ref r)
{
    char key[32];
    snprintf(key, sizeof key, "%s.%s", what, type);
    emit_alu(d, key, r, r, NO_REF);
}

void decode_alu(Decoder *d)
{
    bool is_dot = strncmp(d->first, "dp", 2) == 0, is_prmt = strcmp(d->first, "prmt") == 0;
    bool is_flushed = take(d, "ftz"), is_relu = false, is_saturated = false;
    char start[64];
    int n = snprintf(start, sizeof start, "%s", d->first);
    const char *mode = is_prmt && d->parts == 2 ? take_last(d) : NULL;
    const char *type = take_last(d);
    if (type_float(type)) {
        is_saturated = take(d, "sat");
        is_relu = strcmp(d->first, "fma") == 0 && take(d, "relu");
    }
    for (int k = 0; k < d->parts; k++)
        if (d->part[k] && !is_dropped(d->part[k]))
            n += snprintf(start + n, sizeof start - (size_t)n, ".%s", d->part[k]);
    (void)is_dot;
    char with_mode[16];
    if (mode) {
        snprintf(with_mode, sizeof with_mode, "%s.%s", type, mode);
        type = with_mode;
    }
    const AluOp *op = find_op(start, type);
    if (!op)
        decode_fail(d, "unsupported instruction");
    int inputs = 0;
    Ref in[4] = {NO_REF, NO_REF, NO_REF, NO_REF};
    while (inputs < 4 && op->bytes[inputs + 1])
        inputs++;
    need_operands(d, inputs + 1);
    is_flushed = is_flushed && strcmp(type, "f32") == 0;
    for (int k = 0; k < inputs; k++) {
        in[k] = source(d, operand_at(d, k + 1), op->bytes[k + 1], type);
        if (is_flushed)
            in[k] = flushed(d, in[k], type);
    }
    Ref to = dest(d, operand_at(d, 0), op->bytes[0], type_signed(type));
    Inst *i = emit(d, op->run);
    i->d = to;
    i->a = in[0];
    i->b = in[1];
    i->c = in[2];
    i->e = in[3];
    if (is_flushed)
        post(d, "flush", type, to);
    if (is_saturated)
        post(d, "sat", type, to);
    if (is_relu)
        post(d, "relu", type, to);
}

/* ---- mov: also between a register and its parts ---- */

static void run_pack(Warp *w, const Inst *i, uint32_t mask)
{
    uint8_t *to = reg(w, i->d);
    for (int k = 0; k < i->ref_count; k++) {
        const uint8_t *from = reg(w, i->refs[k]);
        EACH_LANE (l, mask)
            memcpy(to + l * (uint32_t)(i->size * i->ref_count) + k * i->size, from + l * i->size, i->size);
    }
}

static void run_unpack(Warp *w, const Inst *i, uint32_t mask)
{
    const uint8_t *from = reg(w, i->a);
    for (int k = 0; k < i->ref_count; k++) {
        uint8_t *to = reg(w, i->refs[k]);
        EACH_LANE (l, mask)
            memcpy(to + l * i->size, from + l * (uint32_t)(i->size * i->ref_count) + k * i->size, i->size);
    }
}

static void decode_parts(Decoder *d, int bytes)
{
    const Operand *to = operand_at(d, 0), *from = operand_at(d, 1);
    const Operand *vector = to->kind == O_VECTOR ? to : from;
    int size = bytes / vector->count;
    Ref *refs = ptx_new((size_t)vector->count * sizeof *refs);
    Ref whole = to->kind == O_VECTOR ? source(d, from, bytes, NULL) : dest(d, to, bytes, false);
    for (int k = 0; k < vector->count; k++)
        refs[k] = to->kind == O_VECTOR ? dest(d, &vector->parts[k], size, false) : source(d, &vector->parts[k], size, NULL);
    Inst *i = emit(d, to->kind == O_VECTOR ? run_unpack : run_pack);
    *(to->kind == O_VECTOR ? &i->a : &i->d) = whole;
    i->writes_refs = to->kind == O_VECTOR;
    i->refs = refs;
    i->ref_count = vector->count;
    i->size = (uint8_t)size;
}

bool decode_pred_logic(Decoder *d);

Decode decode_mov, decode_logic, decode_cvta, decode_isspacep, decode_lop3, decode_carry;

void decode_mov(Decoder *d)
{
    if (decode_pred_logic(d))
        return;
    if (operand_at(d, 0)->kind == O_VECTOR || operand_at(d, 1)->kind == O_VECTOR) {
        const char *type = take_last(d);
        finish_parts(d);
        decode_parts(d, type_bytes(d, type));
        return;
    }
    decode_alu(d);
}

void decode_logic(Decoder *d)
{
    if (!decode_pred_logic(d))
        decode_alu(d);
}

void decode_lop3(Decoder *d)
{
    if (d->stmt->count != 5)
        decode_fail(d, "unsupported instruction");
    decode_alu(d);
}

/* ---- addresses: only shared, local and parameter memory have windows among the generic addresses ---- */

static uint64_t window_of(const char *space)
{
    return strncmp(space, "shared", 6) == 0  ? SHARED_WINDOW
           : strcmp(space, "local") == 0     ? LOCAL_WINDOW
           : strncmp(space, "param", 5) == 0 ? PARAM_WINDOW
                                             : 0;
}

void decode_cvta(Decoder *d)
{
    const char *type = take_last(d), *space = take_last(d);
    bool is_to = take(d, "to");
    finish_parts(d);
    if (strcmp(type, "u64") != 0)
        decode_fail(d, "unsupported instruction");
    Ref a = source_at(d, 1, type), to = dest_at(d, 0, type);
    uint64_t window = window_of(space);
    if (window == 0)
        emit_alu(d, "mov.u64", to, a, NO_REF);
    else if (is_to)
        emit_alu(d, "and.u64", to, a, new_constant(d, 8, ~WINDOW_MASK));
    else
        emit_alu(d, "or.u64", to, a, new_constant(d, 8, window));
}

static void run_isspacep(Warp *w, const Inst *i, uint32_t mask)
{
    const uint64_t *a = reg(w, i->a);
    uint32_t *d = reg(w, i->d), holds = 0;
    EACH_LANE (l, mask)
        holds |= (uint32_t)((a[l] & WINDOW_MASK) == (uint64_t)i->imm) << l;
    *d = (*d & ~mask) | holds;
}

void decode_isspacep(Decoder *d)
{
    const char *space = take_last(d);
    Ref p = dest_pred(d, operand_at(d, 0)), a = source(d, operand_at(d, 1), 8, NULL);
    Inst *i = emit(d, run_isspacep);
    i->d = p;
    i->a = a;
    i->imm = (int64_t)window_of(space);
}

/* ---- carries (9.7.2): add.cc, addc, sub.cc, subc, mad.cc, madc ---- */

enum { CARRY_IN = 1, CARRY_OUT = 2, CARRY_SUB = 4, CARRY_HI = 8, CARRY_MUL = 16, CARRY_SIGNED = 32 };

static u128 carry_operand(const Inst *i, const uint64_t *a, const uint64_t *b, uint32_t l)
{
    bool is_wide = i->size == 8;
    if (!(i->flags & CARRY_MUL))
        return is_wide ? b[l] : ((const uint32_t *)b)[l];
    u128 product;
    if (i->flags & CARRY_SIGNED)
        product = is_wide ? (u128)((s128)(int64_t)a[l] * (int64_t)b[l])
                          : (u128)((int64_t)((const int32_t *)a)[l] * ((const int32_t *)b)[l]);
    else
        product = is_wide ? (u128)a[l] * b[l] : (u128)((const uint32_t *)a)[l] * ((const uint32_t *)b)[l];
    if (i->flags & CARRY_HI)
        product >>= 8 * i->size;
    return is_wide ? (uint64_t)product : (uint32_t)product;
}

static void run_carry(Warp *w, const Inst *i, uint32_t mask)
{
    const uint64_t *a = reg(w, i->a), *b = reg(w, i->b), *c = i->c == NO_REF ? a : reg(w, i->c);
    uint64_t *d = reg(w, i->d);
    uint32_t *carry = reg(w, i->e);
    EACH_LANE (l, mask) {
        u128 x = i->size == 8 ? c[l] : ((const uint32_t *)c)[l], y = carry_operand(i, a, b, l);
        u128 in = i->flags & CARRY_IN ? *carry >> l & 1 : 0;
        u128 sum = i->flags & CARRY_SUB ? x - y - in : x + y + in;
        if (i->size == 8)
            d[l] = (uint64_t)sum;
        else
            ((uint32_t *)d)[l] = (uint32_t)sum;
        if (i->flags & CARRY_OUT)
            *carry = (*carry & ~(1u << l)) | (uint32_t)(sum >> (8 * i->size) & 1) << l;
    }
}

void decode_carry(Decoder *d)
{
    bool is_plain = strcmp(d->first, "add") == 0 || strcmp(d->first, "sub") == 0 || strcmp(d->first, "mad") == 0;
    bool is_out = take(d, "cc");
    if (is_plain && !is_out) {
        decode_alu(d);
        return;
    }
    const char *type = take_last(d);
    bool is_mad = d->first[0] == 'm';
    if (d->frame->carry == NO_REF)
        d->frame->carry = new_temp(d, 0);
    uint32_t flags = (is_plain ? 0 : CARRY_IN) | (is_out ? CARRY_OUT : 0) | (d->first[0] == 's' ? CARRY_SUB : 0) |
                     (is_mad ? CARRY_MUL : 0) | (type_signed(type) ? CARRY_SIGNED : 0);
    if (is_mad && take(d, "hi"))
        flags |= CARRY_HI;
    take(d, "lo");
    finish_parts(d);
    Ref a = source_at(d, 1, type), b = source_at(d, 2, type), c = is_mad ? source_at(d, 3, type) : NO_REF;
    Ref to = dest_at(d, 0, type);
    Inst *i = emit(d, run_carry);
    i->d = to;
    i->a = a;
    i->b = b;
    i->c = c;
    i->e = d->frame->carry;
    i->flags = flags;
    i->size = (uint8_t)type_bytes(d, type);
}
