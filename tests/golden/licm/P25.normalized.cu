__global__ void p25(const float *restrict A, float *restrict C)
{
    __shared__ float S[64];
    float acc = 0.0f;
    for (int k = 0; k < 16; ++k) {
        __syncthreads();
        S[threadIdx.x] = A[blockIdx.x * 1024 + threadIdx.x + k * 64];
        __syncthreads();
        for (int q = 0; q < 8; ++q) {
            acc = acc + S[threadIdx.x / 8 * 8 + q];
        }
    }
    C[blockIdx.x * 64 + threadIdx.x] = acc;
}
