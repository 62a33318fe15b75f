__global__ void barrier_if(int *restrict C, int n)
{
    __shared__ int S[32];
    for (int k = 0; k < 8; ++k)
        if (n < 4) {
            __syncthreads();
            S[threadIdx.x] = k;
            __syncthreads();
            C[blockIdx.x * 32 + threadIdx.x] = S[(threadIdx.x + 1) % 32];
        }
}
