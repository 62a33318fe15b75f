/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names are compared without the letter of their type. */
#include "ir/libm.h"

#include <string.h>

static const struct {
    const char *name;
    Type result, argument[3];
} functions[] = {
#define LIBM(name, result, nargs, a, b, c) {#name, result, {a, b, c}},
#include "ir/libm.def"
};

Sym *libm_function(Ir *ir, const char *name, Loc loc)
{
    int i = 0;
    while (strcmp(functions[i].name, name) != 0)
        i++;
    Sym *func = sym_new(ir, S_FUNC, functions[i].result, functions[i].name, loc);
    func->libm = i + 1;
    return func;
}

Sym *libm_fast(Ir *ir, Sym *func)
{
    if (!func->fast) {
        const bool suffixed = func->type == T_FLOAT;
        const int stem = (int)strlen(func->name) - suffixed;
        func->fast = sym_new(ir, S_FUNC, func->type, arena_printf(ir->arena, "%.*s_fast%s", stem, func->name, suffixed ? "f" : ""),
                             func->loc);
        func->fast->libm = func->libm;
    }
    return func->fast;
}

Type libm_argument(const Sym *func, int i) { return functions[func->libm - 1].argument[i < 3 ? i : 2]; }

bool is_libm(const Sym *func, const char *stem)
{
    const size_t length = strlen(stem);
    if (!func->libm || strncmp(func->name, stem, length) != 0)
        return false;
    const char *suffix = func->name + length;
    return !*suffix || strcmp(suffix, "f") == 0 || strcmp(suffix, "l") == 0;
}

bool is_libm_among(const Sym *func, const char *const *stems)
{
    while (*stems && !is_libm(func, *stems))
        stems++;
    return *stems;
}

bool is_extreme(const Sym *func) { return is_libm(func, "fmax") || is_libm(func, "fmin"); }

bool is_quick_function(const Sym *func)
{
    static const char *const quick[] = {"fabs",  "fmax",  "fmin", "fma",       "copysign", "ceil",
                                        "floor", "trunc", "rint", "nearbyint", "abs",      NULL};
    return is_libm_among(func, quick);
}
