/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers, constants, addresses and labels of a kernel: what all decoders share. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode.h"
#include "special.h"

void decode_fail(Decoder *d, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char whole[800];
    int n = snprintf(whole, sizeof whole, "%s kernel %s: line %d: %s `%s`", d->code->source, d->code->name, d->stmt ? d->stmt->line : 0,
                     text, d->stmt && d->stmt->opcode ? d->stmt->opcode : "");
    d->code->error = (char *)ptx_copy(whole, (size_t)n);
    longjmp(d->failure, 1);
}

/* ---- registers and constants ---- */

Inst *emit(Decoder *d, Run *run)
{
    Code *c = d->code;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->insts = realloc(c->insts, (size_t)c->room * sizeof *c->insts);
    }
    Inst *i = &c->insts[c->count++];
    memset(i, 0, sizeof *i);
    i->run = run;
    i->d = i->a = i->b = i->c = i->e = NO_REF;
    i->guard = d->guard;
    i->is_guard_negated = d->is_guard_negated;
    i->target = -1;
    i->stmt = d->stmt;
    i->origin = d->frame ? d->frame->function : NULL;
    return i;
}

static int width_bytes(TypeWidth width)
{
    switch (width) {
    case T_B8: return 1;
    case T_B16: return 2;
    case T_B64: return 8;
    case T_B128: return 16;
    default: return 4;
    }
}

Ref new_temp(Decoder *d, int bytes)
{
    Ref at = (Ref)d->code->file_size;
    d->code->file_size += bytes == 0 ? 64 : (size_t)bytes * LANES < 64 ? 64 : (size_t)bytes * LANES;
    return at;
}

/* BYTES 0: a predicate. */
Ref new_constant(Decoder *d, int bytes, uint64_t value)
{
    Code *c = d->code;
    size_t size = bytes == 0 ? 64 : (size_t)bytes * LANES;
    uint8_t pattern[8 * LANES];
    for (int l = 0; l < (bytes == 0 ? 1 : LANES); l++)
        memcpy(pattern + l * bytes, &value, bytes == 0 ? 4 : (size_t)bytes);
    size_t compared = bytes == 0 ? 4 : size;
    for (size_t at = 0; at + compared <= c->constant_size; at += 64)
        if (memcmp(c->constants + at, pattern, compared) == 0)
            return CONSTANT_REF | (Ref)at;
    if (c->constant_size + size > c->constant_room) {
        c->constant_room = 2 * c->constant_room + 4096;
        c->constants = realloc(c->constants, c->constant_room);
    }
    Ref ref = CONSTANT_REF | (Ref)c->constant_size;
    memset(c->constants + c->constant_size, 0, size);
    memcpy(c->constants + c->constant_size, pattern, compared);
    c->constant_size += size;
    return ref;
}

static Ref reg_ref(Decoder *d, const Reg *r)
{
    Ref *slot = &d->frame->regs[r->index];
    if (*slot == NO_REF)
        *slot = new_temp(d, r->width == T_PRED ? 0 : width_bytes(r->width));
    return *slot;
}

bool constant_value(Decoder *d, const Operand *o, int64_t *value)
{
    uint64_t address;
    if (o->kind == O_INT || o->kind == O_F32 || o->kind == O_F64) {
        *value = o->value;
        return true;
    }
    if (o->kind == O_SYMBOL && o->var && find_place(d, o->var, &address)) {
        *value = (int64_t)address + o->value;
        return true;
    }
    return false;
}

/* Constants take the instruction's type: 0d numbers and decimals become f32 where that is asked for. */
static uint64_t constant_bits(const Operand *o, int64_t value, int bytes, const char *type)
{
    if (o->kind == O_F64 && bytes == 4) {
        double x;
        memcpy(&x, &value, sizeof x);
        float f = (float)x;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    if (o->kind == O_INT && type && strcmp(type, "f32") == 0) {
        float f = (float)value;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    if (o->kind == O_INT && type && strcmp(type, "f64") == 0) {
        double f = (double)value;
        uint64_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    return bytes >= 8 ? (uint64_t)value : (uint64_t)value & ((1ull << (8 * bytes)) - 1);
}

/* Between registers of different widths; truncates, extends by zeros or by the sign. */
static void run_resize(Warp *w, const Inst *i, uint32_t mask)
{
    uint8_t *to = reg(w, i->d);
    const uint8_t *from = reg(w, i->a);
    int to_size = i->size, from_size = i->count;
    EACH_LANE (l, mask) {
        uint64_t x = 0;
        memcpy(&x, from + l * (uint32_t)from_size, (size_t)(from_size < 8 ? from_size : 8));
        if (i->is_signed && from_size < 8)
            x = (uint64_t)((int64_t)(x << (64 - 8 * from_size)) >> (64 - 8 * from_size));
        memcpy(to + l * (uint32_t)to_size, &x, (size_t)(to_size < 8 ? to_size : 8));
    }
}

static void emit_resize(Decoder *d, Ref to, int to_bytes, Ref from, int from_bytes, bool is_signed)
{
    Inst *i = emit(d, run_resize);
    i->d = to;
    i->a = from;
    i->size = (uint8_t)to_bytes;
    i->count = (uint8_t)from_bytes;
    i->is_signed = is_signed;
    i->is_hidden = true;
}

/* A special register that does not change while its warp lives is set once, when the warp starts. */
static Ref special_ref(Decoder *d, const char *name, int *bytes)
{
    int which = special_find(name);
    if (which < 0)
        decode_fail(d, "unsupported special register %s in", name);
    *bytes = special_bytes(which);
    if (special_is_fixed(which)) {
        Code *c = d->code;
        for (int k = 0; k < c->special_count; k++)
            if (c->specials[k].which == which)
                return c->specials[k].ref;
        if (c->special_count == 64)
            decode_fail(d, "too many special registers");
        Ref ref = new_temp(d, *bytes);
        c->specials[c->special_count].ref = ref;
        c->specials[c->special_count++].which = which;
        return ref;
    }
    Ref temp = new_temp(d, *bytes);
    Inst *i = emit(d, run_special);
    i->d = temp;
    i->flags = (uint32_t)which;
    i->is_hidden = true;
    i->flow = FLOW_SPIN;
    return temp;
}

Ref source(Decoder *d, const Operand *o, int bytes, const char *type)
{
    int64_t value;
    if (constant_value(d, o, &value))
        return new_constant(d, bytes, constant_bits(o, value, bytes, type));
    int have;
    Ref ref;
    if (o->kind == O_REG) {
        if (o->reg->width == T_PRED)
            decode_fail(d, "a predicate, %s, where a number is needed in", o->reg->name);
        ref = reg_ref(d, o->reg);
        have = width_bytes(o->reg->width);
    } else if (o->kind == O_SPECIAL) {
        ref = special_ref(d, o->name, &have);
    } else {
        decode_fail(d, "unsupported operand %s of", o->name ? o->name : "");
    }
    if (have == bytes)
        return ref;
    Ref temp = new_temp(d, bytes);
    emit_resize(d, temp, bytes, ref, have, false);
    return temp;
}

Ref dest(Decoder *d, const Operand *o, int bytes, bool is_signed)
{
    if (o->kind == O_SINK)
        return new_temp(d, bytes);
    if (o->kind != O_REG || o->reg->width == T_PRED)
        decode_fail(d, "unsupported result operand of");
    int have = width_bytes(o->reg->width);
    Ref ref = reg_ref(d, o->reg);
    if (have == bytes)
        return ref;
    if (d->widen_count == 16)
        decode_fail(d, "too many results of other widths in");
    Ref temp = new_temp(d, bytes);
    d->widen[d->widen_count].to = ref;
    d->widen[d->widen_count].from = temp;
    d->widen[d->widen_count].to_bytes = have;
    d->widen[d->widen_count].from_bytes = bytes;
    d->widen[d->widen_count++].is_signed = is_signed;
    return temp;
}

void finish_dests(Decoder *d)
{
    for (int k = 0; k < d->widen_count; k++)
        emit_resize(d, d->widen[k].to, d->widen[k].to_bytes, d->widen[k].from, d->widen[k].from_bytes, d->widen[k].is_signed);
    d->widen_count = 0;
}

static void run_not_pred(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    *(uint32_t *)reg(w, i->d) = ~pred(w, i->a);
}

Ref source_pred(Decoder *d, const Operand *o)
{
    if (o->kind == O_INT)
        return new_constant(d, 0, (o->value != 0) != o->is_negated ? 0xffffffffu : 0);
    int bytes;
    if (o->kind == O_SPECIAL && special_find(o->name) >= 0 && special_bytes(special_find(o->name)) == 0)
        return special_ref(d, o->name, &bytes);
    if (o->kind != O_REG || o->reg->width != T_PRED)
        decode_fail(d, "a predicate is needed in");
    Ref ref = reg_ref(d, o->reg);
    if (!o->is_negated)
        return ref;
    Ref temp = new_temp(d, 0);
    Inst *i = emit(d, run_not_pred);
    i->d = temp;
    i->a = ref;
    i->is_hidden = true;
    return temp;
}

Ref dest_pred(Decoder *d, const Operand *o)
{
    if (o->kind == O_SINK)
        return new_temp(d, 0);
    if (o->kind != O_REG || o->reg->width != T_PRED)
        decode_fail(d, "a predicate is needed as result of");
    return reg_ref(d, o->reg);
}

void need_operands(Decoder *d, int count)
{
    if (d->stmt->count != count)
        decode_fail(d, "%d operands instead of %d in", d->stmt->count, count);
}

Operand *operand_at(Decoder *d, int k)
{
    if (k >= d->stmt->count)
        decode_fail(d, "operand %d is missing in", k + 1);
    return &d->stmt->operands[k];
}

Ref source_at(Decoder *d, int k, const char *type) { return source(d, operand_at(d, k), type_bytes(d, type), type); }

Ref dest_at(Decoder *d, int k, const char *type) { return dest(d, operand_at(d, k), type_bytes(d, type), type_signed(type)); }

void emit_alu(Decoder *d, const char *key, Ref to, Ref a, Ref b)
{
    const AluOp *op = alu_find(key);
    if (!op)
        decode_fail(d, "unsupported instruction (no %s)", key);
    Inst *i = emit(d, op->run);
    i->d = to;
    i->a = a;
    i->b = b;
}

/* ---- variables ---- */

bool find_place(Decoder *d, const Var *var, uint64_t *address)
{
    for (const Frame *f = d->frame; f; f = f->caller)
        for (int k = f->place_count - 1; k >= 0; k--)
            if (f->places[k].var == var) {
                *address = f->places[k].address;
                return true;
            }
    for (int k = 0; k < d->shared_count; k++)
        if (d->shared[k].var == var) {
            *address = d->shared[k].address;
            return true;
        }
    if (var->space == SPACE_GLOBAL || var->space == SPACE_CONST) {
        *address = var->address;
        return var->address != 0;
    }
    return false;
}

void address_operand(Decoder *d, const Operand *o, Inst *i, Space space)
{
    const Operand *base = o->kind == O_ADDRESS && o->count > 0 ? &o->parts[0] : o;
    uint64_t address;
    i->space = (uint8_t)space;
    i->imm = o->value;
    if (base->kind == O_REG) {
        i->a = source(d, base, 8, NULL);
    } else if (base->kind == O_SYMBOL && base->var && find_place(d, base->var, &address)) {
        i->imm += (int64_t)address;
    } else if (base->kind == O_INT) {
        i->imm += o->kind == O_ADDRESS ? base->value : 0;
    } else {
        decode_fail(d, "unsupported address %s in", base->name ? base->name : "");
    }
}

static void place_shared(Decoder *d, const Var *v)
{
    for (int k = 0; k < d->shared_count; k++)
        if (d->shared[k].var == v)
            return;
    d->shared = realloc(d->shared, (size_t)(d->shared_count + 1) * sizeof *d->shared);
    Code *c = d->code;
    uint64_t address = 0;
    if (v->is_dynamic) {
        if (v->align > c->dynamic_align)
            c->dynamic_align = v->align;
    } else {
        c->static_shared = (c->static_shared + v->align - 1) / v->align * v->align;
        address = SHARED_BASE + c->static_shared;
        c->static_shared += v->size;
    }
    if (v->align > c->shared_align)
        c->shared_align = v->align;
    d->shared[d->shared_count].var = v;
    d->shared[d->shared_count++].address = address;
}

static void collect_operand(Decoder *d, const Operand *o)
{
    if (o->var && o->var->space == SPACE_SHARED)
        place_shared(d, o->var);
    for (int k = 0; k < o->count; k++)
        collect_operand(d, &o->parts[k]);
}

/* Shared variables get their addresses before any code is made: dynamic memory comes after the last of them. */
static void collect_shared(Decoder *d, const Function *f, int depth)
{
    if (depth > 30)
        decode_fail(d, "recursive function %s: unsupported", f->name);
    for (int s = 0; s < f->stmt_count; s++) {
        for (int k = 0; k < f->stmts[s].count; k++)
            collect_operand(d, &f->stmts[s].operands[k]);
        if (!f->stmts[s].opcode || strncmp(f->stmts[s].opcode, "call", 4) != 0)
            continue;
        for (int k = 0; k < f->stmts[s].count; k++)
            if (f->stmts[s].operands[k].kind == O_SYMBOL) {
                const Function *callee = ptx_function(d->module, f->stmts[s].operands[k].name);
                if (callee && callee->has_body)
                    collect_shared(d, callee, depth + 1);
            }
    }
}

/* ---- functions ---- */

static void decode_stmt(Decoder *d, const Stmt *s)
{
    d->stmt = s;
    split_opcode(d, s->opcode);
    d->guard = s->guard ? reg_ref(d, s->guard) : NO_REF;
    d->is_guard_negated = s->is_guard_negated;
    Decode *decoder = find_decoder(d->first);
    if (decoder)
        decoder(d);
    else
        decode_alu(d);
    finish_dests(d);
}

static bool is_visible(const Function *f, int label_scope, int from_scope)
{
    for (int s = from_scope; s >= 0; s = f->scope_parent[s])
        if (s == label_scope)
            return true;
    return false;
}

/* The innermost label of that name around a statement. */
static int find_label(Decoder *d, const Frame *frame, const char *name, int scope)
{
    const Function *f = frame->function;
    int best = -1, best_scope = -1;
    for (int s = 0; s < f->stmt_count; s++)
        if (!f->stmts[s].opcode && strcmp(f->stmts[s].name, name) == 0 && is_visible(f, f->stmts[s].scope, scope) &&
            f->stmts[s].scope > best_scope) {
            best = frame->label_at[s];
            best_scope = f->stmts[s].scope;
        }
    if (best < 0)
        decode_fail(d, "unknown label %s in", name);
    return best;
}

static void resolve_labels(Decoder *d, const Frame *frame, int first_fix)
{
    for (int k = first_fix; k < d->fix_count; k++) {
        struct Fix *fix = &d->fixes[k];
        Inst *i = &d->code->insts[fix->inst];
        d->stmt = i->stmt;
        if (fix->label) {
            i->target = find_label(d, frame, fix->label, fix->scope);
            continue;
        }
        Targets *t = i->extra;
        int *table = ptx_new((size_t)t->count * sizeof *table);
        for (int n = 0; n < t->count; n++)
            table[n] = find_label(d, frame, t->labels[n], fix->scope);
        i->extra = table;
        i->imm = t->count;
    }
    d->fix_count = first_fix;
}

/* The statements of a function; its variables of local memory and its parameters' places come first. */
void decode_body(Decoder *d, Frame *frame)
{
    const Function *f = frame->function;
    frame->regs = malloc((size_t)f->reg_count * sizeof *frame->regs + 1);
    memset(frame->regs, 0xff, (size_t)f->reg_count * sizeof *frame->regs);
    frame->label_at = ptx_new((size_t)f->stmt_count * sizeof *frame->label_at);
    frame->carry = NO_REF;
    frame->places = realloc(frame->places, (size_t)(frame->place_count + f->var_count + 1) * sizeof *frame->places);
    for (const Var *v = f->vars; v; v = v->next) {
        if (v->space == SPACE_SHARED)
            continue;
        size_t *size = &d->code->local_size;
        *size = (*size + v->align - 1) / v->align * v->align;
        frame->places[frame->place_count].var = v;
        frame->places[frame->place_count++].address = *size;
        *size += v->size;
    }
    frame->caller = d->frame;
    d->frame = frame;
    int first_fix = d->fix_count;
    for (int s = 0; s < f->stmt_count; s++)
        if (f->stmts[s].opcode)
            decode_stmt(d, &f->stmts[s]);
        else
            frame->label_at[s] = d->code->count;
    resolve_labels(d, frame, first_fix);
    d->frame = frame->caller;
    free(frame->regs);
    free(frame->label_at);
}

Code *decode(const Module *module, const Function *function)
{
    Decoder *d = ptx_new(sizeof *d);
    Code *code = ptx_new(sizeof *code);
    d->code = code;
    d->module = module;
    code->name = function->name;
    code->source = module->source;
    code->function = function;
    code->module = module;
    code->shared_align = code->dynamic_align = 16;
    code->local_size = 16; /* nothing lives at address 0 */
    Frame frame = {.function = function};
    if (setjmp(d->failure) == 0) {
        collect_shared(d, function, 0);
        size_t align = code->dynamic_align;
        uint64_t dynamic = (SHARED_BASE + code->static_shared + align - 1) / align * align;
        for (int k = 0; k < d->shared_count; k++)
            if (d->shared[k].var->is_dynamic)
                d->shared[k].address = dynamic;
        int params = 0;
        for (const Var *v = function->params; v; v = v->next)
            params++;
        frame.places = ptx_new((size_t)params * sizeof *frame.places);
        for (const Var *v = function->params; v; v = v->next) {
            frame.places[frame.place_count].var = v;
            frame.places[frame.place_count++].address = v->address;
        }
        decode_body(d, &frame);
        d->guard = NO_REF;
        d->frame = &frame;
        emit(d, NULL)->flow = FLOW_EXIT;
        code->file_size = (code->file_size + 63) / 64 * 64;
    }
    free(frame.places);
    free(d->fixes);
    free(d->shared);
    free(d);
    return code;
}
