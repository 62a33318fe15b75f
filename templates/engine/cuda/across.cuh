/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* 16 bytes that lie across the chunks of 16 bytes that loads take: two such loads, and a shift. */
#pragma once
#include "async.cuh"

/* Words of so many bytes. */
template <int BYTES> struct mik_word;
template <> struct mik_word<1> {
    typedef uint8_t type;
};
template <> struct mik_word<2> {
    typedef uint16_t type;
};
template <> struct mik_word<4> {
    typedef uint32_t type;
};
template <> struct mik_word<8> {
    typedef uint64_t type;
};

/* What of `low` and, behind it, `high` begins `shift` % 16 bytes on. */
MIK_DEVICE uint4 mik_shift_across(uint4 low, uint4 high, unsigned shift)
{
    const uint32_t all[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    uint32_t half[6], word[5];
#pragma unroll
    for (int i = 0; i < 6; i++)
        half[i] = shift & 8 ? all[i + 2] : all[i];
#pragma unroll
    for (int i = 0; i < 5; i++)
        word[i] = shift & 4 ? half[i + 1] : half[i];
    return make_uint4(__funnelshift_r(word[0], word[1], shift * 8), __funnelshift_r(word[1], word[2], shift * 8),
                      __funnelshift_r(word[2], word[3], shift * 8), __funnelshift_r(word[3], word[4], shift * 8));
}

/* The chunk of 16 bytes that `x` lies in. */
MIK_DEVICE const uint4 *mik_chunk_of(const void *x) { return (const uint4 *)((uintptr_t)x & ~(uintptr_t)15); }

/* 16 bytes from `x` on, out of the two chunks that have them, both of which may be read. */
MIK_DEVICE uint4 mik_load_across(const void *x)
{
    return mik_shift_across(__ldg(mik_chunk_of(x)), __ldg(mik_chunk_of(x) + 1), (unsigned)(uintptr_t)x);
}

/* The first `left` bytes from `x` on, by elements of BYTES, then zeros. */
template <int BYTES> MIK_DEVICE uint4 mik_load_elements(const char *x, int left)
{
    uint64_t half[2] = {0, 0};
#pragma unroll 1
    for (int at = 0; at < 16 && at < left; at += BYTES) {
        const uint64_t bits = (uint64_t)__ldg((const typename mik_word<BYTES>::type *)(x + at)) << at * 8 % 64;
        half[0] |= at < 8 ? bits : 0;
        half[1] |= at < 8 ? 0 : bits;
    }
    return make_uint4((uint32_t)half[0], (uint32_t)(half[0] >> 32), (uint32_t)half[1], (uint32_t)(half[1] >> 32));
}

/* What may be read: from `begin` to before `end`. */
typedef struct {
    const char *begin, *end;
} mik_array;
