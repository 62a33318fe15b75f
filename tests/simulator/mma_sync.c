/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mma.sync (PTX ISA 9.7.14.5). All shapes share one fragment layout: with g = lane / 4 and t = lane % 4, and e
 * elements in a 32-bit word (1 for wider ones), A: word v, element s: row g + 8 (v % 2), k = t e + s + 4 e (v /
 * 2) B: word v, element s: column g,          k = t e + s + 4 e v C: element v:         row g + 8 (v / 2),
 * column 2 t + v % 2
 */
#include <stdio.h>

#include "decode.h"
#include "float_bits.h"
#include "settings.h"

enum { MAX_M = 16, MAX_N = 8, MAX_K = 32 };

typedef enum { E_F16, E_BF16, E_TF32, E_S8, E_U8, E_E4M3, E_E5M2, E_F64 } Element;

typedef struct {
    int m, n, k;
    Element a, b;
    bool is_half_result, is_half_addend, is_saturated;
    int a_words, b_words, c_words; /* registers */
} Shape;

static int per_word(Element e) { return e == E_F16 || e == E_BF16 ? 2 : e >= E_S8 && e <= E_E5M2 ? 4 : 1; }

static float element_value(Element e, u32 word, int s)
{
    switch (e) {
    case E_F16: return half_to_float((u16)(word >> (16 * s)));
    case E_BF16: return bf16_to_float((u16)(word >> (16 * s)));
    case E_TF32: return tf32_to_float(word);
    case E_S8: return (s8)(word >> (8 * s));
    case E_E4M3: return e4m3_to_float((u8)(word >> (8 * s)));
    case E_E5M2: return e5m2_to_float((u8)(word >> (8 * s)));
    default: return (u8)(word >> (8 * s));
    }
}

/* Rows of the warp's A, columns of its B. */
static void gather_floats(const Warp *w, const Shape *shape, const Ref *refs, float a[MAX_M][MAX_K], float b[MAX_K][MAX_N])
{
    int e = per_word(shape->a);
    for (int v = 0; v < shape->a_words; v++) {
        const u32 *words = reg(w, refs[v]);
        for (int l = 0; l < LANES; l++)
            for (int s = 0; s < e; s++)
                a[l / 4 + 8 * (v % 2)][l % 4 * e + s + 4 * e * (v / 2)] = element_value(shape->a, words[l], s);
    }
    for (int v = 0; v < shape->b_words; v++) {
        const u32 *words = reg(w, refs[shape->a_words + v]);
        for (int l = 0; l < LANES; l++)
            for (int s = 0; s < e; s++)
                b[l % 4 * e + s + 4 * e * v][l / 4] = element_value(shape->b, words[l], s);
    }
}

static void multiply_floats(const Shape *shape, float a[MAX_M][MAX_K], float b[MAX_K][MAX_N], float c[MAX_M][MAX_N])
{
    for (int m = 0; m < shape->m; m++) {
        float sum[MAX_N];
        memcpy(sum, c[m], sizeof sum);
        for (int k = 0; k < shape->k; k++)
            for (int n = 0; n < MAX_N; n++)
                sum[n] = __builtin_fmaf(a[m][k], b[k][n], sum[n]);
        memcpy(c[m], sum, sizeof sum);
    }
}

/* C and D are words of f32, or pairs of f16. */
static void run_mma_float(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    const Shape *shape = i->extra;
    float a[MAX_M][MAX_K], b[MAX_K][MAX_N], c[MAX_M][MAX_N];
    const Ref *addend = i->refs + shape->a_words + shape->b_words, *result = addend + 4;
    gather_floats(w, shape, i->refs, a, b);
    for (int v = 0; v < 4; v++)
        for (int l = 0; l < LANES; l++)
            c[l / 4 + 8 * (v / 2)][2 * (l % 4) + v % 2] = shape->is_half_addend
                                                              ? half_to_float(((u16 *)reg(w, addend[v / 2]))[2 * l + v % 2])
                                                              : ((f32 *)reg(w, addend[v]))[l];
    multiply_floats(shape, a, b, c);
    for (int v = 0; v < 4; v++)
        for (int l = 0; l < LANES; l++) {
            float x = c[l / 4 + 8 * (v / 2)][2 * (l % 4) + v % 2];
            if (shape->is_half_result)
                ((u16 *)reg(w, result[v / 2]))[2 * l + v % 2] = float_to_half(x);
            else
                ((f32 *)reg(w, result[v]))[l] = x;
        }
    w->launch->counters.mma++;
}

static void run_mma_whole(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    const Shape *shape = i->extra;
    float a[MAX_M][MAX_K], b[MAX_K][MAX_N];
    const Ref *addend = i->refs + shape->a_words + shape->b_words, *result = addend + 4;
    s32 d[4][LANES];
    gather_floats(w, shape, i->refs, a, b);
    for (int v = 0; v < 4; v++)
        for (int l = 0; l < LANES; l++) {
            int m = l / 4 + 8 * (v / 2), n = 2 * (l % 4) + v % 2;
            s64 sum = ((s32 *)reg(w, addend[v]))[l];
            for (int k = 0; k < shape->k; k++)
                sum += (s32)a[m][k] * (s32)b[k][n];
            if (shape->is_saturated)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            d[v][l] = (s32)(u32)(u64)sum;
        }
    for (int v = 0; v < 4; v++)
        memcpy(reg(w, result[v]), d[v], sizeof d[v]);
    w->launch->counters.mma++;
}

static void run_mma_f64(Warp *w, const Inst *i, uint32_t mask)
{
    (void)mask;
    const Shape *shape = i->extra;
    f64 a[MAX_M][MAX_K], b[MAX_K][MAX_N], d[4][LANES];
    const Ref *addend = i->refs + shape->a_words + shape->b_words, *result = addend + 4;
    for (int v = 0; v < shape->a_words; v++)
        for (int l = 0; l < LANES; l++)
            a[l / 4 + 8 * (v % 2)][l % 4 + 4 * (v / 2)] = ((f64 *)reg(w, i->refs[v]))[l];
    for (int v = 0; v < shape->b_words; v++)
        for (int l = 0; l < LANES; l++)
            b[l % 4 + 4 * v][l / 4] = ((f64 *)reg(w, i->refs[shape->a_words + v]))[l];
    for (int v = 0; v < shape->c_words; v++)
        for (int l = 0; l < LANES; l++) {
            f64 sum = ((f64 *)reg(w, addend[v]))[l];
            for (int k = 0; k < shape->k; k++)
                sum = __builtin_fma(a[l / 4 + 8 * (v / 2)][k], b[k][2 * (l % 4) + v % 2], sum);
            d[v][l] = sum;
        }
    for (int v = 0; v < shape->c_words; v++)
        memcpy(reg(w, result[v]), d[v], sizeof d[v]);
    w->launch->counters.mma++;
}

static Element take_element(Decoder *d, const char *type)
{
    static const char *const names[] = {"f16", "bf16", "tf32", "s8", "u8", "e4m3", "e5m2", "f64"};
    for (int k = 0; k < 8; k++)
        if (strcmp(names[k], type) == 0)
            return (Element)k;
    decode_fail(d, "unsupported instruction (type .%s)", type);
}

static void take_refs(Decoder *d, Ref *refs, int at, int count, int bytes, bool is_result)
{
    const Operand *o = operand_at(d, at);
    int have = o->kind == O_VECTOR ? o->count : 1;
    if (have != count)
        decode_fail(d, "unsupported instruction (%d registers in operand %d instead of %d)", have, at + 1, count);
    for (int k = 0; k < count; k++) {
        const Operand *part = o->kind == O_VECTOR ? &o->parts[k] : o;
        refs[k] = is_result ? dest(d, part, bytes, false) : source(d, part, bytes, bytes == 8 ? "f64" : "f32");
    }
}

static bool is_known(const Shape *s)
{
    static const struct {
        Element e;
        int m, k;
    } known[] = {
        {E_F16, 16, 8}, {E_F16, 16, 16}, {E_BF16, 16, 8},  {E_BF16, 16, 16}, {E_TF32, 16, 4}, {E_TF32, 16, 8},
        {E_S8, 16, 16}, {E_S8, 16, 32},  {E_U8, 16, 16},   {E_U8, 16, 32},   {E_F64, 8, 4},   {E_F64, 16, 4},
        {E_F64, 16, 8}, {E_F64, 16, 16}, {E_E4M3, 16, 32}, {E_E5M2, 16, 32},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (known[k].e == s->a && known[k].m == s->m && known[k].k == s->k && s->n == 8)
            return true;
    return false;
}

Decode decode_mma;

void decode_mma(Decoder *d)
{
    Shape *s = ptx_new(sizeof *s);
    const char *addend = take_last(d), *b = take_last(d), *a = take_last(d), *result = take_last(d);
    const char *shape = take_prefix(d, "m");
    if (!shape || sscanf(shape, "m%dn%dk%d", &s->m, &s->n, &s->k) != 3 || !take(d, "sync") || !take(d, "aligned") || !take(d, "row") ||
        !take(d, "col"))
        decode_fail(d, "unsupported instruction");
    s->is_saturated = take(d, "satfinite");
    finish_parts(d);
    s->a = take_element(d, a);
    s->b = take_element(d, b);
    s->is_half_result = strcmp(result, "f16") == 0;
    s->is_half_addend = strcmp(addend, "f16") == 0;
    bool is_whole = s->a == E_S8 || s->a == E_U8, is_fp8 = s->a == E_E4M3 || s->a == E_E5M2;
    if (!is_known(s) ||
        (s->b != s->a && !(is_whole && (s->b == E_S8 || s->b == E_U8)) && !(is_fp8 && (s->b == E_E4M3 || s->b == E_E5M2))) ||
        (is_fp8 && settings()->cc < 89))
        decode_fail(d, "unsupported instruction");
    int e = per_word(s->a), bytes = s->a == E_F64 ? 8 : 4;
    s->a_words = s->m * s->k / e / LANES;
    s->b_words = s->n * s->k / e / LANES;
    s->c_words = s->m * s->n / LANES;
    Ref *refs = ptx_new((size_t)(s->a_words + s->b_words + 8) * sizeof *refs);
    Ref *addends = refs + s->a_words + s->b_words;
    take_refs(d, refs, 1, s->a_words, bytes, false);
    take_refs(d, refs + s->a_words, 2, s->b_words, bytes, false);
    take_refs(d, addends, 3, s->is_half_addend ? 2 : s->c_words, bytes, false);
    take_refs(d, addends + 4, 0, s->is_half_result ? 2 : s->c_words, bytes, true);
    Inst *i = emit(d, s->a == E_F64 ? run_mma_f64 : is_whole ? run_mma_whole : run_mma_float);
    i->flow = FLOW_SYNC;
    i->is_collective = i->needs_warp = true;
    i->extra = s;
    i->refs = refs;
    i->ref_count = s->a_words + s->b_words + 8;
}
