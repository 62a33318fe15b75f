/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of instruction sets, the names of targets, and the piecewise linear times of kernels. */
#include "plan/targets.h"

#include <string.h>

const int g_knots[G_KNOTS] = {1, 4, 16, 64, 256, 1024, 2560, 5120};

const char *family_name(Family family)
{
    static const char *const names[FAM_COUNT] = {
        [FAM_F32] = "f32", [FAM_F64] = "f64",   [FAM_I8] = "i8",     [FAM_I32] = "i32",
        [FAM_F16] = "f16", [FAM_BF16] = "bf16", [FAM_U8S8] = "u8s8", [FAM_F8] = "f8",
    };
    return names[family];
}

/* clang-format off */
enum {
#define ISA(id, name, number, base, guard, prefix, word, full, features, traits, bytes, registers, ...) id##_BYTES = bytes, id##_REGISTERS = registers, id##_NUMBER = number,
#include "plan/isa.def"
};
#define ISA(id, name, ...) static const char id##_NAME[] = name;
#include "plan/isa.def"

const IsaInfo isa_info[ISA_COUNT] = {
#define ISA(id, name, number, base, ...) [ISA_##id] = {id##_NAME, number, ISA_##base, __VA_ARGS__},
#include "plan/isa.def"
};

const IsaKernels isa_kernels[ISA_COUNT][FAM_COUNT] = {
#define KERNELS(id, family, ...) [ISA_##id][FAM_##family] = {__VA_ARGS__},
#include "plan/isa.def"
};

const VectorSet vector_sets[SET_COUNT] = {
#define LOOPS(id, letter, guard, macro, attribute, features, masks, quick) \
    [SET_##id] = {id##_NAME, letter, guard, macro, attribute, features, id##_BYTES, id##_REGISTERS, id##_NUMBER, masks, quick},
#include "plan/isa.def"
};
/* clang-format on */

const char *isa_name(int isa) { return isa_info[isa].name; }

int isa_named(const char *name)
{
    int isa = 0;
    while (isa < ISA_COUNT && strcmp(isa_info[isa].name, name) != 0)
        isa++;
    return isa;
}

bool isa_is_held(unsigned held, int isa) { return !held || held >> isa & 1; }

bool family_is_held(unsigned held, Family family)
{
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (isa_is_held(held, isa) && isa_kernels[isa][family].text)
            return true;
    return false;
}

bool loops_are_held(unsigned held, VectorSetId set)
{
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (isa_is_held(held, isa) && isa_loops(isa) == set)
            return true;
    return false;
}

VectorSetId isa_loops(int isa)
{
    for (;; isa = (int)isa_info[isa].base)
        for (int set = 0; set < SET_COUNT; set++)
            if (strcmp(vector_sets[set].name, isa_info[isa].name) == 0)
                return (VectorSetId)set;
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
