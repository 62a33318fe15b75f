/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels that are there before they are launched. */
#pragma once
#include "host_config.cuh"

/* Loads a kernel where it is loaded lazily: what its first launch would do, and must not while a stream is captured. */
static cudaError_t mik_load(const void *kernel)
{
    cudaFuncAttributes what;
    return cudaFuncGetAttributes(&what, kernel);
}
