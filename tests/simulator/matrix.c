/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14.5.15 to 9.7.14.5.17): 8x8 matrices of 16-bit elements. Lane l
 * holds elements 2 (l % 4) and the next of row l / 4; lane 8 m + r gives the address of row r of matrix m. */
#include "decode.h"
#include "float_bits.h"
#include "shadow.h"

uint8_t *touch_memory(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind);
Space take_space(Decoder *d);

static void rows_of(Warp *w, const Inst *i, AccessKind kind, u8 **rows)
{
    const u64 *base = i->a == NO_REF ? NULL : reg(w, i->a);
    for (int k = 0; k < 8 * i->count; k++) {
        rows[k] = touch_memory(w, i, k, (base ? base[k] : 0) + (u64)i->imm, 16, kind);
    }
    *(kind == ACCESS_READ ? &w->launch->counters.shared_load_bytes : &w->launch->counters.shared_store_bytes) += 128 * i->count;
}

static void run_ldmatrix(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    u8 *rows[LANES];
    u16 elements[LANES][8];
    rows_of(w, i, ACCESS_READ, rows);
    for (int k = 0; k < 8 * i->count; k++)
        memcpy(elements[k], rows[k], 16);
    for (int m = 0; m < i->count; m++) {
        u32 *to = reg(w, i->refs[m]);
        for (int l = 0; l < LANES; l++) {
            int r = l / 4, c = 2 * (l % 4);
            to[l] = i->flags ? elements[8 * m + c][r] | (u32)elements[8 * m + c + 1][r] << 16
                             : elements[8 * m + r][c] | (u32)elements[8 * m + r][c + 1] << 16;
        }
    }
}

static void run_stmatrix(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    u8 *rows[LANES];
    rows_of(w, i, ACCESS_WRITE, rows);
    for (int m = 0; m < i->count; m++) {
        const u32 *from = reg(w, i->refs[m]);
        for (int l = 0; l < LANES; l++)
            for (int s = 0; s < 2; s++) {
                int r = l / 4, c = 2 * (l % 4) + s;
                u16 x = (u16)(from[l] >> (16 * s));
                memcpy(i->flags ? rows[8 * m + c] + 2 * r : rows[8 * m + r] + 2 * c, &x, 2);
            }
    }
    w->launch->progress++;
}

static void run_movmatrix(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    const u32 *from = reg(w, i->a);
    u16 elements[8][8];
    for (int l = 0; l < LANES; l++)
        for (int s = 0; s < 2; s++)
            elements[l / 4][2 * (l % 4) + s] = (u16)(from[l] >> (16 * s));
    u32 *to = reg(w, i->d);
    for (int l = 0; l < LANES; l++)
        to[l] = elements[2 * (l % 4)][l / 4] | (u32)elements[2 * (l % 4) + 1][l / 4] << 16;
}

static Inst *emit_collective(Decoder *d, Run *run)
{
    Inst *i = emit(d, run);
    i->flow = FLOW_SYNC;
    i->is_collective = i->needs_warp = true;
    return i;
}

static void decode_matrix(Decoder *d, bool is_store)
{
    bool is_known = take(d, "m8n8") && take(d, "sync") && take(d, "aligned");
    bool is_transposed = take(d, "trans");
    int count = take(d, "x1") ? 1 : take(d, "x2") ? 2 : take(d, "x4") ? 4 : 0;
    is_known = take(d, "b16") && is_known && count > 0;
    Space space = take_space(d);
    finish_parts(d);
    if (!is_known)
        decode_fail(d, "unsupported instruction");
    const Operand *data = operand_at(d, is_store ? 1 : 0), *address = operand_at(d, is_store ? 0 : 1);
    if ((data->kind == O_VECTOR ? data->count : 1) != count)
        decode_fail(d, "unsupported instruction (number of registers)");
    Ref *refs = ptx_new((size_t)count * sizeof *refs);
    for (int k = 0; k < count; k++) {
        const Operand *part = data->kind == O_VECTOR ? &data->parts[k] : data;
        refs[k] = is_store ? source(d, part, 4, NULL) : dest(d, part, 4, false);
    }
    Inst where = {.a = NO_REF};
    address_operand(d, address, &where, space);
    Inst *i = emit_collective(d, is_store ? run_stmatrix : run_ldmatrix);
    i->a = where.a;
    i->imm = where.imm;
    i->space = where.space;
    i->refs = refs;
    i->ref_count = count;
    i->writes_refs = !is_store;
    i->count = (uint8_t)count;
    i->flags = is_transposed;
}

Decode decode_ldmatrix, decode_stmatrix, decode_movmatrix;

void decode_ldmatrix(Decoder *d) { decode_matrix(d, false); }

void decode_stmatrix(Decoder *d) { decode_matrix(d, true); }

void decode_movmatrix(Decoder *d)
{
    Ref a = source(d, operand_at(d, 1), 4, NULL), to = dest(d, operand_at(d, 0), 4, false);
    Inst *i = emit_collective(d, run_movmatrix);
    i->d = to;
    i->a = a;
}
