__global__ void twice(float *a, int n)
{
    a[threadIdx.x] = a[threadIdx.x] * 2 + n;
}

void all(float *a, int n, int times)
{
    for (int i = 0; i < times; i++)
        twice<<<n, 32>>>(a, i * n);
}
