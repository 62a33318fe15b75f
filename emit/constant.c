/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of the C target: their layout in one function, for sizes, packing and calls alike. */
#include "emit/constant.h"

#include <string.h>

#include "emit/entry_checks.h"
#include "emit/signature.h"

const char *constant_field(Ir *ir, const Constant *k) { return arena_printf(ir->arena, "mik_ahead_%s", k->array->name); }

static const char *name_of(const StageInput *in, const Constant *k, const char *suffix)
{
    return arena_printf(in->ir->arena, "%s_%s_%s", in->symbol, k->array->name, suffix);
}

static const char *field_of(const StageInput *in, const Sym *sym)
{
    for (int i = 0; i < in->fields->count; i++)
        if (in->fields->items[i].sym == sym)
            return in->fields->items[i].name;
    return NULL;
}

/* STEM_ahead, STEM_ahead_a, STEM_codes, STEM_scales, STEM_zeros and so on, STEM_made: what the functions of a part of an array begin with. */
static const char *part_name(Ir *ir, const ConstantPart *part)
{
    static const char *const kinds[] = {
        [PART_WHOLE] = "ahead", [PART_ROWS] = "ahead_a",    [PART_CODES] = "codes",     [PART_SCALES] = "scales",
        [PART_ZEROS] = "zeros", [PART_OFFSETS] = "offsets", [PART_FACTORS] = "factors", [PART_MADE] = "made"};
    return arena_printf(ir->arena, "%s_%s", part->user ? part->user->stem : part->nest->stem, kinds[part->kind]);
}

/* Where part number i lies, of which `room` begins with what is left of it; its bytes are added. */
static void print_part(const StageInput *in, const Constant *k, int i, Emitter *e, Text *text)
{
    const ConstantPart *part = &k->parts[i];
    const char *parts = constant_field(in->ir, k);
    if (part->user) {
        text_printf(text, "    args->%s[%d] = %s_room(args, room, bytes);\n", parts, i, part_name(in->ir, part));
        return;
    }
    const Sym *made = part->nest->made.array;
    text_printf(text, "    const int64_t mik_made_%d[] = {%s};\n", i, check_extent_list(e, made));
    text_printf(text, "    args->%s[%d] = mik_add_room(room, bytes, sizeof *args->%s, mik_made_%d, %d);\n", parts, i, field_of(in, made), i,
                made->rank);
}

/* All arrays whose extents the layout asks for. */
static Node **layout_extents(const StageInput *in, const Constant *k, int *count)
{
    Sym **arrays = arena_new_array(in->ir->arena, Sym *, k->nparts + k->nwith + 1);
    int narrays = 0;
    arrays[narrays++] = k->array;
    for (int i = 0; i < k->nwith; i++)
        arrays[narrays++] = k->with[i];
    for (int i = 0; i < k->nparts; i++)
        if (!k->parts[i].user)
            arrays[narrays++] = k->parts[i].nest->made.array;
    return check_extents(in->ir, arrays, narrays, count);
}

/* NAME_W_layout(args, room, bytes): are there such arrays? Where the packed one's parts lie in `room`, and their bytes. */
static json_t *layout(const StageInput *in, const Constant *k)
{
    FunctionSpec spec = {.qualifiers = "static", .result = "int", .name = name_of(in, k, "layout")};
    spec.args_param = arena_printf(in->ir->arena, "%s_args *args, char *room, int64_t *bytes", in->symbol);
    spec.body = mk_block(in->ir, 0, NULL, (Loc){0, 0});
    spec.also = layout_extents(in, k, &spec.nalso);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    const char *field = field_of(in, k->array), *parts = constant_field(in->ir, k);
    Text text;
    text_init(&text, in->ir->arena);
    text_printf(&text, "    const int64_t mik_extent[] = {%s};\n", check_extent_list(&t.emitter, k->array));
    text_printf(&text, "    %sint status = mik_check_array(MIKGEN_OK, args->%s, sizeof *args->%s, mik_extent, %d, 1);\n",
                k->nwith ? "" : "const ", field, field, k->array->rank);
    for (int i = 0; i < k->nwith; i++) {
        const char *with = field_of(in, k->with[i]);
        text_printf(&text, "    const int64_t mik_extent_%s[] = {%s};\n", with, check_extent_list(&t.emitter, k->with[i]));
        text_printf(&text, "    status = mik_check_array(status, args->%s, sizeof *args->%s, mik_extent_%s, %d, 1);\n", with, with, with,
                    k->with[i]->rank);
    }
    text_puts(&text, "    *bytes = MIK_AHEAD_HEAD;\n");
    text_puts(&text, "    if (status != MIKGEN_OK && status != MIKGEN_NULL_POINTER)\n        return status;\n");
    for (int i = 0; i < k->nparts; i++)
        print_part(in, k, i, &t.emitter, &text);
    if (k->plain)
        text_printf(&text, "    args->%s[%d] = mik_add_room(room, bytes, sizeof *args->%s, mik_extent, %d);\n", parts, k->nparts, field,
                    k->array->rank);
    else
        text_printf(&text, "    args->%s[%d] = room;\n", parts, k->nparts);
    text_puts(&text, "    return *bytes < 0 ? MIKGEN_TOO_LARGE : status;\n");
    return function_finish(&t, text.data, NULL);
}

/* What other specs, operators and arrays do not have: 64-bit FNV-1a. */
static const char *key(const StageInput *in, const Constant *k, uint64_t h)
{
    for (const char *p = name_of(in, k, ""); *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    return arena_printf(in->ir->arena, "0x%016llxu", (unsigned long long)h);
}

/* {name, field, given}: the operator's integer parameters, and whether the packed form depends on them. */
static json_t *ints(const StageInput *in, const Constant *k, Emitter *e)
{
    const Func *f = in->plan->func;
    json_t *out = json_array();
    for (int i = 0; i < f->nparams; i++) {
        const Sym *p = f->params[i];
        bool given = false;
        if (p->rank || !type_is_integer(p->type))
            continue;
        for (int j = 0; j < k->nints; j++)
            given = given || k->ints[j] == p;
        json_array_append_new(out, json_pack("{s:s, s:s, s:b}", "name", names_find(e->names, p), "field", field_of(in, p), "given", given));
    }
    return out;
}

/* [{name, type, inits[] {field, value}}]: the arrays that are packed, in the order of the operator's parameters. */
static json_t *sources(const StageInput *in, const Constant *k, Emitter *e)
{
    const Func *f = in->plan->func;
    json_t *out = json_array();
    for (int i = 0; i < f->nparams; i++) {
        const Sym *p = f->params[i];
        bool is_source = p == k->array;
        for (int j = 0; j < k->nwith; j++)
            is_source = is_source || k->with[j] == p;
        if (!is_source)
            continue;
        const Sym *whole = whole_param(p);
        const char *name = names_find(e->names, whole), *type = dialect_type(in->dialect, p->type);
        const char *value = p->whole ? arena_printf(in->ir->arena, "(const %s *)%s", type, name) : name;
        if (whole->elements)
            type = arena_printf(in->ir->arena, "struct %s", whole->elements->tag);
        json_t *last = json_array_get(out, json_array_size(out) - 1);
        if (!last || strcmp(json_string_value(json_object_get(last, "name")), name) != 0)
            json_array_append_new(out, last = json_pack("{s:s, s:s, s:[]}", "name", name, "type", type, "inits"));
        json_array_append_new(json_object_get(last, "inits"), json_pack("{s:s, s:s}", "field", field_of(in, p), "value", value));
    }
    return out;
}

static json_t *constant(const StageInput *in, const Constant *k, uint64_t spec_hash)
{
    Emitter e = signature_emitter(in->ir, in->dialect, in->uses, in->plan);
    json_t *users = json_array();
    for (int i = 0; i < k->nparts; i++)
        json_array_append_new(users, json_string(part_name(in->ir, &k->parts[i])));
    const char *type = dialect_type(in->dialect, k->array->type), *elements = "(size_t)1";
    for (int d = 0; d < k->array->rank; d++)
        elements = arena_printf(in->ir->arena, "%s * (size_t)(%s)", elements, emit_expr(&e, k->array->extent[d]));
    const char *name = names_find(e.names, k->array), *field = field_of(in, k->array);
    const char *from = k->array->whole ? arena_printf(in->ir->arena, "mik_args.%s", field) : name;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:s, s:o, s:o, s:o, s:o}", "from", from, "caller",
                     names_find(e.names, whole_param(k->array)), "elements", elements, "param", name, "field", field, "parts",
                     constant_field(in->ir, k), "stem", name_of(in, k, ""), "type", type, "plain", k->plain, "declaration",
                     signature_declaration(&e, k->ints, k->nints), "key", key(in, k, spec_hash), "ints", ints(in, k, &e), "sources",
                     sources(in, k, &e), "users", users, "layout", layout(in, k));
}

json_t *constants_build(const StageInput *in, uint64_t spec_hash)
{
    json_t *out = json_array();
    for (int i = 0; i < in->plan->nconstants; i++)
        json_array_append_new(out, constant(in, in->plan->constants[i], spec_hash));
    return out;
}
