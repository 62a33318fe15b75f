/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs Clang over the file, and the front end of specs over what was made of each function. */
#include "gen/front/extract.h"

#include <stdlib.h>
#include <string.h>

#include "gen/front/faults.h"
#include "gen/front/spec.h"

/* Where the original has what stands at `loc` of the text made of it. */
static Loc original(const Extracted *one, Loc loc, uint32_t base)
{
    Loc best = one->loc;
    for (int i = 0; i < one->marks.count; i++) {
        const Mark *mark = one->marks.items[i];
        if (!loc.beg || mark->offset > loc.beg - 1 - base)
            break;
        best = mark->loc.beg ? mark->loc : best;
    }
    return best;
}

static int by_place(const void *a, const void *b)
{
    const Fault *x = *(Fault *const *)a, *y = *(Fault *const *)b;
    if (x->loc.beg != y->loc.beg)
        return x->loc.beg < y->loc.beg ? -1 : 1;
    return x->order - y->order;
}

/* Does the spec that was made hold what specs may? */
static void check(Ir *ir, const char *name, Extracted *one)
{
    const size_t len = strlen(one->text);
    const uint32_t base = diag_add(ir->arena, ir->diag, name, one->text, len);
    const SpecText spec = {.name = name, .text = one->text, .len = len, .base = base};
    Front front;
    spec_look(ir, &spec, &front);
    for (int i = 0; i < front.faults.count; i++) {
        Fault *fault = front.faults.items[i];
        fault->loc = original(one, fault->loc, base);
        vec_push(ir->arena, &one->faults, fault);
    }
    if (one->faults.count)
        one->text = NULL;
}

bool extract_parse(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *how, const ExtractOptions *opt, Vec *out)
{
    Kept kept;
    Front front;
    const char *slash = strrchr(name, '/');
    Extraction extraction = {.options = opt, .name = slash ? slash + 1 : name, .out = out};
    source_look(ir, name, text, len, how, &extraction, &kept, &front);
    front_report(&front);
    if (diag_errors(ir->diag))
        return false;
    if (opt->function && !out->count) {
        diag_error(ir->diag, (Loc){0, 0}, "--extract=list says which functions it has", "the file has no function '%s' with a body",
                   opt->function);
        return false;
    }
    for (int i = 0; i < out->count; i++) {
        Extracted *one = out->items[i];
        const Front own = {.ir = ir};
        if (one->text)
            check(ir, name, one);
        if (!one->faults.count)
            continue;
        qsort(one->faults.items, (size_t)one->faults.count, sizeof(void *), by_place);
        one->what = fault_words(&own, one->faults.items[0]);
    }
    return true;
}

Loc extract_first_fault(const Extracted *one) { return ((const Fault *)one->faults.items[0])->loc; }

void extract_report(Ir *ir, const Extracted *one) { front_report(&(Front){.ir = ir, .faults = one->faults}); }
