/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names are compared without the letter of their type. */
#include "ir/libm.h"

#include <string.h>

#include "ir/walk.h"

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

/* As templates/engine/vec/math_fast_f32.h has them. */
static bool has_fast_form(const Sym *func)
{
    static const char *const fast[] = {"exp", "exp2", "log",  "log2", "tanh",  "erf",  "erfc", "pow",  "sin", "cos",
                                       "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "cbrt", NULL};
    return func->type == T_FLOAT && is_libm_among(func, fast);
}

static void make_fast_form(void *user, Node *n)
{
    Ir *ir = user;
    Sym *func = n->kind == N_CALL ? n->sym : NULL;
    if (func && func->func)
        make_fast_forms(ir, func->func->body);
    if (!func || func->fast || !has_fast_form(func))
        return;
    const char *name = arena_printf(ir->arena, "%.*s_fastf", (int)strlen(func->name) - 1, func->name);
    func->fast = sym_new(ir, S_FUNC, func->type, name, func->loc);
    func->fast->libm = func->libm;
}

void make_fast_forms(Ir *ir, Node *body) { walk(&(Walker){.post = make_fast_form, .user = ir}, body); }

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
