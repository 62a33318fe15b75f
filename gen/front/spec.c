/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads specs: prelude, Clang, semantic checks, pragmas; then their operators side by side. */
#include "gen/front/spec.h"

#include <string.h>

#include "gen/front/faults.h"
#include "gen/front/semantic.h"
#include "gen/front/text/spec_prelude.h"
#include "gen/front/unit.h"
#include "gen/front/wishes.h"

/* 64-bit FNV-1a, begun with `h`. */
static uint64_t hash_text(uint64_t h, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

void spec_look(Ir *ir, const SpecText *spec, Front *out)
{
    Front front = {.ir = ir,
                   .definitions = definition_lines(ir->arena, spec->definitions),
                   .len = spec->len,
                   .base = spec->base,
                   .folder = folder_of(ir->arena, spec->name),
                   .folders = spec->folders,
                   .included = spec->included};
    *out = front;
    if (!front_takes(out, spec->text, spec->len))
        return;
    front.text = arena_strndup(ir->arena, spec->text, spec->len); /* Clang wants the final zero byte */
    front.prelude = prelude_text(ir->arena, *front.definitions ? NULL : front.text); /* a definition may name what the text does not */
    front_run(&front);
    if (!front.faults.count && !front.operators.count)
        front_refuse(&front, R_NO_OPERATOR, (Loc){0, 0}, "");
    for (int i = 0; i < front.helpers.count && !front.faults.count; i++)
        check_semantics(&front, ((Definition *)front.helpers.items[i])->func);
    for (int i = 0; i < front.operators.count && !front.faults.count; i++)
        check_semantics(&front, ((Definition *)front.operators.items[i])->func);
    *out = front;
}

/* What the reference is: plain C. */
static const char *reference_text(Arena *arena, const Front *front)
{
    Text text;
    text_init(&text, arena);
    const bool fp8 = front->names_fp8 || strstr(front->whole, "__nv_fp8_");
    prelude_reference(&text, &(NarrowTypes){.half = front->names_half, .bf16 = front->names_bf16, .fp8 = fp8});
    text_puts(&text, front->definitions);
    text_puts(&text, "#ifdef __clang__ /* extents may be 0 here, which sanitizers complain of */\n"
                     "#pragma clang attribute push(__attribute__((no_sanitize(\"vla-bound\"))), apply_to = function)\n#endif\n");
    text_puts(&text, front->whole);
    text_puts(&text, "\n#ifdef __clang__\n#pragma clang attribute pop\n#endif\n");
    return text.data;
}

/* Adds the operators of one spec to the unit. */
static void parse(Ir *ir, const SpecText *spec, Unit *unit)
{
    Front front;
    spec_look(ir, spec, &front);
    front_report(&front);
    if (diag_errors(ir->diag))
        return;
    Unit own = {.nfuncs = front.operators.count, .funcs = arena_new_array(ir->arena, Func *, front.operators.count + 1)};
    for (int i = 0; i < own.nfuncs; i++)
        own.funcs[i] = ((Definition *)front.operators.items[i])->func;
    apply_pragmas(&front, &own);
    unit_join(ir, unit, &own);
    unit->text = reference_text(ir->arena, &front);
    unit->hash = hash_text(unit->hash, front.definitions, strlen(front.definitions));
    unit->hash = hash_text(unit->hash, spec->text, spec->len);
    for (int i = 0; i < front.files.count; i++) {
        const Included *file = front.files.items[i];
        unit->hash = hash_text(unit->hash, file->text, file->len);
    }
}

Unit *specs_parse(Ir *ir, const SpecText *specs, int nspecs)
{
    Unit *unit = arena_new_array(ir->arena, Unit, 1);
    unit->hash = 0xcbf29ce484222325u;
    for (int i = 0; i < nspecs && !diag_errors(ir->diag); i++)
        parse(ir, &specs[i], unit);
    return diag_errors(ir->diag) ? NULL : unit;
}

Unit *spec_parse(Ir *ir, const char *name, const char *text, size_t len)
{
    return specs_parse(ir, &(SpecText){.name = name, .text = text, .len = len}, 1);
}

bool specs_mark_constants(Ir *ir, const Unit *unit, const Vec *names) { return apply_constants(ir, unit, names); }
