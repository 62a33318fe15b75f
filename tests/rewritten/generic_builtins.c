/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of the compiler that have one name for several types: whatever stands beside them moves, they stay as written. */
// has: __sync_fetch_and_or(c, w * 3)
// lacks: __sync_fetch_and_or_4
#include <stdbool.h>
#include <stdio.h>
unsigned or (unsigned *c, int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        unsigned o1 = __sync_fetch_and_or(c, w * 3);
        int o2 = (int)__sync_add_and_fetch(c, 1u);
        s += o1 + (unsigned)o2 + w * 5;
    }
    return s;
}

long wide(long *c, short *d, char **e, int n, long w)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        long old = __sync_lock_test_and_set(c, w * 3 + i);
        short narrow = __sync_fetch_and_sub(d, (short)w);
        char *at = __sync_val_compare_and_swap(e, *e, *e + 1);
        s += old + narrow + *at + w * 7;
        if (__sync_bool_compare_and_swap(c, w * 3, w * 4))
            s += __sync_val_compare_and_swap(c, w * 4, w * 5);
        __sync_fetch_and_xor(c, w * 9);
        __sync_synchronize();
    }
    return s;
}

unsigned atomic(unsigned *c, unsigned char *d, int n, unsigned w)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        unsigned old = __atomic_fetch_add(c, w * 3, __ATOMIC_SEQ_CST), expected = old + w * 3;
        if (__atomic_compare_exchange_n(c, &expected, w * 5, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            s += __atomic_load_n(c, __ATOMIC_RELAXED) + w * 7;
        s += __atomic_exchange_n(d, (unsigned char)(w * 3), __ATOMIC_SEQ_CST);
        __atomic_store_n(d, (unsigned char)(w * 3 + s), __ATOMIC_RELEASE);
        while (__atomic_test_and_set(d, __ATOMIC_ACQUIRE))
            __atomic_clear(d, __ATOMIC_RELEASE);
    }
    return s;
}

long checked(const long *a, int n, long w)
{
    long s = 0, r;
    for (int i = 0; i < n; i++) {
        if (__builtin_add_overflow(a[i], w * 3, &r))
            s += w * 5;
        bool over = __builtin_mul_overflow(a[i], 3l, &r);
        s += over ? w * 7 : r / 4;
        s += __builtin_expect(a[i] > w * 5, 0) + __builtin_popcountl((unsigned long)a[i]) + __builtin_constant_p(a[i]);
    }
    return s;
}

int main(void)
{
    unsigned u = 1;
    long l = 2, a[] = {1, -2, 0x7fffffffffffffff, 40};
    short h = 3;
    char text[] = "abcdefgh", *at = text;
    unsigned char flag = 0;
    printf("%u %ld %u %ld\n", or (&u, 3, 4), wide(&l, &h, &at, 4, 5), atomic(&u, &flag, 3, 6), checked(a, 4, 3));
    printf("%u %ld %d %d %u\n", u, l, h, (int)(at - text), flag);
    return 0;
}
