// options: --hint=blockIdx.x:0:65535
__global__ void cuda_small(const float *restrict A, float *restrict C)
{
    for (int x = 0; x < 8; ++x)
        for (int r = 0; r < 4; ++r)
            C[blockIdx.x * 1024 + threadIdx.x * 32 + x * 4 + r] = A[x * 4 + r];
}
