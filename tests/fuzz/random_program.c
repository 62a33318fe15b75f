/* Prints random C functions, the same for the same seed:
 *
 *   random_program FIRST COUNT PROGRAMS CALLS [NUMBER...]
 *
 * writes functions p<FIRST> ... to the file PROGRAMS, and to CALLS one `case` for each that calls it with what
 * tests/fuzz/programs.h declares. The programs of the given numbers are left out. */
#include "random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void block(Gen *g, int statements);
static void statement(Gen *g);

/* ------------------------------------------------------------------------------------ output */

static void put(Gen *g, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
static void put(Gen *g, const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    int n = vsnprintf(g->out + g->len, TEXTS - g->len, pattern, args);
    va_end(args);
    if (n < 0 || g->len + (size_t)n + 1 > TEXTS)
        exit(1);
    g->len += (size_t)n;
}

static void line(Gen *g, const char *text) { put(g, "%*s%s\n", g->indent * 4, "", text); }

/* ------------------------------------------------------------------------------------ declarations */

static Var *add(Gen *g, Var var)
{
    if (g->nvars == MAX_VARS) {
        fprintf(stderr, "random_program: too many variables\n");
        exit(1);
    }
    for (int i = 0; i < g->nvars; i++)
        g->vars[i].shadowed |= !strcmp(g->vars[i].name, var.name);
    g->vars[g->nvars] = var;
    g->vars[g->nvars].at = g->len;
    return &g->vars[g->nvars++];
}

/* A name that no declaration of the innermost block has; often one that an outer block has. */
static const char *new_name(Gen *g)
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

static bool is_sum(const Var *var) { return var->is_sum; }
static bool is_assignable(const Var *var) { return is_scalar(var) && var->writable; }
static bool is_volatile(const Var *var) { return !var->rank && var->is_volatile; }
static bool is_writable_array(const Var *var) { return var->rank && var->writable && !is_float_type(var->type); }
static bool is_writable_floats(const Var *var) { return var->rank && var->writable && is_float_type(var->type); }
static bool is_float_target(const Var *var) { return !var->rank && var->writable && is_float_type(var->type); }
static bool is_unsigned_target(const Var *var) { return is_assignable(var) && is_unsigned(var->type) && !var->rank; }
static bool is_passable(const Var *var) { return var->rank == 1 && var->is_call_safe && var->writable && var->type == INT; }

static int64_t local_lo(Type type) { return type == INT || type == LONG ? -1023 : type_min(type); }
static int64_t local_hi(Type type) { return type == INT || type == LONG ? 1023 : type_max(type); }

static Type random_integer_type(Gen *g)
{
    static const Type types[] = {INT, INT, INT, INT, INT, INT, UINT, LONG, ULONG, SCHAR, USHORT, UCHAR, SHORT};
    return types[draw(g, 13)];
}

/* An expression fit for a variable: of its interval, or wrapping into its type. */
static Expr value_for(Gen *g, Type type, int64_t lo, int64_t hi, int depth)
{
    Expr e = integer(g, depth);
    bool wraps = lo == type_min(type) && hi == type_max(type);
    return wraps ? e : fit(g, e, lo, hi);
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
    add(g, (Var){.name = name, .type = type, .lo = small ? e.lo : local_lo(type), .hi = small ? e.hi : local_hi(type),
        .fixed = let, .writable = !let});
}

static void declare_bool(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    bool let = chance(g, 60);
    line(g, format(g, "%sbool %s = %s;", let && chance(g, 50) ? "const " : "", name, pure_condition(g, 1).text));
    g->hidden = NULL;
    add(g, (Var){.name = name, .type = BOOL, .lo = 0, .hi = 1, .fixed = let});
}

static void declare_float(Gen *g)
{
    Type type = chance(g, 60) ? FLOAT : DOUBLE;
    const char *name = new_name(g);
    g->hidden = name;
    bool let = chance(g, 50);
    line(g, format(g, "%s%s %s = %s;", let && chance(g, 40) ? "const " : "", type_name[type], name, floating(g, type, 2).text));
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
    add(g, (Var){.name = name, .type = type, .lo = -100, .hi = 100, .rank = 1, .extent = {extent, 0}, .writable = true,
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

static void declaration(Gen *g)
{
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

static bool is_name_char(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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
static void close_scope(Gen *g, int first)
{
    for (int i = first; i < g->nvars; i++) {
        Var *v = &g->vars[i];
        if (v->used || (!v->shadowed && is_read(g, v->name, v->at)) || !is_visible(g, i))
            continue;
        bool is_float = is_float_type(v->type);
        line(g, format(g, "%s = %s%s%s;", is_float ? "gf" : "gl", v->type == DOUBLE ? "(float)" : v->type == ULONG ? "(long)" : "", v->name, v->rank ? "[1]" : ""));
    }
    g->nvars = first;
}

/* ------------------------------------------------------------------------------------ simple statements */

static const char *assign_sum(Gen *g)
{
    int var = pick(g, is_sum);
    if (var < 0)
        return NULL;
    Expr e = fit(g, integer(g, 2), -1000, 1000);
    if (is_unsigned(e.type) || e.type == LONG)
        e = cast(g, INT, e);
    const char *s = g->vars[var].name;
    switch (draw(g, 4)) {
    case 0: return format(g, "%s = %s + (%s);", s, s, e.text);
    case 1: return format(g, "%s -= %s;", s, e.text);
    default: return format(g, "%s += %s;", s, e.text);
    }
}

static const char *assign_integer(Gen *g)
{
    int var = pick(g, is_assignable);
    if (var < 0)
        return NULL;
    Var v = g->vars[var];
    bool wraps = v.lo == type_min(v.type) && v.hi == type_max(v.type);
    if (wraps && chance(g, 35)) {
        static const char *const ops[] = {"+=", "-=", "*=", "^=", "|=", "&="};
        bool narrow = v.type < INT && v.type != BOOL;
        Expr e = fit(g, integer(g, 2), 0, narrow ? 1000 : 100000);
        return format(g, "%s %s %s;", v.name, ops[draw(g, v.type == LONG ? 1 : 6)], e.text);
    }
    if (wraps && v.type != LONG && chance(g, 15)) {
        static const char *const steps[] = {"%s++;", "++%s;", "%s--;", "--%s;"};
        return format(g, steps[draw(g, 4)], v.name);
    }
    if (chance(g, 8))
        return format(g, chance(g, 50) ? "%s /= %u;" : "%s %%= %u;", v.name, 2 + draw(g, 5));
    if (chance(g, 5) && v.type != BOOL)
        return format(g, "%s >>= %u;", v.name, 1 + draw(g, 3));
    Expr e = value_for(g, v.type, v.lo, v.hi, 1 + (int)draw(g, 3));
    return strcmp(e.text, v.name) ? format(g, "%s = %s;", v.name, e.text) : NULL;
}

static const char *assign_float(Gen *g)
{
    static const char *const ops[] = {"=", "=", "+=", "-=", "*="};
    int var = pick(g, chance(g, 35) ? is_float_target : is_writable_floats);
    if (var < 0)
        return NULL;
    Type type = g->vars[var].type;
    const char *target = g->vars[var].rank ? element(g, var) : g->vars[var].name;
    Expr e = floating(g, type, 1 + (int)draw(g, 3));
    return strcmp(e.text, target) ? format(g, "%s %s %s;", target, ops[draw(g, 5)], e.text) : NULL;
}

static const char *store(Gen *g)
{
    int var = pick(g, is_writable_array);
    if (var < 0)
        return NULL;
    Var v = g->vars[var];
    const char *target = element(g, var);
    bool wraps = v.lo == type_min(v.type) && v.hi == type_max(v.type) && v.type != BOOL;
    if (wraps && v.type != LONG && chance(g, 40)) {
        static const char *const ops[] = {"+=", "-=", "^=", "|=", "*="};
        return chance(g, 20) ? format(g, "%s++;", target) : format(g, "%s %s %s;", target, ops[draw(g, 5)], fit(g, integer(g, 2), 0, 1000).text);
    }
    Expr e = value_for(g, v.type, v.lo, v.hi, 1 + (int)draw(g, 3));
    return strcmp(e.text, target) ? format(g, "%s = %s;", target, e.text) : NULL;
}

static bool is_plain_int(const Var *var) { return is_assignable(var) && var->type == INT && var->lo <= -1000; }

static const char *call(Gen *g)
{
    int var, array;
    switch (draw(g, 7)) {
    case 0:
        if ((var = pick(g, is_plain_int)) >= 0)
            return format(g, "%s = next(%s);", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text);
        return "bump();";
    case 1:
        if ((array = pick(g, is_passable)) >= 0)
            return format(g, "touch(%s, %s);", g->vars[array].name, fit(g, integer(g, 1), 0, 7).text);
        return "bump();";
    case 2:
        if ((array = pick(g, is_passable)) >= 0 && (var = pick(g, is_plain_int)) >= 0)
            return format(g, "%s = peek(%s, %s) + %s;", g->vars[var].name, g->vars[array].name, fit(g, integer(g, 1), 0, 7).text, imm(g, draw(g, 9)).text);
        return "bump();";
    case 3:
        if ((array = pick(g, is_passable)) >= 0 && (var = pick(g, is_plain_int)) >= 0 && g->has_helper && !g->in_helper && g->trips <= 60)
            return format(g, "%s = h%ld(%s, %s, %s);", g->vars[var].name, g->number, fit(g, integer(g, 1), 0, 12).text,
                fit(g, integer(g, 1), -3, 3).text, g->vars[array].name);
        return "bump();";
    case 4:
        if ((var = pick(g, is_plain_int)) >= 0)
            return format(g, "%s = mix(%s, %s);", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text, fit(g, integer(g, 1), -1000, 1000).text);
        return "bump();";
    default:
        return format(g, "note(%s);", fit(g, integer(g, 2), -100000, 100000).text);
    }
}

static const char *strange(Gen *g)
{
    int var = pick(g, is_plain_int), other;
    switch (draw(g, 4)) {
    case 0:
        if (var >= 0 && (other = pick(g, is_unsigned_target)) >= 0)
            return format(g, "%s = (%s++, %u);", g->vars[var].name, g->vars[other].name, draw(g, 9));
        return NULL;
    case 1:
        return var >= 0 ? format(g, "*&%s = %s;", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text) : NULL;
    case 2:
        if ((other = pick(g, is_volatile)) >= 0)
            return var >= 0 && chance(g, 60) ? format(g, "%s = %s;", g->vars[var].name, g->vars[other].name)
                                             : format(g, "%s = %s;", g->vars[other].name, fit(g, integer(g, 2), -100, 100).text);
        return NULL;
    default:
        return ";";
    }
}

/* One line, without a declaration. */
static const char *simple(Gen *g)
{
    for (;;) {
        uint32_t kind = draw(g, 100);
        const char *text = kind < 28 ? store(g) : kind < 50 ? assign_integer(g) : kind < 68 ? assign_float(g)
            : kind < 84 ? assign_sum(g) : kind < 94 ? call(g) : strange(g);
        if (text)
            return text;
    }
}

/* ------------------------------------------------------------------------------------ compound statements */

typedef struct Place {
    int nvars, nfacts, hot, dead, loops, scope;
    long trips;
    bool may_continue;
} Place;

static Place enter(Gen *g)
{
    return (Place){g->nvars, g->nfacts, g->hot, g->dead, g->loops, g->scope, g->trips, g->may_continue};
}

static void leave(Gen *g, Place p)
{
    forget(g, p.nfacts, p.hot);
    g->nvars = p.nvars, g->dead = p.dead, g->loops = p.loops, g->scope = p.scope, g->trips = p.trips, g->may_continue = p.may_continue;
}

/* "{", statements, "}" behind what is printed already; what is learnt inside ends with the block. */
static void braces(Gen *g, int statements, const char *first, const char *last, const char *after)
{
    Place p = enter(g);
    put(g, " {\n");
    g->indent++;
    g->scope = g->nvars;
    if (first)
        line(g, first);
    block(g, statements);
    close_scope(g, p.nvars);
    if (last)
        line(g, last);
    g->indent--;
    put(g, "%*s}%s\n", g->indent * 4, "", after);
    leave(g, p);
}

/* The body of a loop or if: sometimes a single statement without braces. */
static void body(Gen *g, int statements)
{
    if (chance(g, 20)) {
        const char *text = simple(g);
        if (strcmp(text, ";")) {
            put(g, "\n%*s%s\n", g->indent * 4 + 4, "", text);
            return;
        }
    }
    braces(g, statements, NULL, NULL, "");
}

static int some(Gen *g) { return 1 + (int)draw(g, 3); }

static void if_statement(Gen *g)
{
    Place p = enter(g);
    g->calls = chance(g, 20) ? 1 : 0;
    Expr c = chance(g, 40) ? fact(g, false) : condition(g, 2);
    g->calls = 0;
    put(g, "%*sif (%s)", g->indent * 4, "", c.text);
    bool pairs = chance(g, 30); /* adjacent ifs with one condition */
    if (chance(g, 25)) { /* nested ifs, for if-merge */
        put(g, " {\n");
        g->indent++;
        put(g, "%*sif (%s)", g->indent * 4, "", pure_condition(g, 1).text);
        braces(g, some(g), NULL, NULL, "");
        g->indent--;
        line(g, "}");
    } else {
        bool has_else = chance(g, 35);
        braces(g, some(g), NULL, NULL, "");
        while (has_else) {
            g->len--; /* the else follows the brace */
            forget(g, p.nfacts, p.hot);
            g->dead = p.dead;
            bool again = chance(g, 35);
            if (again)
                put(g, " else if (%s)", pure_condition(g, 1).text);
            else
                put(g, " else");
            braces(g, some(g), NULL, NULL, "");
            has_else = again && chance(g, 60);
        }
    }
    if (pairs && !strstr(c.text, "next(") && !strstr(c.text, "gv")) {
        leave(g, p);
        put(g, "%*sif (%s)", g->indent * 4, "", c.text);
        braces(g, 1, NULL, NULL, "");
    }
    leave(g, p);
}

static bool is_bound(const Var *var) { return is_scalar(var) && var->hi <= 14 && var->lo >= -3 && var->type != BOOL && !is_unsigned(var->type); }

/* The bound of a loop, at most 14. */
static Expr bound(Gen *g)
{
    uint32_t kind = draw(g, 100);
    int var = pick(g, is_bound);
    if (kind < 30 || var < 0)
        return imm(g, 1 + draw(g, 10));
    Var *v = &g->vars[var];
    Expr e = {v->name, v->type, v->lo, v->hi, 15};
    if (kind < 65)
        return e;
    if (kind < 80)
        return binary(g, chance(g, 60) ? "+" : "-", e, imm(g, 1 + draw(g, 2)));
    if (kind < 88)
        return binary(g, "+", fit(g, binary(g, "*", e, imm(g, 2 + draw(g, 2))), 0, 7), fit(g, integer(g, 1), 0, 3));
    return fit(g, integer(g, 2), 0, 7);
}

/* A condition that does not name the variable that is being declared. */
static const char *operand_of_and(Gen *g, const char *name)
{
    g->hidden = name;
    const char *text = format(g, "(%s)", pure_condition(g, 1).text);
    g->hidden = NULL;
    return text;
}

static void maybe_pragma(Gen *g)
{
    if (chance(g, 6))
        line(g, chance(g, 50) ? "#pragma unroll" : "#pragma GCC unroll 4");
}

/* What the body learns about the loop's variable, and about a bound that must have let it in. */
static void counted_body(Gen *g, Var counter, int bound_var, int64_t bound_lo, long trips)
{
    Place p = enter(g);
    g->scope = g->nvars;
    counter.used = counter.is_counter = true;
    add(g, counter);
    if (bound_var >= 0 && g->vars[bound_var].fixed)
        learn(g, bound_var, bound_lo, INT64_MAX, bound_lo > 0);
    g->loops++;
    g->trips *= trips > 0 ? trips : 1;
    g->may_continue = true;
    body(g, some(g));
    leave(g, p);
}

/* for (i = lo; i < hi; i += step), in its many spellings, for a bound that is zero whenever control would arrive:
 * its body is dead. */
static void for_up(Gen *g)
{
    static const Type types[] = {INT, INT, INT, INT, INT, INT, INT, LONG, SCHAR, USHORT, SHORT};
    const char *name = new_name(g);
    Type type = types[draw(g, 11)];
    g->hidden = name;
    int64_t lo = chance(g, 65) ? 0 : draw(g, 4);
    int step = chance(g, 80) ? 1 : 2 + (int)draw(g, 2);
    Expr hi = bound(g);
    int bound_var = -1;
    for (int i = 0; i < g->nvars; i++)
        if (!strcmp(g->vars[i].name, hi.text) && is_visible(g, i))
            bound_var = i;
    g->hidden = NULL;
    bool equal = chance(g, 15), unequal = !equal && step == 1 && hi.lo >= lo && chance(g, 30);
    bool swap = chance(g, 10), is_stepped = chance(g, 15);
    const char *cmp = unequal ? "!=" : equal ? (swap ? ">=" : "<=") : swap ? ">" : "<";
    if (is_unsigned(type) != is_unsigned(hi.type))
        hi = cast(g, INT, hi), hi.lo = hi.lo < 0 ? 0 : hi.lo;
    const char *text = hi.prec <= 10 ? format(g, "(%s)", hi.text) : hi.text;
    const char *cond = swap ? format(g, "%s %s %s", text, cmp, name) : format(g, "%s %s %s", name, cmp, text);
    if (chance(g, 6) && !unequal)
        cond = format(g, "%s && %s", cond, operand_of_and(g, name));
    const char *by = step == 1 ? (is_stepped ? format(g, "%s = %s + 1", name, name) : format(g, chance(g, 50) ? "%s++" : "++%s", name))
                               : format(g, "%s += %d", name, step);
    bool outer = chance(g, 15);
    if (outer)
        line(g, format(g, "%s %s;", type_name[type], name));
    maybe_pragma(g);
    if (outer) {
        put(g, "%*sfor (%s = %lld; %s; %s)", g->indent * 4, "", name, (long long)lo, cond, by);
    } else {
        put(g, "%*sfor (%s %s = %lld; %s; %s)", g->indent * 4, "", type_name[type], name, (long long)lo, cond, by);
    }
    int64_t last = hi.hi - !equal > 100 ? 100 : hi.hi - !equal; /* more only in dead places */
    Var v = {.name = name, .type = type, .lo = lo, .hi = last < lo ? lo : last, .fixed = true};
    int dead = g->dead;
    if (last < lo)
        g->dead++;
    counted_body(g, v, bound_var, lo + !equal, (long)((last - lo) / step + 1));
    g->dead = dead;
    if (outer)
        add(g, (Var){.name = name, .type = type, .lo = lo, .hi = last + step < lo ? lo : last + step, .fixed = true})->used = true;
}

static void for_down(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    Expr hi = bound(g);
    g->hidden = NULL;
    if (is_unsigned(hi.type))
        hi = cast(g, INT, hi);
    static const char *const conds[] = {"%s >= 0", "%s > 0", "0 <= %s", "%s >= 1"};
    int which = (int)draw(g, 4), step = chance(g, 80) ? 1 : 2;
    int64_t lo = which & 1;
    const char *by = step == 1 ? format(g, chance(g, 50) ? "--%s" : "%s--", name) : format(g, "%s -= 2", name);
    maybe_pragma(g);
    put(g, "%*sfor (int %s = %s; %s; %s)", g->indent * 4, "", name, hi.text, format(g, conds[which], name), by);
    counted_body(g, (Var){.name = name, .type = INT, .lo = lo, .hi = hi.hi < lo ? lo : hi.hi, .fixed = true}, -1, 0, (long)hi.hi + 1);
}

/* Near the end of the type, or unsigned. */
static void for_odd(Gen *g)
{
    const char *name = new_name(g);
    int64_t lo, hi;
    Type type = INT;
    switch (draw(g, 4)) {
    case 0:
        lo = (int64_t)2147483640, hi = lo + 6;
        put(g, "%*sfor (int %s = 2147483640; %s < 2147483647; %s++)", g->indent * 4, "", name, name, name);
        break;
    case 1:
        lo = -(int64_t)2147483647 - 1, hi = lo + 4;
        put(g, "%*sfor (int %s = -2147483647 - 1; %s < -2147483643; ++%s)", g->indent * 4, "", name, name, name);
        break;
    case 2:
        type = UINT, lo = 0, hi = 7;
        put(g, "%*sfor (unsigned %s = 0; %s < %uu; %s++)", g->indent * 4, "", name, name, 1 + draw(g, 8), name);
        break;
    default:
        type = UINT, lo = 1, hi = 8;
        put(g, "%*sfor (unsigned %s = %u; %s > 0; %s--)", g->indent * 4, "", name, 1 + draw(g, 8), name, name);
    }
    counted_body(g, (Var){.name = name, .type = type, .lo = lo, .hi = hi, .fixed = true}, -1, 0, 8);
}

static void while_loop(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    int trips = 2 + (int)draw(g, 6);
    g->calls = chance(g, 15) ? 1 : 0;
    const char *more = chance(g, 35) ? format(g, " && (%s)", condition(g, 1).text) : "";
    g->calls = 0;
    g->hidden = NULL;
    int kind = (int)draw(g, 4);
    Place p = enter(g);
    if (kind < 3)
        line(g, format(g, "int %s = %d;", name, trips));
    /* It is not fixed: the body changes it once. */
    Var counter = {.name = name, .type = INT, .lo = -1, .hi = trips, .used = true, .is_control = true};
    add(g, counter);
    g->loops++;
    g->trips *= trips;
    g->may_continue = true;
    const char *step = format(g, "%s -= 1;", name);
    if (kind == 0) {
        put(g, "%*swhile (%s > 0%s)", g->indent * 4, "", name, more);
        braces(g, some(g), step, NULL, "");
    } else if (kind == 1) {
        put(g, "%*sdo", g->indent * 4, "");
        braces(g, some(g), step, NULL, format(g, " while (%s > 0%s);", name, more));
    } else if (kind == 2) {
        g->may_continue = false;
        put(g, "%*swhile (%s > 0%s)", g->indent * 4, "", name, more);
        braces(g, some(g), NULL, step, "");
    } else {
        g->may_continue = false;
        put(g, "%*sfor (int %s = 0; %s < %d; )", g->indent * 4, "", name, name, trips);
        braces(g, some(g), NULL, format(g, "%s += 1;", name), "");
    }
    bool declared = kind < 3;
    leave(g, p);
    counter.is_control = false;
    if (declared)
        add(g, counter);
}

static void jump(Gen *g)
{
    int kind = (int)draw(g, 10);
    const char *to = kind < 4 && g->loops ? "break;" : kind < 8 && g->may_continue ? "continue;" : NULL;
    if (!to) {
        if (kind < 9 && !chance(g, 30)) {
            line(g, simple(g));
            return;
        }
        to = g->in_helper ? format(g, "return %s;", fit(g, integer(g, 1), -100, 100).text)
                          : format(g, "return %s;", fit(g, integer(g, 2), -100000, 100000).text);
    }
    Expr c = chance(g, 60) ? fact(g, true) : (Expr){0};
    if (!c.text)
        c = pure_condition(g, 1);
    put(g, "%*sif (%s)", g->indent * 4, "", c.text);
    if (chance(g, 50))
        put(g, "\n%*s%s\n", g->indent * 4 + 4, "", to);
    else
        put(g, " {\n%*s%s\n%*s}\n", g->indent * 4 + 4, "", to, g->indent * 4, "");
}

static bool is_stoppable(const Var *var) { return is_scalar(var) && var->fixed && var->type == INT && var->lo <= 0 && var->hi > 0 && var->hi < 100; }

/* A call that does not return if its argument is 0: what stands behind it may divide. */
static void stop(Gen *g)
{
    int var = pick(g, is_stoppable);
    if (var < 0)
        return;
    line(g, format(g, "stop_if_zero(%s);", g->vars[var].name));
    learn(g, var, INT64_MIN, INT64_MAX, true);
}

static void statement(Gen *g)
{
    if (chance(g, 5))
        line(g, chance(g, 50) ? "/* what follows */" : "// what follows");
    g->size--;
    uint32_t kind = draw(g, 100);
    bool deep = g->loops >= 4 || g->trips > 400 || g->indent > 8 || g->nvars > MAX_VARS - 20;
    if (kind < 18 && g->nvars < MAX_VARS - 20)
        declaration(g);
    else if (kind < 30 && g->indent < 9)
        if_statement(g);
    else if (kind < 56 && !deep)
        for_up(g);
    else if (kind < 61 && !deep)
        for_down(g);
    else if (kind < 63 && !deep)
        for_odd(g);
    else if (kind < 68 && !deep)
        while_loop(g);
    else if (kind < 74)
        jump(g);
    else if (kind < 76)
        stop(g);
    else if (kind < 77) {
        put(g, "%*s", g->indent * 4 - 1, "");
        braces(g, some(g), NULL, NULL, "");
    } else if (kind < 80)
        line(g, format(g, "%s // so", simple(g)));
    else
        line(g, simple(g));
}

static void block(Gen *g, int statements)
{
    while (statements-- > 0 && g->size > 0)
        statement(g);
    line(g, simple(g));
}

/* ------------------------------------------------------------------------------------ functions */

static void globals(Gen *g)
{
    static const Var vars[] = {
        {.name = "g0", .type = INT, .lo = -100, .hi = 100, .writable = true},
        {.name = "g1", .type = INT, .lo = -100, .hi = 100, .writable = true},
        {.name = "gu", .type = UINT, .lo = 0, .hi = UINT32_MAX, .writable = true},
        {.name = "gl", .type = LONG, .lo = INT64_MIN, .hi = INT64_MAX, .writable = true},
        {.name = "gf", .type = FLOAT, .writable = true},
        {.name = "gv", .type = INT, .lo = -100, .hi = 100, .is_volatile = true},
        {.name = "ga", .type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {64, 0}, .writable = true, .is_call_safe = true},
    };
    for (size_t i = 0; i < sizeof vars / sizeof *vars; i++)
        add(g, vars[i])->used = true;
}

static const char *array_parameter(Gen *g, const char *type, const char *name, bool restricted, bool is_const)
{
    return format(g, chance(g, 80) || restricted ? "%s%s *%s%s" : "%s%s %s%s[]", is_const ? "const " : "", type, restricted ? "restrict " : "", name);
}

/* Every parameter that the driver can give; what a function does not use is not printed. */
static void parameters(Gen *g)
{
    bool fixed_d = chance(g, 85);
    add(g, (Var){.name = "n", .type = INT, .lo = 0, .hi = 12, .fixed = true, .declaration = "int n"});
    add(g, (Var){.name = "d", .type = INT, .lo = -3, .hi = 3, .fixed = fixed_d, .writable = !fixed_d, .declaration = "int d"});
    if (g->in_helper) {
        add(g, (Var){.name = "A", .type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {g->in_helper ? 8 : 64, 0}, .writable = true,
            .is_call_safe = true, .declaration = "int *A"});
        return;
    }
    add(g, (Var){.name = "m", .type = INT, .lo = 0, .hi = 12, .fixed = true, .declaration = chance(g, 20) ? "const int m" : "int m"});
    add(g, (Var){.name = "z", .type = INT, .lo = 0, .hi = 0, .fixed = true, .declaration = "int z"});
    add(g, (Var){.name = "w", .type = INT, .lo = INT32_MIN, .hi = INT32_MAX, .fixed = true, .declaration = "int w"});
    add(g, (Var){.name = "w2", .type = INT, .lo = INT32_MIN, .hi = INT32_MAX, .fixed = true, .declaration = "int w2"});
    add(g, (Var){.name = "u", .type = UINT, .lo = 0, .hi = UINT32_MAX, .fixed = chance(g, 70), .declaration = "unsigned u"});
    add(g, (Var){.name = "q", .type = LONG, .lo = INT64_MIN, .hi = INT64_MAX, .fixed = true, .declaration = "long q"});
    add(g, (Var){.name = "uq", .type = ULONG, .lo = 0, .hi = INT64_MAX, .fixed = true, .declaration = "unsigned long uq"});
    add(g, (Var){.name = "us", .type = USHORT, .lo = 0, .hi = 65535, .fixed = true, .declaration = "unsigned short us"});
    add(g, (Var){.name = "sc", .type = SCHAR, .lo = -128, .hi = 127, .fixed = true, .declaration = "signed char sc"});
    add(g, (Var){.name = "bo", .type = BOOL, .lo = 0, .hi = 1, .fixed = true, .declaration = "bool bo"});
    add(g, (Var){.name = "x", .type = FLOAT, .declaration = "float x"});
    add(g, (Var){.name = "y", .type = DOUBLE, .declaration = "double y"});
    Var ints = {.type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {64, 0}, .writable = true, .is_call_safe = true};
    bool r = chance(g, 80);
    ints.name = "A", ints.declaration = array_parameter(g, "int", "A", r, false), add(g, ints);
    ints.name = "P", ints.declaration = array_parameter(g, "int", "P", false, false), add(g, ints);
    ints.name = "R", ints.extent[0] = 1, ints.declaration = array_parameter(g, "int", "R", false, false), ints.is_call_safe = false, add(g, ints);
    ints.extent[0] = 64, ints.writable = false;
    ints.name = "B", ints.declaration = array_parameter(g, "int", "B", r, true), add(g, ints);
    ints.name = "Q", ints.declaration = array_parameter(g, "int", "Q", false, true), add(g, ints);
    Var grid = {.name = "M", .type = INT, .lo = -100, .hi = 100, .rank = 2, .extent = {8, 8}, .writable = true,
        .declaration = chance(g, 50) ? "int M[restrict 8][8]" : "int M[8][8]"};
    add(g, grid);
    grid.name = "W", grid.declaration = chance(g, 50) ? "int (*W)[8]" : "int W[][8]", add(g, grid);
    Var floats = {.name = "F", .type = FLOAT, .rank = 1, .extent = {64, 0}, .writable = true, .declaration = array_parameter(g, "float", "F", chance(g, 75), false)};
    add(g, floats);
    floats.name = "G", floats.writable = false, floats.declaration = array_parameter(g, "float", "G", chance(g, 75), true), add(g, floats);
    add(g, (Var){.name = "X", .type = DOUBLE, .rank = 1, .extent = {64, 0}, .writable = true, .declaration = array_parameter(g, "double", "X", true, false)});
    add(g, (Var){.name = "H", .type = USHORT, .lo = 0, .hi = 65535, .rank = 1, .extent = {64, 0}, .writable = true, .declaration = array_parameter(g, "unsigned short", "H", chance(g, 50), false)});
    add(g, (Var){.name = "U", .type = UINT, .lo = 0, .hi = UINT32_MAX, .rank = 1, .extent = {64, 0}, .writable = true, .declaration = array_parameter(g, "unsigned", "U", chance(g, 50), false)});
    add(g, (Var){.name = "C", .type = SCHAR, .lo = -128, .hi = 127, .rank = 1, .extent = {64, 0}, .writable = true, .declaration = array_parameter(g, "signed char", "C", chance(g, 50), false)});
}

static bool is_mentioned(const Gen *g, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = g->out; (p = strstr(p, name)); p += n)
        if (!is_name_char(p[-1]) && !is_name_char(p[n]))
            return true;
    return false;
}

static void function(Gen *g, FILE *programs, FILE *calls)
{
    g->nvars = g->nfacts = g->dead = g->loops = g->calls = 0;
    g->hot = -1, g->trips = 1, g->may_continue = false, g->hidden = NULL;
    g->len = 0, g->indent = 1;
    g->out[0] = '\0';
    g->size = g->in_helper ? 4 : 6 + (int)draw(g, 14);
    parameters(g);
    int nparams = g->nvars;
    /* Globals stand in front of the parameters in no sense: order matters only to choosing. */
    globals(g);
    int first = g->nvars;
    g->scope = 0;
    while (g->size > 0)
        statement(g);
    close_scope(g, first);
    if (g->has_helper && !g->in_helper)
        line(g, format(g, "gl = h%ld(n, d, ga);", g->number));
    if (g->in_helper || g->vars[0].shadowed || g->vars[1].shadowed || !g->vars[1].fixed)
        line(g, g->in_helper ? "note(n + d + A[1]);" : "note(n + d);");
    else if (!is_mentioned(g, "n"))
        line(g, "note(n);");
    line(g, g->in_helper ? format(g, "return %s;", fit(g, integer(g, 2), -100, 100).text) : format(g, "return %s;", fit(g, integer(g, 2), -100000, 100000).text));
    fprintf(programs, "static %s %c%ld(", g->in_helper ? "int" : "long", g->in_helper ? 'h' : 'p', g->number);
    if (calls)
        fprintf(calls, "case %ld: return p%ld(", g->number, g->number);
    bool any = false;
    for (int i = 0; i < nparams; i++)
        if (i == 0 || is_mentioned(g, g->vars[i].name)) {
            fprintf(programs, "%s%s", any ? ", " : "", g->vars[i].declaration);
            if (calls)
                fprintf(calls, "%sdata->%s", any ? ", " : "", g->vars[i].name);
            any = true;
        }
    if (calls)
        fprintf(calls, ");\n");
    fprintf(programs, ")\n{\n%s}\n\n", g->out);
}

static void program(Gen *g, long number, FILE *programs, FILE *calls)
{
    g->number = number;
    g->seed = (uint64_t)number * 0x2545f4914f6cdd1du + 1;
    g->ntext = 0;
    g->risky = false;
    g->has_helper = chance(g, 20);
    if (g->has_helper) {
        g->in_helper = true;
        function(g, programs, NULL);
        g->in_helper = false;
    }
    g->risky = chance(g, 15);
    function(g, programs, calls);
}

int main(int argc, char **argv)
{
    FILE *programs = argc >= 5 ? fopen(argv[3], "w") : NULL, *calls = programs ? fopen(argv[4], "w") : NULL;
    Gen *g = calloc(1, sizeof *g);
    char *out = malloc(TEXTS), *text = malloc(TEXTS);
    if (!calls || !g || !out || !text) {
        fprintf(stderr, "usage: random_program FIRST COUNT PROGRAMS CALLS [NUMBER...]\n");
        return 2;
    }
    g->out = out, g->text = text;
    fputs("#include <math.h>\n#include <stdbool.h>\n\n", programs);
    fputs("extern int g0, g1;\nextern unsigned gu;\nextern long gl;\nextern float gf;\nextern volatile int gv;\nextern int ga[96];\n", programs);
    fputs("int next(int x);\nvoid note(long x);\nvoid bump(void);\nvoid touch(int *p, int i);\nint peek(const int *p, int i);\n", programs);
    fputs("void stop_if_zero(int x);\nint mix(int a, int b) __attribute__((const));\n\n", programs);
    long first = atol(argv[1]), count = atol(argv[2]);
    for (long number = first; number < first + count; number++) {
        bool wanted = true;
        for (int i = 5; i < argc; i++)
            wanted &= atol(argv[i]) != number;
        if (wanted)
            program(g, number, programs, calls);
    }
    bool good = !ferror(programs) && !ferror(calls);
    good = !fclose(programs) && !fclose(calls) && good;
    free(out), free(text), free(g);
    return good ? 0 : 1;
}
