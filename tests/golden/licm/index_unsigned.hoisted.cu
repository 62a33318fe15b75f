__global__ void index_unsigned(const float *restrict A, float *restrict C)
{
    const unsigned t0 = blockIdx.x * 256 + threadIdx.x * 8;
    for (unsigned k = 0; k < 8; ++k) {
        C[t0 + k] = A[threadIdx.x + (int)k];
    }
}
