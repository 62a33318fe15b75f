/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What __LINE__ and its like become depends on where they stand: a compiler that reads the rewritten text has the same. */
// markers
// has: s += w * 3 + __LINE__
// has: place(__LINE__, w * 3)
#include <stdio.h>
#include <string.h>
#define HERE   __LINE__
#define WHERE  place(HERE, __func__[0])
#define FAR(x) (x + __LINE__)
static int place(int line, int w) { return line * 10 + w; }

int lines(int n, int w)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += w * 3 + __LINE__;
        s += HERE * (w * 3) + FAR(w * 3);
        s += place(__LINE__, w * 3);
        s += WHERE;
        s += (int)strlen(__FILE__) * (w * 3) + (int)sizeof __FILE__ + (int)sizeof __func__ + __builtin_LINE();
        int a = __LINE__, b = w * 3;
        s += a + b + __builtin_LINE() * 2 + w * 3;
        if (s > w * 3 + HERE)
            s -= __LINE__;
    }
    return s;
}

int main(void)
{
    printf("%d\n", lines(3, 4));
    return 0;
}
