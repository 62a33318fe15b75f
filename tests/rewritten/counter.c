/* SPDX-License-Identifier: GPL-3.0-or-later */
/* __COUNTER__ counts on where it stands, through macros too, and in the order of the text. */
// has: __COUNTER__ + w * 3
// lacks: const int x = 4
#include <stdio.h>
#define PASTE(a, b) a##b
#define NAME(a, b)  PASTE(a, b)
#define NEXT        (__COUNTER__)
#define UNIQUE(v)   NAME(v, __COUNTER__)
#define TWICE(x)    ((x) + (x))

int sum(int n, int w)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += w * 3 + __COUNTER__;
    return s;
}
int after_sum = __COUNTER__;

int header(int n, int w)
{
    int s = 0;
    for (int i = __COUNTER__; i < n * w + NEXT; i += 1 + NEXT % 2)
        s += w * 5;
    for (int i = NEXT; i < n; i++)
        s += w * 3 + TWICE(NEXT);
    while (s > NEXT * 1000 + w * 3)
        s -= NEXT + w * 3;
    return s;
}
int after_header = __COUNTER__;

int declared(int n, int w)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        const int x = __COUNTER__ + w * 3, y = __COUNTER__ * 2;
        int a[NEXT + 1], b[2] = {0};
        int UNIQUE(v) = w * 3;
        a[NEXT % 2] = w * 3;
        b[1] = a[0] = x + y;
        s += x * y + (int)sizeof a + b[1] + NEXT * (w * 3);
    }
    return s;
}
int after_declared = __COUNTER__;

/* Two conditions that are the same: what is behind `else` stands in front of what comes next. */
int branches(int n, int w, int c)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (c < w * 3)
            s += __COUNTER__;
        else
            s -= __COUNTER__ + w * 3;
        if (c < w * 3)
            s += 10 * __COUNTER__ + w * 3;
        else
            s -= 10 * __COUNTER__;
        s += i < w * 3 && NEXT > 3 && c > 1 ? NEXT : NEXT * 2;
        switch (i + NEXT * 0) {
        case 1: s += NEXT; break;
        default: s += NEXT + w * 3;
        }
    }
    return s;
}
int after_branches = __COUNTER__;

int main(void)
{
    printf("%d %d\n", sum(3, 4), after_sum);
    printf("%d %d\n", header(5, 4), after_header);
    printf("%d %d\n", declared(3, 4), after_declared);
    printf("%d %d %d\n", branches(3, 4, 2), branches(3, 4, 200), after_branches);
    return 0;
}
