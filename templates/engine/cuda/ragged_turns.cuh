/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Ragged batches of several products, whose iterations may not run in any order. */
#pragma once
#include "ragged.cuh"

/* A factor, wherever it comes from. */
template <class O, class Args> MIK_DEVICE typename O::type mik_factor(const Args *s, int64_t b, int64_t line, int64_t k)
{
    if constexpr (O::GATHERED) {
        int64_t at[2][O::spot::COUNT + 1];
        typename O::spot place, step;
        O::place_line(s, b, line, at[0]);
        O::place_step(s, k, at[1]);
        O::spot::set(&place, at[0]);
        O::spot::set(&step, at[1]);
        return O::spot::hits(&place, &step) ? O::array(s)[place.at + step.at] : (typename O::type)0;
    } else {
        return O::element(s, b, line, k);
    }
}

/* A product by the threads of a block, each a sum at a time. */
template <class Product> MIK_DEVICE void mik_multiply_by_threads(const typename Product::args *s)
{
    typedef typename Product::traits S;
    mik_problem p;
    Product::problem(s, &p);
    const int64_t outputs = p.m > 0 && p.n > 0 ? p.m * p.n : 0;
#pragma unroll 1
    for (int64_t b = 0; b < p.batch; b++)
#pragma unroll 1
        for (int64_t e = threadIdx.x; e < outputs; e += blockDim.x) {
            const int64_t m = e / p.n, n = e % p.n;
            typename S::sum sum = 0;
#pragma unroll 1
            for (int64_t k = 0; k < p.k; k++)
                sum += (typename S::sum)mik_factor<typename S::a>(s, b, m, k) * (typename S::sum)mik_factor<typename S::b>(s, b, n, k);
            S::epilogue(s, b, m, n, sum);
        }
    __syncthreads();
}

/* One block: all products of an iteration, then those of the next. It does nothing where launches for each product have run. */
template <class Batch, class... Products> MIK_DEVICE void mik_run_turns(const typename Batch::args &args)
{
    typename Batch::args own = args;
    const int64_t count = Batch::count(&args);
    if (mik_are_in_order<Batch>(args, count))
        return;
#pragma unroll 1
    for (int64_t i = 0; i < count; i++) {
        int64_t first, end;
        Batch::group(&own, i, &first, &end);
        (mik_multiply_by_threads<Products>(&own), ...);
    }
}
