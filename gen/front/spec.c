/* Reads a spec: prelude, Clang, semantic checks, pragmas. */
#include "gen/front/spec.h"

#include <string.h>

#include "gen/front/faults.h"
#include "gen/front/semantic.h"
#include "gen/front/spec_prelude.h"
#include "gen/front/wishes.h"

Unit *spec_parse(Ir *ir, const char *name, const char *text, size_t len)
{
    Front front = {.ir = ir, .prelude = prelude_text(ir->arena), .len = len};
    if (!front_takes(&front, text, len))
        return NULL;
    front.text = arena_strndup(ir->arena, text, len); /* Clang wants the final zero byte */
    front_run(&front);
    if (!front.faults.count && !front.operators.count)
        front_refuse(&front, R_NO_OPERATOR, (Loc){0, 0}, "");
    for (int i = 0; i < front.helpers.count && !front.faults.count; i++)
        check_semantics(&front, ((Definition *)front.helpers.items[i])->func);
    for (int i = 0; i < front.operators.count && !front.faults.count; i++)
        check_semantics(&front, ((Definition *)front.operators.items[i])->func);
    front_report(&front);

    Unit *unit = arena_alloc(ir->arena, sizeof *unit);
    unit->name = name;
    unit->text = text;
    unit->len = len;
    unit->nfuncs = front.operators.count;
    unit->funcs = arena_new_array(ir->arena, Func *, unit->nfuncs + 1);
    for (int i = 0; i < unit->nfuncs; i++)
        unit->funcs[i] = ((Definition *)front.operators.items[i])->func;
    if (!diag_errors(ir->diag))
        apply_pragmas(&front, unit);
    return diag_errors(ir->diag) ? NULL : unit;
}
