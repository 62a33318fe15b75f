/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Tensor maps, and whether the device and its driver have them. */
#pragma once
#include "copy_lines.cuh"
#include "slot.cuh"

typedef CUresult (*mik_encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill);
static mik_encoder mik_encode; /* of the driver; NULL: not found, or not looked for yet */

/* Maps made, found by all that they depend on, each in one of four slots: networks call with the same arrays again, and the driver takes
   about as long for a map as for a launch. Eight words of a slot are the key. */
enum { MIK_MAP_WAYS = 4, MIK_MAP_SETS = 32, MIK_MAP_KEY = 8, MIK_MAP_WORDS = MIK_MAP_KEY + 16 };

static mik_slot<MIK_MAP_WORDS> mik_map_slots[MIK_MAP_SETS][MIK_MAP_WAYS];

/* The slots in which it may be, and the key by which that is told. */
static mik_slot<MIK_MAP_WORDS> *mik_find_maps(const mik_lines *x, int box_lines, uint64_t *key)
{
    const uint64_t words[MIK_MAP_KEY] = {(uint64_t)(uintptr_t)x->base, (uint64_t)x->inner,   (uint64_t)x->outer, (uint64_t)x->line,
                                         (uint64_t)x->batch,           (uint64_t)x->batches, (uint64_t)x->type,  (uint64_t)box_lines};
    uint64_t hash = 0;
    for (int i = 0; i < MIK_MAP_KEY; i++) {
        key[i] = words[i];
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return mik_map_slots[hash % MIK_MAP_SETS];
}

static int mik_recall_map(const mik_slot<MIK_MAP_WORDS> *slot, const uint64_t *key, CUtensorMap *map)
{
    uint64_t word[MIK_MAP_WORDS];
    static_assert(sizeof *map == sizeof word - MIK_MAP_KEY * sizeof *word, "a tensor map has 128 bytes");
    int same = mik_read_slot(slot, word);
    for (int i = 0; i < MIK_MAP_KEY; i++)
        same = same && word[i] == key[i];
    memcpy(map, word + MIK_MAP_KEY, sizeof *map);
    return same;
}

/* In the slot that has been written least often. `word` has the key. */
static void mik_remember_map(mik_slot<MIK_MAP_WORDS> *ways, uint64_t *word, const CUtensorMap *map)
{
    mik_slot<MIK_MAP_WORDS> *slot = &ways[0];
    memcpy(word + MIK_MAP_KEY, map, sizeof *map);
    for (int i = 1; i < MIK_MAP_WAYS; i++)
        if (__atomic_load_n(&ways[i].sequence, __ATOMIC_RELAXED) < __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED))
            slot = &ways[i];
    mik_write_slot(slot, word);
}

/* The map for boxes of 128 bytes by box_lines lines. */
static cudaError_t mik_make_map(CUtensorMap *map, const mik_lines *x, int box_lines)
{
    uint64_t word[MIK_MAP_WORDS];
    mik_slot<MIK_MAP_WORDS> *const ways = mik_find_maps(x, box_lines, word);
    for (int i = 0; i < MIK_MAP_WAYS; i++)
        if (mik_recall_map(&ways[i], word, map))
            return cudaSuccess;
    const int shared = x->batches > 1 && x->batch > 0; /* by batches of their own */
    const cuuint64_t line = x->outer > 1 ? (cuuint64_t)x->line : ((cuuint64_t)x->inner * (cuuint64_t)x->bytes + 15) / 16 * 16;
    const cuuint64_t sizes[3] = {(cuuint64_t)x->inner, (cuuint64_t)x->outer, shared ? (cuuint64_t)x->batches : 1};
    const cuuint64_t strides[2] = {line, shared ? (cuuint64_t)x->batch : line * (cuuint64_t)x->outer};
    const cuuint32_t box[3] = {128 / (cuuint32_t)x->bytes, (cuuint32_t)box_lines, 1}, ones[3] = {1, 1, 1};
    const mik_encoder encode = __atomic_load_n(&mik_encode, __ATOMIC_ACQUIRE);
    if (encode(map, x->type, 3, (void *)x->base, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    mik_remember_map(ways, word, map);
    return cudaSuccess;
}

/* Is this file compiled for sm_90a, and does the driver make tensor maps? */
static int mik_find_tma(const mik_set *set, const mik_device *d)
{
    int tma = 0;
    for (int i = 0; i < set->count && d->cc == 90; i++) {
        cudaFuncAttributes what;
        if (!set->variants[i].tma)
            continue;
        tma = cudaFuncGetAttributes(&what, set->variants[i].kernel) == cudaSuccess &&
              what.sharedSizeBytes % 1024 == 0; /* the driver's own, not a stub's */
        break;
    }
    if (tma && !__atomic_load_n(&mik_encode, __ATOMIC_ACQUIRE)) {
        void *found = NULL;
        cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
        const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
        const cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
        if (error != cudaSuccess || result != cudaDriverEntryPointSuccess)
            return 0;
        __atomic_store_n(&mik_encode, (mik_encoder)found, __ATOMIC_RELEASE);
    }
    return tma;
}
