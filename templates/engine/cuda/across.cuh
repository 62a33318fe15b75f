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

/* What of `low` and, behind it, `high` begins `shift` bytes on; at most 15. */
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

/* 16 bytes from `x` on, out of the two chunks that have them, both of which may be read. */
MIK_DEVICE uint4 mik_load_across(const void *x)
{
    const unsigned shift = (unsigned)(uintptr_t)x % 16;
    const uint4 *const chunk = (const uint4 *)((uintptr_t)x - shift);
    return mik_shift_across(__ldg(chunk), __ldg(chunk + 1), shift);
}

/* What may be read: from `begin` to before `end`. */
typedef struct {
    const char *begin, *end;
} mik_array;

/* Two chunks on their way. */
typedef struct {
    uint4 low, high;
    bool inside; /* what is needed of them is in the array */
} mik_across;

/* Starts to load 16 bytes from `from` on, of which the first `left` are wanted, if any are. */
MIK_DEVICE void mik_begin_across(mik_across *x, const mik_array *array, const char *from, int left)
{
    const int shift = (int)((uintptr_t)from % 16), both = (left < 16 ? left : 16) > 16 - shift;
    const char *const chunk = from - shift;
    x->low = x->high = make_uint4(0, 0, 0, 0);
    x->inside = chunk >= array->begin && chunk + (both ? 32 : 16) <= array->end;
    if (x->inside && left > 0) {
        x->low = __ldg((const uint4 *)chunk);
        if (both)
            x->high = __ldg((const uint4 *)chunk + 1);
    }
}

/* The first `left` of these bytes, then zeros; where an array ends between elements of so many BYTES, by these. */
template <int BYTES> MIK_DEVICE uint4 mik_end_across(const mik_across *x, const char *from, int left)
{
    typedef typename mik_word<BYTES>::type T;
    if (x->inside && left >= 16)
        return mik_shift_across(x->low, x->high, (unsigned)(uintptr_t)from % 16);
    if (x->inside) {
        uint4 all = mik_shift_across(x->low, x->high, (unsigned)(uintptr_t)from % 16);
        all.x &= left >= 4 ? ~0u : ~(~0u << left * 8);
        all.y &= left >= 8 ? ~0u : left <= 4 ? 0 : ~(~0u << left * 8 % 32);
        all.z &= left >= 12 ? ~0u : left <= 8 ? 0 : ~(~0u << left * 8 % 32);
        all.w &= left <= 12 ? 0 : ~(~0u << left * 8 % 32);
        return all;
    }
    uint64_t half[2] = {0, 0};
#pragma unroll 1
    for (int at = 0; at < 16 && at < left; at += BYTES) {
        const uint64_t bits = (uint64_t)__ldg((const T *)(from + at)) << at * 8 % 64;
        half[0] |= at < 8 ? bits : 0;
        half[1] |= at < 8 ? 0 : bits;
    }
    return make_uint4((uint32_t)half[0], (uint32_t)(half[0] >> 32), (uint32_t)half[1], (uint32_t)(half[1] >> 32));
}
