/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads plans. Expressions are printed as C, with the spec's names. */
#include "gen/report/report_nests.h"

#include <string.h>

#include "gen/picture/known_loops.h"
#include "gen/report/report_device.h"
#include "ir/diag.h"
#include "plan/contract/remarks.h"
#include "plan/vectors/loop_table.h"
#include "plan/targets.h"

static json_t *text_of(Ir *ir, const Node *e) { return e ? json_string(expr_words(ir, e)) : json_null(); }

static const char *kind_of(const PlanRemark *remark) { return remark->kind == REMARK_OPTIMIZED ? "optimized" : "missed"; }

/* ---------------------------------------------------------------- products */

static json_t *dims_of(Ir *ir, const Contraction *c)
{
    static const char *const roles[R_COUNT] = {[R_BATCH] = "batch", [R_M] = "m", [R_N] = "n", [R_K] = "k"};
    json_t *dims = json_array();
    for (int i = 0; i < c->ndims; i++) {
        const LoopDim *d = c->dims + i;
        json_array_append_new(dims, json_pack("{s:s, s:s, s:o, s:I, s:o}", "role", roles[d->role], "var", d->var->name, "from",
                                              text_of(ir, d->lo), "step", (json_int_t)d->step, "count", text_of(ir, d->extent)));
    }
    return dims;
}

/* How kernels get a factor. */
static const char *way_of(const Operand *x, bool cuda)
{
    if (cuda)
        return x->in_place  ? "read where it lies"
               : x->strided ? "read where it lies, converted on the way"
               : x->gather  ? "gathered on the way to shared memory: lines and steps are sums of places, with conditions"
                            : "computed on the way to shared memory";
    return x->in_place  ? "read where it lies, or packed"
           : x->strided ? "packed, converted on the way"
           : x->gather  ? "gathered while it is packed: lines and steps are sums of places, with conditions"
                        : "computed while it is packed";
}

static json_t *product_of(Ir *ir, const Contraction *c, bool cuda)
{
    const char *family = c->dots == FAM_COUNT ? family_name(c->family)
                                              : arena_printf(ir->arena, "%s, %s where there are dot-product instructions",
                                                             family_name(c->family), family_name(c->dots));
    return json_pack("{s:s, s:i, s:s, s:s, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:{s:s, s:s}, s:o}", "stem", c->stem, "line",
                     line_of(ir, c->loc), "what", contraction_words(ir, c), "family", family, "dims", dims_of(ir, c), "extents", "batch",
                     text_of(ir, c->extent[R_BATCH]), "m", text_of(ir, c->extent[R_M]), "n", text_of(ir, c->extent[R_N]), "k",
                     text_of(ir, c->extent[R_K]), "a", text_of(ir, c->a.value), "b", text_of(ir, c->b.value), "c", text_of(ir, c->c.value),
                     "reads", "a", way_of(&c->a, cuda), "b", way_of(&c->b, cuda), "condition", text_of(ir, c->applies.condition));
}

/* ---------------------------------------------------------------- loops */

static const char *vectors_of(Ir *ir, unsigned sets)
{
    const char *names = "";
    for (int i = 0; i < SET_COUNT; i++)
        if (sets & 1u << i)
            names = arena_printf(ir->arena, "%s%s%s", names, *names ? " " : "", vector_sets[i].name);
    return names;
}

static json_t *row_of(Ir *ir, const LoopRow *r)
{
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:s?}", "loop", r->loop->sym->name, "line",
                     line_of(ir, r->loop->loc), "template", r->form, "vectors", vectors_of(ir, r->sets), "lanes", r->lanes, "rows",
                     r->rows ? r->rows : 1, "copies", r->layout.copies, "rest", r->layout.rest, "accumulators", r->accumulators, "guards",
                     r->guards, "stores", r->stores, "why", r->why);
}

static json_t *nest_of(Ir *ir, const HostNest *nest)
{
    json_t *rows = json_array(), *threads = json_array();
    for (int i = 0; i < nest->vectors.table.count; i++)
        json_array_append_new(rows, row_of(ir, nest->vectors.table.items[i]));
    for (int i = 0; i < nest->cut.loops; i++)
        json_array_append_new(threads, json_string(nest->cut.var[i]->name));
    return json_pack("{s:s, s:i, s:o, s:o}", "stem", nest->stem, "line", line_of(ir, nest->loc), "threads", threads, "rows", rows);
}

/* ---------------------------------------------------------------- groups */

static json_t *groups_of(Ir *ir, const Plan *plan)
{
    json_t *groups = json_array();
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++) {
        const Stage *stage = plan->stages.items[i];
        if (stage->nmembers)
            json_array_append_new(groups, json_pack("{s:s, s:i, s:o}", "kind", stage_info[stage->stage_kind].says, "line",
                                                    line_of(ir, stage->loc), "stages", member_stems(stage)));
    }
    return groups;
}

/* ---------------------------------------------------------------- operators */

json_t *report_operator(Ir *ir, const Plan *plan, bool cuda)
{
    json_t *remarks = json_array(), *products = json_array(), *nests = json_array();
    for (int i = 0; i < plan->remarks.count; i++) {
        const PlanRemark *r = plan->remarks.items[i];
        json_array_append_new(remarks, json_pack("{s:i, s:s, s:s, s:b}", "line", line_of(ir, r->loc), "kind", kind_of(r), "text", r->text,
                                                 "of_nest", r->is_of_nest));
    }
    for (int i = 0; i < contraction_count(plan); i++)
        json_array_append_new(products, product_of(ir, contraction_at(plan, i), cuda));
    for (int i = 0; i < host_nest_count(plan); i++)
        if (!host_nest_at(plan, i)->part)
            json_array_append_new(nests, nest_of(ir, host_nest_at(plan, i)));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", plan->func->name, "remarks", remarks, "products", products, "nests", nests,
                     "grids", report_device_nests(ir, plan), "groups", groups_of(ir, plan));
}

/* What a line's nest became: a product where it is one as well as loops. */
static const char *mark_of(Ir *ir, const Program *program, const char *name, int line)
{
    const char *mark = "";
    for (int i = 0; i < program->noperators; i++) {
        const Vec *remarks = &program->operators[i].plan->remarks;
        for (int j = 0; j < remarks->count; j++) {
            const PlanRemark *r = remarks->items[j];
            if (r->is_of_nest && line_of(ir, r->loc) == line && strcmp(diag_name(ir->diag, r->loc), name) == 0 &&
                strcmp(mark, "optimized") != 0)
                mark = kind_of(r);
        }
    }
    return mark;
}

json_t *report_sources(Ir *ir, const InputOptions *in, const SpecText *specs, const Program *program)
{
    json_t *sources = json_array();
    for (int i = 0; i < in->nspecs; i++) {
        json_t *lines = json_array();
        int number = 1;
        for (const char *p = specs[i].text; *p; number++) {
            const size_t len = strcspn(p, "\n");
            json_array_append_new(lines, json_pack("{s:i, s:s, s:s}", "number", number, "text", arena_strndup(ir->arena, p, len), "kind",
                                                   mark_of(ir, program, specs[i].name, number)));
            p += len + (p[len] == '\n');
        }
        json_array_append_new(sources, json_pack("{s:s, s:o}", "name", base_name(specs[i].name), "lines", lines));
    }
    return sources;
}
