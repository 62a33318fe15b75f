/* Tensor maps, and whether the device and its driver have them. */
#pragma once
#include "copy_lines.cuh"

typedef CUresult (*mik_encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill);
static mik_encoder mik_encode; /* of the driver; NULL: not found, or not looked for yet */

/* The map for boxes of 64 elements by box_lines lines. */
static cudaError_t mik_make_map(CUtensorMap *map, const mik_lines *x, int box_lines)
{
    const int shared = x->batches > 1 && x->batch > 0; /* by batches of their own */
    const cuuint64_t line = x->outer > 1 ? (cuuint64_t)x->line : ((cuuint64_t)x->inner * 2 + 15) / 16 * 16;
    const cuuint64_t sizes[3] = {(cuuint64_t)x->inner, (cuuint64_t)x->outer, shared ? (cuuint64_t)x->batches : 1};
    const cuuint64_t strides[2] = {line, shared ? (cuuint64_t)x->batch : line * (cuuint64_t)x->outer};
    const cuuint32_t box[3] = {64, (cuuint32_t)box_lines, 1}, ones[3] = {1, 1, 1};
    const mik_encoder encode = __atomic_load_n(&mik_encode, __ATOMIC_ACQUIRE);
    return encode(map, x->type, 3, (void *)x->base, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
               ? cudaSuccess
               : cudaErrorInvalidValue;
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
