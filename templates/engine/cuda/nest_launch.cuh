/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Launches over the index spaces of loop nests. */
#pragma once
#include "host_config.cuh"
#include "nest_extents.cuh"

#if MIK_NEST_SIDES
/* The least power of two that is not below n, or `most`. */
static unsigned mik_side(int64_t n, unsigned most)
{
    unsigned side = 1;
    while (side < n && side < most)
        side *= 2;
    return side;
}

#endif
/* Enqueues a kernel whose blocks take side.x by side.y indices each, over all of e. A grid has limits. */
static cudaError_t mik_launch_points(const void *kernel, const void *args, const mik_extents *e, dim3 side, dim3 threads,
                                     cudaStream_t stream)
{
    const int64_t most_x = side.x * (int64_t)0x7fffffff, most_y = side.y * (int64_t)65535, most_z = 65535;
    mik_extents first = {};
    for (first.z = 0; first.z < e->z; first.z += most_z)
        for (first.y = 0; first.y < e->y; first.y += most_y)
            for (first.x = 0; first.x < e->x; first.x += most_x) {
                const int64_t x = e->x - first.x < most_x ? e->x - first.x : most_x;
                const int64_t y = e->y - first.y < most_y ? e->y - first.y : most_y;
                const int64_t z = e->z - first.z < most_z ? e->z - first.z : most_z;
                const dim3 grid((unsigned)((x + side.x - 1) / side.x), (unsigned)((y + side.y - 1) / side.y), (unsigned)z);
                void *params[3] = {(void *)args, &first, (void *)e};
                const cudaError_t error = cudaLaunchKernel(kernel, grid, threads, params, 0, stream);
                if (error != cudaSuccess)
                    return error;
            }
    return cudaSuccess;
}
#if MIK_NEST_ROWS

#if MIK_NEST_THREADS
/* The same for a kernel whose blocks of so many threads take `each` rows. */
static cudaError_t mik_launch_rows(const void *kernel, const void *args, const mik_extents *e, int each, unsigned threads,
                                   cudaStream_t stream)
#else
/* The same for a kernel whose blocks of 256 threads take `each` rows. */
static cudaError_t mik_launch_rows(const void *kernel, const void *args, const mik_extents *e, int each, cudaStream_t stream)
#endif
{
    const int64_t rows = e->x * e->y * e->z, most = each * (int64_t)0x7fffffff;
    int64_t first;
    for (first = 0; first < rows; first += most) {
        const int64_t left = rows - first < most ? rows - first : most;
        void *params[3] = {(void *)args, &first, (void *)&rows};
#if MIK_NEST_THREADS
        const cudaError_t error = cudaLaunchKernel(kernel, dim3((unsigned)((left + each - 1) / each)), dim3(threads), params, 0, stream);
#else
        const cudaError_t error = cudaLaunchKernel(kernel, dim3((unsigned)((left + each - 1) / each)), dim3(256), params, 0, stream);
#endif
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

#if MIK_NEST_PARTS
/* Parts begin behind what contractions keep at the beginning of a workspace. */
enum { MIK_PARTS_AT = 16384 };

/* How many blocks share a row of so many steps: 4096 steps for each, 1024 blocks in all. */
static int64_t mik_row_chunks(int64_t steps, int64_t rows)
{
    const int64_t most = 1024 / rows, wanted = steps / 4096;
    return wanted < 2 ? 1 : wanted < most ? wanted : most;
}

#endif
#endif
