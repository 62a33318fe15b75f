/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators beside their specs, on Windows: of windows.sh. Shapes are drawn, and outputs lie at the end of what may be written. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d_dyn.h"
#include "gemm_dyn.h"
#include "gemm_f32_dyn.h"
#include "softmax_dyn.h"

/* As in the specs, whose functions are called spec_NAME here. */
void spec_gemm_f32(int M, int N, int K, const float *A, const float *B, float *C);
void spec_gemm(int M, int N, int K, const uint16_t *A, const uint16_t *B, uint16_t *C);
void spec_softmax(int rows, int cols, const float *x, float *y);
void spec_conv2d(int N, int H, int W, int C, int K, int R, int S, int stride, int pad, const float *image, const float *filter,
                 float *output);

enum { MOST = 400000, ROUNDS = 40, GUARD = 64 };
static float a[MOST], b[MOST], got[MOST + GUARD], wanted[MOST + GUARD];
static uint16_t ha[MOST], hb[MOST], hgot[MOST + GUARD], hwanted[MOST + GUARD];
static unsigned state = 1;
static int failures;

static int draw(int most)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 8) % (most + 1);
}

/* Small integers, whose sums are exact in any order; as halves below. */
static void fill(void)
{
    static const uint16_t half[] = {0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000}; /* -2 to 2 */
    for (int i = 0; i < MOST; i++) {
        const int x = draw(4), y = draw(4);
        a[i] = (float)(x - 2);
        b[i] = (float)(y - 2);
        ha[i] = half[x];
        hb[i] = half[y];
    }
    memset(got, 0x5a, sizeof got);
    memset(wanted, 0x5a, sizeof wanted);
    memset(hgot, 0x5a, sizeof hgot);
    memset(hwanted, 0x5a, sizeof hwanted);
}

static void judge(const char *what, int status, double slack)
{
    int wrong = memcmp(hgot, hwanted, sizeof hgot) != 0;
    for (int i = 0; i < MOST + GUARD; i++)
        wrong += !(fabs((double)got[i] - (double)wanted[i]) <= slack * fabs((double)wanted[i]));
    if (status == 0 && !wrong)
        return;
    printf("FAILED: %s: status %d, %d wrong\n", what, status, wrong);
    failures++;
}

static void round_of(int isa)
{
    const int m = draw(150), n = draw(150), k = draw(150), r = draw(3), s = draw(3), c = draw(9);
    mikgen_options opt = {0};
    char text[80];
    opt.isa = isa;
    snprintf(text, sizeof text, "isa %d, %d x %d x %d", isa, m, n, k);
    fill();
    spec_gemm_f32(m, n, k, a, b, wanted);
    judge(text, gemm_f32_with(&opt, m, n, k, a, b, got), 0);
    fill();
    spec_gemm(m, n, k, ha, hb, hwanted);
    judge(text, gemm_with(&opt, m, n, k, ha, hb, hgot), 0);
    fill();
    spec_softmax(m, n, a, wanted);
    judge(text, softmax_with(&opt, m, n, a, got), 1e-5);
    fill();
    spec_conv2d(2, 4 + m / 8, 4 + n / 8, c, k / 5, r, s, 1 + m % 2, n % 2, a, b, wanted);
    judge(text, conv2d_with(&opt, 2, 4 + m / 8, 4 + n / 8, c, k / 5, r, s, 1 + m % 2, n % 2, a, b, got), 0);
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int isa = 0; isa <= 2; isa++)
            round_of(isa);
    printf("%d calls, %d failed\n", ROUNDS * 12, failures);
    return failures != 0;
}
