/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters' addresses, fences, dependent grids (PTX ISA 9.7.9.23, 9.7.9.24, 9.7.13.5 to 9.7.13.12). */
#include "barrier.h"
#include "decode.h"
#include "float_bits.h"
#include "shadow.h"

Decode decode_mapa, decode_getctarank, decode_fence, decode_griddepcontrol;

static void run_mapa(Warp *w, const Inst *i, uint32_t mask)
{
    const u64 *a = reg(w, i->a);
    const u32 *rank = reg(w, i->b);
    u64 *d = reg(w, i->d);
    EACH_LANE (l, mask) {
        if (rank[l] >= (u32)w->block->cluster->block_count)
            fault(w, i, (int)l, SIM_OUT_OF_BOUNDS, "block %u of a cluster of %d", rank[l], w->block->cluster->block_count);
        u64 offset = a[l] & ((1u << RANK_SHIFT) - 1);
        d[l] = offset | (u64)(rank[l] + 1) << RANK_SHIFT | (i->space == SPACE_GENERIC ? SHARED_WINDOW : 0);
    }
}

static Space take_cluster_space(Decoder *d) { return take(d, "shared::cluster") ? SPACE_CLUSTER : SPACE_GENERIC; }

void decode_mapa(Decoder *d)
{
    const char *type = take_last(d);
    Space space = take_cluster_space(d);
    finish_parts(d);
    int bytes = type_bytes(d, type);
    Ref a = source(d, operand_at(d, 1), 8, NULL), rank = source(d, operand_at(d, 2), 4, NULL);
    Ref to = new_temp(d, 8);
    Inst *i = emit(d, run_mapa);
    i->d = to;
    i->a = a;
    i->b = rank;
    i->space = (uint8_t)space;
    Ref result = dest(d, operand_at(d, 0), bytes, false);
    emit_alu(d, bytes == 8 ? "mov.u64" : "low.u32", result, to, NO_REF);
}

static void run_getctarank(Warp *w, const Inst *i, uint32_t mask)
{
    const u64 *a = reg(w, i->a);
    u32 *d = reg(w, i->d);
    EACH_LANE (l, mask) {
        u32 rank = (u32)(a[l] >> RANK_SHIFT) & 0xff;
        d[l] = rank ? rank - 1 : (u32)w->block->rank;
    }
}

void decode_getctarank(Decoder *d)
{
    take_last(d);
    take_cluster_space(d);
    finish_parts(d);
    Ref a = source(d, operand_at(d, 1), 8, NULL), to = dest(d, operand_at(d, 0), 4, false);
    Inst *i = emit(d, run_getctarank);
    i->d = to;
    i->a = a;
}

enum { FENCE_PROXY = 1, FENCE_MEMORY = 2, FENCE_CLUSTER = 4, FENCE_INIT = 8 };

static void run_fence(Warp *w, const Inst *i, uint32_t mask)
{
    if (i->flags & (FENCE_PROXY | FENCE_INIT))
        mbarriers_announce(w, mask);
    if (!w->launch->has_races)
        return;
    if (i->flags & FENCE_PROXY)
        shadow_proxy_fence(w, mask);
    if (i->flags & FENCE_MEMORY) {
        shadow_fence(w);
        shadow_learn(w);
    }
    if (i->flags & FENCE_CLUSTER)
        shadow_cluster_fence(w, mask);
}

/* Memory is sequentially consistent here; what fences order is the race check's business. */
void decode_fence(Decoder *d)
{
    static const char *const others[] = {"sc",
                                         "acq_rel",
                                         "acquire",
                                         "release",
                                         "alias",
                                         "proxy",
                                         "tensormap::generic",
                                         "sync_restrict::shared::cta",
                                         "sync_restrict::shared::cluster"};
    bool is_proxy = take(d, "async") || take(d, "async::generic");
    bool is_init = take(d, "mbarrier_init"), is_block = take(d, "cta");
    (void)(take(d, "shared::cta") || take(d, "shared::cluster") || take(d, "global"));
    (void)(take(d, "gl") || take(d, "gpu") || take(d, "sys") || take(d, "cluster"));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        take(d, others[k]);
    finish_parts(d);
    uint32_t wide = is_block ? 0 : is_init ? FENCE_CLUSTER | FENCE_INIT : FENCE_MEMORY | FENCE_CLUSTER;
    emit(d, run_fence)->flags = is_proxy ? FENCE_PROXY : wide;
}

static void run_wait_for_grids(Warp *w, const Inst *i, uint32_t mask)
{
    (void)i;
    w->has_waited |= mask;
    w->launch->any_waited = true;
}

/* Kernels run one after the other, so what they would wait for is over; the race check sees what has not been waited for. */
void decode_griddepcontrol(Decoder *d)
{
    bool is_wait = take(d, "wait");
    if (!is_wait && !take(d, "launch_dependents"))
        decode_fail(d, "unsupported instruction");
    finish_parts(d);
    if (is_wait)
        emit(d, run_wait_for_grids);
}
