/* How a contraction on tensor cores brings tiles of A and B into shared memory.

   A tile's lines are contiguous in memory as in shared memory: along k where the operand's inner dimension is k, else along m or n.
   Aligned operands are copied; all others come by the widest copies there are, or element by element by the operand's own function. */
#pragma once
#include "copy.cuh"
#include "tables.cuh"

/* Where the next steps of a piece's operand are: the first element that the tile needs, bytes from line to line and from one
   buffer's steps to the next; how wide copies may be, 0 where elements come one by one. */
typedef struct {
    const char *at;
    int64_t line, step;
    int width;
} mik_stream;

/* Of both operands; `left` steps are left, from step k on. */
typedef struct {
    mik_stream a, b;
    int64_t k, left;
    int half; /* of the tables of steps, for the next buffer */
} mik_from;

/* Words of so many bytes. */
template <int BYTES> struct mik_word;
template <> struct mik_word<1> { typedef uint8_t type; };
template <> struct mik_word<2> { typedef uint16_t type; };
template <> struct mik_word<4> { typedef uint32_t type; };
template <> struct mik_word<8> { typedef uint64_t type; };

/* The bits of an element, as words are put together from them. */
template <typename T> MIK_DEVICE typename mik_word<sizeof(T)>::type mik_bits(T x)
{
    return *(typename mik_word<sizeof(T)>::type *)&x;
}

/* The order of chunks in lines of an operand's tile: see mik_swizzle. */
template <class O> constexpr int mik_order = O::BYTES == 8 || (O::BYTES == 4 && !O::K_INNER) ? 1 : O::BYTES == 1 && !O::K_INNER ? 2 : 0;

template <class S, class O> MIK_DEVICE mik_stream mik_start_operand(const typename S::args *s, const mik_problem *p, const mik_piece *t, int64_t k, int uk)
{
    mik_stream x = {};
    if constexpr (O::IN_PLACE)
        if (O::is_in_place(p) && (O::K_INNER ? O::step(p) : O::line(p)) == 1) {
            x.at = (const char *)(O::address(s, t->b) + O::first(t) * O::line(p) + k * O::step(p));
            /* What does not exist has an address, too. */
            x.line = (O::K_INNER ? O::lines(p) : p->k) > 1 ? (O::K_INNER ? O::line(p) : O::step(p)) * O::BYTES : 0;
            x.step = (O::K_INNER ? (int64_t)uk : uk * O::step(p)) * O::BYTES;
            x.width = mik_width(x.at, x.line);
        }
    return x;
}

/* Where a piece's operands start. */
template <class S> MIK_DEVICE mik_from mik_start(const typename S::args *s, const mik_work *w, const mik_piece *t, int uk)
{
    const mik_problem *const p = &w->p;
    const int64_t k = (int64_t)t->step * uk;
    mik_from from = {};
    from.k = k;
    from.left = p->k - k;
    from.a = mik_start_operand<S, typename S::a>(s, p, t, k, uk);
    from.b = mik_start_operand<S, typename S::b>(s, p, t, k, uk);
    return from;
}

/* Of a gathered operand: 16 bytes of a line at a time. */
template <class S, class O, int LINES, int UK, int THREADS>
MIK_DEVICE void mik_gather_chunks(const typename S::args *s, const mik_piece *t, uint32_t to, int in_k, int half, const char *table)
{
    typedef typename O::spot spot;
    constexpr int CHUNKS = UK * O::BYTES / 16, COPIES = LINES * CHUNKS;
    const spot *const spots = (const spot *)table, *const steps = spots + LINES + half * UK;
#pragma unroll 4
    for (int i = 0; i < (COPIES + THREADS - 1) / THREADS; i++) {
        const int e = (int)threadIdx.x + i * THREADS, line = (int)((unsigned)e / CHUNKS), at = (int)((unsigned)e % CHUNKS) * (16 / O::BYTES);
        if (COPIES % THREADS != 0 && e >= COPIES)
            break;
        const bool there = line < O::there(t) && at < in_k && mik_hits(&spots[line], &steps[at]);
        mik_cp_async<16>(to + mik_place(line, at * O::BYTES, CHUNKS, mik_order<O>), O::array(s) + (there ? spots[line].at + steps[at].at : 0), there ? 16 : 0);
    }
}

/* Of any operand: element by element, and a word at a time; where an element is wider, that. */
template <class S, class O, int LINES, int UK, int THREADS>
MIK_DEVICE void mik_fetch_elements(const typename S::args *s, const mik_piece *t, uint32_t to, int64_t first_k, int in_k, int half, const char *table)
{
    typedef typename mik_word<(O::BYTES < 8 ? 4 : 8)>::type word_type;
    constexpr int WORD = (int)sizeof(word_type) / O::BYTES, LENGTH = (O::K_INNER ? UK : LINES) / WORD, WORDS = (O::K_INNER ? LINES : UK) * LENGTH;
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
                if (l < O::there(t) && k < in_k && mik_hits(&spots[l], &steps[k]))
                    word |= (word_type)mik_bits(O::array(s)[spots[l].at + steps[k].at]) << (j * O::BYTES * 8);
            } else {
                if (line < in_lines && x < in_length)
                    word |= (word_type)mik_bits(O::element(s, t->b, O::first(t) + l, first_k + k)) << (j * O::BYTES * 8);
            }
        }
        mik_store(to + mik_place(line, at * (int)sizeof(word_type), CHUNKS, mik_order<O>), word);
    }
}

/* The next UK steps of one operand. */
template <class S, class O, int LINES, int UK, int THREADS, bool ALIGNED>
MIK_DEVICE void mik_fetch_operand(mik_stream *x, const mik_from *from, const typename S::args *s, const mik_piece *t, uint32_t to, const char *table)
{
    constexpr int COUNT = O::K_INNER ? LINES : UK, CHUNKS = (O::K_INNER ? UK : LINES) * O::BYTES / 16, ORDER = mik_order<O>;
    const int in_k = from->left < UK ? (int)from->left : UK;
    const int in_lines = O::K_INNER ? O::there(t) : in_k, bytes = (O::K_INNER ? in_k : O::there(t)) * O::BYTES;
    if constexpr (ALIGNED && O::GATHERED) {
        mik_gather_chunks<S, O, LINES, UK, THREADS>(s, t, to, in_k, from->half, table);
    } else if constexpr (ALIGNED) {
        mik_copy_chunks<16, COUNT, CHUNKS, ORDER, THREADS>(to, x->at, x->line, in_lines, bytes);
        x->at += x->step;
    } else if (O::IN_PLACE && x->width > 0) {
        mik_copy<typename mik_word<O::BYTES>::type, COUNT, CHUNKS, ORDER, THREADS>(x->width, to, x->at, x->line, in_lines, bytes);
        x->at += x->step;
    } else {
        mik_fetch_elements<S, O, LINES, UK, THREADS>(s, t, to, from->k, in_k, from->half, table);
    }
}

/* The next UK steps of A and B, ALIGNED both to 16 bytes or wherever they come from; what lies outside the extents becomes zero. */
template <class S, int UM, int UN, int UK, int THREADS, bool ALIGNED>
MIK_DEVICE void mik_fetch(mik_from *from, const typename S::args *s, const mik_piece *t, uint32_t a, uint32_t b, char *tables)
{
    mik_fetch_operand<S, typename S::a, UM, UK, THREADS, ALIGNED>(&from->a, from, s, t, a, tables);
    mik_fetch_operand<S, typename S::b, UN, UK, THREADS, ALIGNED>(&from->b, from, s, t, b, mik_table_of_b<S, UM, UK>(tables));
    from->left -= UK;
    from->k += UK;
    if constexpr (mik_gathers<S>) {
        from->half ^= 1;
        mik_next_steps<S, UM, UN, UK, THREADS>(s, from->k, from->half, tables);
    }
}
