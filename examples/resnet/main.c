/* ResNet-18: its layers are operators that mikgen has made, with weights (random) packed once, that take images in batches of any
   size and of any resolution. Images of a batch have to score as each does alone, and one of an odd resolution as plain loops say.

       mikgen --target=c --output-dir=. examples/resnet/resnet.spec
       cc -O2 -I. examples/resnet/main.c resnet_dyn.c -lm -o resnet && ./resnet
*/
#include "resnet_dyn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCKS = 8, FIRST = 64, LAST = 512, CLASSES = 100, BATCH = 3, SIDE = 96 };

/* R x R filters from C to F channels, as they are for the plain loops, and packed. */
typedef struct {
    int R, C, F;
    float *w, *b;
    void *packed;
} Filters;

/* around: where channels change and the resolution halves; elsewhere the input itself goes around. */
typedef struct {
    int halves;
    Filters first, second, around;
} Block;

static Filters first_filters, scores_of;
static Block blocks[BLOCKS];

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    if (!p)
        exit(1);
    return p;
}

/* Between -bound and bound. */
static void draw(float *x, size_t n, float bound)
{
    static unsigned long state = 1;
    for (size_t i = 0; i < n; i++) {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        x[i] = bound * ((float)(state >> 8) / 4194304 - 1);
    }
}

static Filters filters(int R, int C, int F)
{
    const size_t terms = (size_t)(R * R * C), outputs = (size_t)F;
    Filters f = {R, C, F, room(sizeof(float) * terms * outputs), room(sizeof(float) * outputs), NULL};
    draw(f.w, terms * outputs, sqrtf(3.f / (float)terms));
    draw(f.b, outputs, 0.1f);
    return f;
}

static void demand(int status)
{
    if (status != MIKGEN_OK) {
        printf("resnet: error %d\n", status);
        exit(1);
    }
}

static void begin(void)
{
    first_filters = filters(7, 3, FIRST);
    first_filters.packed = room(stem_w_size(FIRST));
    demand(stem_w_pack(FIRST, first_filters.w, first_filters.packed));
    for (int i = 0; i < BLOCKS; i++) {
        Block *b = &blocks[i];
        const int F = FIRST << i / 2;
        b->halves = i > 0 && i % 2 == 0;
        b->first = filters(3, b->halves ? F / 2 : F, F);
        b->second = filters(3, F, F);
        if (b->halves) {
            b->around = filters(1, F / 2, F);
            b->first.packed = room(block_half_w1_size(F / 2, F));
            b->second.packed = room(block_half_w2_size(F));
            b->around.packed = room(block_half_ws_size(F / 2, F));
            demand(block_half_w1_pack(F / 2, F, b->first.w, b->first.packed));
            demand(block_half_w2_pack(F, b->second.w, b->second.packed));
            demand(block_half_ws_pack(F / 2, F, b->around.w, b->around.packed));
        } else {
            b->first.packed = room(block_w1_size(F));
            b->second.packed = room(block_w2_size(F));
            demand(block_w1_pack(F, b->first.w, b->first.packed));
            demand(block_w2_pack(F, b->second.w, b->second.packed));
        }
    }
    scores_of = filters(1, LAST, CLASSES);
    scores_of.packed = room(classify_w_size(LAST, CLASSES));
    demand(classify_w_pack(LAST, CLASSES, scores_of.w, scores_of.packed));
}

static int half(int n) { return (n + 1) / 2; }

/* What is largest between two layers are the first layer's pixels. */
static float *between(int B, int H, int W) { return room(sizeof(float) * (size_t)(B * half(H) * half(W) * FIRST)); }

/* Scores of B images, H pixels high and W wide. */
static void look(int B, int H, int W, const float *images, float *scores)
{
    float *x = between(B, H, W), *y = between(B, H, W);
    demand(stem_packed(B, H, W, FIRST, images, first_filters.packed, first_filters.b, x));
    H = half(half(H)), W = half(half(W));
    for (const Block *b = blocks; b < blocks + BLOCKS; b++) {
        const Filters *f = &b->first, *s = &b->second, *a = &b->around;
        if (b->halves) {
            demand(block_half_packed(B, H, W, f->C, f->F, x, f->packed, f->b, s->packed, s->b, a->packed, a->b, y));
            H = half(H), W = half(W);
        } else
            demand(block_packed(B, H, W, f->C, x, f->packed, f->b, s->packed, s->b, y));
        float *previous = x;
        x = y, y = previous;
    }
    demand(classify_packed(B, H, W, LAST, CLASSES, x, scores_of.packed, scores_of.b, scores));
    free(x);
    free(y);
}

/* ---- the same of one image by plain loops ---- */

/* add: what goes around, or null; what is left of it is no less than `least`. */
static void plain_conv(const Filters *f, int stride, int H, int W, const float *x, const float *add, float least, float *y)
{
    for (int i = 0; i * stride < H; i++)
        for (int j = 0; j * stride < W; j++)
            for (int k = 0; k < f->F; k++, y++) {
                double sum = f->b[k];
                for (int r = 0; r < f->R; r++)
                    for (int s = 0; s < f->R; s++) {
                        const int h = i * stride + r - f->R / 2, v = j * stride + s - f->R / 2;
                        for (int c = 0; h >= 0 && h < H && v >= 0 && v < W && c < f->C; c++)
                            sum += (double)x[(h * W + v) * f->C + c] * f->w[((r * f->R + s) * f->C + c) * f->F + k];
                    }
                *y = fmaxf((float)sum + (add ? *add++ : 0), least);
            }
}

static void plain_pool(int H, int W, int C, const float *x, float *y)
{
    for (int i = 0; i < half(H); i++)
        for (int j = 0; j < half(W); j++)
            for (int c = 0; c < C; c++, y++) {
                *y = 0;
                for (int h = 2 * i - 1; h <= 2 * i + 1; h++)
                    for (int v = 2 * j - 1; v <= 2 * j + 1; v++)
                        if (h >= 0 && h < H && v >= 0 && v < W)
                            *y = fmaxf(*y, x[(h * W + v) * C + c]);
            }
}

static void plain_look(int H, int W, const float *image, float *scores)
{
    float *x = between(1, H, W), *y = between(1, H, W), *m = between(1, H, W), *around = between(1, H, W);
    plain_conv(&first_filters, 2, H, W, image, NULL, 0, m);
    H = half(H), W = half(W);
    plain_pool(H, W, FIRST, m, x);
    H = half(H), W = half(W);
    for (const Block *b = blocks; b < blocks + BLOCKS; b++) {
        plain_conv(&b->first, 1 + b->halves, H, W, x, NULL, 0, m);
        if (b->halves) {
            plain_conv(&b->around, 2, H, W, x, NULL, -INFINITY, around);
            H = half(H), W = half(W);
        }
        plain_conv(&b->second, 1, H, W, m, b->halves ? around : x, 0, y);
        float *previous = x;
        x = y, y = previous;
    }
    for (int c = 0; c < LAST; c++) {
        double sum = 0;
        for (int p = 0; p < H * W; p++)
            sum += x[p * LAST + c];
        m[c] = (float)(sum / (H * W));
    }
    plain_conv(&scores_of, 1, 1, 1, m, NULL, -INFINITY, scores);
    free(x);
    free(y);
    free(m);
    free(around);
}

/* ---- the check ---- */

static void compare(const char *what, const float *found, const float *right)
{
    float most = 0, apart = 0;
    for (int k = 0; k < CLASSES; k++) {
        most = fmaxf(most, fabsf(right[k]));
        apart = isfinite(found[k]) ? fmaxf(apart, fabsf(found[k] - right[k])) : INFINITY;
    }
    if (!(apart <= 1e-4f * most)) {
        printf("resnet: scores of %s are up to %g, and %g off\n", what, most, apart);
        exit(1);
    }
}

int main(void)
{
    static const int sides[][2] = {{64, 64}, {SIDE, 72}, {33, 47}, {1, SIDE}, {64, 64}};
    static float scores[BATCH][CLASSES], alone[CLASSES];
    float *images = room(sizeof(float) * BATCH * SIDE * SIDE * 3);
    double seconds = 0;
    int count = 0;
    begin();
    for (int i = 0; i < (int)(sizeof sides / sizeof *sides); i++)
        for (int B = 1; B <= BATCH; B++) {
            const int H = sides[i][0], W = sides[i][1];
            draw(images, (size_t)(B * H * W * 3), 1.7f);
            const clock_t start = clock();
            look(B, H, W, images, scores[0]);
            seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
            count += B;
            for (int n = 0; n < B && B > 1; n++) {
                look(1, H, W, images + n * H * W * 3, alone);
                compare("an image in a batch", scores[n], alone);
            }
            if (i == 2 && B == 1) {
                plain_look(H, W, images, alone);
                compare("an image", scores[0], alone);
            }
        }
    free(images);
    printf("resnet: %d images in batches of 1 to %d, of %d resolutions, each alone, and one by plain loops: ok", count, BATCH,
           (int)(sizeof sides / sizeof *sides) - 1);
    if (seconds > 0)
        printf(" (%.0f images a second)", count / seconds);
    printf("\n");
    return 0;
}
