// options:
// Only one of these sums keeps its order: the constant of the other stands to the right of what does not change.
void right_nested(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j] += b[n * 3 + i * n + 16 + j] + b[n * 3 + i * n + (16 + j)];
}
