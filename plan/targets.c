/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of targets, and the piecewise linear times of kernels. */
#include "plan/targets.h"

const int g_knots[G_KNOTS] = {1, 4, 16, 64, 256, 1024, 2560, 5120};

const char *family_name(Family family)
{
    static const char *const names[FAM_COUNT] = {
        [FAM_F32] = "f32", [FAM_F64] = "f64", [FAM_I8] = "i8", [FAM_F16] = "f16", [FAM_BF16] = "bf16", [FAM_U8S8] = "u8s8", [FAM_F8] = "f8",
    };
    return names[family];
}

const char *isa_name(int isa)
{
    static const char *const names[ALL_ISA_COUNT] = {
        [ISA_AVX512VNNI] = "avx512vnni", [ISA_AVX512BF16] = "avx512bf16", [ISA_AVX512] = "avx512", [ISA_AVX2] = "avx2", [ISA_NEON] = "neon",
        [ISA_PORTABLE] = "portable",
    };
    return names[isa];
}

const char *gpu_name(int gpu)
{
    static const char *const names[GPU_COUNT] = {[GPU_SM80] = "sm_80", [GPU_SM86] = "sm_86", [GPU_SM89] = "sm_89", [GPU_SM90] = "sm_90"};
    return names[gpu];
}

int gpu_of_capability(int cc) { return cc >= 120 || cc == 89 ? GPU_SM89 : cc >= 90 ? GPU_SM90 : cc > 80 ? GPU_SM86 : GPU_SM80; }

double g_at(const double g[G_KNOTS], double t)
{
    int i = 0;
    while (i < G_KNOTS - 2 && t > g_knots[i + 1])
        i++;
    return g[i] + (t - g_knots[i]) * (g[i + 1] - g[i]) / (g_knots[i + 1] - g_knots[i]);
}
