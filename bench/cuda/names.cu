/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "names.h"

#include <ctype.h>

#include "plan_text.h"

/* Where the tile's sides begin: the first "_<digits>x". */
static const char *tile_text(const char *name)
{
    for (const char *at = name; *at; at++) {
        const char *digits = at + 1;
        while (at[0] == '_' && isdigit((unsigned char)*digits))
            digits++;
        if (digits > at + 1 && *digits == 'x')
            return at + 1;
    }
    return NULL;
}

std::string kernel_short(const char *name)
{
    const char *tile = name ? tile_text(name) : NULL;
    return tile ? tile : name ? name : "?";
}

std::string plan_text(const mikgen_cuda_options &plan, const char *(*kernel)(int))
{
    static const char *const patterns[] = {"none", "I", "II", "III"};
    std::string text = plan.pattern >= 0 && plan.pattern <= 3 ? patterns[plan.pattern] : "?";
    for (int i = 0; i < (plan.pattern > 1 ? 2 : plan.pattern); i++) {
        text += " " + kernel_short(kernel(plan.kernel[i]));
        if (plan.blocks[i] > 0)
            text += "*" + std::to_string(plan.blocks[i]);
        if (plan.pattern > 1 && i == 0)
            text += "@" + std::to_string(plan.split);
    }
    return text;
}
