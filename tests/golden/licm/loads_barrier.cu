// options: --licm-loads=proven --licm-barrier=legal --unroll-limit=0
__global__ void loads_barrier(const int *restrict A, int *restrict C)
{
    __shared__ int S[32];
    for (int k = 0; k < 8; ++k) {
        S[threadIdx.x] = A[k * 32 + threadIdx.x];
        __syncthreads();
        C[blockIdx.x * 256 + k * 32 + threadIdx.x] = S[0];
        __syncthreads();
    }
}
