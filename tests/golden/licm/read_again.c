// options: --overflow=conditions
// What is printed is read as what it was: sums that conditions have made safe from overflow stay as they are written, numbers are numbers, and
// *(C + s) is C[s] also where C promotes s. Conversions that comparisons and arguments leave to C stay unwritten there, also when sums spell them.
int read_again(int *restrict C, int n, int m, int c)
{
    unsigned u = n;
    const short s = c & 3;
    for (int i = 1; i < n; i++) {
        if ((m ^ c) + (n + m) != 9)
            C[i] += i * m;
        C[i] += (C[i] + 3) + ~8;
        C[i] -= ((c ? 8 : 8) << 3) + C[0];
        C[0] += n > 3 ? C[s] : *(C + (s));
        u += (unsigned)(int)u + (C[i] & 7) + i * 3;
        if (c + (unsigned)(int)u == 7)
            C[0] += 2;
        u += (unsigned)n + (unsigned)(m & 15);
        u += -(4u * 0) + (c + i) + min(4, 667L) % 4;
        C[0] += (~13 & C[i]) & 7;
        C[0] += (4 > (c & 3)) + (u % 7 < n) + (int)max(u % 9, m & 15) % 5;
    }
    return u % 101;
}
