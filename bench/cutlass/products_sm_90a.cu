/* SPDX-License-Identifier: GPL-3.0-or-later */
// CUTLASS' products of half matrices by warpgroups of sm_90a, as its builders have them, one for each tile that TILES names.
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

template <class B, int M, int N, int K, class Schedule, class Epilogue> struct tile {
    using shape = cute::Shape<cute::Int<M>, cute::Int<N>, cute::Int<K>>;
    using cluster = cute::Shape<cute::_1, cute::_1, cute::_1>;
    using half = cutlass::half_t;
    using row = cutlass::layout::RowMajor;
    using finish =
        typename cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, shape, cluster,
                                                                  cutlass::epilogue::collective::EpilogueTileAuto, float, float, half, row,
                                                                  8, half, row, 8, Epilogue>::CollectiveOp;
    using main = typename cutlass::gemm::collective::CollectiveBuilder<
        cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half, row, 8, half, B, 8, float, shape, cluster,
        cutlass::gemm::collective::StageCountAutoCarveout<(int)sizeof(typename finish::SharedStorage)>, Schedule>::CollectiveOp;
    using product = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, main, finish>;
};
using cutlass::epilogue::TmaWarpSpecialized;
using cutlass::epilogue::TmaWarpSpecializedCooperative;
using cutlass::gemm::KernelTmaWarpSpecialized;
using cutlass::gemm::KernelTmaWarpSpecializedCooperative;
using cutlass::gemm::KernelTmaWarpSpecializedPingpong;
#define TILE(...) \
    template __global__ void cutlass::device_kernel<tile<B_LAYOUT, __VA_ARGS__>::product>( \
        CUTLASS_GRID_CONSTANT tile<B_LAYOUT, __VA_ARGS__>::product::Params const);
TILES
