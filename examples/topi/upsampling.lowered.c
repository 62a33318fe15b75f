/* upsampling as TVM lowers it: all axes of the output fused, split by 1024 with a guard for the rest, and split again
   into positions by division. */
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
#ifndef SCALE_H
#define SCALE_H 2
#endif
#ifndef SCALE_W
#define SCALE_W 2
#endif
#ifndef BILINEAR
#define BILINEAR 0
#endif

#define OH (H * SCALE_H)
#define OW (W * SCALE_W)

#if BILINEAR

void upsampling_lowered(const float *restrict data, float *restrict out)
{
    for (int outer = 0; outer < (N * C * OH * OW + 1023) / 1024; ++outer) {
        for (int inner = 0; inner < 1024; ++inner) {
            if (outer * 1024 + inner < N * C * OH * OW) {
                const float v = (float)((outer * 1024 + inner) / OW % OH % SCALE_H) / (float)SCALE_H;
                const float h = (float)((outer * 1024 + inner) % OW % SCALE_W) / (float)SCALE_W;
                const float top =
                    data[(outer * 1024 + inner) / (OH * OW) * (H * W) +
                         (outer * 1024 + inner) / OW % OH / SCALE_H * W + (outer * 1024 + inner) % OW / SCALE_W] *
                        (1.0f - h) +
                    data[(outer * 1024 + inner) / (OH * OW) * (H * W) +
                         (outer * 1024 + inner) / OW % OH / SCALE_H * W +
                         ((outer * 1024 + inner) % OW / SCALE_W + 1 < W - 1
                              ? (outer * 1024 + inner) % OW / SCALE_W + 1
                              : W - 1)] *
                        h;
                const float bottom =
                    data[(outer * 1024 + inner) / (OH * OW) * (H * W) +
                         ((outer * 1024 + inner) / OW % OH / SCALE_H + 1 < H - 1
                              ? (outer * 1024 + inner) / OW % OH / SCALE_H + 1
                              : H - 1) *
                             W +
                         (outer * 1024 + inner) % OW / SCALE_W] *
                        (1.0f - h) +
                    data[(outer * 1024 + inner) / (OH * OW) * (H * W) +
                         ((outer * 1024 + inner) / OW % OH / SCALE_H + 1 < H - 1
                              ? (outer * 1024 + inner) / OW % OH / SCALE_H + 1
                              : H - 1) *
                             W +
                         ((outer * 1024 + inner) % OW / SCALE_W + 1 < W - 1
                              ? (outer * 1024 + inner) % OW / SCALE_W + 1
                              : W - 1)] *
                        h;
                out[outer * 1024 + inner] = top * (1.0f - v) + bottom * v;
            }
        }
    }
}

#else

void upsampling_lowered(const float *restrict data, float *restrict out)
{
    for (int outer = 0; outer < (N * C * OH * OW + 1023) / 1024; ++outer) {
        for (int inner = 0; inner < 1024; ++inner) {
            if (outer * 1024 + inner < N * C * OH * OW) {
                out[outer * 1024 + inner] =
                    data[(outer * 1024 + inner) / (OH * OW) * (H * W) +
                         (outer * 1024 + inner) / OW % OH / SCALE_H * W + (outer * 1024 + inner) % OW / SCALE_W];
            }
        }
    }
}

#endif
