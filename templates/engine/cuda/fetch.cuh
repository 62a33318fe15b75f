/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How a contraction on tensor cores brings tiles of A and B into shared memory.

   A tile's lines are contiguous in memory as in shared memory: along k where the operand's inner dimension is k, else along m or n.
   Aligned operands are copied; all others come by the widest copies there are, or element by element by the operand's own function. */
#pragma once
#include "copy.cuh"
#include "tables.cuh"

/* Of both operands, from step k on: `whole` times UK steps are left and `rest` more. */
typedef struct {
    mik_stream a, b;
    int64_t k;
    int whole, rest;
    int half; /* of the tables of steps, for the next buffer */
} mik_from;

/* The bits of an element, as words are put together from them. */
template <typename T> MIK_DEVICE typename mik_word<sizeof(T)>::type mik_bits(T x) { return *(typename mik_word<sizeof(T)>::type *)&x; }

/* The order of chunks in lines of an operand's tile: see mik_swizzle. */
template <class O> constexpr int mik_order = O::BYTES == 8 || (O::BYTES == 4 && !O::K_INNER) ? 1 : O::BYTES == 1 && !O::K_INNER ? 2 : 0;

/* Chunks in a line of an operand's tile; how the tile is copied where all operands are aligned. */
template <class O, int LINES, int UK> constexpr int mik_chunks_in_line = (O::K_INNER ? UK : LINES) * O::BYTES / 16;
template <class O, int LINES, int UK, int THREADS>
using mik_chunks = mik_copier<16, (O::K_INNER ? LINES : UK), mik_chunks_in_line<O, LINES, UK>, mik_order<O>, THREADS>;

/* Where a piece's operands start. (Not a function for each of them: kernels would take up to four registers more.) */
template <class S, int UM, int UN, int UK, int THREADS, bool ALIGNED>
MIK_DEVICE mik_from mik_start(const typename S::args *s, const mik_work *w, const mik_piece *t)
{
    typedef typename S::a A;
    typedef typename S::b B;
    const mik_problem *const p = &w->p;
    const int64_t k = (int64_t)t->step * UK;
    mik_from from = {};
    from.k = k;
    from.whole = (int)((p->k - k) / UK);
    from.rest = (int)(p->k % UK);
    if constexpr (A::IN_PLACE)
        if (p->a_in_place && (A::K_INNER ? p->a_k : p->a_m) == 1) {
            from.a.at = (const char *)(A::address(s, t->b) + t->m * p->a_m + k * p->a_k);
            from.a.line = (A::K_INNER ? p->m : p->k) > 1 ? (A::K_INNER ? p->a_m : p->a_k) * A::BYTES
                                                         : 0; /* what does not exist has an address, too */
            from.a.step = (A::K_INNER ? (int64_t)UK : UK * p->a_k) * A::BYTES;
            from.a.array.begin = (const char *)A::address(s, t->b);
            from.a.array.end = from.a.array.begin + ((p->m - 1) * p->a_m + (p->k - 1) * p->a_k + 1) * A::BYTES;
            from.a.width = mik_width(from.a.at, from.a.line | (A::K_INNER ? p->k : A::there(t)) * A::BYTES);
        }
    if constexpr (B::IN_PLACE)
        if (p->b_in_place && (B::K_INNER ? p->b_k : p->b_n) == 1) {
            from.b.at = (const char *)(B::address(s, t->b) + t->n * p->b_n + k * p->b_k);
            from.b.line = (B::K_INNER ? p->n : p->k) > 1 ? (B::K_INNER ? p->b_n : p->b_k) * B::BYTES : 0;
            from.b.step = (B::K_INNER ? (int64_t)UK : UK * p->b_k) * B::BYTES;
            from.b.array.begin = (const char *)B::address(s, t->b);
            from.b.array.end = from.b.array.begin + ((p->n - 1) * p->b_n + (p->k - 1) * p->b_k + 1) * B::BYTES;
            from.b.width = mik_width(from.b.at, from.b.line | (B::K_INNER ? p->k : B::there(t)) * B::BYTES);
        }
    if constexpr (ALIGNED) {
        from.a.at = mik_chunks<A, UM, UK, THREADS>::from(from.a.at, from.a.line);
        from.b.at = mik_chunks<B, UN, UK, THREADS>::from(from.b.at, from.b.line);
        return from;
    }
    /* Where both are in place and one has chunks that lie across others, the other's lie so, too, unless they are aligned. */
    if (A::IN_PLACE && B::IN_PLACE && (from.a.width < 4 || from.b.width < 4)) {
        from.a.width = from.a.width == 0 || from.a.width == 16 ? from.a.width : 1;
        from.b.width = from.b.width == 0 || from.b.width == 16 ? from.b.width : 1;
    }
    mik_divide<mik_chunks_in_line<A, UM, UK>, mik_order<A>, THREADS>(&from.a);
    mik_divide<mik_chunks_in_line<B, UN, UK>, mik_order<B>, THREADS>(&from.b);
    return from;
}

/* Of a gathered operand: 16 bytes of a line at a time. */
template <class S, class O, int LINES, int UK, int THREADS>
MIK_DEVICE void mik_gather_chunks(const typename S::args *s, const mik_piece *t, uint32_t to, int in_k, int half, const char *table);

/* Of any operand: element by element, and a word at a time; where an element is wider, that. */
template <class S, class O, int LINES, int UK, int THREADS>
MIK_DEVICE void mik_fetch_elements(const typename S::args *s, const mik_piece *t, uint32_t to, int64_t first_k, int in_k, int half,
                                   const char *table)
{
    typedef typename mik_word<(O::BYTES < 8 ? 4 : 8)>::type word_type;
    constexpr int WORD = (int)sizeof(word_type) / O::BYTES, LENGTH = (O::K_INNER ? UK : LINES) / WORD,
                  WORDS = (O::K_INNER ? LINES : UK) * LENGTH;
    constexpr int CHUNKS = LENGTH * (int)sizeof(word_type) / 16;
    const int in_lines = O::K_INNER ? O::there(t) : in_k, in_length = O::K_INNER ? in_k : O::there(t);
#pragma unroll 2
    for (int i = 0; i < (WORDS + THREADS - 1) / THREADS; i++) {
        const int e = (int)mik_thread() + i * THREADS, line = (int)((unsigned)e / LENGTH), at = (int)((unsigned)e % LENGTH);
        if (WORDS % THREADS != 0 && e >= WORDS)
            break;
        word_type word = 0;
#pragma unroll
        for (int j = 0; j < WORD; j++) {
            const int x = at * WORD + j, l = O::K_INNER ? line : x, k = O::K_INNER ? x : line;
            if constexpr (O::GATHERED) {
                typedef typename O::spot spot;
                const spot *const spots = (const spot *)table, *const steps = spots + LINES + half * UK;
                if (l < O::there(t) && k < in_k && spot::hits(&spots[l], &steps[k]))
                    word |= (word_type)mik_bits(O::array(s)[spots[l].at + steps[k].at]) << (j * O::BYTES * 8);
            } else {
                if (line < in_lines && x < in_length)
                    word |= (word_type)mik_bits(O::element(s, t->b, O::first(t) + l, first_k + k)) << (j * O::BYTES * 8);
            }
        }
        mik_store(to + mik_place(line, at * (int)sizeof(word_type), CHUNKS, mik_order<O>), word);
    }
}

template <class O, int LINES, int UK, int THREADS> MIK_DEVICE void mik_clear_operand(const mik_stream *x, uint32_t tile, int in_k)
{
    mik_clear<O::BYTES, O::K_INNER, (O::K_INNER ? LINES : UK), mik_chunks_in_line<O, LINES, UK>, mik_order<O>, THREADS>(x, tile, in_k);
}

/* The next UK steps of one operand. */
template <class S, class O, int LINES, int UK, int THREADS, int WAY>
MIK_DEVICE void mik_fetch_operand(mik_stream *x, const mik_from *from, int in_k, const typename S::args *s, const mik_piece *t, uint32_t to,
                                  const char *table)
{
    constexpr int COUNT = O::K_INNER ? LINES : UK, CHUNKS = mik_chunks_in_line<O, LINES, UK>, ORDER = mik_order<O>;
    const int in_lines = O::K_INNER ? O::there(t) : in_k, bytes = (O::K_INNER ? in_k : O::there(t)) * O::BYTES;
    if constexpr (WAY == MIK_ALIGNED && O::GATHERED) {
        mik_gather_chunks<S, O, LINES, UK, THREADS>(s, t, to, in_k, from->half, table);
    } else if constexpr (WAY == MIK_ALIGNED) {
        mik_chunks<O, LINES, UK, THREADS>::copy(to, x->at, x->line, in_lines, bytes);
        x->at += x->step;
    } else if (WAY == MIK_WIDE || WAY == MIK_NARROW || (WAY == MIK_EITHER && O::IN_PLACE && x->width > 0)) {
        mik_copy<O::BYTES, O::K_INNER, COUNT, CHUNKS, ORDER, THREADS, WAY>(x, to, in_lines, bytes);
        if (WAY == MIK_EITHER && in_k < UK)
            mik_clear_operand<O, LINES, UK, THREADS>(x, to, in_k);
        x->at += x->step;
    } else {
        mik_fetch_elements<S, O, LINES, UK, THREADS>(s, t, to, from->k, in_k, from->half, table);
    }
}

/* The next UK steps of A and B; what lies outside the extents becomes zero. */
template <class S, int UM, int UN, int UK, int THREADS, int WAY>
MIK_DEVICE void mik_fetch(mik_from *from, const typename S::args *s, const mik_piece *t, uint32_t a, uint32_t b, char *tables)
{
    typedef mik_tables<S, UM, UN, UK, THREADS> gathered;
    const int in_k = from->whole > 0 ? UK : from->rest;
    mik_fetch_operand<S, typename S::a, UM, UK, THREADS, WAY>(&from->a, from, in_k, s, t, a, tables);
    mik_fetch_operand<S, typename S::b, UN, UK, THREADS, WAY>(&from->b, from, in_k, s, t, b, gathered::of_b(tables));
    if ((WAY == MIK_WIDE || WAY == MIK_NARROW) && in_k < UK) {
        mik_clear_operand<typename S::a, UM, UK, THREADS>(&from->a, a, in_k);
        mik_clear_operand<typename S::b, UN, UK, THREADS>(&from->b, b, in_k);
    }
    from->whole--;
    from->k += UK;
    from->half ^= 1;
    gathered::next(s, from->k, from->half, tables);
}

/* The next UK steps of A and B, if they are wanted, where both tiles lie in the matrices, all of them. `rest` is how far a thread's first
   copy of the next buffer's steps is from its last one of these. */
template <class S, int UM, int UN, int UK, int THREADS>
MIK_DEVICE void mik_fetch_whole(mik_from *from, uint32_t a, uint32_t b, int64_t a_apart, int64_t a_rest, int64_t b_apart, int64_t b_rest,
                                bool wanted)
{
    mik_chunks<typename S::a, UM, UK, THREADS>::copy_whole(a, &from->a.at, a_apart, wanted);
    mik_chunks<typename S::b, UN, UK, THREADS>::copy_whole(b, &from->b.at, b_apart, wanted);
    mik_go_on(&from->a.at, a_rest);
    mik_go_on(&from->b.at, b_rest);
}
