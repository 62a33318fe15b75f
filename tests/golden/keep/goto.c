void f(float *a)
{
    for (int i = 0; i < 3; i++) {
        if (a[i] > 0)
            goto done;
        a[i] = 1.0f;
    }
done:
    a[0] = 2.0f;
}
