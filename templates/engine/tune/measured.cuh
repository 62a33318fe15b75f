/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels by name, and what a device takes of them. */
#pragma once
#include "tune_product.cuh"

#if MIK_ALONE

extern const tune_product tune_products[3];
#endif

static const tune_product *tune_find_product(const char *type)
{
    for (size_t i = 0; i < sizeof tune_products / sizeof *tune_products; i++)
        if (strcmp(tune_products[i].type, type) == 0)
            return &tune_products[i];
    return NULL;
}

/* The number of the kernel whose symbol ends in _NAME; -1: there is none. */
static int tune_find_kernel(const mik_set *set, const char *name)
{
    for (int i = 0; i < set->count; i++) {
        const char *const symbol = set->variants[i].name;
        const size_t length = strlen(symbol), tail = strlen(name);
        if (length > tail && symbol[length - tail - 1] == '_' && strcmp(symbol + length - tail, name) == 0)
            return i;
    }
    return -1;
}

/* How many blocks of it one multiprocessor holds; 0: it cannot run on this device. */
static int tune_resident(const tune_product *p, int kernel)
{
    mik_device d;
    tune_check(p->load(), "loading the kernels");
    tune_check(mik_get_device(&d), "the device");
    return p->set->variants[kernel].tma && p->ready[d.ordinal] != 2 ? 0 : mik_resident(&p->set->variants[kernel], &d);
}
