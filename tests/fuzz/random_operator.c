/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C's operators: precedence and parentheses, the types of results, the intervals of their values, and how operands
 * are reduced until nothing overflows. Makes no choice of what to compute. */
#include "random.h"

#include <string.h>

__extension__ typedef __int128 Wide;

/* The operand of an operator: in parentheses where C or a compiler's taste wants them, and sometimes besides. */
const char *operand(Gen *g, Expr e, int parent, bool right)
{
    bool plain = parent >= 12 && e.prec >= 12;               /* + - * / % among themselves */
    bool needs = e.prec < parent || (right && e.prec == parent);
    if (e.prec < 14 && !needs && !plain)                     /* a mix that gcc or clang calls confusing */
        needs = !(parent <= 5 && (e.prec >= 9 || (!right && e.prec == parent))) && !(parent >= 9 && parent <= 10 && e.prec >= 12);
    if (!needs && e.prec < 15 && e.prec != 9 && chance(g, 20))
        needs = true;
    return needs ? format(g, "(%s)", e.text) : e.text;
}

const char *infix(Gen *g, Expr a, const char *op, Expr b, int prec)
{
    const char *left = operand(g, a, prec, false), *right = operand(g, b, prec, true);
    return format(g, "%s %s %s", left, op, right);
}

Type promoted(Type type) { return type < INT ? INT : type; }

Type usual(Type a, Type b)
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

Expr imm(Gen *g, int64_t value) { return (Expr){format(g, "%lld", (long long)value), INT, value, value, value < 0 ? 14 : 15}; }

Expr cast(Gen *g, Type type, Expr e)
{
    Expr r = {format(g, "(%s)%s", type_name[type], operand(g, e, 14, false)), type, 0, 0, 14};
    if (!is_float_type(type))
        narrow(type, e.lo, e.hi, &r.lo, &r.hi);
    if (type == BOOL)
        r.lo = 0, r.hi = 1;
    return r;
}

int precedence(const char *op)
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

Expr converted(Expr e, Type type)
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
            Expr r = {infix(g, a, op, b, prec), type, 0, 0, prec};
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
