/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How a contraction on the CUDA cores brings tiles of A and B into shared memory: always lines of constant k, contiguous along m or n,
   of elements of the sums' type. */
#pragma once
#include "async.cuh"
#include "tables.cuh"

/* How a block reads an operand in place. width is the number of bytes one asynchronous copy may move. */
typedef struct {
    const void *base; /* the element at k = 0 and at the tile's first row (A) or column (B) */
    int64_t k, mn;    /* element strides along k, and along m or n */
    int width;
} mik_source;

/* Once per block. An operand in place whose lines are not along k has neighbours along m or n. */
template <class S, class O> MIK_DEVICE mik_source mik_find_source(const typename S::args *s, const mik_work *w, const mik_piece *t)
{
    mik_source from = {NULL, 0, 0, 0};
    if constexpr (O::IN_PLACE) {
        from.base = O::address(s, t->b) + O::first(t) * O::line(&w->p);
        from.k = O::step(&w->p);
        from.mn = O::line(&w->p);
        from.width = O::K_INNER ? O::BYTES : mik_width(from.base, w->p.k > 1 ? from.k * O::BYTES : 0);
    }
    return from;
}

/* UK lines of LENGTH elements, contiguous along length, in copies of WIDTH bytes. Line i goes to tile + i * LD.
   Only the first in_lines lines and in_length elements of each exist; the rest becomes zero. A copy that
   straddles the end is made element by element. */
template <int WIDTH, typename T, int UK, int LENGTH, int LD, int THREADS>
MIK_DEVICE void mik_copy_steps(T *tile, const T *from, int64_t stride, int in_lines, int in_length, unsigned own)
{
    constexpr int COUNT = WIDTH / (int)sizeof(T);
    constexpr unsigned PER_LINE = LENGTH / COUNT, COPIES = UK * PER_LINE, ROUNDS = (COPIES + THREADS - 1) / THREADS;
    const unsigned thread = WIDTH == 16 ? own : mik_thread();
    const uint32_t start = mik_shared_address(tile);
    constexpr unsigned TOGETHER = WIDTH == 16 ? ROUNDS : 2;
#pragma unroll TOGETHER
    for (unsigned i = 0; i < ROUNDS; i++) {
        const unsigned e = thread + i * THREADS;
        const int line = e / PER_LINE, at = e % PER_LINE * COUNT;
        if (COPIES % THREADS != 0 && e >= COPIES)
            break;
        const uint32_t to = start + (uint32_t)((line * LD + at) * (int)sizeof(T));
        const T *const x = from + line * stride + at;
        if (line < in_lines && at + COUNT <= in_length) {
            mik_cp_async<WIDTH>(to, x, WIDTH);
        } else {
#pragma unroll 1
            for (int j = 0; j < COUNT; j++)
                mik_store_element(to + j * (uint32_t)sizeof(T), line < in_lines && at + j < in_length ? x[j] : (T)0);
        }
    }
}

/* The same in the widest way that alignment allows. */
template <typename T, int UK, int LENGTH, int LD, int THREADS>
MIK_DEVICE void mik_copy_steps_widest(T *tile, const T *from, int64_t stride, int in_lines, int in_length, int width, unsigned own)
{
    if (width == 16)
        mik_copy_steps<16, T, UK, LENGTH, LD, THREADS>(tile, from, stride, in_lines, in_length, own);
    else if (width == 8)
        mik_copy_steps<8, T, UK, LENGTH, LD, THREADS>(tile, from, stride, in_lines, in_length, own);
    else
        mik_copy_steps<4, T, UK, LENGTH, LD, THREADS>(tile, from, stride, in_lines, in_length, own);
}

/* UK steps of LENGTH elements, element (k, j) to tile[k * LD + j], each in a copy of its own: neighbouring threads take
   neighbouring k. Only the first in_k steps and `there` elements exist; the rest becomes zero. */
template <typename T, int UK, int LENGTH, int LD, int THREADS>
MIK_DEVICE void mik_turn_steps(T *tile, const T *from, int64_t k_stride, int64_t mn_stride, int in_k, int there)
{
    constexpr unsigned SIZE = UK * LENGTH;
    const unsigned thread = mik_thread();
    const uint32_t start = mik_shared_address(tile);
#pragma unroll 4
    for (unsigned i = 0; i < (SIZE + THREADS - 1) / THREADS; i++) {
        const unsigned e = thread + i * THREADS;
        const int k = e % (unsigned)UK, j = e / (unsigned)UK;
        if (SIZE % THREADS != 0 && e >= SIZE)
            break;
        const uint32_t to = start + (uint32_t)((k * LD + j) * (int)sizeof(T));
        if (k < in_k && j < there)
            mik_cp_async<sizeof(T)>(to, from + k * k_stride + j * mn_stride, sizeof(T));
        else
            mik_store_element(to, (T)0);
    }
}

/* An operand's UK steps from k on, in_k of them; what lies outside the extents becomes zero. */
template <class S, class O, int LINES, int UK, int LD, int THREADS>
MIK_DEVICE void mik_fetch_source(typename S::sum *tile, const typename S::args *s, const mik_source *from, const mik_piece *t, int64_t k,
                                 int in_k, const char *table, int half, unsigned own)
{
    typedef typename S::sum T;
    if constexpr (O::IN_PLACE && O::K_INNER) {
        mik_turn_steps<T, UK, LINES, LD, THREADS>(tile, (const T *)from->base + k * from->k, from->k, from->mn, in_k, O::there(t));
    } else if constexpr (O::IN_PLACE) {
        mik_copy_steps_widest<T, UK, LINES, LD, THREADS>(tile, (const T *)from->base + k * from->k, from->k, in_k, O::there(t), from->width,
                                                         own);
    } else {
        constexpr unsigned SIZE = UK * LINES;
        const unsigned thread = mik_thread();
#pragma unroll 2
        for (unsigned i = 0; i < (SIZE + THREADS - 1) / THREADS; i++) {
            const unsigned e = thread + i * THREADS;
            const int kk = O::K_INNER ? e % (unsigned)UK : e / (unsigned)LINES, j = O::K_INNER ? e / (unsigned)UK : e % (unsigned)LINES;
            if (SIZE % THREADS != 0 && e >= SIZE)
                break;
            if constexpr (O::GATHERED) {
                typedef typename O::spot spot;
                const spot *const spots = (const spot *)table, *const steps = spots + LINES + half * UK;
                const bool there = kk < in_k && j < O::there(t) && spot::hits(&spots[j], &steps[kk]);
                mik_cp_async<sizeof(T)>(mik_shared_address(tile + kk * LD + j), O::array(s) + (there ? spots[j].at + steps[kk].at : 0),
                                        there ? (int)sizeof(T) : 0);
            } else {
                tile[kk * LD + j] = kk < in_k && j < O::there(t) ? (T)O::element(s, t->b, O::first(t) + j, k + kk) : (T)0;
            }
        }
    }
}

/* A tile of an operand in place on its way into shared memory, all of it: each thread makes the copies of one step of k, or of 16 bytes of
   all lines' steps, every so many lines. */
template <class O, typename T, int UK, int LENGTH, int LD, int THREADS> struct mik_tile_copier {
    static constexpr int COUNT = O::K_INNER ? 1 : 16 / (int)sizeof(T), PER_LINE = O::K_INNER ? UK : LENGTH / COUNT,
                         COPIES = UK * LENGTH / COUNT;
    static constexpr int ROUNDS = (COPIES + THREADS - 1) / THREADS, APART = THREADS / PER_LINE, BYTES = COUNT * (int)sizeof(T);
    static_assert(THREADS % PER_LINE == 0, "a thread stays in its column");

    MIK_DEVICE int line(unsigned thread) { return (int)(thread / (unsigned)PER_LINE); }
    MIK_DEVICE int column(unsigned thread) { return (int)(thread % (unsigned)PER_LINE) * COUNT; }

    /* Is a tile all of whose elements exist copied so? Steps that do not exist have addresses, too. The tile's lines are less than 2^31
       elements apart. */
    MIK_DEVICE bool can(const mik_source *from)
    {
        const int64_t line = O::K_INNER ? from->mn : from->k, most = INT32_MAX / (2 * (LENGTH > UK ? LENGTH : UK));
        return (O::K_INNER || (from->width == 16 && from->k * (int64_t)sizeof(T) % 16 == 0)) && from->k <= most && from->k >= -most &&
               line <= most && line >= -most;
    }

    /* Where the thread's first copy of the steps from k on comes from; how many elements its copies are apart, and the last one from the
       first of the next steps. */
    MIK_DEVICE const char *start(const mik_source *from, int64_t k, unsigned thread)
    {
        const int64_t mn = O::K_INNER ? line(thread) : column(thread);
        return (const char *)((const T *)from->base + (k + (O::K_INNER ? column(thread) : line(thread))) * from->k + mn * from->mn);
    }
    MIK_DEVICE int apart(const mik_source *from) { return APART * (int)(O::K_INNER ? from->mn : from->k); }
    MIK_DEVICE int rest(const mik_source *from)
    {
        return O::K_INNER ? UK * (int)from->k - (ROUNDS - 1) * apart(from) : (UK - (ROUNDS - 1) * APART) * (int)from->k;
    }

    /* Where the thread's first copy goes. */
    MIK_DEVICE uint32_t to(uint32_t tile, unsigned thread)
    {
        return tile + (uint32_t)((O::K_INNER ? column(thread) * LD + line(thread) : line(thread) * LD + column(thread)) * (int)sizeof(T));
    }
    static constexpr int TO_APART = APART * (O::K_INNER ? 1 : LD) * (int)sizeof(T);
    MIK_DEVICE bool takes_part(int round, unsigned thread) { return COPIES % THREADS == 0 || (int)thread + round * THREADS < COPIES; }

    /* The thread's copies of UK steps, if they are wanted: they come from *from on, which goes on to the next steps. */
    MIK_DEVICE void copy(uint32_t tile, const char **from, int apart, int rest, unsigned thread, bool wanted)
    {
        const uint32_t first = to(tile, thread);
#pragma unroll
        for (int i = 0; i < ROUNDS; i++) {
            mik_cp_async_if<BYTES>(wanted && takes_part(i, thread), first + i * TO_APART, *from);
            mik_go_on_elements<(int)sizeof(T)>(from, i + 1 < ROUNDS ? apart : rest);
        }
    }

    /* Those of steps of which the first in_k exist; the rest becomes zero. */
    MIK_DEVICE void copy_part(uint32_t tile, const char *from, int apart, unsigned thread, int in_k)
    {
        uint32_t first = to(tile, thread);
#pragma unroll 1
        for (int i = 0; i < ROUNDS; i++) {
            if (takes_part(i, thread))
                mik_cp_async<BYTES>(first, from, (O::K_INNER ? column(thread) : line(thread) + i * APART) < in_k ? BYTES : 0);
            first += TO_APART;
            mik_go_on_elements<(int)sizeof(T)>(&from, apart);
        }
    }
};
