/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuDNN's convolutions as contenders: forward, no bias, sums in float; image and output in NHWC with filter KRSC, or in NCHW with
   filter KCRS. Without HAVE_CUDNN nothing is there. */
#ifndef BENCH_CUDA_CUDNN_H
#define BENCH_CUDA_CUDNN_H

#include "conv_problem.h"

struct Cudnn;

/* Its programs: algorithm a of layout l (0: NHWC, 1: NCHW) is l * CUDNN_ALGORITHMS + a; the first two are implicit GEMMs. */
enum { CUDNN_ALGORITHMS = 8, CUDNN_PROGRAMS = 2 * CUDNN_ALGORITHMS, CUDNN_IMPLICIT = 2 };

/* NULL: not built with it. tf32: floats may be shortened to 11 bits. */
Cudnn *cudnn_open(Element element, bool tf32, cudaStream_t stream);
void cudnn_close(Cudnn *cudnn);
size_t cudnn_number(void); /* of its version; 0: none */

/* False: cuDNN has no tensors of that size, as over 2^31 elements; nothing is to be run then. Other errors are thrown. */
bool cudnn_take(Cudnn *cudnn, const Conv &conv);
/* False: the program does not take the shape last taken, or wants more than 1 GB of workspace. */
bool cudnn_run(Cudnn *cudnn, int program, const void *image, const void *filter, void *output);
const char *cudnn_name(int program);

#endif
