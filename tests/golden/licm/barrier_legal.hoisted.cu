// options: --licm-barrier=legal
__global__ void barrier_legal(const float *restrict A, float *restrict C)
{
  __shared__ float S[64];
  float acc = 0.0f;
  const unsigned t0 = blockIdx.x * 1024 + threadIdx.x;
  const int t1 = ((int)threadIdx.x) / 8 * 8;
  for (int k = 0; k < 16; ++k) {
    __syncthreads();
    S[((int)threadIdx.x)] = A[t0 + k * 64];
    __syncthreads();
    for (int q = 0; q < 8; ++q) {
      acc = acc + S[t1 + q];
    }
  }
  C[blockIdx.x * 64 + threadIdx.x] = acc;
}
