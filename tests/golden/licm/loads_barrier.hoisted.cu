// options: --licm-loads=proven --licm-barrier=legal --unroll-limit=0
__global__ void loads_barrier(const int *restrict A, int *restrict C)
{
  __shared__ int S[32];
  const unsigned t0 = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 8; ++k) {
    S[((int)threadIdx.x)] = A[((int)threadIdx.x) + k * 32];
    __syncthreads();
    C[t0 + k * 32] = S[0];
    __syncthreads();
  }
}
