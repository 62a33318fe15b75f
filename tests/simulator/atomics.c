/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atom and red (PTX ISA 9.7.13.15, 9.7.13.16). Lanes follow each other in the schedule's order. */
#include "decode.h"
#include "float_bits.h"
#include "shadow.h"

uint8_t *touch_memory(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind);
uint8_t take_memory_modifiers(Decoder *d);
Space take_space(Decoder *d);

typedef enum { A_ADD, A_MIN, A_MAX, A_AND, A_OR, A_XOR, A_EXCH, A_CAS, A_INC, A_DEC, A_OPS } AtomicOp;
typedef enum { K_UNSIGNED, K_SIGNED, K_F32, K_F64, K_F16, K_BF16, K_F16X2, K_BF16X2 } AtomicKind;

static const char *const op_names[A_OPS] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};

static u64 whole(AtomicOp op, bool is_signed, int bytes, u64 old, u64 b, u64 c)
{
    s64 so = bytes == 8 ? (s64)old : bytes == 4 ? (s32)old : (s16)old, sb = bytes == 8 ? (s64)b : bytes == 4 ? (s32)b : (s16)b;
    switch (op) {
    case A_ADD: return old + b;
    case A_MIN: return (is_signed ? so < sb : old < b) ? old : b;
    case A_MAX: return (is_signed ? so > sb : old > b) ? old : b;
    case A_AND: return old & b;
    case A_OR: return old | b;
    case A_XOR: return old ^ b;
    case A_EXCH: return b;
    case A_CAS: return old == b ? c : old;
    case A_INC: return old >= b ? 0 : old + 1;
    default: return old == 0 || old > b ? b : old - 1;
    }
}

static u16 half(AtomicOp op, bool is_bf16, u16 old, u16 b)
{
    float x = is_bf16 ? bf16_to_float(old) : half_to_float(old), y = is_bf16 ? bf16_to_float(b) : half_to_float(b);
    float r = op == A_ADD ? x + y : op == A_MIN ? fminf(x, y) : fmaxf(x, y);
    return is_bf16 ? float_to_bf16(r) : float_to_half(r);
}

static u64 combine(const Inst *i, u64 old, u64 b, u64 c)
{
    AtomicOp op = (AtomicOp)(i->flags & 0xff);
    AtomicKind kind = (AtomicKind)(i->flags >> 8 & 0xff);
    switch (kind) {
    case K_F32: {
        float x = float_of((u32)old), y = float_of((u32)b);
        return bits_of(op == A_ADD ? x + y : op == A_MIN ? fminf(x, y) : fmaxf(x, y));
    }
    case K_F64: return bits_of_double(double_of(old) + double_of(b));
    case K_F16:
    case K_BF16: return half(op, kind == K_BF16, (u16)old, (u16)b);
    case K_F16X2:
    case K_BF16X2:
        return half(op, kind == K_BF16X2, (u16)old, (u16)b) | (u32)half(op, kind == K_BF16X2, (u16)(old >> 16), (u16)(b >> 16)) << 16;
    default: return whole(op, kind == K_SIGNED, i->size, old, b, c);
    }
}

/* refs: the results (of atom), then the operands, then those of cas. */
static void atomic_lane(Warp *w, const Inst *i, uint32_t l)
{
    const u64 *base = i->a == NO_REF ? NULL : reg(w, i->a);
    size_t size = i->size;
    u8 *p = touch_memory(w, i, (int)l, (base ? base[l] : 0) + (u64)i->imm, size * i->count, ACCESS_ATOMIC);
    for (int k = 0; k < i->count; k++) {
        u64 old = 0, b = 0, c = 0;
        memcpy(&old, p + size * (size_t)k, size);
        memcpy(&b, (u8 *)reg(w, i->refs[i->count + k]) + size * l, size);
        if (i->c != NO_REF)
            memcpy(&c, (u8 *)reg(w, i->c) + size * l, size);
        u64 now = combine(i, old, b, c);
        if (memcmp(&now, &old, size) != 0)
            w->launch->progress++;
        memcpy(p + size * (size_t)k, &now, size);
        if (i->refs[k] != NO_REF)
            memcpy((u8 *)reg(w, i->refs[k]) + size * l, &old, size);
    }
}

static void run_atomic(Warp *w, const Inst *i, uint32_t mask)
{
    w->launch->counters.atomics += __builtin_popcount(mask);
    if (i->order & ORDER_RELEASE && !(i->order & ORDER_NEAR))
        shadow_fence(w);
    for (int n = 0; n < LANES; n++) {
        uint32_t l = (uint32_t)(is_reverse(w->launch) ? LANES - 1 - n : n);
        if (mask >> l & 1)
            atomic_lane(w, i, l);
    }
}

static AtomicKind take_kind(Decoder *d, const char *type)
{
    static const struct {
        const char *name;
        AtomicKind kind;
    } kinds[] = {{"f32", K_F32}, {"f64", K_F64}, {"f16", K_F16}, {"bf16", K_BF16}, {"f16x2", K_F16X2}, {"bf16x2", K_BF16X2}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(kinds[k].name, type) == 0)
            return kinds[k].kind;
    if (type_bytes(d, type) > 8)
        decode_fail(d, "unsupported instruction");
    return type_signed(type) ? K_SIGNED : K_UNSIGNED;
}

static void decode_atomic(Decoder *d, bool has_result)
{
    const char *type = take_last(d);
    int bytes = strcmp(type, "bf16x2") == 0 ? 4 : type_bytes(d, type);
    Space space = take_space(d);
    const uint8_t order = take_memory_modifiers(d);
    take(d, "noftz");
    int op = -1, at = has_result ? 1 : 0;
    for (int k = 0; k < A_OPS; k++)
        if (take(d, op_names[k]))
            op = k;
    int count = take(d, "v2") ? 2 : take(d, "v4") ? 4 : take(d, "v8") ? 8 : 1;
    finish_parts(d);
    if (op < 0)
        decode_fail(d, "unsupported instruction");
    const Operand *data = operand_at(d, at + 1), *to = has_result ? operand_at(d, 0) : NULL;
    Ref *refs = ptx_new(2 * (size_t)count * sizeof *refs);
    for (int k = 0; k < count; k++) {
        refs[k] = !to || to->kind == O_SINK ? NO_REF : dest(d, to->kind == O_VECTOR ? &to->parts[k] : to, bytes, type_signed(type));
        refs[count + k] = source(d, data->kind == O_VECTOR ? &data->parts[k] : data, bytes, type);
    }
    Ref c = op == A_CAS ? source(d, operand_at(d, at + 2), bytes, type) : NO_REF;
    Inst where = {.a = NO_REF};
    address_operand(d, operand_at(d, at), &where, space);
    Inst *i = emit(d, run_atomic);
    i->a = where.a;
    i->imm = where.imm;
    i->space = where.space;
    i->refs = refs;
    i->count = (uint8_t)count;
    i->size = (uint8_t)bytes;
    i->c = c;
    i->flags = (uint32_t)op | (uint32_t)take_kind(d, type) << 8;
    i->order = order | ORDER_STRONG;
    i->flow = FLOW_SPIN;
}

void decode_atom(Decoder *d);
void decode_atom(Decoder *d) { decode_atomic(d, true); }

void decode_red(Decoder *d);
void decode_red(Decoder *d)
{
    if (take(d, "async"))
        decode_fail(d, "unsupported instruction");
    decode_atomic(d, false);
}
