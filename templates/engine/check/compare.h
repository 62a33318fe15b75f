/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What must equal the reference's results, and what must hold besides. */
#pragma once
#include "check_case.h"

static void mik_complain(const Case *c, const char *way, Flush flush, const char *format, ...)
{
    va_list list;
    printf("FAILED: %s, %s, arrays against the %s guard page: ", mik_describe(c), way, flush == AT_END ? "upper" : "lower");
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

#if MIK_CUDA
/* What rounding weights that sum to 1 may change, of values as large as the largest factor. */
static double mik_rounded_weights(const Case *c)
{
    double largest = 0;
    if (c->op->weights != E_HALF && c->op->weights != E_BF16)
        return 0;
    for (int i = 0; i < c->op->count; i++)
        for (int64_t e = 0; mik_is_array(c, i) && c->op->params[i].is_const && mik_is_float(c->op->params[i].elem) && e < c->count[i];
             e++) {
            const double x = fabs(mik_get(c->op->params[i].elem, c->entry[i], e));
            largest = x > largest && x < INFINITY ? x : largest;
        }
    return mik_spacing(c->op->weights) * largest;
}

/* What adding up to sums of 14 bits may change, 32 products at a time, of sums as large as the largest. */
static double mik_short_sums(const Case *c, double largest)
{
    int device = 0, major = 0, minor = 0;
    if (!c->op->short_sums || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
        return 0;
    return major == 9 && minor == 0 ? 0x1p-13 * (1 + (double)c->largest_extent / 32) * largest : 0;
}

#endif
/* May element e be as it is? */
static int mik_is_near(const Case *c, Element elem, const void *want, const void *got, int64_t e, double largest)
{
#if MIK_CUDA
    const double besides = mik_rounded_weights(c) + mik_short_sums(c, largest);
#else
    const double besides = 0;
#endif
    const size_t size = elem_size[elem];
    const double w = mik_get(elem, want, e), g = mik_get(elem, got, e);
    if (memcmp((const char *)want + (size_t)e * size, (const char *)got + (size_t)e * size, size) == 0)
        return 1;
    if (mik_is_float(elem) && ((w != w && g != g) || w == g))
        return 1;
    return !exact && !c->op->exact && fabs(w - g) <= slack * (mik_allowed(elem, w, largest, c->largest_extent) + besides);
}

/* The same for an array of structs, member by member. */
static int64_t mik_compare_structs(const Case *c, const char *way, Flush flush, int i, const char *got)
{
    const Param *p = &c->op->params[i];
    const char *want = (const char *)c->want[i].data;
    int64_t wrong = 0;
    for (int r = 0; r < p->runs; r++) {
        const Run *run = &p->layout[r];
        double largest = 0;
        for (int64_t at = run->at; at < c->count[i]; at += p->size)
            for (int e = 0; e < run->count; e++) {
                const double x = fabs(mik_get(run->elem, want + at, e));
                largest = x > largest && x < INFINITY ? x : largest;
            }
        for (int64_t at = run->at; at < c->count[i]; at += p->size)
            for (int e = 0; e < run->count; e++)
                if (!mik_is_near(c, run->elem, want + at, got + at, e, largest) && wrong++ == 0)
                    mik_complain(c, way, flush, "%s, struct %lld, byte %d: %.9g, not %.9g", p->name, (long long)(at / p->size),
                                 run->at + e * (int)elem_size[run->elem], mik_get(run->elem, got + at, e),
                                 mik_get(run->elem, want + at, e));
    }
    return wrong;
}

/* Prints the first difference of array i; returns the number of differences. */
static int64_t mik_compare(const Case *c, const char *way, Flush flush, int i, const void *got)
{
    const Param *p = &c->op->params[i];
    const void *want = c->want[i].data;
    double largest = 0;
    if (memcmp(want, got, mik_bytes(c, i)) == 0)
        return 0;
    if (p->layout)
        return mik_compare_structs(c, way, flush, i, (const char *)got);
    for (int64_t e = 0; e < c->count[i]; e++) {
        double x = fabs(mik_get(p->elem, want, e));
        largest = x > largest && x < INFINITY ? x : largest;
    }
    int64_t first = -1, wrong = 0;
    for (int64_t e = 0; e < c->count[i]; e++) {
        if (mik_is_near(c, p->elem, want, got, e, largest))
            continue;
        first = first < 0 ? e : first;
        wrong++;
    }
    if (wrong == 0)
        return 0;
    char where[200] = "";
    int64_t rest = first;
    for (int d = p->rank - 1; d >= 0; d--) {
        char inner[200];
        memcpy(inner, where, sizeof inner);
        snprintf(where, sizeof where, "[%lld]%.150s", (long long)(rest % c->extent[i][d]), inner);
        rest /= c->extent[i][d];
    }
    mik_complain(c, way, flush, "%s%s is %.9g, not %.9g (%lld of %lld wrong)", p->name, where, mik_get(p->elem, got, first),
                 mik_get(p->elem, want, first), (long long)wrong, (long long)c->count[i]);
    return wrong;
}

/* Everything that must hold after one run; returns 1 and prints one line when something does not. */
static int mik_inspect(const Case *c, const char *way, Flush flush, const Buffer *buffers)
{
    for (int i = 0; i < c->op->count; i++) {
        const Param *p = &c->op->params[i];
        if (!mik_is_array(c, i))
            continue;
        if (!mik_intact(&buffers[i])) {
            mik_complain(c, way, flush, "writes outside %s", p->name);
            return 1;
        }
        if (p->is_const && memcmp(buffers[i].data, c->entry[i], mik_bytes(c, i)) != 0) {
            mik_complain(c, way, flush, "changes %s, which is const", p->name);
            return 1;
        }
        if (!p->is_const && mik_compare(c, way, flush, i, buffers[i].data) != 0)
            return 1;
    }
    return 0;
}

/* Wrong arguments must come back as an error with nothing written: every array is out of bounds here. */
static int mik_refuses(const Case *c, const Arg *args, const char *what)
{
    int status = 0;
    snprintf(fault_place, sizeof fault_place, "%.800s, %s", mik_describe(c), what);
    int fault = sigsetjmp(fault_return, 1);
    if (fault == 0) {
        guarded = 1;
        status = c->op->serial(args);
    }
    guarded = 0;
    if (fault == 0 && status != 0)
        return 1;
    printf("FAILED: %s, %s: %s instead of an error\n", mik_describe(c), what, fault ? mik_fault_name(fault) : "comes back with success");
    return 0;
}
