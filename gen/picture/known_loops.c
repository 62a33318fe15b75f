/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is the same for C and CUDA: lines of the spec, loops, products. */
#include "gen/picture/known_loops.h"

#include <math.h>
#include <string.h>

#include "emit/kept_text.h"
#include "gen/driver/shape_work.h"
#include "ir/diag.h"
#include "ir/walk.h"
#include "plan/contract/remarks.h"

int line_of(const Ir *ir, Loc loc)
{
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
}

const char *expr_words(Ir *ir, const Node *e)
{
    static const char cast[] = "(int64_t)";
    Text t;
    text_init(&t, ir->arena);
    for (const char *p = keep_expr(ir, NULL, e); *p;) {
        const bool here = strncmp(p, cast, strlen(cast)) == 0;
        if (!here)
            text_putc(&t, *p);
        p += here ? strlen(cast) : 1;
    }
    return t.data;
}

/* ---------------------------------------------------------------- loops */

typedef struct Loops {
    Ir *ir;
    json_t *list;
    json_t *(*notes_of)(const void *user, const Node *loop);
    const void *user;
    int depth;
} Loops;

/* "for (int i = 0; i < n; i++)", from the spec; its text ends with a zero. */
static const char *loop_text(Ir *ir, const Node *loop)
{
    enum { SHOWN = 56 };
    size_t len = 0;
    const char *text = diag_text(ir->diag, loop->loc, &len);
    if (len < 3 || strncmp(text, "for", 3) != 0)
        return arena_printf(ir->arena, "loop over %s", loop->sym->name);
    int depth = 0;
    size_t n = 0;
    for (bool more = true; more && text[n] && text[n] != '\n'; n++) {
        depth += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
        more = text[n] != ')' || depth > 0;
    }
    return arena_printf(ir->arena, n > SHOWN ? "%.*s..." : "%.*s", n > SHOWN ? SHOWN - 3 : (int)n, text);
}

static void list_inside(Loops *l, Node *n)
{
    const bool loop = n->kind == N_FOR;
    if (loop)
        json_array_append_new(l->list, json_pack("{s:i, s:i, s:s, s:o}", "depth", l->depth, "line", line_of(l->ir, n->loc), "text",
                                                 loop_text(l->ir, n), "notes", l->notes_of(l->user, n)));
    l->depth += loop;
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            list_inside(l, n->kid[i]);
    l->depth -= loop;
}

json_t *list_loops(Ir *ir, Node *tree, json_t *(*notes_of)(const void *user, const Node *loop), const void *user)
{
    Loops l = {.ir = ir, .list = json_array(), .notes_of = notes_of, .user = user};
    list_inside(&l, tree);
    return l.list;
}

/* ---------------------------------------------------------------- parts */

const char *remark_at(const Plan *plan, Loc loc)
{
    const char *text = "";
    for (int i = 0; i < plan->remarks.count; i++) {
        const PlanRemark *remark = plan->remarks.items[i];
        if (remark->is_of_nest && remark->loc.beg == loc.beg)
            text = remark->text;
    }
    return text;
}

json_t *part_of(json_t *call, const char *list, const char *stem)
{
    size_t i;
    json_t *part;
    json_array_foreach(json_object_get(call, list), i,
                       part) if (strcmp(json_string_value(json_object_get(part, "stem")), stem) == 0) return part;
    return NULL;
}

/* ---------------------------------------------------------------- stages */

/* The call's integers, by symbol. */
static Map values_of(Ir *ir, const Plan *plan, const json_t *call)
{
    Map values = {0};
    for (int i = 0; i < plan->func->nparams; i++) {
        const Sym *p = plan->func->params[i];
        const json_t *value = json_object_get(json_object_get(call, "extents"), p->name);
        double *number = arena_alloc(ir->arena, sizeof *number);
        *number = json_number_value(value);
        if (value)
            *map_at(ir->arena, &values, p->id) = number;
    }
    return values;
}

/* What a product's extents are on average; "varies": those that memory bounds. NULL if not even the average is known. */
static json_t *usual_of(const Contraction *c, const Map *values)
{
    static const struct {
        Role role;
        const char *name;
    } roles[] = {{R_BATCH, "count"}, {R_M, "m"}, {R_N, "n"}, {R_K, "k"}};
    json_t *usual = json_pack("{s:s}", "stem", c->stem), *varies = json_array();
    bool known = true;
    for (int i = 0; i < 4; i++) {
        const double number = c->with.usual[roles[i].role] ? shape_number(c->with.usual[roles[i].role], values) : NAN;
        known = known && !isnan(number);
        json_object_set_new(usual, roles[i].name, json_real(isnan(number) ? 0 : number));
        if (i && isnan(shape_number(c->extent[roles[i].role], values)))
            json_array_append_new(varies, json_string(roles[i].name));
    }
    json_object_set_new(usual, "varies", varies);
    if (known)
        return usual;
    json_decref(usual);
    return NULL;
}

json_t *member_stems(const Stage *stage)
{
    json_t *stems = json_array();
    for (int i = 0; i < stage->nmembers; i++)
        json_array_append_new(stems, json_string(stage->members[i]->stem));
    return stems;
}

static void add_ragged(Ir *ir, const RaggedBatch *batch, const Map *values, json_t *list)
{
    json_t *averages = json_array();
    for (int j = 0; j < batch->nmembers; j++) {
        json_t *usual = usual_of((const Contraction *)batch->members[j], values);
        if (usual)
            json_array_append_new(averages, usual);
    }
    json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:o}", "stem", batch->stem, "line", line_of(ir, batch->loc), "stages",
                                          member_stems(&batch->stage), "averages", averages));
}

void add_stages(Ir *ir, const Plan *plan, json_t *call)
{
    json_t *batches = json_array();
    const Map values = values_of(ir, plan, call);
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++) {
        const Stage *stage = plan->stages.items[i];
        json_t *part = part_of(call, stage_info[stage->stage_kind].drawn, stage->stem);
        if (stage->stage_kind == STAGE_RAGGED)
            add_ragged(ir, (const RaggedBatch *)stage, &values, batches);
        else if (part && stage->stage_kind == STAGE_CONTRACTION) {
            json_object_set_new(part, "line", json_integer(line_of(ir, stage->loc)));
            json_object_set_new(part, "what", json_string(contraction_words(ir, (const Contraction *)stage)));
        } else if (part && stage->nmembers) {
            json_object_set_new(part, "line", json_integer(line_of(ir, stage->loc)));
            json_object_set_new(part, "stages", member_stems(stage));
        }
    }
    json_object_set_new(call, "ragged", batches);
}
