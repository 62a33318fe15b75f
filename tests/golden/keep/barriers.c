/* What a switch may pass, or a goto jump over, is divided only there. */
int barriers(int *restrict C, int n, int d, int k)
{
    for (int i = 0; i < 16; i++) {
        switch (k) {
        case 1:
            for (int l = 0; l < 16; l++)
                C[l] += n / d + l;
            break;
        default: C[i] = i;
        }
        for (int j = 0; j < 16; j++) {
            if (C[j] == n)
                goto out;
            C[j] += n % d + j;
        }
    }
out:
    return n;
}
