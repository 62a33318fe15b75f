// options:
// i*c steps with the loop over i, which compilers see in signed arithmetic alone: it stays. What stands still in all loops moves, and so
// does what is as wide as a pointer.
void step_outside(char *restrict C, const char *restrict B, int n, int c, int w, long d)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c; k++) {
            C[i * c + k] = B[k];
            C[w * c + k] += B[i * d + k];
        }
}
