// Braces that only C++ sees close nothing.
#ifdef __cplusplus
extern "C" {
#endif
void linkage(int *restrict C, int n)
{
    for (int i = 0; i < 64; i++)
        C[i] = n * 3 + i;
#ifdef __cplusplus
    }
#endif
}
