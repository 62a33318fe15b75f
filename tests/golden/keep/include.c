// mikgen: -Iinclude -DCOUNT=64 -D ADD
#include "include/step.h"
#include <scale.h>
void f(float *restrict a)
{
    for (int i = 0; i < COUNT; i += STEP)
        a[i] = scaled(sqrtf(a[i])) + ADD;
}
