/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensor maps: what cuTensorMapEncodeTiled writes, and the copy engine reads. */
#ifndef SIM_TENSOR_H
#define SIM_TENSOR_H

#include <stdint.h>

#include "multiprocessor.h"

/* In the 128 opaque bytes of a CUtensorMap. */
typedef struct {
    uint32_t magic, checksum;
    uint64_t address;
    uint64_t strides[4]; /* bytes, of dimensions 1.. */
    uint32_t last[5];    /* extents - 1 */
    uint16_t box[5];
    uint8_t element_strides[5];
    uint8_t rank, element_bytes, swizzle /* log2 of the bytes, or 0 */, fills_nan;
    uint8_t type;
} TensorMap;

enum { TENSOR_MAGIC = 0x70616d74 };

uint32_t tensor_checksum(const TensorMap *map);

/* The bytes of 16 at ADDRESS go there in shared memory (PTX ISA 5.5.5): SWIZZLE as in TensorMap. */
static inline uint32_t swizzle_address(uint32_t address, int swizzle)
{
    switch (swizzle) {
    case 5: return address ^ (address >> 3 & 0x10);
    case 6: return address ^ (address >> 3 & 0x30);
    case 7: return address ^ (address >> 3 & 0x70);
    default: return address;
    }
}

/* Copies one box: from global memory to the shared memory of B, or back. */
void tensor_copy(Warp *w, const Inst *i, int lane, const TensorMap *map, const int32_t *at, Block *b, uint32_t shared, bool is_store,
                 bool has_waited);
size_t tensor_box_bytes(const TensorMap *map);

/* Reads and checks the map at a generic address. */
const TensorMap *tensor_map(Warp *w, const Inst *i, int lane, uint64_t address);

#endif
