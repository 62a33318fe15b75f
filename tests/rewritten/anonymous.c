/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of structs and unions without a name are reached as those of the one around, by `->` and by `.`. */
// has: p->x + t0
// has: v.b.y
#include <stdio.h>
struct a {
    union {
        int x;
        float y;
    };
    struct {
        union {
            struct {
                short lo, hi;
            };
            unsigned all;
        };
        long far[3];
        unsigned bits : 3;
    };
};
struct b {
    struct a *to;
    struct {
        struct a b;
    };
};

int by_pointer(struct a *p, int n, int w)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p->x + w * 3;
    return s;
}

long nested(struct a *p, const struct a *q, int n, int w)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        p->all = (unsigned)(w * 65537 + i);
        s += p->lo + p->hi * 2 + q->far[i % 3] + w * 5;
        p->bits = (unsigned)(w * 7 + i);
        s += p->bits;
    }
    return s;
}

int by_name(int n, int w)
{
    struct b v = {0};
    struct b *p = &v;
    int s = 0;
    v.to = &v.b;
    for (int i = 0; i < n; i++) {
        v.b.y = (float)i + (float)w * 2.0f;
        s += p->b.x % 1000 + w * 3;
        p->b.lo = (short)(w * 3);
        s += v.b.all % 1000 + v.to->hi + w * 3;
    }
    return s;
}

int main(void)
{
    struct a s = {.x = 5, .far = {1, 2, 3}}, t = s;
    printf("%d %ld %d\n", by_pointer(&s, 4, 7), nested(&s, &t, 9, 11), by_name(6, 2));
    return 0;
}
