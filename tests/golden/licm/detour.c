// options:
// Conversions there and back change nothing: arms of a choice are equal without them. What one sum of unsigned adds to another, because it has
// been made safe from overflow, stays a sum of its own, and (unsigned)-4 is a number like others.
int detour(int *restrict C, int n, int m, int c)
{
    unsigned gu = n;
    volatile int seen = 0;
    for (int i = 3; i < n; i++) {
        for (int j = 3; j < m; j++)
            seen = (unsigned)1 + (4 - m);
        int a, b;
        for (a = 0, b = 9; a < 6; a++, b--)
            gu = ((b + a) - c) + ((b ? m : m) - (n - m));
        C[i] += C[(gu - 676 + -((int)sizeof(int))) % 4];
        C[0] += gu * 5 * (unsigned short)-7;
        gu = (C[i] & 7) * ((int)gu + n == c ? gu : (unsigned)(int)gu);
    }
    return seen;
}
