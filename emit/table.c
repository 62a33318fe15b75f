/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names tables, and spells their values in lines. */
#include "emit/table.h"

#include <math.h>
#include <string.h>

#include "emit/expr.h"
#include "emit/name.h"

/* The same values under the same name: a table of a file that two specs include. */
static bool same_table(const UsedTable *used, const ConstantTable *table, Type type)
{
    return used->type == type && used->table->count == table->count && strcmp(used->table->name, table->name) == 0 &&
           memcmp(used->table->value, table->value, sizeof *table->value * (size_t)table->count) == 0;
}

static const char *symbol_of(Arena *arena, Uses *uses, const ConstantTable *table, Type type)
{
    int alike = 0;
    for (int i = 0; i < uses->tables.count; i++) {
        const UsedTable *used = uses->tables.items[i];
        if (same_table(used, table, type))
            return used->symbol;
        alike += strcmp(used->table->name, table->name) == 0;
    }
    UsedTable *used = arena_new_array(arena, UsedTable, 1);
    const char *number = alike ? arena_printf(arena, "%d", alike + 1) : "";
    *used = (UsedTable){table, type, arena_printf(arena, "mik_table%s_%s", number, table->name)};
    vec_push(arena, &uses->tables, used);
    return used->symbol;
}

/* Narrow floats lie in tables as their bits, as no constant expression makes them. */
static bool is_bits(Type type) { return type == T_HALF || type == T_BF16; }

static const char *element_type(const Dialect *d, Type type) { return is_bits(type) ? "uint16_t" : dialect_type(d, type); }

void table_unpack(Emitter *e, const Sym *flat, bool distinct, Text *out)
{
    Arena *arena = e->ir->arena;
    const char *symbol = symbol_of(arena, e->uses, flat->table, flat->type);
    const char *type = dialect_type(e->dialect, flat->type);
    const char *cast = strcmp(type, element_type(e->dialect, flat->type)) != 0 ? arena_printf(arena, "(const %s *)", type) : "";
    text_printf(out, "    const %s *%s%s%s = %s%s;\n", type, distinct ? e->dialect->restrict_word : "", distinct ? " " : "",
                names_declare(e->names, flat), cast, symbol);
    e->uses->half |= flat->type == T_HALF;
    e->uses->bf16 |= flat->type == T_BF16;
}

/* The bits of the value, which a format with so many bits of exponent and fraction holds exactly. */
static unsigned narrow_bits(long double value, int exponent_bits, int fraction_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const unsigned sign = signbit(value) ? 1u << (exponent_bits + fraction_bits) : 0, top = (1u << exponent_bits) - 1;
    int exponent;
    if (isnan(value))
        return sign | top << fraction_bits | 1u << (fraction_bits - 1);
    if (isinf(value))
        return sign | top << fraction_bits;
    const long double fraction = frexpl(fabsl(value), &exponent); /* 0.5 <= fraction < 1 */
    if (fraction == 0)
        return sign;
    if (exponent - 1 < 1 - bias)
        return sign | (unsigned)ldexpl(fabsl(value), fraction_bits + bias - 1);
    const unsigned rest = (unsigned)ldexpl(fraction, fraction_bits + 1) - (1u << fraction_bits);
    return sign | (unsigned)(exponent - 1 + bias) << fraction_bits | rest;
}

static const char *spelled(Emitter *e, const Node *value, Type type)
{
    if (type == T_HALF)
        return arena_printf(e->ir->arena, "0x%04x", narrow_bits(value->u.f, 5, 10));
    if (type == T_BF16)
        return arena_printf(e->ir->arena, "0x%04x", narrow_bits(value->u.f, 8, 7));
    return emit_expr(e, value);
}

/* A zero whose bits are all zero: C puts it behind the values that a list has. */
static bool is_zero(const Node *value) { return value->kind == N_INT ? value->u.i == 0 : value->u.f == 0 && !signbit(value->u.f); }

static json_t *values_of(Emitter *e, const UsedTable *used)
{
    enum { COLUMNS = 120 };
    json_t *lines = json_array();
    Text line;
    text_init(&line, e->ir->arena);
    int count = used->table->count;
    while (count > 1 && is_zero(used->table->value[count - 1]))
        count--;
    for (int i = 0; i < count; i++) {
        const char *value = spelled(e, used->table->value[i], used->type);
        if (line.size && line.size + strlen(value) > COLUMNS) {
            json_array_append_new(lines, json_string(line.data));
            text_init(&line, e->ir->arena);
        }
        text_printf(&line, "%s%s%s", line.size ? " " : "", value, i + 1 < count ? "," : "");
    }
    json_array_append_new(lines, json_string(line.data));
    return lines;
}

json_t *tables_build(Ir *ir, const Dialect *dialect, Uses *uses)
{
    json_t *tables = json_array();
    Emitter e = {.ir = ir, .dialect = dialect, .names = names_new(ir->arena), .uses = uses};
    for (int i = 0; i < uses->tables.count; i++) {
        const UsedTable *used = uses->tables.items[i];
        const char *declaration = arena_printf(ir->arena, "static %sconst %s %s%s[%d]", dialect->cuda ? "__device__ " : "",
                                               element_type(dialect, used->type), dialect->cuda ? "__align__(16) " : "", used->symbol,
                                               used->table->count);
        json_array_append_new(tables, json_pack("{s:s, s:o}", "declaration", declaration, "values", values_of(&e, used)));
    }
    return tables;
}
