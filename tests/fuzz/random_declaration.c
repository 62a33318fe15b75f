/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations: names and when they may hide others, the intervals that locals keep, and what must
 * be read at the end of a block lest compilers complain. */
#include "random_statement.h"

#include <string.h>

/* A name that no declaration of the innermost block has; often one that an outer block has. */
const char *new_name(Gen *g)
{
    static const char *const names[] = {"a", "b", "c", "e", "i", "j", "k", "t", "t0", "t1", "t2", "v", "s", "r", "x0", "row", "n", "d"};
    for (int attempt = 0; attempt < 30; attempt++) {
        const char *name = names[draw(g, g->indent > 2 ? 18 : 16)];
        bool taken = false, outer = false;
        for (int i = 0; i < g->nvars; i++)
            if (!strcmp(g->vars[i].name, name))
                taken |= i >= g->scope || g->vars[i].is_control, outer = true;
        if (!taken && (!outer || chance(g, 30)))
            return name;
    }
    return format(g, "v%d", g->nvars);
}

const char *fresh(Gen *g, const char *prefix) { return format(g, "%s_%d", prefix, g->names++); }

static int64_t local_lo(Type type) { return type == INT || type == LONG ? -1023 : type_min(type); }
static int64_t local_hi(Type type) { return type == INT || type == LONG ? 1023 : type_max(type); }

static Type random_integer_type(Gen *g)
{
    static const Type types[] = {INT, INT, INT, INT, INT, INT, UINT, LONG, ULONG, SCHAR, USHORT, UCHAR, SHORT};
    return types[draw(g, 13)];
}

static void declare_integer(Gen *g)
{
    Type type = random_integer_type(g);
    const char *name = new_name(g);
    g->hidden = name;
    bool let = chance(g, 55), is_const = let && chance(g, 40);
    Expr e = value_for(g, type, local_lo(type), local_hi(type), 1 + (int)draw(g, 3));
    int copy = chance(g, 10) ? pick(g, is_scalar) : -1;
    if (copy >= 0 && g->vars[copy].lo >= local_lo(type) && g->vars[copy].hi <= local_hi(type))
        e = (Expr){g->vars[copy].name, g->vars[copy].type, g->vars[copy].lo, g->vars[copy].hi, 15};
    bool small = let && type == INT && e.lo >= local_lo(type) && e.hi <= local_hi(type);
    if (chance(g, 10) && !is_const) {
        line(g, format(g, "%s %s;", type_name[type], name));
        line(g, format(g, "%s = %s;", name, e.text));
    } else {
        line(g, format(g, "%s%s %s = %s;", is_const ? "const " : "", type_name[type], name, e.text));
    }
    g->hidden = NULL;
    add(g, (Var){.name = name,
                 .type = type,
                 .lo = small ? e.lo : local_lo(type),
                 .hi = small ? e.hi : local_hi(type),
                 .fixed = let,
                 .writable = !let});
}

static void declare_bool(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    bool let = chance(g, 60);
    const char *qualifier = let && chance(g, 50) ? "const " : "";
    line(g, format(g, "%sbool %s = %s;", qualifier, name, pure_condition(g, 1).text));
    g->hidden = NULL;
    add(g, (Var){.name = name, .type = BOOL, .lo = 0, .hi = 1, .fixed = let});
}

static void declare_float(Gen *g)
{
    Type type = chance(g, 60) ? FLOAT : DOUBLE;
    const char *name = new_name(g);
    g->hidden = name;
    bool let = chance(g, 50);
    const char *qualifier = let && chance(g, 40) ? "const " : "";
    line(g, format(g, "%s%s %s = %s;", qualifier, type_name[type], name, floating(g, type, 2).text));
    g->hidden = NULL;
    add(g, (Var){.name = name, .type = type, .writable = !let});
}

static void declare_array(Gen *g)
{
    const char *name = new_name(g);
    Type type = chance(g, 70) ? INT : FLOAT;
    int extent = chance(g, 50) ? 8 : 16;
    line(g, chance(g, 70) ? format(g, "%s %s[%d] = {0};", type_name[type], name, extent)
                          : format(g, "%s %s[%d] = {3, 1, 4, 1, 5};", type_name[type], name, extent));
    add(g, (Var){.name = name,
                 .type = type,
                 .lo = -100,
                 .hi = 100,
                 .rank = 1,
                 .extent = {extent, 0},
                 .writable = true,
                 .is_call_safe = type == INT && chance(g, 30)});
}

static void declare_sum(Gen *g)
{
    const char *name = new_name(g);
    line(g, format(g, "int %s = 0;", name));
    add(g, (Var){.name = name, .type = INT, .lo = -200000000, .hi = 200000000, .is_sum = true});
}

/* Two in one declaration, or a comma that a printer must keep. */
static void declare_pair(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    Expr a = fit(g, integer(g, 1), -1023, 1023);
    add(g, (Var){.name = name, .type = INT, .lo = -1023, .hi = 1023, .writable = true});
    const char *second = new_name(g);
    g->hidden = second;
    Expr b = fit(g, integer(g, 1), -1023, 1023);
    g->hidden = NULL;
    line(g, format(g, "int %s = %s, %s = %s;", name, a.text, second, b.text));
    g->vars[g->nvars - 1].at = g->len;
    add(g, (Var){.name = second, .type = INT, .lo = -1023, .hi = 1023, .writable = true});
}

static bool special_declaration(Gen *g)
{
    const unsigned feature = 1u << draw(g, 8);
    if (!has(g, feature))
        return false;
    return feature == POINTERS  ? pointer_declaration(g)
           : feature == MEMBERS ? member_declaration(g)
                                : feature == PLACES && other_declaration(g);
}

void declaration(Gen *g)
{
    if (g->features && (special_declaration(g) || special_declaration(g)))
        return;
    uint32_t kind = draw(g, 100);
    if (kind < 55)
        declare_integer(g);
    else if (kind < 65)
        declare_bool(g);
    else if (kind < 80)
        declare_float(g);
    else if (kind < 86)
        declare_array(g);
    else if (kind < 95)
        declare_sum(g);
    else
        declare_pair(g);
}

/* The text from `at` on says the name, and not only at the beginning of lines, where it would be assigned to. */
static bool is_read(const Gen *g, const char *name, size_t at)
{
    size_t n = strlen(name);
    for (const char *p = g->out + at; (p = strstr(p, name)); p += n) {
        const char *q = p;
        while (q > g->out && (q[-1] == ' ' || q[-1] == '+' || q[-1] == '-'))
            q--;
        if (q > g->out && q[-1] != '\n' && !is_name_char(p[-1]) && !is_name_char(p[n]))
            return true;
    }
    return false;
}

/* What the block declared and nobody read is read now: compilers would complain. */
void close_scope(Gen *g, int first)
{
    for (int i = first; i < g->nvars; i++) {
        Var *v = &g->vars[i];
        if (v->used || (!v->shadowed && is_read(g, v->name, v->at)) || !is_visible(g, i))
            continue;
        bool is_float = is_float_type(v->type);
        line(g, format(g, "%s = %s%s%s;", is_float ? "gf" : "gl",
                       v->type == DOUBLE  ? "(float)"
                       : v->type == ULONG ? "(long)"
                                          : "",
                       v->name, v->rank ? "[1]" : ""));
    }
    g->nvars = first;
}
