int f(float *a, int k)
{
    for (int i = 0; i < 3; i++)
        switch (k) {
        case 0: a[i] = 1.0f; break;
        case 1: return i;
        default: a[i] = 2.0f;
        }
    return 0;
}
