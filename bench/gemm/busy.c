/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A neighbour that copies 64 MB of memory from here to there, until it is killed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 << 20 };

int main(void)
{
    char *from = malloc(BYTES), *to = malloc(BYTES);
    if (!from || !to) {
        perror("busy");
        return 1;
    }
    memset(from, 1, BYTES);
    for (;;) {
        memcpy(to, from, BYTES);
        __asm__ volatile("" : : "r"(to) : "memory");
    }
}
