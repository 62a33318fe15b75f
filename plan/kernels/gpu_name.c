/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels of GPUs are called. */
#include <stdio.h>
#include <string.h>

#include "plan/kernels/gpu.h"

enum { TAIL = 48 }; /* bytes that no tail fills */

/* What follows the tile in a kernel's name; `any`: it is one of tensor cores for lines of any alignment. */
static int spell_tail(char out[TAIL], const GpuKernel *k, bool any)
{
    const char *kind = k->row ? "_row" : k->split_k ? "_splitk" : k->beside ? "_beside" : k->cluster > 1 ? "_pair" : any ? "_any" : "";
    return snprintf(out, TAIL, "%s%s%s_%s", kind, k->turns > 1 ? "_turns" : "", k->gathers ? "_gather" : "", k->tma ? "sm90a" : "sm80");
}

const char *gpu_kernel_name(Arena *arena, const Contraction *c, const GpuKernel *k)
{
    char tail[TAIL];
    spell_tail(tail, k, gpu_product(c) && k->align == 1);
    return arena_printf(arena, "%dx%dx%d%s", k->m, k->n, k->k, tail);
}

bool gpu_ends_name(const char *tail, size_t length)
{
    GpuKernel sort;
    char spelled[TAIL];
    for (int i = 0; gpu_sort(i, &sort); i++)
        if ((size_t)spell_tail(spelled, &sort, sort.align == 1) == length && memcmp(spelled, tail, length) == 0)
            return true;
    return false;
}

const char *gpu_symbol(Arena *arena, const Contraction *c, const GpuKernel *k)
{
    const GpuProduct *p = gpu_product(c);
    const char *type = c->tf32 == TF32_THRICE ? "3xtf32"
                       : p                    ? p->a
                                              : family_name(c->family),
               *acc = p                     ? p->acc
                      : c->family == FAM_I8 ? "i32"
                                            : "f32";
    return arena_printf(arena, "mik_%s_%s%s_%s", c->stem, type, acc, gpu_kernel_name(arena, c, k));
}
