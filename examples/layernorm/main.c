/* Normalises a few rows and checks the result.

       mikgen --target=c --output-dir=. examples/layernorm/layernorm.spec
       cc -O2 -I. examples/layernorm/main.c layernorm_dyn.c -lm -o layernorm && ./layernorm
*/
#include "layernorm_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 6, COLS = 41 };
static float x[ROWS][COLS], scale[COLS], shift[COLS], y[ROWS][COLS];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int i, int j)
{
    double mean = 0, var = 0;
    for (int l = 0; l < COLS; l++)
        mean += x[i][l];
    mean /= COLS;
    for (int l = 0; l < COLS; l++)
        var += (x[i][l] - mean) * (x[i][l] - mean);
    return (float)((x[i][j] - mean) / sqrt(var / COLS + 1e-5) * scale[j] + shift[j]);
}

int main(void)
{
    fill(&x[0][0], ROWS * COLS, 1);
    fill(scale, COLS, 2);
    fill(shift, COLS, 3);

    int status = layernorm(ROWS, COLS, 1e-5f, &x[0][0], scale, shift, &y[0][0]);
    if (status != 0) {
        printf("layernorm: error %d\n", status);
        return 1;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            float want = direct(i, j), got = y[i][j];
            if (!(fabsf(got - want) <= 1e-4f * (1.0f + fabsf(want)))) {
                printf("y[%d][%d] is %g, not %g\n", i, j, got, want);
                return 1;
            }
        }

    char text[2000];
    if (layernorm_explain(ROWS, COLS, text, sizeof text) > 0)
        printf("%s", text);
    printf("layernorm: ok\n");
    return 0;
}
