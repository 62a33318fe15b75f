// A label in text: what is known in front of it is not known behind it.
int f(int *a, int n, int k)
{
    int i = 0;
    for (i = 0; i < n; i++)
        a[i] = k * 3;
    switch (n) {
    case 1: k++;
    again: a[0] += k; break;
    default: n--;
    }
    for (i = 0; i < n; i++)
        a[i] += k * 3;
    if (a[0] < n)
        goto again;
    return k;
}
