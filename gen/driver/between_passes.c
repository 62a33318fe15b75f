/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes over all that an operator consists of by then: its body, hooks, nests, and what they are planned to become. */
#include "gen/driver/between_passes.h"

#include <string.h>

#include "gen/driver/place_producers.h"
#include "ir/check.h"
#include "ir/print.h"
#include "plan/chains/chains.h"
#include "plan/nests/pipelined_nests.h"
#include "plan/profile/profile.h"
#include "plan/vectors/loop_table.h"

static void check_forms(Ir *ir, const DeviceNest *nest, const char *pass)
{
    for (int h = 0; h < FORM_COUNT; h++)
        if (nest->form[h])
            check_hook(ir, nest->form[h], pass);
    for (int i = 0; i < nest->more.count; i++)
        check_forms(ir, nest->more.items[i], pass);
}

void check_operator(Ir *ir, const Operator *op, Func *f, const char *pass, bool inlined)
{
    check_func(ir, f, inlined, pass);
    for (int i = 0; op->plan && i < op->plan->ncontractions; i++)
        for (int h = 0; h < HOOK_COUNT; h++) {
            const Func *hook = op->plan->contractions[i]->hooks[h].func;
            if (hook)
                check_hook(ir, hook, pass);
        }
    for (int i = 0; op->plan && i < op->plan->nnests; i++)
        check_forms(ir, op->plan->nests[i], pass);
    for (int i = 0; op->plan && i < op->plan->nattentions; i++)
        for (int h = 0; h < ATTENTION_FUNCS; h++)
            if (op->plan->attentions[i]->func[h])
                check_hook(ir, op->plan->attentions[i]->func[h], pass);
    for (int i = 0; op->plan && i < op->plan->nhost_nests; i++)
        check_hook(ir, op->plan->host_nests[i]->loops, pass);
    for (int i = 0; op->plan && i < op->plan->nragged; i++)
        check_hook(ir, op->plan->ragged[i]->group, pass);
}

void dump_operator(Ir *ir, const Operator *op, Func *f, const PlanOptions *opt, const char *pass, Text *out)
{
    if (strcmp(pass, "nests") == 0 && !opt->cuda && op->apart)
        print_producers(ir, op, opt, out);
    print_func(out, f);
    for (int i = 0; op->plan && i < op->plan->ncontractions; i++)
        for (int h = 0; h < HOOK_COUNT; h++)
            if (op->plan->contractions[i]->hooks[h].func)
                print_func(out, op->plan->contractions[i]->hooks[h].func);
    for (int i = 0; op->plan && i < op->plan->nnests; i++) {
        const DeviceNest *nest = op->plan->nests[i];
        text_printf(out, "// %s, %s\n", nest->stem, profile_nest_name(ir->arena, nest->fingerprint));
        for (int h = 0; h < FORM_COUNT; h++)
            if (nest->form[h])
                print_func(out, nest->form[h]);
    }
    for (int i = 0; op->plan && i < op->plan->nattentions; i++)
        for (int h = 0; h < ATTENTION_FUNCS; h++)
            if (op->plan->attentions[i]->func[h])
                print_func(out, op->plan->attentions[i]->func[h]);
    for (int i = 0; op->plan && i < op->plan->nragged; i++)
        print_func(out, op->plan->ragged[i]->group);
    for (int i = 0; op->plan && i < op->plan->nchains; i++)
        print_chain(ir, op->plan->chains[i], out);
    for (int i = 0; op->plan && i < op->plan->nwaves; i++)
        print_wave(ir, op->plan->waves[i], out);
    for (int i = 0; op->plan && i < op->plan->nhost_nests; i++) {
        const HostNest *nest = op->plan->host_nests[i];
        print_loop_table(ir, nest, out);
        print_func(out, nest->form[0] ? nest->form[0] : nest->loops);
    }
}
