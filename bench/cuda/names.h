/* Names in reports: element types, kernels, plans. */
#ifndef BENCH_CUDA_NAMES_H
#define BENCH_CUDA_NAMES_H

#include <string>

enum Element { F16, BF16, F32 };

static inline int element_bytes(Element element) { return element == F32 ? 4 : 2; }

struct mikgen_cuda_options;

/* "128x64x32_sm80" out of "mik_gemm_f16f32_128x64x32_sm80". */
std::string kernel_short(const char *name);
/* "I 128x64x32_sm80*264", "II 128x128x32_sm80@1024 64x64x64_sm80": kernels, blocks that share out the steps, and the cut. */
std::string plan_text(const mikgen_cuda_options &plan, const char *(*kernel)(int));

#endif
