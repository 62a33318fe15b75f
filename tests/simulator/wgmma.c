/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wgmma (PTX ISA 9.7.15): matrices in shared memory are described by 64 bits, see operand_address.
 *
 * A warp computes its 16 rows when it issues the instruction. That they are asynchronous is checked instead:
 * until wgmma.wait_group, accumulators are tainted and may only be copied or accumulated to, and the bytes of
 * the operands in shared memory must be the same at the wait as they were at the start. */
#include <stdio.h>
#include <stdlib.h>

#include "decode.h"
#include "float_bits.h"
#include "shadow.h"
#include "wgmma.h"

enum { ROWS = 16, MAX_N = 256, MAX_K = 32 };

typedef enum { E_F16, E_BF16, E_TF32, E_S8, E_U8, E_E4M3, E_E5M2, ELEMENTS } Element;
static const char *const element_names[] = {"f16", "bf16", "tf32", "s8", "u8", "e4m3", "e5m2"};
static const int element_sizes[] = {2, 2, 4, 1, 1, 1, 1};

typedef struct {
    int n, k;
    Element a, b;
    bool has_a_registers, is_half, is_whole, is_saturated;
    bool negates_a, negates_b, transposes_a, transposes_b;
    Ref accumulators[128], a_registers[4];
    int accumulator_count;
    Ref a_descriptor, b_descriptor, scale;
} Shape;

/* An issued instruction that has not been waited for. */
typedef struct Flight {
    const Inst *inst;
    const Shape *shape;
    uint64_t a, b, sum;
    uint32_t group;
    struct Flight *next;
} Flight;

/* ---- operands in shared memory ---- */

typedef struct {
    uint32_t start, leading, stride, base;
    int swizzle; /* log2 of the bytes of a swizzled row, or 0 */
} Descriptor;

static Descriptor read_descriptor(Warp *w, const Inst *i, uint64_t bits)
{
    static const int swizzles[] = {0, 7, 6, 5};
    Descriptor d = {.start = (uint32_t)(bits & 0x3fff) << 4,
                    .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                    .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                    .base = (uint32_t)(bits >> 49 & 7),
                    .swizzle = swizzles[bits >> 62]};
    if (bits & 0x3ff1c000c000c000ull)
        fault(w, i, 0, SIM_TENSOR, "matrix descriptor 0x%016llx: bits that have to be 0 are not", (unsigned long long)bits);
    return d;
}

/* Swizzling moves 16 bytes within a row by the row's number in its pattern: bits 7 to 9 of the address, less
 * the base offset where the pattern does not start at a multiple of its size. */
static uint32_t swizzled(const Descriptor *d, uint32_t address)
{
    uint32_t row = ((address >> 7) - d->base) & 7;
    uint32_t mask = d->swizzle ? (1u << (d->swizzle - 4)) - 1 : 0;
    return address ^ (row & mask) << 4;
}

/* Where element (row, k) is: rows of A, columns of B. Leading and stride are the descriptor's byte offsets.
 *   K-major: 8 rows of 16 bytes (with a swizzle: of 32, 64 or 128 bytes); the next 8 rows are a stride away,
 * the next 16 bytes of k the leading offset (with a swizzle: they follow). MN-major, swizzled: 8 k of 32, 64 or
 * 128 bytes; the next 8 k are a stride away, the next rows the leading offset. MN-major, not swizzled: 8 k of
 * 16 bytes; the next 8 k are the leading offset away, the next 8 rows a stride. */
static uint32_t operand_address(const Descriptor *d, bool is_transposed, int size, int row, int k)
{
    uint32_t span = d->swizzle ? 1u << d->swizzle : 16, at;
    if (!is_transposed) {
        uint32_t byte = (uint32_t)(k * size);
        at = (uint32_t)(row % 8) * span + (uint32_t)(row / 8) * d->stride;
        at += d->swizzle ? byte : byte % 16 + byte / 16 * d->leading;
    } else {
        uint32_t byte = (uint32_t)(row * size), k_group = (uint32_t)(k / 8), row_group = byte / span;
        at = byte % span + (uint32_t)(k % 8) * span;
        at += d->swizzle ? row_group * d->leading + k_group * d->stride : row_group * d->stride + k_group * d->leading;
    }
    return swizzled(d, d->start + at);
}

static float element_value(Element e, const u8 *p)
{
    u16 half;
    u32 word;
    switch (e) {
    case E_F16: memcpy(&half, p, 2); return half_to_float(half);
    case E_BF16: memcpy(&half, p, 2); return bf16_to_float(half);
    case E_TF32: memcpy(&word, p, 4); return tf32_to_float(word);
    case E_S8: return (s8)*p;
    case E_E4M3: return e4m3_to_float(*p);
    case E_E5M2: return e5m2_to_float(*p);
    default: return *p;
    }
}

typedef void Visit(void *data, int row, int k, const u8 *p);

/* All elements of an operand, 16 contiguous bytes checked at a time. */
static void visit_operand(Warp *w, const Inst *i, uint64_t bits, Element e, bool is_transposed, int first, int rows, int ks, Visit *visit,
                          void *data)
{
    Descriptor d = read_descriptor(w, i, bits);
    int size = element_sizes[e], chunk = 16 / size;
    int row_step = is_transposed ? chunk : 1, k_step = is_transposed ? 1 : chunk;
    for (int row = 0; row < rows; row += row_step)
        for (int k = 0; k < ks; k += k_step) {
            Block *owner;
            uint32_t at = operand_address(&d, is_transposed, size, first + row, k);
            const u8 *p = access_shared(w, i, 0, at, 16, 16, &owner);
            for (int c = 0; c < chunk; c++)
                visit(data, is_transposed ? row + c : row, is_transposed ? k : k + c, p + c * size);
        }
}

typedef struct {
    float *to;
    int row_stride, k_stride;
    Element e;
} Gather;

static void gather(void *data, int row, int k, const u8 *p)
{
    const Gather *g = data;
    g->to[row * g->row_stride + k * g->k_stride] = element_value(g->e, p);
}

typedef struct {
    Warp *w;
    const Inst *i;
    uint64_t sum;
    int agent;
} Touch;

/* Each 16 bytes once: checksum, and at the start the race check. */
static void touch(void *data, int row, int k, const u8 *p)
{
    Touch *t = data;
    uint64_t words[2];
    (void)row, (void)k;
    if ((p - t->w->block->shared) % 16 != 0)
        return;
    memcpy(words, p, 16);
    t->sum = (t->sum ^ words[0]) * 0x9e3779b97f4a7c15ull;
    t->sum = (t->sum ^ words[1] ^ t->sum >> 29) * 0x9e3779b97f4a7c15ull;
    if (t->agent >= 0)
        shadow_async(t->w, t->i, 0, t->w->block, (size_t)(p - t->w->block->shared), 16, ACCESS_READ, t->agent);
}

static uint64_t checksum(Warp *w, const Inst *i, const Shape *s, uint64_t a, uint64_t b, int agent)
{
    Touch t = {w, i, 0, agent};
    if (!s->has_a_registers)
        visit_operand(w, i, a, s->a, s->transposes_a, w->index % 4 * ROWS, ROWS, s->k, touch, &t);
    visit_operand(w, i, b, s->b, s->transposes_b, 0, s->n, s->k, touch, &t);
    return t.sum;
}

/* ---- taint ---- */

static uint32_t *taint_of(Warp *w, Ref ref)
{
    if (!w->wgmma.taint)
        w->wgmma.taint = calloc(w->code->file_size / 64 + 2, sizeof *w->wgmma.taint);
    return &w->wgmma.taint[(ref & 0x7fffffff) / 64];
}

static bool is_mov(const Inst *i)
{
    static Run *mov_32, *mov_64;
    if (!mov_32) {
        mov_32 = alu_find("mov.u32")->run;
        mov_64 = alu_find("mov.u64")->run;
    }
    return i->run == mov_32 || i->run == mov_64;
}

static uint32_t taint_at(Warp *w, Ref ref) { return ref == NO_REF || ref & CONSTANT_REF ? 0 : *taint_of(w, ref); }

static Run run_wgmma;

void wgmma_check_taint(Warp *w, const Inst *i)
{
    if (i->run == run_wgmma || i->flow == FLOW_BRANCH || i->flow == FLOW_EXIT)
        return;
    uint32_t taint = taint_at(w, i->a);
    if (is_mov(i)) {
        *taint_of(w, i->d) = taint;
        return;
    }
    const Ref operands[] = {i->b, i->c, i->e};
    for (int k = 0; k < 3 && !taint; k++)
        taint = taint_at(w, operands[k]);
    for (int k = 0; k < i->ref_count && !taint && !i->writes_refs; k++)
        taint = taint_at(w, i->refs[k]);
    if (taint)
        fault(w, i, 0, SIM_ASYNC, "uses a result of wgmma group %u before wgmma.wait_group", taint - 1);
    if (i->d != NO_REF && !(i->d & CONSTANT_REF))
        *taint_of(w, i->d) = 0;
    for (int k = 0; k < i->ref_count && i->writes_refs; k++)
        *taint_of(w, i->refs[k]) = 0;
}

/* ---- the instruction ---- */

static void gather_a(Warp *w, const Inst *i, const Shape *s, uint64_t bits, float a[ROWS][MAX_K])
{
    if (!s->has_a_registers) {
        Gather g = {a[0], MAX_K, 1, s->a};
        visit_operand(w, i, bits, s->a, s->transposes_a, w->index % 4 * ROWS, ROWS, s->k, gather, &g);
        return;
    }
    int per_word = 4 / element_sizes[s->a];
    for (int v = 0; v < 4; v++) {
        const u8 *words = reg(w, s->a_registers[v]);
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < per_word; e++)
                a[l / 4 + 8 * (v % 2)][l % 4 * per_word + e + 4 * per_word * (v / 2)] = element_value(s->a, words + 4 * l +
                                                                                                                e * element_sizes[s->a]);
    }
}

/* Accumulator v of lane l: row l / 4 + 8 (v / 2 % 2), column 8 (v / 4) + 2 (l % 4) + v % 2. */
static void accumulate(Warp *w, const Shape *s, float a[ROWS][MAX_K], float b[MAX_K][MAX_N], uint32_t scale)
{
    static float c[ROWS][MAX_N];
    int columns = s->n;
    for (int v = 0; v < columns / 2; v++)
        for (int l = 0; l < LANES; l++) {
            int m = l / 4 + 8 * (v / 2 % 2), n = 8 * (v / 4) + 2 * (l % 4) + v % 2;
            c[m][n] = !scale       ? 0
                      : s->is_half ? half_to_float(((u16 *)reg(w, s->accumulators[v / 2]))[2 * l + v % 2])
                                   : ((f32 *)reg(w, s->accumulators[v]))[l];
        }
    for (int m = 0; m < ROWS; m++)
        for (int k = 0; k < s->k; k++) {
            float x = s->negates_a != s->negates_b ? -a[m][k] : a[m][k];
            for (int n = 0; n < columns; n++)
                c[m][n] = __builtin_fmaf(x, b[k][n], c[m][n]);
        }
    for (int v = 0; v < columns / 2; v++)
        for (int l = 0; l < LANES; l++) {
            int m = l / 4 + 8 * (v / 2 % 2), n = 8 * (v / 4) + 2 * (l % 4) + v % 2;
            if (s->is_half)
                ((u16 *)reg(w, s->accumulators[v / 2]))[2 * l + v % 2] = float_to_half(c[m][n]);
            else
                ((f32 *)reg(w, s->accumulators[v]))[l] = c[m][n];
        }
}

static void accumulate_whole(Warp *w, const Shape *s, float a[ROWS][MAX_K], float b[MAX_K][MAX_N], uint32_t scale)
{
    for (int v = 0; v < s->n / 2; v++)
        for (int l = 0; l < LANES; l++) {
            int m = l / 4 + 8 * (v / 2 % 2), n = 8 * (v / 4) + 2 * (l % 4) + v % 2;
            s32 *d = (s32 *)reg(w, s->accumulators[v]) + l;
            s64 sum = scale ? *d : 0;
            for (int k = 0; k < s->k; k++)
                sum += (s32)a[m][k] * (s32)b[k][n];
            if (s->is_saturated)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            *d = (s32)(u32)(u64)sum;
        }
}

static void check_lanes(Warp *w, const Inst *i, Ref ref)
{
    const u64 *bits = reg(w, ref);
    for (int l = 1; l < LANES; l++)
        if (bits[l] != bits[0])
            fault(w, i, l, SIM_TENSOR, "lanes of one warp have different matrix descriptors");
}

/* The four warps of a warpgroup issue the same instructions in the same order. */
static void check_warpgroup(Warp *w, const Inst *i, uint64_t a, uint64_t b)
{
    WarpGroup *g = &w->wgmma;
    Block *block = w->block;
    int first = w->index / 4 * 4;
    if (first + 4 > block->warp_count)
        fault(w, i, 0, SIM_DIVERGENCE, "the warp is not one of four of a warpgroup");
    g->trace = (g->trace ^ (uint64_t)(uintptr_t)i ^ a * 3 ^ b * 5) * 0x9e3779b97f4a7c15ull;
    g->issued++;
    if (g->issued > 64 * 1024)
        return;
    if (g->issued > g->trace_room) {
        g->trace_room = g->trace_room ? 2 * g->trace_room : 64;
        g->traces = realloc(g->traces, g->trace_room * sizeof *g->traces);
    }
    g->traces[g->issued - 1] = g->trace;
    for (int k = first; k < first + 4; k++) {
        const WarpGroup *other = &block->warps[k].wgmma;
        if (other->issued >= g->issued && other->traces[g->issued - 1] != g->trace)
            fault(w, i, 0, SIM_DIVERGENCE, "warps %d and %d of one warpgroup do not issue the same wgmma", w->index, k);
    }
}

static int agent_of(Warp *w)
{
    WarpGroup *g = &w->wgmma;
    if (!w->launch->has_races)
        return -1;
    for (int k = 0; k < 4 && !g->has_agents; k++)
        g->agents[k] = shadow_agent_new(w->block->cluster);
    g->has_agents = true;
    return g->agents[g->open % 4];
}

static void run_wgmma(Warp *w, const Inst *i, uint32_t mask)
{
    static float a[ROWS][MAX_K], b[MAX_K][MAX_N];
    const Shape *s = i->extra;
    WarpGroup *g = &w->wgmma;
    (void)mask;
    if (!s->has_a_registers)
        check_lanes(w, i, s->a_descriptor);
    check_lanes(w, i, s->b_descriptor);
    uint64_t a_bits = s->has_a_registers ? 0 : *(u64 *)reg(w, s->a_descriptor), b_bits = *(u64 *)reg(w, s->b_descriptor);
    if (!g->is_fenced)
        fault(w, i, 0, SIM_ASYNC, "there was no wgmma.fence before the first wgmma");
    for (int v = 0; s->has_a_registers && v < 4; v++)
        if (taint_at(w, s->a_registers[v]))
            fault(w, i, 0, SIM_ASYNC, "A is a result of wgmma that was not waited for");
    check_warpgroup(w, i, a_bits, b_bits);
    gather_a(w, i, s, a_bits, a);
    Gather columns = {b[0], 1, MAX_N, s->b};
    visit_operand(w, i, b_bits, s->b, s->transposes_b, 0, s->n, s->k, gather, &columns);
    uint32_t scale = s->scale == NO_REF ? 1 : pred(w, s->scale);
    if (scale != 0 && scale != ~0u && s->scale != NO_REF && (scale & w->alive) != w->alive && (scale & w->alive) != 0)
        fault(w, i, 0, SIM_DIVERGENCE, "scale-d differs between lanes: 0x%08x", scale);
    if (s->is_whole)
        accumulate_whole(w, s, a, b, scale & w->alive);
    else
        accumulate(w, s, a, b, scale & w->alive);
    Flight *f = malloc(sizeof *f);
    *f = (Flight){i, s, a_bits, b_bits, checksum(w, i, s, a_bits, b_bits, agent_of(w)), g->open, g->flights};
    g->flights = f;
    for (int v = 0; v < s->accumulator_count; v++)
        *taint_of(w, s->accumulators[v]) = g->open + 1;
    g->any_taint = true;
    if (w->index % 4 == 0)
        w->launch->counters.mma++;
}

static void run_fence(Warp *w, const Inst *i, uint32_t mask)
{
    (void)i, (void)mask;
    w->wgmma.is_fenced = true;
}

static void run_commit(Warp *w, const Inst *i, uint32_t mask)
{
    (void)i, (void)mask;
    w->wgmma.open++;
}

static void run_wait(Warp *w, const Inst *i, uint32_t mask)
{
    WarpGroup *g = &w->wgmma;
    uint32_t before = g->open > (uint64_t)i->imm ? g->open - (uint32_t)i->imm : 0;
    uint32_t left = 0; /* bit g % 4: group g is still in flight */
    for (Flight **at = &g->flights; *at;) {
        Flight *f = *at;
        if (f->group >= before) {
            left |= 1u << f->group % 4;
            at = &f->next;
            continue;
        }
        if (checksum(w, f->inst, f->shape, f->a, f->b, -1) != f->sum)
            fault(w, f->inst, 0, SIM_ASYNC, "its matrices in shared memory changed before wgmma.wait_group");
        *at = f->next;
        free(f);
    }
    for (size_t k = 0; g->taint && k < w->code->file_size / 64; k++)
        if (g->taint[k] && g->taint[k] - 1 < before)
            g->taint[k] = 0;
    g->any_taint = left != 0;
    for (uint32_t k = 0; k < 4 && g->has_agents; k++)
        if (!(left >> k & 1))
            EACH_LANE (l, mask)
                shadow_agent_seen(w, (int)l, g->agents[k]);
}

void wgmma_exit(Warp *w, const Inst *i)
{
    if (w->wgmma.flights)
        fault(w, i, 0, SIM_ASYNC, "the warp exits before wgmma.wait_group");
}

void wgmma_block_done(Block *b)
{
    for (int k = 0; k < b->warp_count; k++) {
        Warp *w = &b->warps[k], *first = &b->warps[k / 4 * 4];
        if (w->wgmma.issued != first->wgmma.issued)
            fault(w, &w->code->insts[w->code->count - 1], 0, SIM_DIVERGENCE, "warps %d and %d of one warpgroup issued %zu and %zu wgmma",
                  w->index, first->index, w->wgmma.issued, first->wgmma.issued);
    }
}

void wgmma_end(Warp *w)
{
    for (Flight *f = w->wgmma.flights, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    free(w->wgmma.taint);
    free(w->wgmma.traces);
}

/* ---- decoding ---- */

static Element take_element(Decoder *d, const char *type)
{
    for (int k = 0; k < ELEMENTS; k++)
        if (strcmp(element_names[k], type) == 0)
            return (Element)k;
    decode_fail(d, "unsupported instruction (type .%s)", type);
}

static bool immediate(Decoder *d, int at, int64_t is)
{
    int64_t value;
    if (!constant_value(d, operand_at(d, at), &value))
        decode_fail(d, "unsupported operand of");
    return value == is;
}

static void take_operands(Decoder *d, Shape *s)
{
    const Operand *to = operand_at(d, 0), *a = operand_at(d, 1);
    s->accumulator_count = s->is_half ? s->n / 4 : s->n / 2;
    if (to->kind != O_VECTOR || to->count != s->accumulator_count)
        decode_fail(d, "unsupported instruction (number of accumulators)");
    for (int k = 0; k < to->count; k++)
        s->accumulators[k] = dest(d, &to->parts[k], 4, false);
    s->has_a_registers = a->kind == O_VECTOR;
    if (s->has_a_registers && a->count != 4)
        decode_fail(d, "unsupported instruction (number of registers of A)");
    for (int k = 0; k < 4 && s->has_a_registers; k++)
        s->a_registers[k] = source(d, &a->parts[k], 4, NULL);
    if (!s->has_a_registers)
        s->a_descriptor = source(d, a, 8, NULL);
    s->b_descriptor = source(d, operand_at(d, 2), 8, NULL);
    int at = 3, count = d->stmt->count;
    s->scale = source_pred(d, operand_at(d, at++));
    if (!s->is_whole) {
        s->negates_a = immediate(d, at, -1);
        s->negates_b = immediate(d, at + 1, -1);
        at += 2;
    }
    if (element_sizes[s->a] == 2) {
        if (!s->has_a_registers)
            s->transposes_a = immediate(d, at++, 1);
        s->transposes_b = immediate(d, at++, 1);
    }
    if (at != count)
        decode_fail(d, "unsupported instruction (%d operands)", count);
}

static void decode_multiply(Decoder *d)
{
    Shape *s = ptx_new(sizeof *s);
    int m = 0;
    s->is_saturated = take(d, "satfinite");
    const char *b = take_last(d), *a = take_last(d), *result = take_last(d), *shape = take_prefix(d, "m64");
    finish_parts(d);
    if (!shape || sscanf(shape, "m%dn%dk%d", &m, &s->n, &s->k) != 3)
        decode_fail(d, "unsupported instruction");
    s->a = take_element(d, a);
    s->b = take_element(d, b);
    s->is_half = strcmp(result, "f16") == 0;
    s->is_whole = strcmp(result, "s32") == 0;
    bool is_small = s->a == E_S8 || s->a == E_U8, is_fp8 = s->a == E_E4M3 || s->a == E_E5M2;
    bool fits = is_small ? s->b == E_S8 || s->b == E_U8 : is_fp8 ? s->b == E_E4M3 || s->b == E_E5M2 : s->a == s->b;
    if (s->k * element_sizes[s->a] != 32 || s->n % 8 != 0 || s->n < 8 || s->n > 256 || is_small != s->is_whole || !fits)
        decode_fail(d, "unsupported instruction");
    take_operands(d, s);
    Inst *i = emit(d, run_wgmma);
    i->flow = FLOW_SYNC;
    i->is_collective = i->needs_warp = true;
    i->extra = s;
}

Decode decode_wgmma;

void decode_wgmma(Decoder *d)
{
    bool is_multiply = take(d, "mma_async"), is_fence = take(d, "fence"), is_commit = take(d, "commit_group");
    bool is_wait = take(d, "wait_group");
    if (!take(d, "sync") || !take(d, "aligned"))
        decode_fail(d, "unsupported instruction");
    if (is_multiply) {
        decode_multiply(d);
        return;
    }
    finish_parts(d);
    int64_t pending = 0;
    if (is_wait && !constant_value(d, operand_at(d, 0), &pending))
        decode_fail(d, "unsupported operand of");
    if (!is_wait && !is_fence && !is_commit)
        decode_fail(d, "unsupported instruction");
    Inst *i = emit(d, is_wait ? run_wait : is_fence ? run_fence : run_commit);
    i->imm = pending;
    i->flow = FLOW_SYNC;
    i->is_collective = i->needs_warp = true;
}
