/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges between the lanes of a warp: shfl, vote, match, redux, activemask, elect (PTX ISA 9.7.9.6, 9.7.13.4
 * to 9.7.13.8, 9.7.13.14). Lanes that have not come yet are waited for. */
#include "decode.h"
#include "float_bits.h"
#include "shadow.h"

bool gather_lanes(Warp *w, const Inst *i, uint32_t mask, uint32_t *left, Ref members_ref, uint32_t *lanes)
{
    const uint32_t *members = reg(w, members_ref);
    while (*left) {
        int first = first_lane(*left);
        uint32_t all = members[first], some = 0;
        EACH_LANE (l, mask) {
            some |= (uint32_t)(members[l] == all) << l;
            if (all >> l & 1 && members[l] != all)
                fault(w, i, (int)l, SIM_DIVERGENCE, "masks 0x%08x and 0x%08x of lanes that name each other", all, members[l]);
        }
        if (some & ~all)
            fault(w, i, first_lane(some & ~all), SIM_DIVERGENCE, "lanes 0x%08x are not in their own mask 0x%08x", some & ~all, all);
        *left &= ~some;
        if (w->group & all & ~mask)
            fault(w, i, first, SIM_DIVERGENCE, "lanes 0x%08x of its mask do not execute it", w->group & all & ~mask);
        if (!lanes_gathered(w, i, some, all & w->alive)) /* who has exited is not waited for */
            continue;
        if (w->launch->has_races)
            shadow_warp(w, some);
        *lanes = some;
        return true;
    }
    return false;
}

static Inst *emit_sync(Decoder *d, Run *run)
{
    Inst *i = emit(d, run);
    i->flow = FLOW_SYNC;
    return i;
}

/* ---- shfl.sync ---- */

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

static void shuffle(Warp *w, const Inst *i, uint32_t mask)
{
    u32 *d = reg(w, i->d), from[LANES], holds = 0;
    const u32 *b = reg(w, i->b), *c = reg(w, i->c);
    memcpy(from, reg(w, i->a), sizeof from);
    EACH_LANE (l, mask) {
        int bound = (int)(c[l] & 31), segment = (int)(c[l] >> 8 & 31), lane = (int)l, offset = (int)(b[l] & 31);
        int most = (lane & segment) | (bound & ~segment), least = lane & segment, j;
        bool is_inside;
        switch (i->flags) {
        case SHFL_UP:
            j = lane - offset;
            is_inside = j >= most;
            break;
        case SHFL_DOWN:
            j = lane + offset;
            is_inside = j <= most;
            break;
        case SHFL_BFLY:
            j = lane ^ offset;
            is_inside = j <= most;
            break;
        default:
            j = least | (offset & ~segment);
            is_inside = j <= most;
            break;
        }
        if (!is_inside)
            j = lane;
        d[l] = mask >> j & 1 ? from[j] : 0xffffffff; /* of a lane that does not take part: undefined */
        holds |= (u32)is_inside << l;
    }
    if (i->e != NO_REF) {
        u32 *p = reg(w, i->e);
        *p = (*p & ~mask) | holds;
    }
}

static void run_shfl(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->refs[0], &lanes))
        shuffle(w, i, lanes);
}

Decode decode_shfl, decode_vote, decode_match, decode_redux, decode_activemask, decode_elect;

void decode_shfl(Decoder *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    if (!take(d, "sync"))
        decode_fail(d, "unsupported instruction");
    take(d, "b32");
    uint32_t mode = 4;
    for (uint32_t k = 0; k < 4; k++)
        if (take(d, modes[k]))
            mode = k;
    finish_parts(d);
    if (mode == 4)
        decode_fail(d, "unsupported instruction");
    const Operand *to = operand_at(d, 0);
    Ref result = dest(d, to->kind == O_PAIR ? &to->parts[0] : to, 4, false);
    Ref p = to->kind == O_PAIR ? dest_pred(d, &to->parts[1]) : NO_REF;
    Ref *members = ptx_new(sizeof *members);
    Ref a = source(d, operand_at(d, 1), 4, NULL), b = source(d, operand_at(d, 2), 4, NULL);
    Ref c = source(d, operand_at(d, 3), 4, NULL);
    *members = source(d, operand_at(d, 4), 4, NULL);
    Inst *i = emit_sync(d, run_shfl);
    i->d = result;
    i->e = p;
    i->a = a;
    i->b = b;
    i->c = c;
    i->refs = members;
    i->flags = mode;
}

/* ---- vote.sync ---- */

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

static void vote(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t holds = pred(w, i->a) & mask, *d = reg(w, i->d);
    if (i->flags == VOTE_BALLOT) {
        EACH_LANE (l, mask)
            d[l] = holds;
        return;
    }
    bool result = i->flags == VOTE_ALL ? holds == mask : i->flags == VOTE_ANY ? holds != 0 : holds == 0 || holds == mask;
    *d = result ? *d | mask : *d & ~mask;
}

static void run_vote(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->b, &lanes))
        vote(w, i, lanes);
}

void decode_vote(Decoder *d)
{
    if (!take(d, "sync"))
        decode_fail(d, "unsupported instruction");
    bool is_ballot = take(d, "ballot");
    uint32_t kind = is_ballot ? VOTE_BALLOT : take(d, "all") ? VOTE_ALL : take(d, "any") ? VOTE_ANY : VOTE_UNI;
    take(d, "uni");
    take(d, "pred");
    take(d, "b32");
    finish_parts(d);
    Ref to = is_ballot ? dest(d, operand_at(d, 0), 4, false) : dest_pred(d, operand_at(d, 0));
    Ref a = source_pred(d, operand_at(d, 1)), members = source(d, operand_at(d, 2), 4, NULL);
    Inst *i = emit_sync(d, run_vote);
    i->d = to;
    i->a = a;
    i->b = members;
    i->flags = kind;
}

/* ---- match.sync ---- */

static void match(Warp *w, const Inst *i, uint32_t mask)
{
    const u8 *a = reg(w, i->a);
    u32 *d = reg(w, i->d), all = 0, result[LANES];
    EACH_LANE (l, mask) {
        u32 same = 0;
        for (u32 k = 0; k < LANES; k++)
            if (mask >> k & 1 && memcmp(a + l * i->size, a + k * i->size, i->size) == 0)
                same |= 1u << k;
        result[l] = same;
        all |= (u32)(same == mask) << l;
    }
    EACH_LANE (l, mask)
        d[l] = i->flags ? (all == mask ? mask : 0) : result[l];
    if (i->e != NO_REF) {
        u32 *p = reg(w, i->e);
        *p = (*p & ~mask) | (all == mask ? mask : 0);
    }
}

static void run_match(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->b, &lanes))
        match(w, i, lanes);
}

void decode_match(Decoder *d)
{
    const char *type = take_last(d);
    take(d, "sync");
    bool is_all = take(d, "all");
    take(d, "any");
    finish_parts(d);
    const Operand *to = operand_at(d, 0);
    Ref result = dest(d, to->kind == O_PAIR ? &to->parts[0] : to, 4, false);
    Ref p = to->kind == O_PAIR ? dest_pred(d, &to->parts[1]) : NO_REF;
    Ref a = source_at(d, 1, type), members = source(d, operand_at(d, 2), 4, NULL);
    Inst *i = emit_sync(d, run_match);
    i->d = result;
    i->e = p;
    i->a = a;
    i->b = members;
    i->flags = is_all;
    i->size = (uint8_t)type_bytes(d, type);
}

/* ---- redux.sync ---- */

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

static void reduce(Warp *w, const Inst *i, uint32_t mask)
{
    const u32 *a = reg(w, i->a);
    u32 *d = reg(w, i->d), r = a[first_lane(mask)];
    EACH_LANE (l, mask & (mask - 1)) {
        u32 x = a[l];
        bool is_less = i->is_signed ? (s32)x < (s32)r : x < r;
        switch (i->flags) {
        case REDUX_ADD: r += x; break;
        case REDUX_MIN: r = is_less ? x : r; break;
        case REDUX_MAX: r = is_less ? r : x; break;
        case REDUX_AND: r &= x; break;
        case REDUX_OR: r |= x; break;
        default: r ^= x;
        }
    }
    EACH_LANE (l, mask)
        d[l] = r;
}

static void run_redux(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->b, &lanes))
        reduce(w, i, lanes);
}

void decode_redux(Decoder *d)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor"};
    const char *type = take_last(d);
    uint32_t op = 6;
    take(d, "sync");
    for (uint32_t k = 0; k < 6; k++)
        if (take(d, names[k]))
            op = k;
    finish_parts(d);
    if (op == 6 || type_float(type))
        decode_fail(d, "unsupported instruction");
    Ref to = dest_at(d, 0, type), a = source_at(d, 1, type), members = source(d, operand_at(d, 2), 4, NULL);
    Inst *i = emit_sync(d, run_redux);
    i->d = to;
    i->a = a;
    i->b = members;
    i->flags = op;
    i->is_signed = type_signed(type);
}

/* ---- activemask, elect.sync ---- */

static void run_activemask(Warp *w, const Inst *i, uint32_t mask)
{
    u32 *d = reg(w, i->d);
    EACH_LANE (l, mask)
        d[l] = mask;
}

void decode_activemask(Decoder *d)
{
    take(d, "b32");
    finish_parts(d);
    Ref to = dest(d, operand_at(d, 0), 4, false);
    emit(d, run_activemask)->d = to;
}

/* Which lane is elected is not said, only that it is the same each time: the first, or under the falling
 * schedule the last. */
static void elect(Warp *w, const Inst *i, uint32_t mask)
{
    u32 leader = (u32)first_lane(mask), last = 31 - (u32)__builtin_clz(mask);
    if (is_reverse(w->launch))
        leader = last;
    u32 *p = reg(w, i->e);
    *p = (*p & ~mask) | 1u << leader;
    if (i->d != NO_REF) {
        u32 *d = reg(w, i->d);
        EACH_LANE (l, mask)
            d[l] = leader;
    }
}

static void run_elect(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->a, &lanes))
        elect(w, i, lanes);
}

void decode_elect(Decoder *d)
{
    take(d, "sync");
    finish_parts(d);
    const Operand *to = operand_at(d, 0);
    Ref lane = to->kind == O_PAIR && to->parts[0].kind != O_SINK ? dest(d, &to->parts[0], 4, false) : NO_REF;
    Ref p = dest_pred(d, to->kind == O_PAIR ? &to->parts[1] : to), members = source(d, operand_at(d, 1), 4, NULL);
    Inst *i = emit_sync(d, run_elect);
    i->d = lane;
    i->e = p;
    i->a = members;
}
