/* What an operator uses of a file is told where it stands in it. */
static float bad(float x)
{
    float *p = &x;
    return *p;
}

static float not_used(float *x) { return *x; }

void other(int N, float y[N]) { y[0] = 1; }
static int some = 2;
