#include <assert.h>
#include <stdio.h>
// What is not understood stays as text that names its variables.
struct point {
    float x, y[3];
};
int external(int, const float *);
void f(float *restrict a, int *b, struct point *s, FILE *log, int n)
{
    typedef float real;
    float local[4];
    float row[2][2] = {{1, 2}, {3, 4}};
    int c = 0, seen;
    for (int i = 0; i < n; i++) {
        real x = i;
        a[c++] = x;
        *b = i;
        s->x = a[i];
        b[0] = b[1] = 3;
        seen = i, c = 0;
        external(i, local);
        external(i, row[1]);
        external(i, &a[3]);
        c = external(i, a);
        fprintf(log, "%d\n", i);
        assert(i < n);
        (void)seen;
        asm volatile("" : "+r"(c) : : "memory");
        extern int other;
        other = i;
    }
}
