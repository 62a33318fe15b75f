/* SPDX-License-Identifier: GPL-3.0-or-later */
// CUTLASS' products of half matrices on tensor cores of sm_80, as its default configurations have them, one for each tile that TILES
// names.
#include <cutlass/gemm/device/gemm.h>

template <class B, int M, int N, int K, int WARP_M, int WARP_N, int STAGES> struct tile {
    using product = typename cutlass::gemm::device::Gemm<
        cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, B, cutlass::half_t, cutlass::layout::RowMajor, float,
        cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, cutlass::gemm::GemmShape<M, N, K>, cutlass::gemm::GemmShape<WARP_M, WARP_N, K>,
        cutlass::gemm::GemmShape<16, 8, 16>, cutlass::epilogue::thread::LinearCombination<cutlass::half_t, 8, float, float>,
        cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, STAGES>::GemmKernel;
};
#define TILE(...) \
    template __global__ void cutlass::Kernel<tile<B_LAYOUT, __VA_ARGS__>::product>(tile<B_LAYOUT, __VA_ARGS__>::product::Params);
TILES
