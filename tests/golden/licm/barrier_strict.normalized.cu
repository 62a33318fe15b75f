__global__ void barrier_strict(const float *restrict A, float *restrict C, int n)
{
    __shared__ float S[8192];
    for (int t = 0; t < 16; ++t) {
        for (int k = 0; k < 8; ++k) {
            S[threadIdx.x * 8 + k] = A[n * 512 + threadIdx.x * 8 + t * 64 + k];
        }
        __syncthreads();
        for (int q = 0; q < 8; ++q) {
            C[blockIdx.x * 128 + t * 8 + q] = S[n * 2 + q] * 2.0f;
        }
        __syncthreads();
    }
}
