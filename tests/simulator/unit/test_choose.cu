/* SPDX-License-Identifier: GPL-3.0-or-later */
// The host's part of the CUDA engine, called as it stands: what programs cost, the search for one, the cache of plans.
#include "../../../templates/engine/cuda/decide.cuh"
#include "simulator_test.h"
#include <cmath>

// Bytes per picosecond, and what part of the clock's promise that is; picoseconds of a launch, of sums that meet, of each byte.
extern const mik_gpu mik_gpus[MIK_GPUS] = {
    {1.5, 0.9, 7e6, 2e6, 20}, {0.5, 0.9, 7e6, 2e6, 20}, {0.8, 0.9, 7e6, 2e6, 20}, {4, 0.9, 7e6, 2e6, 20}};

#define RATES(fixed, step, alone) \
    { \
        {fixed, step, alone}, {fixed, step, alone}, {fixed, step, alone}, { fixed, step, alone } \
    }
static const mik_variant variants[] = {
    {"large", NULL, 128, 128, 32, 256, 2, 65536, 1, 0, 1, 0, 0, 1, 0, 0, RATES(2e6, 6e5, 9e5)},
    {"small", NULL, 64, 64, 32, 128, 4, 32768, 1, 0, 1, 0, 0, 1, 0, 0, RATES(1e6, 2.2e5, 5e5)},
    {"aligned", NULL, 128, 128, 32, 256, 2, 65536, 16, 0, 1, 0, 0, 1, 0, 0, RATES(2e6, 4e5, 6e5)},
    {"pair", NULL, 128, 256, 64, 384, 1, 220000, 16, 1, 2, 0, 0, 1, 0, 0, RATES(3e6, 9e5, 9e5)},
};
static const mik_set set = {"test", variants, 4, NULL, 0, 4, 4, 4, 4};

static mik_request request(int64_t m, int64_t n, int64_t k)
{
    mik_request q = {};
    q.d = mik_default_device();
    q.p.batch = 1;
    q.p.m = m;
    q.p.n = n;
    q.p.k = k;
    q.align = 1;
    return q;
}

// n1 blocks of one length, then n2 of another, each on the slot that is free first.
static double played(double cost1, int64_t n1, double cost2, int64_t n2, int64_t slots)
{
    std::vector<double> free_at(slots, 0.0);
    double end = 0;
    for (int64_t i = 0; i < n1 + n2; i++) {
        size_t first = 0;
        for (size_t s = 1; s < free_at.size(); s++)
            first = free_at[s] < free_at[first] ? s : first;
        free_at[first] += i < n1 ? cost1 : cost2;
        end = free_at[first] > end ? free_at[first] : end;
    }
    return end;
}

static void makespans()
{
    for (int64_t slots = 1; slots <= 5; slots++)
        for (int64_t n1 = 1; n1 <= 12; n1++)
            for (int64_t n2 = 1; n2 <= 12; n2++)
                for (int cost2 = 1; cost2 <= 6; cost2++) // whole multiples, where the model is exact
                    CHECK(fabs(mik_makespan(6, n1, 6.0 / cost2, n2, slots, 0) - played(6, n1, 6.0 / cost2, n2, slots)) < 1e-9);
}

static void quotients()
{
    CHECK(mik_ceil(0, 7) == 0 && mik_ceil(14, 7) == 2 && mik_ceil(15, 7) == 3);
    CHECK(mik_ceil((int64_t)1 << 40, 3) == 366503875926 && mik_ceil(INT64_MAX, 2) == (int64_t)1 << 62);
}

// Tiles of one multiprocessor: its two warpgroups in turn multiply `multiplying` long, one at a time, and finish `fixed` long.
static double turned(double fixed, double multiplying, int64_t tiles)
{
    double free_at[2] = {0, 0}, multiplied = 0;
    for (int64_t i = 0; i < tiles; i++) {
        multiplied = (multiplied > free_at[i % 2] ? multiplied : free_at[i % 2]) + multiplying;
        free_at[i % 2] = multiplied + fixed;
    }
    return multiplied + fixed;
}

static void turns()
{
    static const mik_variant both = {"turns", NULL, 128, 128, 64, 384, 1, 200000, 16, 1, 1, 0, 0, 2, 0, 0, RATES(2e6, 5e5, 5e5)};
    mik_request q = request(1, 1, 1);
    CHECK(mik_resident(&both, &q.d) == 2);
    q.d.sms = 1;
    q.scratch = (size_t)1 << 30;
    CHECK(mik_can_share(&set, &both, &q, 1, 8, 0) && !mik_can_share(&set, &both, &q, 1, 8, 2)); // tiles are never shared
    for (int64_t tiles = 1; tiles <= 9; tiles++)
        for (int64_t steps = 1; steps <= 9; steps++) {
            const mik_deal whole = mik_deal_out(tiles, steps, 0);
            CHECK(fabs(mik_waves_cost(&both, &q.d, 2, &whole) - turned(2e6, 5e5 * (double)steps, tiles)) < 1);
        }
}

static void devices()
{
    mik_device d = mik_default_device();
    CHECK(d.gpu == MIK_SM90 && mik_resident(&variants[0], &d) == 2 && mik_resident(&variants[1], &d) == 4);
    CHECK(mik_slots(&variants[3], &d, 1) == 66); // clusters of two
    d.shared_block = 49152;
    CHECK(mik_resident(&variants[0], &d) == 0 && mik_resident(&variants[1], &d) == 4);
    static const int kinds[][2] = {{80, MIK_SM80}, {86, MIK_SM86},  {87, MIK_SM86},  {89, MIK_SM89},
                                   {90, MIK_SM90}, {100, MIK_SM90}, {103, MIK_SM90}, {120, MIK_SM89}};
    for (auto &kind : kinds) {
        d.cc = kind[0];
        mik_classify(&d);
        CHECK(d.gpu == kind[1]);
    }
}

static void choices()
{
    for (int64_t m = 1; m < 5000; m = m * 3 + 1)
        for (int64_t n = 1; n < 5000; n = n * 2 + 3)
            for (int64_t k = 0; k < 5000; k = k * 5 + 7) {
                mik_request q = request(m, n, k);
                mik_plan best[2], forced;
                mik_choose(&set, &q, 2, best);
                CHECK(best[0].pattern >= 1 && best[0].cost <= best[1].cost);
                for (int v = 0; v < 2; v++)
                    CHECK(best[0].cost <= mik_cost(&set, &variants[v], &q.d, 1, m, n, k, 0) * (1 + 1e-12));
                for (int part = 0; part < (best[0].pattern > 1 ? 2 : 1); part++)
                    CHECK(best[0].kernel[part] < 2); // nothing is aligned, no tensor maps
                forced = best[0];
                CHECK(mik_plan_fits(&forced, &set, &q));
                q.align = 16;
                mik_choose(&set, &q, 1, best);
                CHECK(best[0].cost <= forced.cost);
            }
    mik_request q = request(32, 32, 4096);
    mik_plan best[2];
    mik_choose(&set, &q, 1, best);
    CHECK(best[0].kernel[0] == 1 && best[0].blocks[0] == 0); // no memory for shared sums
    q.scratch = (size_t)1 << 30;
    mik_choose(&set, &q, 1, best);
    CHECK(best[0].blocks[0] > 1); // one tile's steps, on many multiprocessors
    CHECK(mik_scratch_bytes(&set, &best[0], &q) > MIK_ARRIVED);
    // A block that has several tiles starts and ends each of them.
    const mik_deal three = mik_deal_out(3, 4, 1);
    CHECK(three.share == 12 && !mik_meets(&three));
    CHECK(fabs(mik_waves_cost(&variants[0], &q.d, 1, &three) - 3 * mik_block_cost(&variants[0], &q.d, 1, 4)) < 1);
}

// Blocks that are a multiple of the tiles have parts of them, and go in step; others read for themselves.
static void deals()
{
    const mik_device device = request(1, 1, 1).d;
    for (int64_t tiles = 1; tiles <= 40; tiles++)
        for (int64_t steps = 1; steps <= 40; steps++)
            for (int64_t blocks = 0; blocks <= tiles * steps; blocks++) {
                const mik_deal d = mik_deal_out(tiles, steps, blocks), again = mik_deal_out(tiles, steps, d.blocks);
                CHECK(d.share >= 1 && d.share <= tiles * steps && (d.parts > 0 || d.blocks == (tiles * steps + d.share - 1) / d.share));
                CHECK(blocks == 0 ? d.blocks == tiles && !mik_meets(&d) : d.blocks <= blocks && again.share <= d.share);
                CHECK(d.parts == 0 || (d.blocks == d.parts * tiles && d.share * d.parts >= steps && d.share * (d.parts - 1) < steps));
                const double reading = mik_reading_cost(&set, &variants[0], &device, &d);
                CHECK((reading > 0) == (d.parts == 0 && mik_meets(&d)));
                CHECK((mik_reduction_cost(&set, &variants[0], &device, &d) > 0) == (d.share % steps != 0));
            }
    // Two and a half waves of tiles with long sums, far more than the cache holds: not an even share of all steps.
    mik_request q = request(128 * 47, 128 * 14, 1 << 16);
    q.scratch = (size_t)1 << 30;
    mik_plan best[2];
    mik_choose(&set, &q, 1, best);
    CHECK(best[0].pattern > 1 || best[0].blocks[0] % mik_tiles(&variants[best[0].kernel[0]], 1, q.p.m, q.p.n) == 0);
    // One tile: parts no more than it pays to add up, in a time that grows with each.
    q = request(16, 16, 1 << 18);
    q.scratch = (size_t)1 << 30;
    mik_choose(&set, &q, 1, best);
    const double least = mik_cost(&set, &variants[best[0].kernel[0]], &q.d, 1, 16, 16, q.p.k, best[0].blocks[0]);
    for (int64_t blocks = 1; blocks <= 264; blocks++)
        CHECK(least <= 1.02 * mik_cost(&set, &variants[best[0].kernel[0]], &q.d, 1, 16, 16, q.p.k, blocks));
}

// Blocks of a cluster split k: what they take to bring their sums together is in `fixed`, and they need no memory for it.
static void split_k()
{
    static const mik_variant two[] = {
        {"alone", NULL, 64, 64, 64, 256, 1, 200000, 16, 1, 1, 0, 0, 1, 0, 0, RATES(2e6, 3e5, 3e5)},
        {"split", NULL, 64, 64, 256, 256, 1, 200000, 16, 1, 4, 0, 0, 1, 1, 3000000, RATES(5e6, 3e5, 3e5)},
    };
    static const mik_set both = {"split", two, 2, NULL, 0, 2, 2, 2, 4};
    mik_plan best[2], forced;
    for (int64_t tiles = 1; tiles <= 200; tiles++)
        for (int64_t k = 64; k < 100000; k = k * 2 + 13) {
            mik_request q = request(64, 64 * tiles, k);
            q.align = 16;
            q.tma = 1;
            mik_choose(&both, &q, 1, best);
            const double alone = mik_cost(&both, &two[0], &q.d, 1, q.p.m, q.p.n, k, 0),
                         split = mik_cost(&both, &two[1], &q.d, 1, q.p.m, q.p.n, k, 0);
            CHECK(fabs(best[0].cost - (alone < split ? alone : split)) < 1 || best[0].pattern > 1);
            forced = mik_plan{1, {1, 1}, -1, 0, {0, 0}, 0};
            CHECK(mik_plan_fits(&forced, &both, &q)); // whatever k is
            q.scratch = (size_t)1 << 30;
            forced = mik_plan{1, {1, 1}, -1, 0, {2 * tiles, 0}, 0};
            CHECK(!mik_plan_fits(&forced, &both, &q)); // nothing is split twice
            mik_choose(&both, &q, 1, best);
            CHECK(best[0].kernel[0] == 0 || best[0].blocks[0] == 0);
        }
    mik_request q = request(64, 64, 65536);
    q.align = 16;
    q.tma = 1;
    mik_choose(&both, &q, 1, best);
    CHECK(best[0].kernel[0] == 1); // one tile of many steps
    q.p.k = 64;
    mik_choose(&both, &q, 1, best);
    CHECK(best[0].kernel[0] == 0); // of one
    q.p.k = 65536;
    q.p.n = 64 * 132 * 8;
    mik_choose(&both, &q, 1, best);
    CHECK(best[0].pattern == 1 && best[0].kernel[0] == 0); // tiles enough
    // Steps of all blocks of a cluster are counted in 31 bits.
    q.p.n = 64;
    q.p.k = (int64_t)64 * 0x7ffffe00;
    CHECK(mik_usable(&two[0], &q) && mik_usable(&two[1], &q));
    q.p.k = (int64_t)64 * 0x7fffff80;
    CHECK(!mik_usable(&two[0], &q) && !mik_usable(&two[1], &q));
}

static void forced()
{
    mik_request q = request(300, 200, 100);
    const mik_plan good = {2, {0, 1}, -1, 128, {0, 0}, 0};
    mik_plan p = good;
    CHECK(mik_plan_fits(&p, &set, &q) && p.twin == -1);
    p = good, p.split = 300;
    CHECK(!mik_plan_fits(&p, &set, &q));
    p = good, p.kernel[1] = 4;
    CHECK(!mik_plan_fits(&p, &set, &q));
    p = good, p.kernel[1] = 2;
    CHECK(!mik_plan_fits(&p, &set, &q)); // operands are not aligned
    p = good, p.pattern = 4;
    CHECK(!mik_plan_fits(&p, &set, &q));
    p = good, p.blocks[0] = 8;
    CHECK(!mik_plan_fits(&p, &set, &q)); // no memory
}

static void remembered()
{
    static mik_cache cache;
    mikgen_cuda_options opt = {};
    mik_plan first, again;
    for (int64_t m = 1; m < 200; m++) {
        const mik_request q = request(m, 77, 1000);
        CHECK(!mik_recall(&cache, &q, &first));
        CHECK(mik_decide(&set, &cache, &opt, &q, &first) == cudaSuccess);
        CHECK(mik_recall(&cache, &q, &again));
        CHECK(again.pattern == first.pattern && again.kernel[0] == first.kernel[0] && again.split == first.split &&
              again.twin == first.twin);
    }
    opt.pattern = 9;
    const mik_request q = request(5, 5, 5);
    CHECK(mik_decide(&set, &cache, &opt, &q, &first) == cudaErrorInvalidValue);
    opt.pattern = 0;
    const mik_request large = request((int64_t)1 << 40, (int64_t)1 << 40, 5);
    CHECK(mik_decide(&set, &cache, &opt, &large, &first) == cudaErrorInvalidValue);
}

int main()
{
    quotients();
    makespans();
    devices();
    turns();
    choices();
    deals();
    split_k();
    forced();
    remembered();
    return summary();
}
