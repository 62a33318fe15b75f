/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is the same for C and CUDA: lines of the spec, loops, products. */
#include "gen/picture/known_loops.h"

#include <string.h>

#include "ir/diag.h"
#include "ir/walk.h"
#include "plan/contract/remarks.h"

int line_of(const Ir *ir, Loc loc)
{
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
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

void add_products(Ir *ir, const Plan *plan, json_t *call)
{
    for (int i = 0; i < plan->ncontractions; i++) {
        const Contraction *c = plan->contractions[i];
        json_t *part = part_of(call, "products", c->stem);
        if (!part)
            continue;
        json_object_set_new(part, "line", json_integer(line_of(ir, c->loc)));
        json_object_set_new(part, "what", json_string(contraction_words(ir, c)));
    }
}

/* Batches are a part of their own; what the dispatcher knows of them is nothing. */
void add_ragged(Ir *ir, const Plan *plan, json_t *call)
{
    json_t *list = json_array();
    for (int i = 0; i < plan->nragged; i++) {
        json_t *stages = json_array(), *part = json_pack("{s:s}", "stem", plan->ragged[i]->stem);
        for (int j = 0; j < plan->ragged[i]->nproducts; j++)
            json_array_append_new(stages, json_string(plan->ragged[i]->products[j]->stem));
        json_object_set_new(part, "line", json_integer(line_of(ir, plan->ragged[i]->loc)));
        json_object_set_new(part, "stages", stages);
        json_array_append_new(list, part);
    }
    json_object_set_new(call, "ragged", list);
}
