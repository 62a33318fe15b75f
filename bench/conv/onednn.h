/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oneDNN's forward convolution for inference, f32, without bias. */
#ifndef BENCH_ONEDNN_H
#define BENCH_ONEDNN_H

#include <stdbool.h>

#include "layers.h"

/* NHWC: image NHWC, filter RSCK, output NPQK; NCHW: NCHW, KCRS, NKPQ. BLOCKED: whatever oneDNN likes best for all three. */
typedef enum Layout { NHWC, NCHW, BLOCKED } Layout;

typedef struct Convolution Convolution;

/* Direct or automatically chosen algorithm; the filter as it is, or reordered ahead of time into what oneDNN likes best.
   For BLOCKED the image is NHWC, and it is reordered ahead of time as well. The arrays are used by every run.
   NULL: oneDNN has no such convolution. */
Convolution *convolution_new(const Layer *layer, int batch, Layout layout, bool automatic, bool reorder_filter, const float *image,
                             const float *filter, float *output);
/* Result in output; for BLOCKED only after convolution_output, as NHWC. */
void convolution_run(Convolution *convolution);
void convolution_output(Convolution *convolution);
/* What oneDNN calls the implementation it has chosen. */
const char *convolution_implementation(const Convolution *convolution);
void convolution_free(Convolution *convolution);

#endif
