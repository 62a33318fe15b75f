/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensor maps (CUDA driver API: tensor map object management) and the boxes they describe (PTX ISA 5.5). */
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>

#include "float_bits.h"
#include "settings.h"
#include "shadow.h"
#include "tensor.h"

_Static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap), "a tensor map has 128 bytes");

uint32_t tensor_checksum(const TensorMap *map)
{
    TensorMap copy = *map;
    copy.checksum = 0;
    uint32_t sum = 2166136261u;
    for (size_t k = 0; k < sizeof copy; k++)
        sum = (sum ^ ((const uint8_t *)&copy)[k]) * 16777619u;
    return sum;
}

/* ---- cuTensorMapEncodeTiled ---- */

static long long maps_made;

long long sim_tensor_maps(void) { return maps_made; }

static int element_bytes(CUtensorMapDataType type)
{
    static const int bytes[] = {
        [CU_TENSOR_MAP_DATA_TYPE_UINT8] = 1,        [CU_TENSOR_MAP_DATA_TYPE_UINT16] = 2,      [CU_TENSOR_MAP_DATA_TYPE_UINT32] = 4,
        [CU_TENSOR_MAP_DATA_TYPE_INT32] = 4,        [CU_TENSOR_MAP_DATA_TYPE_UINT64] = 8,      [CU_TENSOR_MAP_DATA_TYPE_INT64] = 8,
        [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = 2,      [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = 4,     [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = 8,
        [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = 2,     [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = 4, [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = 4,
        [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = 4,
    };
    return (size_t)type < sizeof bytes / sizeof bytes[0] ? bytes[type] : 0;
}

static CUresult refuse(const char *format, unsigned long long a, unsigned long long b)
{
    char text[300], whole[400];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, format, a, b);
#pragma GCC diagnostic pop
    snprintf(whole, sizeof whole, "cuTensorMapEncodeTiled: %s", text);
    if (!settings()->is_quiet)
        fprintf(stderr, "simulator: %s\n", whole);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_dims(uint32_t rank, const cuuint64_t *dims, const cuuint64_t *strides, int bytes, uint64_t grain)
{
    uint64_t covered = dims[0] * (uint64_t)bytes;
    for (uint32_t k = 0; k < rank; k++)
        if (dims[k] == 0 || dims[k] > 1ull << 32)
            return refuse("extent %llu of dimension %llu is not in 1..2^32", dims[k], k);
    for (uint32_t k = 0; k + 1 < rank; k++) {
        if (strides[k] % grain != 0 || strides[k] >= 1ull << 40)
            return refuse("stride %llu is not a multiple of %llu below 2^40", strides[k], grain);
        if (strides[k] < covered)
            return refuse("stride %llu is less than the %llu bytes inside of it", strides[k], covered);
        covered = strides[k] * dims[k + 1];
    }
    return CUDA_SUCCESS;
}

static CUresult check_box(uint32_t rank, const cuuint32_t *box, const cuuint32_t *steps, int bytes, int span)
{
    for (uint32_t k = 0; k < rank; k++) {
        if (box[k] == 0 || box[k] > 256)
            return refuse("box extent %llu of dimension %llu is not in 1..256", box[k], k);
        if (steps[k] == 0 || steps[k] > 8)
            return refuse("element stride %llu of dimension %llu is not in 1..8", steps[k], k);
    }
    uint64_t inner = (uint64_t)box[0] * (uint64_t)bytes;
    if (inner % 16 != 0)
        return refuse("the box's %llu inner bytes are not a multiple of 16", inner, 0);
    if (span && inner > (uint64_t)span)
        return refuse("the box's %llu inner bytes exceed the swizzle's %llu", inner, (unsigned)span);
    return CUDA_SUCCESS;
}

CUresult sim_tensor_map_encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dims,
                                     const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                     CUtensorMapFloatOOBfill fill);

CUresult sim_tensor_map_encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dims,
                                     const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                     CUtensorMapFloatOOBfill fill)
{
    static const int spans[] = {0, 32, 64, 128}, logs[] = {0, 5, 6, 7};
    int bytes = element_bytes(type);
    bool is_real = type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    if (settings()->cc < 90)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!map || (uintptr_t)map % 64 != 0)
        return refuse("the map's own address 0x%llx is not a multiple of 64", (uintptr_t)map, 0);
    if (!bytes || rank < 1 || rank > 5 || !dims || !box || !element_strides || (rank > 1 && !strides))
        return refuse("type %llu or rank %llu", type, rank);
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
        return refuse("interleaved layouts are not simulated", 0, 0);
    if (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ || type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
        return refuse("maps that flush denormal numbers are not simulated", 0, 0);
    if ((unsigned)swizzle > 3 || (unsigned)promotion > 3 || (unsigned)fill > 1 || (fill && !is_real))
        return refuse("swizzle %llu or fill %llu", swizzle, fill);
    if (!address || (uintptr_t)address % 16 != 0)
        return refuse("address 0x%llx is not a multiple of 16", (uintptr_t)address, 0);
    CUresult result = check_dims(rank, dims, strides, bytes, 16);
    if (result == CUDA_SUCCESS)
        result = check_box(rank, box, element_strides, bytes, spans[swizzle]);
    if (result != CUDA_SUCCESS)
        return result;
    TensorMap m;
    memset(&m, 0, sizeof m);
    m.magic = TENSOR_MAGIC;
    m.address = (uintptr_t)address;
    m.rank = (uint8_t)rank;
    m.element_bytes = (uint8_t)bytes;
    m.swizzle = (uint8_t)logs[swizzle];
    m.fills_nan = fill != 0;
    m.type = (uint8_t)type;
    for (uint32_t k = 0; k < rank; k++) {
        m.last[k] = (uint32_t)(dims[k] - 1);
        m.box[k] = (uint16_t)box[k];
        m.element_strides[k] = (uint8_t)element_strides[k];
        if (k > 0)
            m.strides[k - 1] = strides[k - 1];
    }
    m.checksum = tensor_checksum(&m);
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    maps_made++;
    return CUDA_SUCCESS;
}

/* ---- boxes ---- */

const TensorMap *tensor_map(Warp *w, const Inst *i, int lane, uint64_t address)
{
    const TensorMap *map = (const TensorMap *)access_memory(w, i, lane, SPACE_GENERIC, address, sizeof(CUtensorMap), 64);
    if (map->magic != TENSOR_MAGIC || map->checksum != tensor_checksum(map))
        fault(w, i, lane, SIM_TENSOR, "there is no tensor map at 0x%llx", (unsigned long long)address);
    return map;
}

size_t tensor_box_bytes(const TensorMap *map)
{
    size_t bytes = map->element_bytes;
    for (int k = 0; k < map->rank; k++)
        bytes *= (size_t)(map->box[k] + map->element_strides[k] - 1) / map->element_strides[k];
    return bytes;
}

static uint64_t fill_of(const TensorMap *map)
{
    if (!map->fills_nan)
        return 0;
    return map->element_bytes == 2 ? 0x7fff : map->element_bytes == 4 ? 0x7fffffff : 0x7fffffffffffffffull;
}

/* What a copy from global memory makes of its bytes: numbers that are said to be tf32 are rounded to that, the nearest or, of two, the even
 * one; NaNs and infinities stay. */
static void convert(const TensorMap *map, uint8_t *p, size_t bytes)
{
    if (map->type != CU_TENSOR_MAP_DATA_TYPE_TFLOAT32)
        return;
    for (size_t k = 0; k < bytes; k += 4) {
        u32 bits;
        memcpy(&bits, p + k, 4);
        if ((bits & 0x7f800000) != 0x7f800000)
            bits = (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
        memcpy(p + k, &bits, 4);
    }
}

void tensor_copy(Warp *w, const Inst *i, int lane, const TensorMap *map, const int32_t *at, Block *b, uint32_t shared, bool is_store,
                 bool has_waited)
{
    uint32_t n[5] = {1, 1, 1, 1, 1}, k[5] = {0};
    size_t bytes = map->element_bytes;
    uint64_t fill = fill_of(map);
    uint32_t offset = shared;
    for (int r = 0; r < map->rank; r++)
        n[r] = (uint32_t)(map->box[r] + map->element_strides[r] - 1) / map->element_strides[r];
    for (;;) {
        uint64_t row = map->address;
        bool is_inside = true;
        for (int r = 1; r < map->rank; r++) {
            int64_t x = (int64_t)at[r] + (int64_t)k[r] * map->element_strides[r];
            is_inside = is_inside && x >= 0 && x <= (int64_t)map->last[r];
            row += (uint64_t)x * map->strides[r - 1];
        }
        for (uint32_t e = 0; e < n[0]; e++, offset += (uint32_t)bytes) {
            int64_t x = (int64_t)at[0] + (int64_t)e * map->element_strides[0];
            if (is_inside && map->element_strides[0] == 1 && offset % 16 == 0 && x >= 0 &&
                x + 16 / (int64_t)bytes - 1 <= (int64_t)map->last[0]) { /* 16 bytes stay together */
                uint8_t *p = b->shared + (swizzle_address(offset, map->swizzle) - SHARED_BASE);
                uint8_t *global = access_global(w, i, lane, row + (uint64_t)x * bytes, 16, 1);
                shadow_early(w, i, lane, row + (uint64_t)x * bytes, 16, has_waited);
                memcpy(is_store ? global : p, is_store ? p : global, 16);
                if (is_store)
                    shadow_global(w, i, lane, row + (uint64_t)x * bytes, 16, ACCESS_WRITE);
                else
                    convert(map, p, 16);
                e += 16 / (uint32_t)bytes - 1;
                offset += 16 - (uint32_t)bytes;
                continue;
            }
            bool here = is_inside && x >= 0 && x <= (int64_t)map->last[0];
            uint8_t *p = b->shared + (swizzle_address(offset, map->swizzle) - SHARED_BASE);
            uint8_t *global = here ? access_global(w, i, lane, row + (uint64_t)x * bytes, bytes, 1) : NULL;
            if (here)
                shadow_early(w, i, lane, row + (uint64_t)x * bytes, bytes, has_waited);
            if (is_store && here) {
                memcpy(global, p, bytes);
                shadow_global(w, i, lane, row + (uint64_t)x * bytes, bytes, ACCESS_WRITE);
            } else if (!is_store) {
                memcpy(p, here ? global : (uint8_t *)&fill, bytes);
                convert(map, p, bytes);
            }
        }
        int r = 1;
        while (r < map->rank && ++k[r] == n[r])
            k[r++] = 0;
        if (r >= map->rank)
            return;
    }
}
