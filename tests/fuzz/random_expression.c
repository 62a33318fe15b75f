/* Random expressions and their intervals. */
#include "random.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 Wide;

const char *const type_name[] = {"bool", "signed char", "unsigned char", "short", "unsigned short", "int",
    "unsigned", "long", "unsigned long", "float", "double"};

int64_t type_min(Type type)
{
    static const int64_t min[] = {0, SCHAR_MIN, 0, SHRT_MIN, 0, INT_MIN, 0, INT64_MIN, 0, 0, 0};
    return min[type];
}

int64_t type_max(Type type)
{
    static const int64_t max[] = {1, SCHAR_MAX, UCHAR_MAX, SHRT_MAX, USHRT_MAX, INT_MAX, UINT_MAX, INT64_MAX, INT64_MAX, 0, 0};
    return max[type];
}

/* splitmix64 */
uint32_t draw(Gen *g, uint32_t n)
{
    uint64_t z = g->seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

bool chance(Gen *g, int percent) { return (int)draw(g, 100) < percent; }

const char *format(Gen *g, const char *pattern, ...)
{
    va_list args;
    char *at = g->text + g->ntext;
    va_start(args, pattern);
    int n = vsnprintf(at, TEXTS - g->ntext, pattern, args);
    va_end(args);
    if (n < 0 || (size_t)n + 1 > TEXTS - g->ntext) {
        fprintf(stderr, "random_program: a program grew too large\n");
        exit(1);
    }
    g->ntext += (size_t)n + 1;
    return at;
}

/* ------------------------------------------------------------------------------------ variables and facts */

bool is_visible(const Gen *g, int var)
{
    const char *name = g->vars[var].name;
    if (g->hidden && !strcmp(name, g->hidden))
        return false;
    for (int i = var + 1; i < g->nvars; i++)
        if (!strcmp(g->vars[i].name, name))
            return false;
    return true;
}

int pick(Gen *g, Wanted *wanted)
{
    int found[MAX_VARS], n = 0;
    for (int i = 0; i < g->nvars; i++)
        if (wanted(&g->vars[i]) && is_visible(g, i))
            found[n++] = i;
    if (!n)
        return -1;
    /* Locals more often than the many parameters and globals. */
    int var = found[draw(g, (uint32_t)n)];
    if (chance(g, 40))
        var = found[n - 1 - (int)draw(g, (uint32_t)(n + 2) / 3)];
    return var;
}

bool is_scalar(const Var *var) { return !var->rank && !is_float_type(var->type) && !var->is_volatile; }
static bool is_float_scalar(const Var *var) { return !var->rank && is_float_type(var->type); }
static bool is_array(const Var *var) { return var->rank && !is_float_type(var->type); }
static bool is_float_array(const Var *var) { return var->rank && is_float_type(var->type); }
static bool is_divisor(const Var *var) { return is_scalar(var) && (var->nonzero || var->lo > 0 || var->hi < 0); }
static bool is_small(const Var *var) { return is_scalar(var) && var->lo >= -2 && var->hi <= 40; }
static bool is_counter(const Var *var) { return var->is_counter && is_small(var); }
static bool may_be_zero(const Var *var)
{
    return is_scalar(var) && var->fixed && !var->nonzero && var->lo <= 0 && var->hi > 0 && var->type != BOOL;
}
static bool is_wild(const Var *var) { return is_scalar(var) && var->fixed && var->hi > 100000 && (var->type == INT || var->type == LONG); }
static bool has_limits(const Var *var)
{
    return is_scalar(var) && var->fixed && (var->type == INT || var->type == LONG) && var->hi < 100000;
}

void learn(Gen *g, int var, int64_t lo, int64_t hi, bool nonzero)
{
    if (g->nfacts == MAX_FACTS)
        return;
    Var *v = &g->vars[var];
    g->facts[g->nfacts++] = (Fact){var, *v};
    v->lo = lo > v->lo ? lo : v->lo;
    v->hi = hi < v->hi ? hi : v->hi;
    v->nonzero |= nonzero;
    g->hot = var;
}

void forget(Gen *g, int nfacts, int hot)
{
    while (g->nfacts > nfacts) {
        Fact *f = &g->facts[--g->nfacts];
        bool used = g->vars[f->var].used;
        if (f->var < g->nvars) {
            g->vars[f->var] = f->before;
            g->vars[f->var].used |= used;
        }
    }
    g->hot = hot;
}

/* ------------------------------------------------------------------------------------ building */

/* The operand of an operator: in parentheses where C or a compiler's taste wants them, and sometimes besides. */
static const char *operand(Gen *g, Expr e, int parent, bool right)
{
    bool plain = parent >= 12 && e.prec >= 12;               /* + - * / % among themselves */
    bool needs = e.prec < parent || (right && e.prec == parent);
    if (e.prec < 14 && !needs && !plain)                     /* a mix that gcc or clang calls confusing */
        needs = !(parent <= 5 && (e.prec >= 9 || (!right && e.prec == parent))) && !(parent >= 9 && parent <= 10 && e.prec >= 12);
    if (!needs && e.prec < 15 && e.prec != 9 && chance(g, 20))
        needs = true;
    return needs ? format(g, "(%s)", e.text) : e.text;
}

static Type promoted(Type type) { return type < INT ? INT : type; }

static Type usual(Type a, Type b)
{
    a = promoted(a), b = promoted(b);
    return a > b ? a : b; /* long holds every unsigned */
}

/* What of an interval is left when it is converted to `type`. */
static void narrow(Type type, Wide lo, Wide hi, int64_t *to_lo, int64_t *to_hi)
{
    bool fits = lo >= type_min(type) && hi <= type_max(type);
    *to_lo = fits ? (int64_t)lo : type_min(type);
    *to_hi = fits ? (int64_t)hi : type_max(type);
}

Expr imm(Gen *g, int64_t value)
{
    return (Expr){format(g, "%lld", (long long)value), INT, value, value, value < 0 ? 14 : 15};
}

Expr cast(Gen *g, Type type, Expr e)
{
    Expr r = {format(g, "(%s)%s", type_name[type], operand(g, e, 14, false)), type, 0, 0, 14};
    if (!is_float_type(type))
        narrow(type, e.lo, e.hi, &r.lo, &r.hi);
    if (type == BOOL)
        r.lo = 0, r.hi = 1;
    return r;
}

static int precedence(const char *op)
{
    static const char *const levels[] = {"*/%", "+-", "<<>>", "", "", "&", "^", "|"};
    for (int i = 0; i < 8; i++)
        if (strstr(levels[i], op))
            return 13 - i;
    return 10;
}

static Wide magnitude(Expr e) { return -(Wide)e.lo > e.hi ? -(Wide)e.lo : e.hi; }

/* The exact interval of a op b, whose operands have been converted. */
static void interval(const char *op, Expr a, Expr b, Wide *lo, Wide *hi)
{
    Wide al = a.lo, ah = a.hi, bl = b.lo, bh = b.hi, m;
    switch (op[0]) {
    case '+': *lo = al + bl, *hi = ah + bh; break;
    case '-': *lo = al - bh, *hi = ah - bl; break;
    case '*': {
        Wide p[] = {al * bl, al * bh, ah * bl, ah * bh};
        *lo = *hi = p[0];
        for (int i = 1; i < 4; i++)
            *lo = p[i] < *lo ? p[i] : *lo, *hi = p[i] > *hi ? p[i] : *hi;
        break;
    }
    case '/':
        m = magnitude(a);
        *lo = al >= 0 && bl >= 0 ? 0 : -m, *hi = m;
        break;
    case '%':
        m = magnitude(b) - 1 < magnitude(a) ? magnitude(b) - 1 : magnitude(a);
        *lo = al >= 0 ? 0 : -m, *hi = ah > 0 ? m : 0;
        break;
    case '<': *lo = al >= 0 ? 0 : al * ((Wide)1 << bh), *hi = ah * ((Wide)1 << bh); break;
    case '>': *lo = al < 0 ? al : 0, *hi = ah > 0 ? ah : 0; break;
    case '&':
        if (al >= 0 || bl >= 0) {
            *lo = 0, *hi = al < 0 ? bh : bl < 0 ? ah : ah < bh ? ah : bh;
            break;
        }
        /* fall through */
    default: /* | ^ */
        m = magnitude(a) > magnitude(b) ? magnitude(a) : magnitude(b);
        for (Wide bits = 1;; bits *= 2)
            if (bits > m) {
                m = bits;
                break;
            }
        *lo = al >= 0 && bl >= 0 ? 0 : -m, *hi = m - 1;
    }
}

static Expr converted(Expr e, Type type)
{
    if (is_unsigned(type) && e.lo < 0)
        e.lo = 0, e.hi = type_max(type);
    return e;
}

/* a op b; of signed operands that might overflow, smaller ones are made. */
Expr binary(Gen *g, const char *op, Expr a, Expr b)
{
    bool is_shift = op[0] == '<' || op[0] == '>';
    Type type = is_shift ? promoted(a.type) : usual(a.type, b.type);
    for (int attempt = 0;; attempt++) {
        Expr ca = converted(a, type), cb = is_shift ? b : converted(b, type);
        Wide lo, hi;
        interval(op, ca, cb, &lo, &hi);
        bool fits = lo >= type_min(type) && hi <= type_max(type);
        if (op[0] == '<' && !is_unsigned(type) && a.lo < 0)
            fits = false;
        if (fits || attempt == 2 || is_unsigned(type) || g->dead || (g->risky && chance(g, 10))) {
            int prec = precedence(op);
            Expr r = {format(g, "%s %s %s", operand(g, a, prec, false), op, operand(g, b, prec, true)), type, 0, 0, prec};
            narrow(type, lo, hi, &r.lo, &r.hi);
            return r;
        }
        if (is_shift)
            a = fit(g, a, 0, 1000);
        else if (op[0] == '*') {
            a = magnitude(a) > 1000 ? fit(g, a, -1000, 1000) : a;
            b = magnitude(b) > 1000 ? fit(g, b, -1000, 1000) : b;
        } else {
            a = magnitude(a) > 100000000 ? fit(g, a, -100000, 100000) : a;
            b = magnitude(b) > 100000000 ? fit(g, b, -100000, 100000) : b;
        }
    }
}

Expr fit(Gen *g, Expr e, int64_t lo, int64_t hi)
{
    if ((e.lo >= lo && e.hi <= hi) || (g->dead && chance(g, 60)))
        return e;
    if (lo > 0)
        return binary(g, "+", fit(g, e, 0, hi - lo), imm(g, lo));
    if (lo == 0 && (e.lo < 0 || chance(g, 50))) {
        int64_t mask = 1;
        while (mask * 2 <= hi)
            mask *= 2;
        mask = mask <= hi && mask * 2 - 1 <= hi ? mask * 2 - 1 : mask - 1;
        return binary(g, "&", e, imm(g, mask));
    }
    int64_t m = lo == 0 ? hi : -lo < hi ? -lo : hi;
    return binary(g, "%", e, imm(g, m + 1));
}

/* ------------------------------------------------------------------------------------ integers */

/* An affine index of small variables, as kernels have. */
static bool affine(Gen *g, int extent, Expr *r)
{
    static const int factors[] = {1, 1, 1, 2, 3, 4, 8, 16};
    bool any = false;
    for (int terms = 1 + (int)draw(g, 3); terms > 0; terms--) {
        int var = chance(g, 70) ? pick(g, is_counter) : -1;
        if (var < 0 && (var = pick(g, is_small)) < 0)
            return false;
        Var *v = &g->vars[var];
        Expr t = {v->name, v->type, v->lo, v->hi, 15};
        int factor = factors[draw(g, 8)];
        if (factor > 1)
            t = chance(g, 70) ? binary(g, "*", t, imm(g, factor)) : binary(g, "*", imm(g, factor), t);
        *r = !any ? t : chance(g, 75) ? binary(g, "+", *r, t) : chance(g, 50) ? binary(g, "+", t, *r) : binary(g, "-", *r, t);
        any = true;
    }
    if (chance(g, 40) || (r->lo < 0 && !is_unsigned(r->type))) {
        int64_t c = r->lo < 0 && r->lo > -extent ? -r->lo : 1 + (int64_t)draw(g, 4);
        *r = chance(g, 80) || r->lo < c ? binary(g, "+", *r, imm(g, c)) : binary(g, "-", *r, imm(g, c));
    }
    return r->lo >= 0 && r->hi < extent;
}

Expr subscript(Gen *g, int extent)
{
    Expr r;
    if (g->dead && chance(g, 60))
        return integer(g, 1);
    for (int attempt = 0; attempt < 5; attempt++)
        if (affine(g, extent, &r))
            return r;
    return fit(g, integer(g, 1 + (int)draw(g, 2)), 0, extent - 1);
}

const char *element(Gen *g, int array)
{
    const Var *v = &g->vars[array];
    int extent0 = v->extent[0], extent1 = v->extent[1];
    const char *name = v->name, *first = subscript(g, extent0).text;
    return v->rank == 1 ? format(g, "%s[%s]", name, first) : format(g, "%s[%s][%s]", name, first, subscript(g, extent1).text);
}

static Expr load(Gen *g, Wanted *wanted)
{
    int array = pick(g, wanted);
    Expr r = {element(g, array), g->vars[array].type, g->vars[array].lo, g->vars[array].hi, 15};
    return r;
}

static Expr constant(Gen *g)
{
    Expr e = imm(g, chance(g, 70) ? (int64_t)draw(g, 10) : (int64_t)draw(g, 1000));
    if (chance(g, 8))
        e.text = format(g, "0x%llx", (unsigned long long)e.lo);
    if (chance(g, 10))
        e.text = format(g, "%su", e.text), e.type = UINT;
    else if (chance(g, 6))
        e.text = format(g, "%sL", e.text), e.type = LONG;
    return e;
}

static Expr leaf(Gen *g)
{
    if (g->hot >= 0 && chance(g, 35) && is_visible(g, g->hot)) {
        Var *v = &g->vars[g->hot];
        return (Expr){v->name, v->type, v->lo, v->hi, 15};
    }
    if (chance(g, 22))
        return constant(g);
    if (chance(g, 22))
        return load(g, is_array);
    int var = chance(g, 30) ? pick(g, is_counter) : -1;
    if (var < 0)
        var = pick(g, chance(g, 40) ? is_small : is_scalar);
    if (var < 0)
        return constant(g);
    Var *v = &g->vars[var];
    Expr e = {v->name, v->type, v->lo, v->hi, 15};
    return v->type >= UINT && chance(g, 60) ? cast(g, INT, e) : e;
}

static bool is_shift_count(const Var *var) { return is_scalar(var) && var->lo >= 0 && var->hi < 16; }

static Expr division(Gen *g, int depth)
{
    const char *op = chance(g, 60) ? "/" : "%";
    Expr a = integer(g, depth - 1), b;
    int var = chance(g, 75) ? pick(g, g->dead ? is_scalar : is_divisor) : -1;
    if (var >= 0) {
        Var *v = &g->vars[var];
        b = (Expr){v->name, v->type, v->lo, v->hi, 15};
    } else if (chance(g, 50)) {
        b = imm(g, 2 + draw(g, 14));
    } else {
        b = binary(g, "+", binary(g, "&", integer(g, depth - 1), imm(g, 7)), imm(g, 1));
    }
    Type type = usual(a.type, b.type);
    if (b.lo <= 0 && is_unsigned(type) && !g->dead && var < 0)
        b = imm(g, 3);
    if (!g->dead && !is_unsigned(type) && b.lo < 0 && a.lo <= type_min(type)) /* the minimum / -1 */
        a = fit(g, a, -100000, 100000);
    return binary(g, op, a, b);
}

static Expr shift(Gen *g, int depth)
{
    const char *op = chance(g, 50) ? "<<" : ">>";
    Expr a = integer(g, depth - 1), b = imm(g, draw(g, 5));
    int var = chance(g, 50) ? pick(g, g->dead ? is_scalar : is_shift_count) : -1;
    if (var >= 0)
        b = (Expr){g->vars[var].name, g->vars[var].type, 0, 15, 15};
    else if (chance(g, 25))
        b = fit(g, integer(g, 1), 0, 7);
    if (b.hi > 15 || b.lo < 0)
        b.lo = 0, b.hi = 15; /* only in dead places */
    return binary(g, op, a, b);
}

static Expr select(Gen *g, int depth)
{
    int nfacts = g->nfacts, hot = g->hot, dead = g->dead;
    Expr c = chance(g, 50) ? fact(g, false) : pure_condition(g, 1);
    Expr a = integer(g, depth - 1);
    forget(g, nfacts, hot);
    g->dead = dead;
    Expr b = integer(g, depth > 1 ? 1 : 0);
    Type type = usual(a.type, b.type);
    if (is_unsigned(promoted(a.type)) != is_unsigned(promoted(b.type)))
        b = cast(g, promoted(a.type), b), type = usual(a.type, b.type);
    a = converted(a, type), b = converted(b, type);
    const char *ct = operand(g, c, 3, false), *at = operand(g, a, 4, false), *bt = operand(g, b, 4, false);
    if (chance(g, 40)) { /* a nest with equal arms, for condCollapse */
        Expr d = pure_condition(g, 1), e = cast(g, type, imm(g, draw(g, 9)));
        const char *dt = operand(g, d, 3, false);
        switch (draw(g, 4)) { /* `a` stays where `c` makes it safe */
        case 0: e = (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, dt, at, bt, bt), type, a.lo, a.hi, 3}; break;
        case 1: e = (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, dt, bt, at, bt), type, a.lo, a.hi, 3}; break;
        case 2: e = (Expr){format(g, "%s ? %s : (%s ? %s : %s)", ct, bt, dt, bt, e.text), type, e.lo, e.hi, 3}; break;
        default: e = (Expr){format(g, "%s ? %s : (%s ? %s : %s)", ct, bt, dt, e.text, bt), type, e.lo, e.hi, 3};
        }
        e.lo = e.lo < b.lo ? e.lo : b.lo, e.hi = e.hi > b.hi ? e.hi : b.hi;
        return e;
    }
    return (Expr){format(g, "%s ? %s : %s", ct, at, bt), type, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, 3};
}

/* min and max, which no one declares: the driver brings them as macros. */
static Expr extremum(Gen *g, int depth)
{
    Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
    bool is_min = chance(g, 50);
    Type type = usual(a.type, b.type);
    a = converted(a, type), b = converted(b, type);
    Expr r = {format(g, "%s(%s, %s)", is_min ? "min" : "max", a.text, b.text), type, 0, 0, 15};
    r.lo = is_min == (a.lo < b.lo) ? a.lo : b.lo;
    r.hi = is_min == (a.hi < b.hi) ? a.hi : b.hi;
    return r;
}

Expr integer(Gen *g, int depth)
{
    static const char *const bitwise[] = {"&", "|", "^"};
    if (depth <= 0 || chance(g, 10))
        return leaf(g);
    uint32_t kind = draw(g, 100);
    if (kind < 58) {
        const char *op = kind < 28 ? "+" : kind < 40 ? "-" : "*";
        Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
        return binary(g, op, a, b);
    }
    if (kind < 70)
        return division(g, depth);
    if (kind < 75)
        return shift(g, depth);
    if (kind < 81) {
        Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
        return binary(g, bitwise[draw(g, 3)], a, b);
    }
    if (kind < 85) {
        Expr a = fit(g, integer(g, depth - 1), -100000, 100000);
        if (a.lo == INT64_MIN)
            a.lo++; /* only in dead places */
        if (a.type == BOOL)
            a = cast(g, INT, a);
        bool neg = chance(g, 60);
        if (is_unsigned(promoted(a.type)))
            a.lo = 0, a.hi = type_max(a.type);
        else
            a.lo = neg ? -a.lo : ~a.lo, a.hi = neg ? -a.hi : ~a.hi;
        int64_t lo = a.hi < a.lo ? a.hi : a.lo, hi = a.hi < a.lo ? a.lo : a.hi;
        const char *text = operand(g, a, 14, false);
        bool signs = text[0] == '-';
        if (lo < type_min(promoted(a.type)))
            lo = type_min(promoted(a.type));
        return (Expr){format(g, signs ? "%c(%s)" : "%c%s", neg ? '-' : '~', text), promoted(a.type), lo, hi, 14};
    }
    if (kind < 90)
        return select(g, depth);
    if (kind < 94)
        return cast(g, (Type)(SCHAR + draw(g, ULONG - SCHAR + 1)), integer(g, depth - 1));
    if (kind < 97)
        return extremum(g, depth);
    Expr c = pure_condition(g, 1);
    return (Expr){format(g, c.prec == 15 ? "!%s" : "(%s)", c.text), INT, 0, 1, c.prec == 15 ? 14 : 15};
}

/* ------------------------------------------------------------------------------------ floating point */

static Expr float_leaf(Gen *g, Type type)
{
    static const char *const constants[] = {"0.0", "1.0", "0.5", "1.5", "2.0", "100.0", "3.25", "0.125"};
    const char *f = type == FLOAT ? "f" : "";
    if (chance(g, 20))
        return (Expr){format(g, "%s%s%s", chance(g, 20) ? "-" : "", constants[draw(g, 8)], f), type, 0, 0, 14};
    int var = chance(g, 50) ? pick(g, is_float_scalar) : -1;
    if (var >= 0)
        return (Expr){g->vars[var].name, g->vars[var].type, 0, 0, 15};
    if (chance(g, 70) && pick(g, is_float_array) >= 0)
        return load(g, is_float_array);
    return cast(g, type, fit(g, integer(g, 1), -100000, 100000));
}

Expr floating(Gen *g, Type type, int depth)
{
    static const char *const ops[] = {"+", "-", "*", "*", "+", "/"};
    if (depth <= 0)
        return float_leaf(g, type);
    Expr a = floating(g, type, depth - 1);
    uint32_t kind = draw(g, 100);
    if (kind < 70) {
        Expr b = floating(g, type, depth - 1);
        const char *op = ops[draw(g, 6)];
        int prec = precedence(op);
        return (Expr){format(g, "%s %s %s", operand(g, a, prec, false), op, operand(g, b, prec, true)),
            a.type > b.type ? a.type : b.type, 0, 0, prec};
    }
    if (kind < 80) {
        static const char *const calls[] = {"fabs", "sqrt", "floor", "fabs"};
        return (Expr){format(g, "%s%s(%s)", calls[draw(g, 4)], a.type == FLOAT ? "f" : "", a.text), a.type, 0, 0, 15};
    }
    if (kind < 92) {
        Expr c = pure_condition(g, 1), b = floating(g, type, 0);
        const char *ct = operand(g, c, 3, false), *at = operand(g, a, 4, false), *bt = operand(g, b, 4, false);
        Type result = a.type > b.type ? a.type : b.type;
        if (chance(g, 40))
            return (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, operand(g, pure_condition(g, 0), 3, false), at, bt, bt), result, 0, 0, 3};
        return (Expr){format(g, "%s ? %s : %s", ct, at, bt), result, 0, 0, 3};
    }
    return kind < 96 ? (Expr){format(g, "-(%s)", a.text), a.type, 0, 0, 14} : cast(g, type, a);
}

/* ------------------------------------------------------------------------------------ conditions */

static Expr leaf_of(Gen *g, int var)
{
    Var *v = &g->vars[var];
    return (Expr){v->name, v->type, v->lo, v->hi, 15};
}

static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};

static Expr compare(Gen *g, int depth)
{
    if (chance(g, 15)) {
        Type type = chance(g, 60) ? FLOAT : DOUBLE;
        Expr a = floating(g, type, 1), b = floating(g, type, chance(g, 70) ? 0 : 1);
        const char *op = compares[draw(g, 6)];
        if (strcmp(a.text, b.text)) {
            const char *text = format(g, "%s %s %s", operand(g, a, 10, false), op, operand(g, b, 10, true));
            return chance(g, 25) ? (Expr){format(g, "!(%s)", text), INT, 0, 1, 14} : (Expr){text, INT, 0, 1, op[1] == '=' && op[0] != '<' && op[0] != '>' ? 9 : 10};
        }
    }
    int var = pick(g, chance(g, 50) ? is_counter : is_small);
    Expr a = var >= 0 && chance(g, 50) ? (Expr){g->vars[var].name, g->vars[var].type, g->vars[var].lo, g->vars[var].hi, 15} : integer(g, depth);
    Expr b = integer(g, depth > 0 && chance(g, 60) ? depth - 1 : 0);
    bool constants = strspn(a.text, "0123456789xabcdefuL()-+*/% ") == strlen(a.text);
    /* What compilers find always true: constants, equal texts, narrow and unsigned types against their ends, the
     * values of & and |, of 0 or 1. */
    bool plain = a.prec > 10 && strcmp(a.text, b.text) && !constants && a.type != BOOL && a.hi > 1 && !strchr(a.text, '&') && !strchr(a.text, '|');
    if (!plain || strspn(b.text, "0123456789xabcdefuL()-+*/% ") == strlen(b.text)) {
        int v = pick(g, is_small);
        if (!plain)
            a = v >= 0 && g->vars[v].type >= INT && g->vars[v].type < UINT ? (Expr){g->vars[v].name, g->vars[v].type, -1, 9, 15} : is_visible(g, 0) ? leaf_of(g, 0) : (Expr){"g0", INT, -100, 100, 15};
        b = imm(g, 1 + draw(g, a.hi > 60 ? 60 : 9));
    }
    if (is_unsigned(promoted(a.type)) != is_unsigned(promoted(b.type)))
        b = cast(g, promoted(a.type), b);
    uint32_t which = draw(g, 6);
    if (!strcmp(a.text, b.text))
        b = imm(g, 2);
    int prec = which < 4 ? 10 : 9;
    return (Expr){format(g, "%s %s %s", operand(g, a, 10, false), compares[which], operand(g, b, 10, true)), INT, 0, 1, prec};
}

static bool is_bool(const Var *var) { return is_scalar(var) && var->type == BOOL; }
static bool is_volatile(const Var *var) { return !var->rank && var->is_volatile; }

static Expr atom(Gen *g, int depth)
{
    uint32_t kind = draw(g, 100);
    int var;
    if (kind < 8 && (var = pick(g, is_bool)) >= 0)
        return (Expr){g->vars[var].name, INT, 0, 1, 15};
    if (kind < 13 && (var = pick(g, is_scalar)) >= 0)
        return (Expr){g->vars[var].name, INT, 0, 1, 15};
    if (kind < 16)
        return (Expr){load(g, is_array).text, INT, 0, 1, 15};
    if (kind < 30 && g->calls > 0) {
        g->calls--;
        if (chance(g, 40) && (var = pick(g, is_volatile)) >= 0)
            return (Expr){format(g, "%s > %u", g->vars[var].name, 1 + draw(g, 5)), INT, 0, 1, 10};
        return (Expr){format(g, "next(%s) > %u", fit(g, integer(g, 1), -1000, 1000).text, 1 + draw(g, 9)), INT, 0, 1, 10};
    }
    if (kind < 36) {
        Expr c = compare(g, depth);
        return (Expr){format(g, c.prec == 15 ? "!%s" : "!(%s)", c.text), INT, 0, 1, 14};
    }
    return compare(g, depth);
}

static Expr chain(Gen *g, const char *op, Expr a, Expr b)
{
    int prec = op[0] == '&' ? 5 : 4;
    return (Expr){format(g, "%s %s %s", operand(g, a, prec, false), op, operand(g, b, prec, chance(g, 40))), INT, 0, 1, prec};
}

/* && and || with what the left operand makes safe on the right, and another operand between them at times. */
static Expr guarded(Gen *g, int depth)
{
    int nfacts = g->nfacts, hot = g->hot, dead = g->dead;
    bool not = chance(g, 35);
    Expr c = fact(g, not);
    if (!c.text)
        return compare(g, depth);
    const char *op = not ? "||" : "&&";
    if (chance(g, 30))
        c = chain(g, op, c, atom(g, 1));
    Expr d = condition(g, depth > 0 ? depth : 1);
    forget(g, nfacts, hot);
    g->dead = dead;
    c = chain(g, op, c, d);
    return chance(g, 25) ? chain(g, op, c, atom(g, 1)) : c;
}

Expr condition(Gen *g, int depth)
{
    if (depth <= 0 || chance(g, 25))
        return atom(g, depth + 1);
    uint32_t kind = draw(g, 100);
    if (kind < 30)
        return guarded(g, depth - 1);
    if (kind < 75) {
        const char *op = chance(g, 60) ? "&&" : "||";
        Expr c = condition(g, depth - 1);
        for (int n = 1 + (int)draw(g, 3); n > 0; n--) {
            Expr d = chance(g, 60) ? atom(g, 1) : condition(g, depth - 1);
            c = chain(g, op, c, d);
        }
        return c;
    }
    if (kind < 85) {
        Expr c = condition(g, depth - 1);
        return (Expr){format(g, c.prec == 15 ? "!%s" : "!(%s)", c.text), INT, 0, 1, 14};
    }
    if (kind < 90) {
        Expr c = condition(g, depth - 1), a = atom(g, 1), b = atom(g, 1);
        return (Expr){format(g, "%s ? %s : %s", operand(g, c, 3, false), operand(g, a, 4, false), operand(g, b, 4, false)), INT, 0, 1, 3};
    }
    return atom(g, depth);
}

Expr pure_condition(Gen *g, int depth)
{
    int calls = g->calls;
    g->calls = 0;
    Expr c = condition(g, depth);
    g->calls = calls;
    return c;
}

/* Control never arrives: the driver keeps every parameter within the interval that the generator assumes. */
static Expr never(Gen *g)
{
    int var = pick(g, has_limits);
    if (var < 0)
        return (Expr){0};
    const Var *v = &g->vars[var];
    long long lo = v->lo, hi = v->hi;
    switch (draw(g, 4)) {
    case 0: return (Expr){format(g, "%s > %lld", v->name, hi), INT, 0, 1, 10};
    case 1: return (Expr){format(g, "%s < %lld", v->name, lo), INT, 0, 1, 10};
    case 2: return (Expr){format(g, "%s == %lld", v->name, hi + 3), INT, 0, 1, 9};
    default: return (Expr){format(g, "%lld <= %s", hi + 1, v->name), INT, 0, 1, 10};
    }
}

Expr fact(Gen *g, bool not)
{
    uint32_t kind = draw(g, 100);
    int var;
    if (kind < 45 && (var = pick(g, may_be_zero)) >= 0) {
        const char *v = g->vars[var].name;
        bool positive = chance(g, 50), is_u = is_unsigned(promoted(g->vars[var].type)) || g->vars[var].lo == type_min(g->vars[var].type);
        int64_t lo = g->vars[var].lo, hi = g->vars[var].hi;
        if (positive && !is_u) {
            learn(g, var, 1, hi, true);
            return (Expr){format(g, not ? (chance(g, 50) ? "%s <= 0" : "%s < 1") : chance(g, 50) ? "%s > 0" : "0 < %s", v), INT, 0, 1, 10};
        }
        learn(g, var, lo, hi, true);
        return (Expr){format(g, not ? "%s == 0" : "%s != 0", v), INT, 0, 1, 9};
    }
    if (kind < 75 && (var = pick(g, is_wild)) >= 0) {
        const char *v = g->vars[var].name;
        int64_t c = 10 + draw(g, 1000);
        learn(g, var, -c + 1, c - 1, false);
        if (not)
            return (Expr){format(g, "%s <= %lld || %s >= %lld", v, (long long)-c, v, (long long)c), INT, 0, 1, 4};
        return (Expr){format(g, "%s > %lld && %s < %lld", v, (long long)-c, v, (long long)c), INT, 0, 1, 5};
    }
    if (kind < 85 && (var = pick(g, has_limits)) >= 0 && g->vars[var].hi - g->vars[var].lo > 3) {
        const char *v = g->vars[var].name;
        int64_t c = g->vars[var].lo + 2;
        learn(g, var, g->vars[var].lo, c - 1, false);
        return (Expr){format(g, not ? "%s >= %lld" : "%s < %lld", v, (long long)c), INT, 0, 1, 10};
    }
    if (not)
        return (Expr){0};
    Expr c = never(g);
    if (!c.text)
        return compare(g, 1);
    g->dead++;
    return c;
}
