// Loops inside a switch: its labels, and what leaves it, are texts.
int f(int *a, int n, int m, int kind)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        switch (kind * m) { // by what it is
        case 0:             // nothing
        case 1: // one
        {
            int twice = a[i] * 2;
            for (int j = 0; j < m; j++)
                a[j] += i * m + twice; /* in place */
            break;
        }
#ifdef MORE
        case 17: a[0]++;
#endif

        /* falls in */
        case 2:
            while (sum < n)
                sum += i * m;
            if (sum > 3)
                continue;
            for (int j = 0; j < m; j++) {
                if (a[j] == i * m)
                    break;
                switch (a[j]) {
                case 5: sum++; break;
                }
            }
            break;
#if defined(NEVER)
            sum = 3;
#endif
        case 3: ; // nothing either
        default: ;
        }
        sum += i * m;
    }
    switch (n)
    case 3:
        for (i = 0; i < n; i++)
            a[i]++;
    switch (n) {
        int late;
    case 1:
        for (late = 0; late < n; late++)
        case 2: a[late]++;
    }
    return sum;
}
