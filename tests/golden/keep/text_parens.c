// Parentheses around texts: none twice, and none lost.
int f(const int *p, int n, int k)
{
    int i = 0, j = ((k = n), n);
    do
        i++;
    while ((i < n) && (p[k = i] != 0) && (k = 1, k));
    return i + j;
}

struct flags {
    unsigned first : 5;
};

int g(const struct flags *s, int n)
{
    int i = 0;
    while ((s->first) && i < n)
        i++;
    return i;
}
