#include <cuda_fp16.h>
#include <cuda_runtime.h>
extern "C" {
__constant__ float coef[9];
__device__ int total;
}
#pragma mikgen hint(n, 1, 4096) hint(blockIdx.x, 0, 2147483646)
extern "C" __global__ void __launch_bounds__(256) k1(const float *__restrict__ A, float *__restrict__ C, int n)
{
    extern __shared__ float dyn[];
    __shared__ float S[16][17], T[16];
    __shared__ int flag;
    int tx = threadIdx.x, row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        S[tx][threadIdx.y] = A[k * n + row] * coef[k % 9];
        __syncthreads();
        T[tx] = fmaxf(T[tx], S[tx][0]) + rsqrtf(A[k]);
        __syncwarp(0xffffffff);
        dyn[tx] = __shfl_down_sync(0xffffffff, T[tx], 1);
        atomicAdd(&C[row], dyn[tx]);
        atomicAdd(&total, 1);
        __threadfence();
        flag = 1;
    }
#pragma unroll 4
    for (int i = 0; i < 8; ++i) {
        C[min(i, n)] = max(blockIdx.x, gridDim.x) + 1;
        double t = (double)warpSize;
    }
}
__device__ __forceinline__ static float helper(float x) { return x; }
