/* pool as TVM lowers it: all axes of the output fused into one loop and split again by division, the padding inlined
   into the load. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 56
#endif
#ifndef W
#define W 56
#endif
#ifndef KH
#define KH 3
#endif
#ifndef KW
#define KW 3
#endif
#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef AVERAGE
#define AVERAGE 0
#endif
#ifndef OH
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#if AVERAGE == 0

void pool_lowered(const float *restrict data, float *restrict out)
{
    for (int fused = 0; fused < N * C * OH * OW; ++fused) {
        out[fused] = -3.402823e+38f;
        for (int rv = 0; rv < KH; ++rv) {
            for (int rw = 0; rw < KW; ++rw) {
                const float value = (((PAD_H <= fused % (OH * OW) / OW * STRIDE + rv &&
                                       fused % (OH * OW) / OW * STRIDE + rv < H + PAD_H) &&
                                      PAD_W <= fused % OW * STRIDE + rw) &&
                                     fused % OW * STRIDE + rw < W + PAD_W)
                                        ? data[fused / (OH * OW) * (H * W) +
                                               fused % (OH * OW) / OW * (STRIDE * W) + rv * W +
                                               fused % OW * STRIDE + rw - (PAD_H * W + PAD_W)]
                                        : -3.402823e+38f;
                out[fused] = out[fused] < value ? value : out[fused];
            }
        }
    }
}

#else

void pool_lowered(const float *restrict data, float *restrict out)
{
    for (int outer = 0; outer < N * C * OH; ++outer) {
        float pool_sum[OW];
        for (int x = 0; x < OW; ++x) {
            pool_sum[x] = 0.0f;
            for (int rv = 0; rv < KH; ++rv) {
                for (int rw = 0; rw < KW; ++rw) {
                    pool_sum[x] =
                        pool_sum[x] +
                        ((((PAD_H <= outer % OH * STRIDE + rv && outer % OH * STRIDE + rv < H + PAD_H) &&
                           PAD_W <= x * STRIDE + rw) &&
                          x * STRIDE + rw < W + PAD_W)
                             ? data[outer / OH * (H * W) + outer % OH * (STRIDE * W) + rv * W + x * STRIDE + rw -
                                    (PAD_H * W + PAD_W)]
                             : 0.0f);
                }
            }
        }
        for (int x = 0; x < OW; ++x) {
            const int count = AVERAGE == 1
                                  ? KH * KW
                                  : ((outer % OH * STRIDE + (KH - PAD_H) < H ? outer % OH * STRIDE + (KH - PAD_H) : H) -
                                     (outer % OH * STRIDE - PAD_H > 0 ? outer % OH * STRIDE - PAD_H : 0)) *
                                        ((x * STRIDE + (KW - PAD_W) < W ? x * STRIDE + (KW - PAD_W) : W) -
                                         (x * STRIDE - PAD_W > 0 ? x * STRIDE - PAD_W : 0));
            out[outer * OW + x] = pool_sum[x] / (float)(count > 1 ? count : 1);
        }
    }
}

#endif
