/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number is spelled as it is where it stands, by a macro only where that means the same, and by no other place's words. */
// has: w * 7;
// has: w * LATER;
// has: w * 9;
// has: w * SHIFT3;
// lacks: w * 'A'
// lacks: LIMIT +
// has: u * WIDTH
#include <stdio.h>
#define SHIFT 3
#define WIDTH 12
unsigned f(const unsigned *a, unsigned n, unsigned w)
{
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
        s += a[i] * (w * SHIFT) + w * 3u;
    return s;
}
#undef SHIFT
#define SHIFT 5
unsigned g(const unsigned *a, unsigned n, unsigned w)
{
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++)
        s += a[i] * (w * SHIFT) + w * 3u;
    return s;
}

/* A macro that comes later. */
unsigned early(int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += (i + w * (7 * 1u)) % 100;
    return s;
}
#define LATER 7u
unsigned late(int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += (i + w * LATER) % 100;
    return s;
}

/* One whose name is a variable where the number is printed. */
unsigned named(int n, unsigned w)
{
    unsigned SHIFT3 = 2, s = 0;
    for (int i = 0; i < n; i++)
        s += w * (3 * 3u) + i * SHIFT3;
    return s;
}
#define SHIFT3 9u
unsigned named_later(int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += w * SHIFT3 + i;
    return s;
}
#undef SHIFT3

/* Floating-point numbers, characters, sizes, constants of enumerations. */
#define HALF 0.5f
float floats(const float *a, int n, float w)
{
    float s = 0;
    for (int i = 0; i < 4; i++)
        s += a[i] * (w * HALF) + (float)n * 3;
    return s;
}
#undef HALF
#define HALF 0.25f
float more_floats(const float *a, float w)
{
    float s = 0;
    for (int i = 0; i < 4; i++)
        s += a[i] * (w * 0.5f);
    return s;
}
enum { RED = 65, BLUE = 8 };
unsigned others(int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++)
        s += w * RED + w * BLUE + w * (60 + 5u) + (unsigned)sizeof(long) * (w * 3);
    return s;
}
int letters(const char *t, int w)
{
    int s = 0;
    for (int i = 0; t[i]; i++)
        s += t[i] == 'A' ? w * 3 : w * 5;
    return s;
}
int shadowed(int n, int w)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        enum { RED = 2 };
        typedef char small;
        const int x = w * RED, y = w * (int)sizeof(small);
        {
            enum { RED = 3 };
            typedef long small;
            const int z = w * RED, u = w * (int)sizeof(small);
            s += x + y + z + u;
        }
    }
    return s;
}

/* Defined and undefined among the statements. */
int inside(int n, int w)
{
    int s = 0;
#define LIMIT 4
    s += w * LIMIT;
    for (int i = 0; i < n; i++) {
        s += LIMIT + w * LIMIT;
#undef LIMIT
#define LIMIT 6
        int x = w * LIMIT;
        s += x + i;
#undef LIMIT
#define LIMIT 4
        const int y = w * LIMIT;
        s += y;
    }
#undef LIMIT
    return s + w * 6;
}

/* Names that are macros, too. */
static int taken(int a, int b) { return a * 10 + b; }
#define taken(a) taken((a) + 1, 2)
struct point {
    int x, y;
};
#define y y + 0 * sizeof(int)
int captured(struct point *p, int n, int w1_)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += taken(i) + (taken)(i, w1_ * 3) + (int)(p->y) + w1_ * 3;
    return s;
}
#undef y

/* Other widths than one. */
long widths(long n, int w, unsigned u)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += w * WIDTH + i;
        s += u * WIDTH + n * WIDTH + -sizeof(int) + i;
        s -= -(w * 2 * 6);
    }
    return s;
}

/* A negative size is no long number. */
unsigned sizes(int n, unsigned long w)
{
    unsigned long s = 0;
    for (int i = 0; i < n; i++)
        s += (w ^ -sizeof(int)) + i;
    return (unsigned)s;
}
// has: w ^ -4ul

int main(void)
{
    const unsigned a[] = {1, 2};
    const float b[] = {1, 2, 3, 4};
    struct point p = {1, 2};
    printf("%u %u %u %u\n", f(a, 2, 5), g(a, 2, 3), early(3, 4), late(3, 4));
    printf("%u %u %g %g\n", named(3, 4), named_later(3, 4), floats(b, 3, 5), more_floats(b, 5));
    printf("%u %d %d %d\n", others(3, 4), letters("BANANA", 4), shadowed(3, 4), inside(3, 4));
    printf("%d %u %ld\n", captured(&p, 3, 4), sizes(3, 4), widths(3, 4, 5));
    return 0;
}
