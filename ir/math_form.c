/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ir/math_form.h"

#include <string.h>

static const char *const names[] = {[MATH_VECTOR] = "vector", [MATH_FAST] = "fast", [MATH_LIBM] = "libm"};

const char *math_form_name(MathForm form) { return names[form]; }

MathForm math_form_named(const char *name)
{
    MathForm form = MATH_LIBM;
    while (form != MATH_UNSAID && strcmp(name, names[form]) != 0)
        form--;
    return form;
}
