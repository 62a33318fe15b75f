// options:
__global__ void index_unsigned(const float *restrict A, float *restrict C)
{
    for (unsigned k = 0; k < 8; ++k)
        C[k + blockIdx.x * 256 + threadIdx.x * 8] = A[threadIdx.x + k];
}
