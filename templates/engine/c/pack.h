/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Packing of operands that could be read in place, by their strides.
 */
#pragma once
#include "types.h"

#if MIK_F32_UNSIGNED
#if MIK_X86 && defined(__SSE2__)
static inline __m128i mik_f32_four(const mik_f32_acc *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
static inline void mik_f32_put_four(mik_f32_acc *p, __m128i x) { _mm_storeu_si128((__m128i *)(void *)p, x); }
#endif
#endif

/* Some neighbouring rows of A, MIK_F32_TURN of them, as columns: dst[x * to + i] = src[i * from + x]. */
static inline void mik_f32_turn(const mik_f32_acc *src, int64_t from, mik_f32_acc *dst, int64_t to)
{
#if MIK_F32_TURN == 4
#if MIK_F32_UNSIGNED
#if MIK_X86 && defined(__SSE2__)
    const __m128i r0 = mik_f32_four(src), r1 = mik_f32_four(src + from), r2 = mik_f32_four(src + 2 * from),
                  r3 = mik_f32_four(src + 3 * from);
    const __m128i x = _mm_unpacklo_epi32(r0, r1), y = _mm_unpackhi_epi32(r0, r1);
    const __m128i z = _mm_unpacklo_epi32(r2, r3), w = _mm_unpackhi_epi32(r2, r3);
    mik_f32_put_four(dst, _mm_unpacklo_epi64(x, z));
    mik_f32_put_four(dst + to, _mm_unpackhi_epi64(x, z));
    mik_f32_put_four(dst + 2 * to, _mm_unpacklo_epi64(y, w));
    mik_f32_put_four(dst + 3 * to, _mm_unpackhi_epi64(y, w));
#else
    for (int64_t x = 0; x < 4; x++)
        for (int64_t i = 0; i < 4; i++)
            dst[x * to + i] = src[i * from + x];
#endif
#else
#if MIK_X86 && defined(__SSE__)
    __m128 r0 = _mm_loadu_ps(src), r1 = _mm_loadu_ps(src + from);
    __m128 r2 = _mm_loadu_ps(src + 2 * from), r3 = _mm_loadu_ps(src + 3 * from);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(dst, r0);
    _mm_storeu_ps(dst + to, r1);
    _mm_storeu_ps(dst + 2 * to, r2);
    _mm_storeu_ps(dst + 3 * to, r3);
#elif MIK_NEON
    const float32x4x2_t x = vtrnq_f32(vld1q_f32(src), vld1q_f32(src + from));
    const float32x4x2_t y = vtrnq_f32(vld1q_f32(src + 2 * from), vld1q_f32(src + 3 * from));
    vst1q_f32(dst, vcombine_f32(vget_low_f32(x.val[0]), vget_low_f32(y.val[0])));
    vst1q_f32(dst + to, vcombine_f32(vget_low_f32(x.val[1]), vget_low_f32(y.val[1])));
    vst1q_f32(dst + 2 * to, vcombine_f32(vget_high_f32(x.val[0]), vget_high_f32(y.val[0])));
    vst1q_f32(dst + 3 * to, vcombine_f32(vget_high_f32(x.val[1]), vget_high_f32(y.val[1])));
#else
    for (int64_t x = 0; x < 4; x++)
        for (int64_t i = 0; i < 4; i++)
            dst[x * to + i] = src[i * from + x];
#endif
#endif
#else
    const mik_f32_acc x = src[0], y = src[from], z = src[1], w = src[from + 1];
    dst[0] = x, dst[1] = y, dst[to] = z, dst[to + 1] = w;
#endif
}

/* dst[k * to + i] = src[i * from + k] for i < h, k < kc, by square blocks; the last one may overlap the one before.
   Sixteen steps at a time, so that a row's cache line is still there when its next block is read. */
static void mik_f32_transpose(const mik_f32_acc *src, int64_t from, int64_t h, int64_t kc, mik_f32_acc *dst, int64_t to)
{
    int64_t k = 0;
    for (int64_t end; h >= MIK_F32_TURN && kc >= MIK_F32_TURN && k < kc; k = end) {
        end = mik_min(k + 16, kc);
        for (int64_t i = 0; i<h; i = i + 2 * MIK_F32_TURN> h && i + MIK_F32_TURN < h ? h - MIK_F32_TURN : i + MIK_F32_TURN)
            for (int64_t x = mik_min(k, kc - MIK_F32_TURN);
                 x<end; x = x + 2 * MIK_F32_TURN> end && x + MIK_F32_TURN < end ? end - MIK_F32_TURN : x + MIK_F32_TURN)
                mik_f32_turn(src + i * from + x, from, dst + x * to + i, to);
    }
    for (; k < kc; k++)
        for (int64_t i = 0; i < h; i++)
            dst[k * to + i] = src[i * from + k];
}

/* mc rows by kc steps of A into panels of mr rows, the last one as high as what remains: (i, k) at [k * height + i]. */
static void mik_f32_pack_a(const mik_f32_acc *a, int64_t a_m, int64_t a_k, int64_t mc, int64_t kc, int64_t mr, mik_f32_acc *restrict dst)
{
    for (int64_t m = 0; m < mc; m += mr) {
        const int64_t h = mik_min(mr, mc - m);
        const mik_f32_acc *panel = a + m * a_m;
        if (h == 1 && a_k == 1) {
            memcpy(dst, panel, (size_t)kc * sizeof *dst);
        } else if (a_m == 1) {
            for (int64_t k = 0; k < kc; k++)
                memcpy(dst + k * h, panel + k * a_k, (size_t)h * sizeof *dst);
        } else if (a_k == 1) {
            mik_f32_transpose(panel, a_m, h, kc, dst, h);
        } else {
            for (int64_t k = 0; k < kc; k++)
                for (int64_t i = 0; i < h; i++)
                    dst[k * h + i] = panel[i * a_m + k * a_k];
        }
        dst += h * kc;
    }
}

/* dst[i] = src[i * step]. Four at a time: one by one they take twice as long wherever the loop happens to cross a cache line. */
static void mik_f32_pack_line(const mik_f32_acc *src, int64_t step, int64_t count, mik_f32_acc *restrict dst)
{
    for (; count >= 4; count -= 4, src += 4 * step, dst += 4) {
        const mik_f32_acc x = src[0], y = src[step], z = src[2 * step], w = src[3 * step];
        dst[0] = x, dst[1] = y, dst[2] = z, dst[3] = w;
    }
    for (; count > 0; count--, src += step)
        *dst++ = *src;
}

/* dst[i] = src[2 * i], of pairs as complex numbers are; no element behind the last is touched. */
static void mik_f32_pack_second(const mik_f32_acc *src, int64_t count, mik_f32_acc *restrict dst)
{
#if !MIK_F32_UNSIGNED
#if MIK_X86 && defined(__SSE2__)
    for (; count >= MIK_F32_TURN; count -= MIK_F32_TURN, src += 2 * MIK_F32_TURN, dst += MIK_F32_TURN) {
#if MIK_F32_TURN == 4
        _mm_storeu_ps(dst, _mm_shuffle_ps(_mm_loadu_ps(src), _mm_loadu_ps(src + 3), _MM_SHUFFLE(3, 1, 2, 0)));
#else
        _mm_storeu_pd(dst, _mm_shuffle_pd(_mm_loadu_pd(src), _mm_loadu_pd(src + 1), 2));
#endif
    }
#endif
#endif
    mik_f32_pack_line(src, 2, count, dst);
}

enum { MIK_F32_ALONG = 16 * MIK_F32_LINE }; /* how far ahead a row that goes on is prefetched */

/* kc steps by w contiguous columns of B into a panel of nr columns. ahead: elements from a line of a row to the one that is prefetched
   while it is copied. */
static inline void mik_f32_pack_lines(const mik_f32_acc *src, int64_t b_k, int64_t kc, int64_t w, int64_t nr, int64_t ahead,
                                      mik_f32_acc *restrict to)
{
    for (int64_t k = 0; k < kc; k++, src += b_k, to += nr) {
        int64_t j = 0;
        for (; j + MIK_F32_LINE <= w; j += MIK_F32_LINE) {
            MIK_PREFETCH(src + j + ahead);
            memcpy(to + j, src + j, MIK_F32_LINE * sizeof *to);
        }
        for (; j < w; j++)
            to[j] = src[j];
    }
}

/* The same for nc columns, into panels `apart` elements from each other. */
static void mik_f32_pack_band(const mik_f32_acc *b, int64_t b_k, int64_t kc, int64_t nc, int64_t nr, int64_t apart, int64_t ahead,
                              mik_f32_acc *restrict dst)
{
    for (int64_t n = 0; n < nc; n += nr, dst += apart)
        mik_f32_pack_lines(b + n, b_k, kc, mik_min(nr, nc - n), nr, ahead, dst);
}

/* kc steps by nc columns of B into panels of nr columns: (k, j) at [k * nr + j]; ahead: as above. */
static void mik_f32_pack_b(const mik_f32_acc *b, int64_t b_k, int64_t b_n, int64_t kc, int64_t nc, int64_t nr, int64_t ahead,
                           mik_f32_acc *restrict dst)
{
    if (nr == 1 && b_n == 1 && nc >= MIK_F32_TURN) {
        mik_f32_transpose(b, b_k, kc, nc, dst, kc);
        return;
    }
    for (int64_t n = 0; n < nc; n += nr) {
        const int64_t w = mik_min(nr, nc - n);
        const mik_f32_acc *panel = b + n * b_n;
        if (nr == 1 && b_k == 1) {
            memcpy(dst, panel, (size_t)kc * sizeof *dst);
        } else if (nr == 1) {
            mik_f32_pack_line(panel, b_k, kc, dst);
        } else if (b_n == 1) {
            mik_f32_pack_lines(panel, b_k, kc, w, nr, ahead, dst);
        } else if (b_k == 1) {
            mik_f32_transpose(panel, b_n, w, kc, dst, nr);
        } else if (b_n == 2) {
            for (int64_t k = 0; k < kc; k++)
                mik_f32_pack_second(panel + k * b_k, w, dst + k * nr);
        } else {
            for (int64_t k = 0; k < kc; k++)
                for (int64_t j = 0; j < w; j++)
                    dst[k * nr + j] = panel[k * b_k + j * b_n];
        }
        dst += nr * kc;
    }
}
