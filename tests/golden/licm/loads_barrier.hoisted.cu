__global__ void loads_barrier(const int *restrict A, int *restrict C)
{
    __shared__ int S[32];
    const int t0 = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < 8; ++k) {
        S[threadIdx.x] = A[threadIdx.x + k * 32];
        __syncthreads();
        C[t0 + k * 32] = S[0];
        __syncthreads();
    }
}
