// Integers have nodes of their own; of floating numbers they are functions.
__global__ void clamp(float *a, const long *n, unsigned m)
{
    for (int i = 0; i < min(m, 7); i++)
        a[max(i, n[i])] = min(a[i], 1.0f) + max(n[i], 2);
}
