/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oneDNN's sgemm, which is row-major; it has none for double. */
#include <omp.h>
#include <stdio.h>

#include <dnnl.h>

#include "library.h"

static bool sgemm(int M, int N, int K, const void *A, const void *B, void *C)
{
    return dnnl_sgemm('N', 'N', M, N, K, 1, A, K, B, N, 0, C, N) == dnnl_success;
}

const Library libraries[] = {{"oneDNN", {sgemm, NULL}}, {NULL, {NULL, NULL}}};

void set_threads(int n) { omp_set_num_threads(n); }

static const char *isa(void)
{
    switch ((int)dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_sse41: return "SSE4.1";
    case dnnl_cpu_isa_avx: return "AVX";
    case dnnl_cpu_isa_avx2: return "AVX2";
    case dnnl_cpu_isa_avx512_core: return "AVX-512";
    case dnnl_cpu_isa_avx512_core_vnni: return "AVX-512-VNNI";
    case dnnl_cpu_isa_avx512_core_bf16: return "AVX-512-BF16";
    default: return "other";
    }
}

const char *describe(void)
{
    static char text[100];
    const dnnl_version_t *version = dnnl_version();
    snprintf(text, sizeof text, "oneDNN %d.%d.%d, %s", version->major, version->minor, version->patch, isa());
    return text;
}
