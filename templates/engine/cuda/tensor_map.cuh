/* Tensor maps, and whether the device and its driver have them. */
#pragma once
#include "copy_lines.cuh"

typedef CUresult (*mik_encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill);
static mik_encoder mik_encode; /* of the driver; NULL: not found, or not looked for yet */

/* Maps made, found by all that they depend on, each in one of four slots: networks call with the same arrays again, and the driver takes
   about as long for a map as for a launch. Slots are read and written as those of plans are. */
typedef struct {
    uint64_t sequence, key[8], map[16];
} mik_map_slot;

enum { MIK_MAP_WAYS = 4, MIK_MAP_SETS = 32 };

static mik_map_slot mik_map_slots[MIK_MAP_SETS][MIK_MAP_WAYS];

/* The slots in which it may be. */
static mik_map_slot *mik_find_maps(const mik_lines *x, int box_lines, uint64_t key[8])
{
    const uint64_t words[8] = {(uint64_t)(uintptr_t)x->base, (uint64_t)x->inner,   (uint64_t)x->outer, (uint64_t)x->line,
                               (uint64_t)x->batch,           (uint64_t)x->batches, (uint64_t)x->type,  (uint64_t)box_lines};
    uint64_t hash = 0;
    for (int i = 0; i < 8; i++) {
        key[i] = words[i];
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return mik_map_slots[hash % MIK_MAP_SETS];
}

static int mik_recall_map(const mik_map_slot *slot, const uint64_t key[8], CUtensorMap *map)
{
    uint64_t words[16];
    const uint64_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    int same = before != 0 && before % 2 == 0;
    for (int i = 0; i < 8; i++)
        same = same && __atomic_load_n(&slot->key[i], __ATOMIC_RELAXED) == key[i];
    for (int i = 0; i < 16; i++)
        words[i] = __atomic_load_n(&slot->map[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    memcpy(map, words, sizeof words);
    return same && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

/* In the slot that has been written least often. */
static void mik_remember_map(mik_map_slot ways[MIK_MAP_WAYS], const uint64_t key[8], const CUtensorMap *map)
{
    mik_map_slot *slot = &ways[0];
    uint64_t words[16], before = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED);
    static_assert(sizeof *map == sizeof words, "a tensor map has 128 bytes");
    memcpy(words, map, sizeof words);
    for (int i = 1; i < MIK_MAP_WAYS; i++) {
        const uint64_t sequence = __atomic_load_n(&ways[i].sequence, __ATOMIC_RELAXED);
        if (sequence < before) {
            slot = &ways[i];
            before = sequence;
        }
    }
    if (before % 2 != 0 || !__atomic_compare_exchange_n(&slot->sequence, &before, before + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < 8; i++)
        __atomic_store_n(&slot->key[i], key[i], __ATOMIC_RELAXED);
    for (int i = 0; i < 16; i++)
        __atomic_store_n(&slot->map[i], words[i], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->sequence, before + 2, __ATOMIC_RELEASE);
}

/* The map for boxes of 128 bytes by box_lines lines. */
static cudaError_t mik_make_map(CUtensorMap *map, const mik_lines *x, int box_lines)
{
    uint64_t key[8];
    mik_map_slot *const ways = mik_find_maps(x, box_lines, key);
    for (int i = 0; i < MIK_MAP_WAYS; i++)
        if (mik_recall_map(&ways[i], key, map))
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
    mik_remember_map(ways, key, map);
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
