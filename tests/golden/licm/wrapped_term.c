// options:
// What is unsigned arithmetic already keeps a temporary of its own: read again, the text of both would be one sum, or product.
#define AT(x) ((x) + 8)
#define TIMES(x) ((x) * 7)
void wrapped_term(int *restrict C, const int *restrict B, int n, int z, int w, int v)
{
    for (int i = 0; i < n; i++)
        if (B[i]) {
            C[AT((int)(3u + z * w))] += n;
            C[i] = TIMES((int)(5u * z));
            C[n] = w + (int)((unsigned)v - 3u - z) + 4;
            C[i + n] = (int)((unsigned)v + 3u) + i + 5 + w;
        }
}
