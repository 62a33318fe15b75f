/* The tables of gathered operands, in shared memory behind the ring of buffers: A's, then B's. A table has the part that each line of
   the operand decides, then that of two buffers' steps of k; without a gathered operand there is none. */
#pragma once
#include "piece.cuh"

template <class S> constexpr bool mik_gathers = S::a::GATHERED || S::b::GATHERED;

/* Where B's table starts. */
template <class S, int UM, int UK> MIK_DEVICE char *mik_table_of_b(char *tables)
{
    if constexpr (S::a::GATHERED)
        return tables + (UM + 2 * UK) * sizeof(typename S::a::spot);
    else
        return tables;
}

/* The part of one operand that steps of k decide. */
template <class S, class O, int LINES, int UK> MIK_DEVICE void mik_set_step(const typename S::args *s, int64_t k, int half, int e, char *table)
{
    if constexpr (O::GATHERED) {
        int64_t at[O::spot::COUNT + 1];
        O::place_step(s, k + e, at);
        mik_set_spot((typename O::spot *)table + LINES + half * UK + e, at);
    }
}

/* For the UK steps from k on, into one half of the tables. */
template <class S, int UM, int UN, int UK, int THREADS> MIK_DEVICE void mik_next_steps(const typename S::args *s, int64_t k, int half, char *tables)
{
    for (int e = (int)threadIdx.x; e < UK; e += THREADS) {
        mik_set_step<S, typename S::a, UM, UK>(s, k, half, e, tables);
        mik_set_step<S, typename S::b, UN, UK>(s, k, half, e, mik_table_of_b<S, UM, UK>(tables));
    }
}

/* The part of one operand that its lines decide. */
template <class S, class O, int LINES, int THREADS> MIK_DEVICE void mik_set_lines(const typename S::args *s, const mik_piece *t, char *table)
{
    if constexpr (O::GATHERED)
        for (int e = (int)threadIdx.x; e < LINES; e += THREADS) {
            int64_t at[O::spot::COUNT + 1];
            O::place_line(s, t->b, O::first(t) + e, at);
            mik_set_spot((typename O::spot *)table + e, at);
        }
}

/* The part that a tile's rows and columns decide, and the first steps. The barrier after it is the caller's. */
template <class S, int UM, int UN, int UK, int THREADS>
MIK_DEVICE void mik_places(const typename S::args *s, const mik_piece *t, int64_t k, char *tables)
{
    mik_set_lines<S, typename S::a, UM, THREADS>(s, t, tables);
    mik_set_lines<S, typename S::b, UN, THREADS>(s, t, mik_table_of_b<S, UM, UK>(tables));
    mik_next_steps<S, UM, UN, UK, THREADS>(s, k, 0, tables);
}
