// options: --hint=n:1:64
__global__ void barrier_strict(const float *restrict A, float *restrict C, int n)
{
  __shared__ float S[8192];
  for (int t = 0; t < 16; ++t) {
    const int t0 = ((int)threadIdx.x) * 8;
    const int t1 = n * 512 + t0 + t * 64;
    for (int k = 0; k < 8; ++k) {
      S[t0 + k] = A[t1 + k];
    }
    __syncthreads();
    const unsigned t2 = blockIdx.x * 128 + t * 8;
    const int t3 = n * 2;
    for (int q = 0; q < 8; ++q) {
      C[t2 + q] = S[t3 + q] * 2.0f;
    }
    __syncthreads();
  }
}
