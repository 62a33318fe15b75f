/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop that only reads: what no product of the same bytes can beat. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#define EVERY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_WIDTH
#endif

typedef uint64_t words __attribute__((vector_size(64)));

/* All bits of count / 256 * 256 bytes, folded into one word. */
EVERY_WIDTH uint64_t read_all(const void *p, size_t count)
{
    const char *at = p;
    words fold[4] = {{0}};
    for (size_t i = 0; i + 256 <= count; i += 256)
        for (int j = 0; j < 4; j++) {
            words x;
            memcpy(&x, at + i + 64 * (size_t)j, sizeof x);
            fold[j] ^= x;
        }
    fold[0] ^= fold[1] ^ fold[2] ^ fold[3];
    return fold[0][0] ^ fold[0][1] ^ fold[0][2] ^ fold[0][3] ^ fold[0][4] ^ fold[0][5] ^ fold[0][6] ^ fold[0][7];
}
