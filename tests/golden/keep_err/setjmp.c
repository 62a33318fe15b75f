#include <setjmp.h>
jmp_buf place;
int retried(int n)
{
    int sum = 0;
    for (int i = 0; i < n * 3; i++)
        if (!setjmp(place))
            sum += n * 3;
    return sum;
}
