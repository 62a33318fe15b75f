/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special registers (PTX ISA 10). */
#include "special.h"

#include "settings.h"

enum {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    GRIDID,
    IS_CLUSTER,
    CLUSTERID_X,
    CLUSTERID_Y,
    CLUSTERID_Z,
    NCLUSTERID_X,
    NCLUSTERID_Y,
    NCLUSTERID_Z,
    CLUSTER_CTAID_X,
    CLUSTER_CTAID_Y,
    CLUSTER_CTAID_Z,
    CLUSTER_NCTAID_X,
    CLUSTER_NCTAID_Y,
    CLUSTER_NCTAID_Z,
    CLUSTER_RANK,
    CLUSTER_SIZE,
    LANE_EQ,
    LANE_LE,
    LANE_LT,
    LANE_GE,
    LANE_GT,
    TOTAL_SMEM,
    DYNAMIC_SMEM,
    CLOCK,
    CLOCK_HI,
    CLOCK64,
    GLOBALTIMER,
    GLOBALTIMER_LO,
    GLOBALTIMER_HI,
    SPECIALS
};

static const struct {
    const char *name;
    int bytes;
} table[SPECIALS] = {
    [TID_X] = {"%tid.x", 4},
    [TID_Y] = {"%tid.y", 4},
    [TID_Z] = {"%tid.z", 4},
    [NTID_X] = {"%ntid.x", 4},
    [NTID_Y] = {"%ntid.y", 4},
    [NTID_Z] = {"%ntid.z", 4},
    [CTAID_X] = {"%ctaid.x", 4},
    [CTAID_Y] = {"%ctaid.y", 4},
    [CTAID_Z] = {"%ctaid.z", 4},
    [NCTAID_X] = {"%nctaid.x", 4},
    [NCTAID_Y] = {"%nctaid.y", 4},
    [NCTAID_Z] = {"%nctaid.z", 4},
    [LANEID] = {"%laneid", 4},
    [WARPID] = {"%warpid", 4},
    [NWARPID] = {"%nwarpid", 4},
    [SMID] = {"%smid", 4},
    [NSMID] = {"%nsmid", 4},
    [GRIDID] = {"%gridid", 8},
    [IS_CLUSTER] = {"%is_explicit_cluster", 0},
    [CLUSTERID_X] = {"%clusterid.x", 4},
    [CLUSTERID_Y] = {"%clusterid.y", 4},
    [CLUSTERID_Z] = {"%clusterid.z", 4},
    [NCLUSTERID_X] = {"%nclusterid.x", 4},
    [NCLUSTERID_Y] = {"%nclusterid.y", 4},
    [NCLUSTERID_Z] = {"%nclusterid.z", 4},
    [CLUSTER_CTAID_X] = {"%cluster_ctaid.x", 4},
    [CLUSTER_CTAID_Y] = {"%cluster_ctaid.y", 4},
    [CLUSTER_CTAID_Z] = {"%cluster_ctaid.z", 4},
    [CLUSTER_NCTAID_X] = {"%cluster_nctaid.x", 4},
    [CLUSTER_NCTAID_Y] = {"%cluster_nctaid.y", 4},
    [CLUSTER_NCTAID_Z] = {"%cluster_nctaid.z", 4},
    [CLUSTER_RANK] = {"%cluster_ctarank", 4},
    [CLUSTER_SIZE] = {"%cluster_nctarank", 4},
    [LANE_EQ] = {"%lanemask_eq", 4},
    [LANE_LE] = {"%lanemask_le", 4},
    [LANE_LT] = {"%lanemask_lt", 4},
    [LANE_GE] = {"%lanemask_ge", 4},
    [LANE_GT] = {"%lanemask_gt", 4},
    [TOTAL_SMEM] = {"%total_smem_size", 4},
    [DYNAMIC_SMEM] = {"%dynamic_smem_size", 4},
    [CLOCK] = {"%clock", 4},
    [CLOCK_HI] = {"%clock_hi", 4},
    [CLOCK64] = {"%clock64", 8},
    [GLOBALTIMER] = {"%globaltimer", 8},
    [GLOBALTIMER_LO] = {"%globaltimer_lo", 4},
    [GLOBALTIMER_HI] = {"%globaltimer_hi", 4},
};

int special_find(const char *name)
{
    for (int k = 0; k < SPECIALS; k++)
        if (strcmp(table[k].name, name) == 0)
            return k;
    return -1;
}

int special_bytes(int which) { return table[which].bytes; }

bool special_is_fixed(int which) { return which < CLOCK; }

static uint64_t thread_part(const Warp *w, int which, int lane)
{
    const uint32_t *n = w->launch->block;
    uint32_t t = (uint32_t)(w->index * LANES + lane);
    return which == TID_X ? t % n[0] : which == TID_Y ? t / n[0] % n[1] : t / n[0] / n[1];
}

uint64_t special_value(const Warp *w, int which, int lane)
{
    const Launch *l = w->launch;
    const Block *b = w->block;
    const uint32_t *c = l->cluster;
    int axis = which - CTAID_X;
    switch (which) {
    case TID_X:
    case TID_Y:
    case TID_Z: return thread_part(w, which, lane);
    case NTID_X:
    case NTID_Y:
    case NTID_Z: return l->block[which - NTID_X];
    case CTAID_X:
    case CTAID_Y:
    case CTAID_Z: return b->id[axis];
    case NCTAID_X:
    case NCTAID_Y:
    case NCTAID_Z: return l->grid[which - NCTAID_X];
    case LANEID: return (uint64_t)lane;
    case WARPID: return (uint64_t)w->index;
    case NWARPID: return (uint64_t)b->warp_count;
    case SMID: return (b->id[0] + l->grid[0] * (b->id[1] + (uint64_t)l->grid[1] * b->id[2])) % (unsigned)device_sms();
    case NSMID: return (uint64_t)device_sms();
    case GRIDID: return l->number;
    case IS_CLUSTER: return c[0] * c[1] * c[2] > 1 ? 0xffffffffu : 0;
    case CLUSTERID_X:
    case CLUSTERID_Y:
    case CLUSTERID_Z: return b->id[which - CLUSTERID_X] / c[which - CLUSTERID_X];
    case NCLUSTERID_X:
    case NCLUSTERID_Y:
    case NCLUSTERID_Z: return l->grid[which - NCLUSTERID_X] / c[which - NCLUSTERID_X];
    case CLUSTER_CTAID_X:
    case CLUSTER_CTAID_Y:
    case CLUSTER_CTAID_Z: return b->id[which - CLUSTER_CTAID_X] % c[which - CLUSTER_CTAID_X];
    case CLUSTER_NCTAID_X:
    case CLUSTER_NCTAID_Y:
    case CLUSTER_NCTAID_Z: return c[which - CLUSTER_NCTAID_X];
    case CLUSTER_RANK: return (uint64_t)b->rank;
    case CLUSTER_SIZE: return (uint64_t)b->cluster->block_count;
    case LANE_EQ: return 1u << lane;
    case LANE_LE: return (2ull << lane) - 1;
    case LANE_LT: return (1u << lane) - 1;
    case LANE_GE: return 0xffffffffu << lane;
    case LANE_GT: return (uint32_t)(0xfffffffeull << lane);
    case TOTAL_SMEM: return b->shared_size;
    case DYNAMIC_SMEM: return l->dynamic_shared;
    case CLOCK: return (uint32_t)l->clock;
    case CLOCK_HI: return l->clock >> 32;
    case CLOCK64: return l->clock;
    case GLOBALTIMER: return l->clock / 2;
    case GLOBALTIMER_LO: return (uint32_t)(l->clock / 2);
    case GLOBALTIMER_HI: return l->clock / 2 >> 32;
    default: return 0;
    }
}

static void set(Warp *w, Ref ref, int which, uint32_t mask)
{
    int bytes = table[which].bytes;
    uint8_t *to = reg(w, ref);
    if (bytes == 0)
        *(uint32_t *)to = (uint32_t)special_value(w, which, 0);
    else
        EACH_LANE (l, mask) {
            uint64_t value = special_value(w, which, (int)l);
            memcpy(to + l * (uint32_t)bytes, &value, (size_t)bytes);
        }
}

void special_start(Warp *w)
{
    for (int k = 0; k < w->code->special_count; k++)
        set(w, w->code->specials[k].ref, w->code->specials[k].which, ~0u);
}

/* A clock moves whenever somebody reads it: each reading is later than the last. */
void run_special(Warp *w, const Inst *i, uint32_t mask);
void run_special(Warp *w, const Inst *i, uint32_t mask)
{
    w->launch->clock += 64;
    set(w, i->d, (int)i->flags, mask);
}
