// Read as C with declarations of its own, or as C++ with the toolkit's headers, a kernel becomes the same.
__global__ void threshold(const float *a, float *b, int n, int m, bool above)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float most[256];
    bool any = false;
    for (int i = 0; i < m; i++) {
        const bool inside = row < n && i < n - 1;
        if (inside && above && !any) {
            most[threadIdx.x] = fmaxf(a[row * m + i], sqrtf(a[row]));
            any = most[threadIdx.x] > 1.0f;
        }
        b[row * m + i] = above == any ? min(row, m) * 2.0f : rsqrtf(a[row] + 1);
    }
}
