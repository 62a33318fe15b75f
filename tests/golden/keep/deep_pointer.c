float f(float **rows, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        if (rows[i][0] > 0)
            sum += 1;
    return sum;
}
