/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies never change, so that each is verified once. */
#include "plan/pass_watch.h"

#include <string.h>

#include "ir/check.h"
#include "ir/print.h"

void watch_check(Ir *ir, const PassWatch *watch, const char *row, const Func *f, unsigned form)
{
    enum { VERIFIED = 1 << 16 };
    void **before = map_at(ir->arena, watch->verified, f->body->id);
    void *now = (void *)(uintptr_t)(watch->form | form | VERIFIED);
    if (*before == now)
        return;
    check_func(ir, f, watch->form | form, row);
    *before = now;
}

void watch_step(Ir *ir, const PassWatch *watch, const char *step, const Func *f, unsigned form)
{
    if (!watch)
        return;
    watch_check(ir, watch, step, f, form);
    if (watch->dump && strcmp(watch->dump, step) == 0)
        print_func(watch->out, f);
}
