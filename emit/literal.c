/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Literals: as the file spells them, or as short as reads back as the same value of the same type. */
#include "emit/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of NumberPlaces, the first at `beg` or behind it. */
static int first_from(const Vec *all, uint32_t beg)
{
    int lo = 0, hi = all->count;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (((const NumberPlace *)all->items[mid])->place.beg < beg)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const char *literal_text(const Emitter *e, const Node *n)
{
    const Vec *all = e->kept && e->kept->source && e->place.beg ? map_get(&e->kept->source->numbers, n->id) : NULL;
    const char *text = NULL;
    for (int i = all ? first_from(all, e->place.beg) : 0; all && i < all->count; i++) {
        const NumberPlace *number = all->items[i];
        if (number->place.beg >= e->place.end)
            break;
        const char *spelled = number->text.beg ? source_slice(e->ir->arena, e->kept->source, number->text) : NULL;
        if (!spelled || (text && strcmp(text, spelled) != 0)) /* which of them belongs where, the tree does not know */
            return NULL;
        text = spelled;
    }
    return text;
}

static Type print_int(Emitter *e, const Node *n, int min_prec)
{
    const char *text = literal_text(e, n);
    if (text) {
        text_puts(e->out, text);
        return n->type;
    }
    int64_t v = n->u.i;
    Type t = n->type;
    bool fits_int = v > INT32_MIN && v <= INT32_MAX;
    if (!type_is_signed(t) && type_bits(t) >= 32) {
        const uint64_t less = type_bits(t) == 32 ? (uint32_t)-(uint32_t)v : -(uint64_t)v; /* -sizeof(int): no long number */
        if (e->kept && less && less < 1u << 16) {
            put_open(e, min_prec > PREC_UNARY);
            text_printf(e->out, "-%llu%s", (unsigned long long)less, type_bits(t) == 32 ? "u" : t == T_ULONG ? "ul" : "ull");
            put_close(e, min_prec > PREC_UNARY);
            return t;
        }
        text_printf(e->out,
                    type_bits(t) == 32 ? "%lluu"
                    : t == T_ULONG     ? "%lluul"
                                       : "%lluull",
                    (unsigned long long)(type_bits(t) == 32 ? (uint32_t)v : (uint64_t)v));
        return t;
    }
    if (t == T_LONG || t == T_LLONG) {
        if (v == INT64_MIN) {
            text_printf(e->out, t == T_LONG ? "(-%lldl - 1)" : "(-%lldll - 1)", (long long)INT64_MAX);
            return t;
        }
        put_open(e, v < 0 && min_prec > PREC_UNARY);
        text_printf(e->out, t == T_LONG ? "%lldl" : "%lldll", (long long)v);
        put_close(e, v < 0 && min_prec > PREC_UNARY);
        return t;
    }
    if (!fits_int) {
        if (v == INT32_MIN)
            text_puts(e->out, "(-2147483647 - 1)");
        else
            text_printf(e->out, "INT64_C(%lld)", (long long)v);
        return v == INT32_MIN ? T_INT : T_INDEX;
    }
    put_open(e, v < 0 && min_prec > PREC_UNARY);
    text_printf(e->out, "%lld", (long long)v);
    put_close(e, v < 0 && min_prec > PREC_UNARY);
    return T_INT; /* narrow types and the index type: the value is an int */
}

/* The fewest digits that read back as the same value. */
static const char *shortest(Emitter *e, Type t, long double f)
{
    char buf[64];
    for (int digits = 1; digits <= 21; digits++) {
        snprintf(buf, sizeof buf, "%.*Lg", digits, f);
        bool same = t == T_FLOAT ? strtof(buf, NULL) == (float)f : t == T_DOUBLE ? strtod(buf, NULL) == (double)f : strtold(buf, NULL) == f;
        if (same)
            break;
    }
    if (!strpbrk(buf, ".e"))
        strcat(buf, ".0");
    return arena_printf(e->ir->arena, "%s%s", buf, t == T_FLOAT ? "f" : t == T_LDOUBLE ? "L" : "");
}

static Type print_float(Emitter *e, const Node *n, int min_prec)
{
    Type t = n->type;
    const char *text = literal_text(e, n);
    if (text) {
        text_puts(e->out, text);
        return t;
    }
    if (is_narrow_float(t)) {
        note_narrow(e, t);
        text_printf(e->out, "%s(%s)", dialect_from_float(e->dialect, t), shortest(e, T_FLOAT, n->u.f));
        return t;
    }
    bool negative = signbit(n->u.f) != 0;
    put_open(e, negative && min_prec > PREC_UNARY);
    if (isinf(n->u.f) || isnan(n->u.f)) {
        e->uses->math = true;
        if (e->kept) { /* whose file may know nothing of <math.h> */
            text_printf(e->out, "%s__builtin_%s%s(%s)", negative ? "-" : "", isinf(n->u.f) ? "inf" : "nan",
                        t == T_FLOAT     ? "f"
                        : t == T_LDOUBLE ? "l"
                                         : "",
                        isinf(n->u.f) ? "" : "\"\"");
        } else {
            text_printf(e->out, "%s%s", negative ? "-" : "", isinf(n->u.f) ? "INFINITY" : "NAN");
            t = T_FLOAT;
        }
    } else {
        text_puts(e->out, shortest(e, t, n->u.f));
    }
    put_close(e, negative && min_prec > PREC_UNARY);
    return t;
}

Type print_literal(Emitter *e, const Node *n, int min_prec)
{
    return n->kind == N_INT ? print_int(e, n, min_prec) : print_float(e, n, min_prec);
}
