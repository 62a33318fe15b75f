/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How a block finds its work: pieces of tiles. */
#pragma once
#include "problem.cuh"

/* What is left to a block: steps `at` to `end` - 1 of a region. */
typedef struct {
    int64_t at, end;
} mik_span;

/* Steps `step` to `step` + `steps` - 1 of one tile, which starts at row m and column n of batch b and has `rows` rows and
   `cols` columns inside the region. */
typedef struct {
    int64_t b, m, n;
    int step, steps, rows, cols;
    int tile; /* its number, where tiles are shared */
} mik_piece;

/* A block's first step, of the numbered ones. */
MIK_DEVICE int64_t mik_first_step(const mik_region *r, int64_t block) { return block * r->share - block / r->parts * r->missing; }

MIK_DEVICE mik_span mik_my_span(const mik_region *r, int64_t block)
{
    const int64_t all = r->tiles * r->steps, next = mik_first_step(r, block + 1);
    mik_span span;
    span.at = mik_first_step(r, block);
    span.end = next < all ? next : all;
    return span;
}

/* Steps `step` to `step` + `steps` - 1 of a tile, by its number: as many as a launch has blocks, at most. Tiles are numbered down columns
   of 8 tiles, then to the right, then in the next 8 rows of tiles, so that those that are computed at the same time share operands in the
   cache. */
MIK_DEVICE mik_piece mik_piece_of(int number, int step, int steps, const mik_region *r, int um, int un)
{
    mik_piece t;
    t.tile = number;
    t.step = step;
    t.steps = steps;
    const unsigned m_tiles = (unsigned)r->m_tiles, n_tiles = (unsigned)r->n_tiles, b = (unsigned)number / (m_tiles * n_tiles);
    const unsigned tile = (unsigned)number - b * (m_tiles * n_tiles), band = tile / (8 * n_tiles);
    const unsigned height = m_tiles - band * 8 < 8 ? m_tiles - band * 8 : 8, in_band = tile - band * 8 * n_tiles;
    t.b = r->b0 + b;
    t.m = r->m0 + (int64_t)(band * 8 + in_band % height) * um;
    t.n = r->n0 + (int64_t)(in_band / height) * un;
    t.rows = r->m1 - t.m < um ? (int)(r->m1 - t.m) : um;
    t.cols = r->n1 - t.n < un ? (int)(r->n1 - t.n) : un;
    return t;
}

/* The next piece of a span. */
MIK_DEVICE mik_piece mik_next_piece(const mik_span *span, const mik_region *r, int um, int un)
{
    const int64_t number = span->at / r->steps, left = span->end - span->at;
    const int step = (int)(span->at - number * r->steps);
    return mik_piece_of((int)number, step, left < r->steps - step ? (int)left : (int)r->steps - step, r, um, un);
}

/* Takes the next piece off a span. */
MIK_DEVICE mik_piece mik_take(mik_span *span, const mik_region *r, int um, int un)
{
    const mik_piece t = mik_next_piece(span, r, um, un);
    span->at += t.steps;
    return t;
}

/* Takes off the next piece, which mik_next_piece() has found, and finds it once more: that is cheaper than to keep more of it, and of the
   span, than its tile and steps in registers through a long loop. Behind that *w and *r are read again, too. */
MIK_DEVICE mik_piece mik_take_known(mik_span *span, const mik_piece *t, const mik_work **w, const mik_region **r, int um, int un)
{
    int number = t->tile, nothing = 0;
    asm volatile("" : "+r"(number), "+r"(nothing));
    *w += nothing;
    *r += nothing;
    span->at = number * (*r)->steps + t->step + t->steps;
    return mik_piece_of(number, t->step, t->steps, *r, um, un);
}

/* A or B. */
template <bool IS_B, class A, class B> struct mik_pick {
    typedef A type;
};
template <class A, class B> struct mik_pick<true, A, B> {
    typedef B type;
};

/* The part of an operand's business that its place decides: A has the rows of the output, B its columns. */
struct mik_of_a {
    static constexpr bool PACKED = false;
    MIK_DEVICE int64_t extent(const mik_problem *p) { return p->m; }
    MIK_DEVICE int64_t line(const mik_problem *p) { return p->a_m; }
    MIK_DEVICE int64_t step(const mik_problem *p) { return p->a_k; }
    MIK_DEVICE int64_t first(const mik_piece *t) { return t->m; }
    MIK_DEVICE int there(const mik_piece *t) { return t->rows; }
};

struct mik_of_b {
    static constexpr bool PACKED = false; /* its bytes are unpacked: codes */
    MIK_DEVICE int64_t extent(const mik_problem *p) { return p->n; }
    MIK_DEVICE int64_t line(const mik_problem *p) { return p->b_n; }
    MIK_DEVICE int64_t step(const mik_problem *p) { return p->b_k; }
    MIK_DEVICE int64_t first(const mik_piece *t) { return t->n; }
    MIK_DEVICE int there(const mik_piece *t) { return t->cols; }
};

/* A kernel's block: a piece after the other. */
template <class Tile> MIK_DEVICE void mik_run(const typename Tile::args &args, const mik_work &work)
{
    extern __shared__ __align__(128) char mik_shared[];
    mik_span span = mik_my_span(&work.region[0], blockIdx.x);
    do {
        int64_t block = blockIdx.x;
        Tile::piece(&args, &work, &work.region[0], &span, mik_shared);
        asm volatile("" : "+l"(block)); /* the end is found once more: cheaper than to keep it in registers through a long loop */
        span.end = mik_my_span(&work.region[0], block).end;
    } while (span.at < span.end);
}

/* Two regions in one launch, each with tiles of its own. */
template <class First, class Second> MIK_DEVICE void mik_run_twins(const typename First::args &args, const mik_work &work)
{
    extern __shared__ __align__(128) char mik_shared[];
    const int64_t second = (int64_t)blockIdx.x - work.region[0].blocks;
    mik_span span = mik_my_span(&work.region[second >= 0], second >= 0 ? second : (int64_t)blockIdx.x);
    if (second < 0)
        First::piece(&args, &work, &work.region[0], &span, mik_shared);
    else
        Second::piece(&args, &work, &work.region[1], &span, mik_shared);
}
