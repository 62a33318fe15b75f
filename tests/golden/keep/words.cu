// The words that nvcc, or the toolkit's headers, know beside those of every kernel.
#ifdef WITH_HOST
#include <algorithm>
#include <functional>
#include <string>
#endif
struct __align__(16) Wide { float x, y, z, w; };
struct __builtin_align__(8) Pair { int x, y; };
__managed__ int count;
__device__ __noinline__ float twice(float x) { return x * 2; }
static __host__ __device__ __forceinline__ int same(int n) { return n; }
static __attribute__((__noinline__)) int again(int n) { return n; }
__device__ __inline_hint__ int hinted(int n) { return n + same(n); }
__device__ __nv_pure__ int pure(int n) { return n; }
__global__ void __maxnreg__(64) few(float *a) { a[0] = pure(hinted(1)); }
__global__ void __cluster_dims__(2, 1, 1) near(float *a) { a[0] = 1; }
__global__ void __launch_bounds__(128, 2) kernel(float *__restrict__ a, const __grid_constant__ int n, int m)
{
    __shared__ __align__(16) float t[32];
    for (int i = 0; i < n; i++)
        if (m > 3 && i < n)
            a[i * m + threadIdx.x] = twice(a[i]) + m * n + t[i & 31];
}
int host(int n) { return again(n); }
