/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes over all that an operator consists of by then: its body, hooks, nests, and what they are planned to become. */
#include "gen/driver/between_passes.h"

#include <string.h>

#include "emit/stage_kind.h"
#include "gen/driver/place_producers.h"
#include "ir/print.h"
#include "plan/vectors/loop_table.h"

void check_operator(Ir *ir, const Operator *op, Func *f, const char *pass, const PassWatch *watch)
{
    watch_check(ir, watch, pass, f, 0);
    if (op->plan)
        stages_check(ir, op->plan, watch, pass);
}

/* How the loops of a nest are vectorized. */
static void print_heading(Ir *ir, const Stage *stage, Text *out)
{
    if (stage->stage_kind == STAGE_HOST_NEST)
        print_loop_table(ir, (const HostNest *)stage, out);
}

void dump_operator(Ir *ir, const Operator *op, Func *f, const PlanOptions *opt, const char *pass, Text *out)
{
    if (strcmp(pass, "nests") == 0 && !opt->cuda && op->apart)
        print_producers(ir, op, opt, out);
    print_func(out, f);
    if (op->plan)
        stages_print(ir, op->plan, print_heading, out);
}
