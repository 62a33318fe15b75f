/* Applies softmax to a few rows and checks the result.

       mikgen --target=c --output-dir=. examples/softmax/softmax.spec
       cc -O2 -I. examples/softmax/main.c softmax_dyn.c -lm -o softmax && ./softmax
*/
#include "softmax_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 6, COLS = 41 };
static float x[ROWS][COLS], y[ROWS][COLS];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int i, int j)
{
    double sum = 0;
    for (int l = 0; l < COLS; l++)
        sum += exp(x[i][l] - x[i][j]);
    return (float)(1 / sum);
}

int main(void)
{
    fill(&x[0][0], ROWS * COLS, 1);

    int status = softmax(ROWS, COLS, &x[0][0], &y[0][0]);
    if (status != 0) {
        printf("softmax: error %d\n", status);
        return 1;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            float want = direct(i, j), got = y[i][j];
            if (!(fabsf(got - want) <= 1e-5f * want)) {
                printf("y[%d][%d] is %g, not %g\n", i, j, got, want);
                return 1;
            }
        }

    char text[2000];
    if (softmax_explain(ROWS, COLS, text, sizeof text) > 0)
        printf("%s", text);
    printf("softmax: ok\n");
    return 0;
}
