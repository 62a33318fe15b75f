/* What a text names may be hidden, or end with the text. */
int g(int);
void of_words(int *a, int n, int m)
{
    for (int i = 0; i < m; i++) {
        int k = i * m;
        {
            int n = a[i];
#ifdef NEVER
            a[i] = n;
#endif
            a[i] += n + k;
        }
    }
}
void of_trees(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > n) {
            for (int j = 0; j < 4; j++) {
                int n = a[j];
                a[j] = n + 1;
            }
        } else {
            a[i] = n
#ifndef NEVER
                   + 4
#endif
                ;
        }
    }
}
void in_parentheses(int *a, int c, int n)
{
    do {
        a[c] = n * n;
    } while ((c-- > 0) && n > 3);
}
