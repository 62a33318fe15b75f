/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in reports. */
#ifndef BENCH_CUDA_PLAN_TEXT_H
#define BENCH_CUDA_PLAN_TEXT_H

#include <string>

#include "operator_options.h"

/* "I 128x64x32_sm80*264", "II 128x128x32_sm80@1024 64x64x64_sm80": kernels, blocks that share out the steps, and the cut.
   names.cu has it. */
std::string plan_text(const mikgen_cuda_options &plan, const char *(*kernel)(int));

#endif
