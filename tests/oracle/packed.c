/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights prepacked: they are what is read, wherever they lie; what is not packed, or not for these extents, is refused. */
#include "packed_dyn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 13, N = 70, K = 37 };

static float a[M * K], w[K * N], c[M * N], expected[M * N], square[N * N], wide[M * N], d[N];
static int passed, failed;

static void check(int good, const char *what)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAILED: %s\n", what);
}

static char rooms[3][65536];
static int used;

static void *aligned(size_t size)
{
    char *p = rooms[used];
    if (used++ == 3 || size + 64 > sizeof rooms[0])
        exit(2);
    return p + (64 - (size_t)p % 64) % 64;
}

/* Is c still what it was before a call that was refused? */
static int untouched(void)
{
    for (int i = 0; i < M * N; i++)
        if (c[i] != -1)
            return 0;
    return 1;
}

static void refuse(const void *packed, int n, int status, const char *what)
{
    for (int i = 0; i < M * N; i++)
        c[i] = -1;
    check(product_packed(M, n, K, a, packed, c) == status && untouched(), what);
}

/* Bytes packed once: what each instruction set makes of them, however many rows there are. */
static void check_bytes(void)
{
    static unsigned char u[M * K];
    static signed char v[N * K];
    static int sums[M * N], exact[M * N];
    for (int i = 0; i < M * K; i++)
        u[i] = (unsigned char)(i * 37 % 256);
    for (int i = 0; i < N * K; i++)
        v[i] = (signed char)(i * 91 % 256 - 128);
    const size_t size = bytes_W_size(N, K);
    void *packed = malloc(size + 64), *at = (char *)packed + (64 - (size_t)packed % 64) % 64;
    check(bytes(M, N, K, u, v, exact) == MIKGEN_OK && bytes_W_pack(N, K, v, at) == MIKGEN_OK, "packing bytes");
    memset(v, 0, sizeof v);
    check(size < 2 * sizeof v, "weights that stay bytes");
    for (int isa = 0; isa <= 5; isa++)
        for (int rows = 1; rows <= M; rows++) {
            mikgen_options options = {0};
            options.isa = isa;
            memset(sums, 0, sizeof sums);
            const int status = bytes_packed_with(&options, rows, N, K, u, at, sums);
            check(status == MIKGEN_UNSUPPORTED || (status == MIKGEN_OK && memcmp(sums, exact, (size_t)rows * N * sizeof *sums) == 0),
                  "bytes on an instruction set");
        }
    check(bytes_packed(M, N, K, u, v, sums) == MIKGEN_NOT_PACKED, "bytes that are not packed");
    free(packed);
}

/* bf16 whose products are subnormal numbers of float, which AVX512-BF16 takes for zeros: what is packed says so. */
static void check_brains(void)
{
    static uint16_t x[M * K], y[K * N];
    for (int i = 0; i < M * K; i++)
        x[i] = (uint16_t)(0x1e80 + i % 128);
    for (int i = 0; i < K * N; i++)
        y[i] = (uint16_t)(0x1e80 + i % 97);
    char *packed = malloc(brains_W_size(N, K) + 64), *at = packed + (64 - (size_t)packed % 64) % 64;
    check(brains(M, N, K, x, y, expected) == MIKGEN_OK && brains_W_pack(N, K, y, at) == MIKGEN_OK, "packing bf16");
    check(expected[0] > 0 && brains_packed(M, N, K, x, at, c) == MIKGEN_OK && memcmp(c, expected, sizeof c) == 0, "small products");
    free(packed);
}

/* Two arrays packed together, after which a call needs neither; outputs may lie right behind what is packed, but not in it. */
static void check_digits(void)
{
    static short low[N * K], high[N * K];
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 5 - 2);
    for (int i = 0; i < N * K; i++) {
        low[i] = (short)(i * 37 % 1000 - 500);
        high[i] = (short)(i % 3);
    }
    const size_t size = digits_W_size(N, K);
    char *room = malloc(size + sizeof c + 64), *packed = room + (64 - (size_t)room % 64) % 64;
    check(digits(M, N, K, a, low, high, expected) == MIKGEN_OK && digits_W_pack(N, K, low, high, packed) == MIKGEN_OK, "packing digits");
    check(size < sizeof low, "few bits");
    check(digits_W_pack(N, K, low, NULL, packed) == MIKGEN_NULL_POINTER, "packing the first array alone");
    check(digits_W_pack(N, K, low, high, packed) == MIKGEN_OK && digits_packed(M, N, K, a, packed, (float *)(packed + size)) == MIKGEN_OK &&
              memcmp(packed + size, expected, sizeof expected) == 0,
          "outputs behind digits");
    check(digits_packed(M, N, K, a, packed, (float *)(packed + size - 4)) == MIKGEN_OVERLAP, "outputs in digits");
    check(digits_packed(0, N, K, NULL, packed, NULL) == MIKGEN_OK, "no rows of digits");
    free(room);
}

/* Rows packed once, whatever the instruction set and the number of columns, in one block of k or in several, by tiles or inner products. */
static void check_rows(void)
{
    enum { rows_k = 700, plans = 4 };
    static const int plan[plans] = {0, 0x80, 0x100, 0x42};
    static float w_rows[M * rows_k], b[rows_k * N], right[M * N];
    static signed char v[M * rows_k], y[rows_k * N];
    static uint16_t x[M * rows_k], z[rows_k * N];
    static int sums[M * N], exact[M * N];
    for (int i = 0; i < M * rows_k; i++)
        w_rows[i] = (float)(i % 7 - 3), v[i] = (signed char)(i * 37 % 256 - 128), x[i] = (uint16_t)(0x1e80 + i % 128);
    for (int i = 0; i < rows_k * N; i++)
        b[i] = (float)(i % 11 - 5), y[i] = (signed char)(i * 91 % 256 - 128), z[i] = (uint16_t)(0x1e80 + i % 97);
    char *packed = malloc(rows_W_size(M, rows_k) + 64), *at = packed + (64 - (size_t)packed % 64) % 64;
    char *byte_room = malloc(byte_rows_W_size(M, rows_k) + 64), *bytes_at = byte_room + (64 - (size_t)byte_room % 64) % 64;
    char *brain_room = malloc(brain_rows_W_size(M, rows_k) + 64), *brains_at = brain_room + (64 - (size_t)brain_room % 64) % 64;
    check(rows_W_pack(M, rows_k, w_rows, at) == MIKGEN_OK && byte_rows_W_pack(M, rows_k, v, bytes_at) == MIKGEN_OK &&
              brain_rows_W_pack(M, rows_k, x, brains_at) == MIKGEN_OK,
          "packing rows");
    check(byte_rows_W_size(M, rows_k) < 2 * sizeof v && brain_rows_W_size(M, rows_k) < 2 * sizeof x, "rows that stay narrow");
    for (int n = 1; n <= N; n += n < 9 ? 1 : 20) {
        rows(M, n, rows_k, w_rows, b, right);
        brain_rows(M, n, rows_k, x, z, expected);
        byte_rows(M, n, rows_k, v, y, exact);
        for (int isa = 0; isa <= 5; isa++)
            for (int i = 0; i < plans; i++) {
                mikgen_options options = {0};
                options.isa = isa, options.plan = plan[i];
                int status = rows_packed_with(&options, M, n, rows_k, at, b, c);
                check(status == MIKGEN_UNSUPPORTED || (status == MIKGEN_OK && memcmp(c, right, (size_t)(M * n) * sizeof *c) == 0), "rows");
                status = byte_rows_packed_with(&options, M, n, rows_k, bytes_at, y, sums);
                check(status == MIKGEN_UNSUPPORTED || (status == MIKGEN_OK && memcmp(sums, exact, (size_t)(M * n) * sizeof *sums) == 0),
                      "rows of bytes");
                status = brain_rows_packed_with(&options, M, n, rows_k, brains_at, z, c);
                int good = status == MIKGEN_OK;
                for (int j = 0; good && j < M * n; j++)
                    good = c[j] > 0.999f * expected[j] && c[j] < 1.001f * expected[j];
                check(status == MIKGEN_UNSUPPORTED || good, "rows of bf16, whose products are subnormal");
            }
    }
    free(packed), free(byte_room), free(brain_room);
}

int main(void)
{
    check_digits();
    check_brains();
    check_bytes();
    check_rows();
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < K * N; i++)
        w[i] = (float)(i % 11 - 5);
    const size_t size = product_W_size(N, K);
    char *packed = aligned(size), *other = aligned(size + 64);
    check(product(M, N, K, a, w, expected) == MIKGEN_OK, "the product");
    check(size >= sizeof w, "a size that holds the weights");
    check(product_W_pack(N, K, w, packed) == MIKGEN_OK, "packing");
    memset(w, 0, sizeof w);
    check(product_packed(M, N, K, a, packed, c) == MIKGEN_OK && memcmp(c, expected, sizeof c) == 0, "a call after the weights are gone");
    memcpy(other, packed, size);
    memset(packed, 0, size);
    check(product_packed(M, N, K, a, other, c) == MIKGEN_OK && memcmp(c, expected, sizeof c) == 0, "a call with a copy");
    for (int rows = 0; rows <= M; rows++) {
        memset(c, 0, sizeof c);
        check(product_packed(rows, N, K, a, other, c) == MIKGEN_OK && memcmp(c, expected, (size_t)rows * N * sizeof *c) == 0,
              "some of the rows");
    }
    refuse(packed, N, MIKGEN_NOT_PACKED, "what is not packed");
    refuse(other, N - 1, MIKGEN_NOT_PACKED, "other extents");
    memmove(other + 32, other, size);
    refuse(other + 32, N, MIKGEN_NOT_PACKED, "no alignment");
    memmove(other, other + 32, size);
    refuse(NULL, N, MIKGEN_NULL_POINTER, "no address");
    check(product_W_pack(N, K, NULL, packed) == MIKGEN_NULL_POINTER && product_W_pack(N, K, w, NULL) == MIKGEN_NULL_POINTER,
          "packing nothing");
    check(product_W_pack(-1, K, w, packed) == MIKGEN_NEGATIVE_EXTENT && product_W_size(-1, K) == 0, "packing less than nothing");
    check(product_packed(M, 0, K, a, NULL, c) == MIKGEN_OK && product_packed(0, N, K, NULL, other, NULL) == MIKGEN_OK, "no outputs");
    for (int i = 0; i < N * N; i++)
        square[i] = (float)(i % 13);
    packed = aligned(diagonal_W_size(N));
    check(diagonal_W_pack(N, square, packed) == MIKGEN_OK, "packing for two uses");
    memset(square, 0, sizeof square);
    check(diagonal_packed(M, N, wide, packed, c, d) == MIKGEN_OK, "a call that reads the weights twice");
    for (int j = 0; j < N; j++)
        check(d[j] == (float)(j * (N + 1) % 13), "the weights as they were");
    refuse(packed, N, MIKGEN_NOT_PACKED, "the weights of another operator");
    char text[4000] = "";
    check(product_packed_explain_with(NULL, M, N, K, text, sizeof text) > 0 && strstr(text, "prepacked"), "an explanation");
    check(product_packed_explain_with(NULL, 1, 2048, 2048, text, sizeof text) > 0 && strstr(text, "prepacked"), "that of a row");
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
