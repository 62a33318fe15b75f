/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of convolutions by Winograd's algorithm, beside sums in double, and what infinities and NaN do to outputs near them. See
   winograd.sh. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv.h"

enum { TWO = 0x1000000, FOUR = 0x2000000 };     /* of options.plan */
enum { IMAGES = 2, SIDE = 19, MOST = 192, OUTPUTS = 33 };
typedef enum { UNIFORM, POSITIVE, LOG_NORMAL, SPOTS, KINDS } Kind;

static float image[IMAGES][SIDE][SIDE][MOST], filter[3][3][MOST][OUTPUTS], output[IMAGES][SIDE][SIDE][OUTPUTS];
static int bad;

static double uniform(void) { return ((double)rand() + 0.5) / ((double)RAND_MAX + 1); }

static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }

static double drawn(Kind kind)
{
    switch (kind) {
    case UNIFORM: return 2 * uniform() - 1;
    case POSITIVE: return fmax(normal(), 0);
    case LOG_NORMAL: return exp(2 * normal());
    default: return (rand() % 50 == 0 ? 1e6 : 1) * normal();
    }
}

/* The pixel of a padded image, from channel c on; NULL: outside. The arrays' channels are packed: C of them. */
static const float *pixel(int C, int n, int h, int w)
{
    return h < 0 || h >= SIDE || w < 0 || w >= SIDE
               ? NULL
               : (const float *)image + (((size_t)n * SIDE + (size_t)h) * SIDE + (size_t)w) * (size_t)C;
}

static float weight(int C, int r, int s, int c, int k) { return ((const float *)filter)[((r * 3 + s) * C + c) * OUTPUTS + k]; }

/* One output in double, and the sum over channels of the largest pixel of its tile times the sum of its filter's weights. */
static double exact(int C, int n, int p, int q, int k, int m, double *scale)
{
    double sum = 0;
    *scale = 0;
    for (int c = 0; c < C; c++) {
        double largest = 0, weights = 0;
        for (int i = 0; i < m + 2; i++)
            for (int j = 0; j < m + 2; j++) {
                const float *x = pixel(C, n, p / m * m + i - 1, q / m * m + j - 1);
                largest = x ? fmax(largest, fabs((double)x[c])) : largest;
            }
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
                const float *x = pixel(C, n, p + r - 1, q + s - 1);
                sum += x ? (double)x[c] * (double)weight(C, r, s, c, k) : 0;
                weights += fabs((double)weight(C, r, s, c, k));
            }
        *scale += largest * weights;
    }
    return sum;
}

static void run(int C, int plan, const void *packed)
{
    const conv_options opt = {.plan = plan};
    memset(output, 0xff, sizeof output);
    const int status = packed
                           ? conv_packed_with(&opt, IMAGES, SIDE, SIDE, C, OUTPUTS, 3, 3, 1, (const float *)image, packed, (float *)output)
                           : conv_with(&opt, IMAGES, SIDE, SIDE, C, OUTPUTS, 3, 3, 1, (const float *)image, (const float *)filter,
                                       (float *)output);
    if (status) {
        printf("FAILED: status %d\n", status);
        exit(1);
    }
}

/* The largest error, in units of 2^-24 of the scale, of tiles of m x m outputs. */
static double error(int C, int m)
{
    double most = 0;
    for (int n = 0; n < IMAGES; n++)
        for (int p = 0; p < SIDE; p++)
            for (int q = 0; q < SIDE; q++)
                for (int k = 0; k < OUTPUTS; k += 7) {
                    double scale;
                    const double want = exact(C, n, p, q, k, m, &scale);
                    const double off = fabs((double)output[n][p][q][k] - want) / scale * 0x1p24;
                    most = off <= most ? most : off;   /* and NaN stays */
                }
    return most;
}

static void check_errors(Kind kind, int C)
{
    static const char *const names[] = {"uniform", "positive", "log-normal", "spots of 10^6"};
    const double weights = sqrt(2.0 / (9 * C));
    for (size_t i = 0; i < sizeof image / sizeof(float); i++)
        ((float *)image)[i] = (float)drawn(kind);
    for (size_t i = 0; i < sizeof filter / sizeof(float); i++)
        ((float *)filter)[i] = (float)(weights * normal());
    void *packed = aligned_alloc(64, conv_filter_size(C, OUTPUTS, 3, 3) / 64 * 64 + 64);
    if (!packed || conv_filter_pack(C, OUTPUTS, 3, 3, (const float *)filter, packed))
        exit(2);
    for (int i = 0; i < 3; i++) {
        const int m = i ? 4 : 2, limit = i ? 16 : 4;
        run(C, m == 2 ? TWO : FOUR, i == 2 ? packed : NULL);
        const double off = error(C, m);
        printf("%s, %d channels, %d x %d%s: %.2f of %d\n", names[kind], C, m, m, i == 2 ? ", prepacked" : "", off, limit);
        if (!(off <= limit)) {
            printf("FAILED\n");
            bad++;
        }
    }
    free(packed);
}

/* A NaN or an infinity among the pixels: outputs whose windows have it are no numbers; others are as they were where tiles are 2 x 2, or at
   least outside of the tiles that have it. */
static void check_special(float special, int m)
{
    enum { C = 16, H = 8, W = 11 };
    static float plain[IMAGES][SIDE][SIDE][OUTPUTS];
    for (size_t i = 0; i < sizeof image / sizeof(float); i++)
        ((float *)image)[i] = (float)drawn(UNIFORM);
    run(C, m == 2 ? TWO : FOUR, NULL);
    memcpy(plain, output, sizeof plain);
    *(float *)(uintptr_t)(pixel(C, 1, H, W) + 5) = special;
    run(C, m == 2 ? TWO : FOUR, NULL);
    for (int n = 0; n < IMAGES; n++)
        for (int p = 0; p < SIDE; p++)
            for (int q = 0; q < SIDE; q++) {
                const int in_window = n == 1 && abs(p - H) <= 1 && abs(q - W) <= 1;
                const int y = H + 1 - p / m * m, x = W + 1 - q / m * m; /* in the tile's pixels */
                const int in_tile = n == 1 && y >= 0 && y < m + 2 && x >= 0 && x < m + 2;
                for (int k = 0; k < OUTPUTS; k++) {
                    const float got = output[n][p][q][k];
                    const int same = memcmp(&got, &plain[n][p][q][k], sizeof got) == 0;
                    if (in_window ? isfinite(got) : !same && (m == 2 || !in_tile)) {
                        printf("FAILED: %g at a pixel, %d x %d: output %d %d %d %d is %g\n", (double)special, m, m, n, p, q, k,
                               (double)got);
                        bad++;
                        return;
                    }
                }
            }
}

int main(void)
{
    static const int channels[] = {16, 64, MOST};
    srand(7);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 3; i++)
            check_errors((Kind)kind, channels[i]);
    for (int m = 2; m <= 4; m += 2) {
        check_special(NAN, m);
        check_special(INFINITY, m);
    }
    return bad != 0;
}
