/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigen's product of mapped row-major matrices, compiled for this machine. */
#include <cstdio>

#include <Eigen/Core>

#include "library.h"

template <typename T> static bool product(int M, int N, int K, const void *A, const void *B, void *C)
{
    typedef Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> Matrix;
    Eigen::Map<Matrix>((T *)C, M, N).noalias() = Eigen::Map<const Matrix>((const T *)A, M, K) *
                                                 Eigen::Map<const Matrix>((const T *)B, K, N);
    return true;
}

extern "C" {
const Library libraries[] = {{"Eigen", {product<float>, product<double>}}, {nullptr, {nullptr, nullptr}}};
}

void set_threads(int n) { Eigen::setNbThreads(n); }

const char *describe(void)
{
    static char text[100];
    snprintf(text, sizeof text, "Eigen %d.%d.%d, %s", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
             Eigen::SimdInstructionSetsInUse());
    return text;
}
