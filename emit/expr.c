/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions. Every conversion is a cast node in the tree; C performs many of them by itself, and those
 * are not printed. `print` therefore returns the C type of what it printed, and each context decides
 * whether C turns that type into the wanted one. In kept functions the conversions that the file spells stay, and
 * so do those of arithmetic that a pass made safe from overflow: (int)((unsigned)a + (unsigned)b). */
#include "emit/expr.h"

#include <math.h>
#include <string.h>

#include "emit/vector.h"
#include "ir/kept_sym.h"
#include "ir/libm.h"

static Type print(Emitter *e, const Node *n, int min_prec);
static void print_condition(Emitter *e, const Node *n, int min_prec);

/* Kept functions. */

/* The file's own node of this cast, if the file spells it somewhere. */
static const Node *spelled_cast(const Emitter *e, const Node *cast)
{
    const Spelled *s = e->kept;
    if (s->source && map_get(&s->source->is_cast, cast->id))
        return cast;
    /* A pass that rewrote the operand made another node of the same place. */
    const Node *at = cast->loc.beg ? map_get(&s->casts, (int)cast->loc.beg) : NULL;
    return at && at->type == cast->type ? at : NULL;
}

/* One that the file spells here and leaves to C there goes unwritten: the tree does not know the one place from the
 * other, and the text must be the same when it is read again. */
static bool is_explicit(const Emitter *e, const Node *cast)
{
    const Node *spelled = spelled_cast(e, cast);
    return spelled && !(e->kept->source && map_get(&e->kept->source->is_implied, spelled->id));
}

static bool changes_sign(const Node *cast)
{
    Type to = cast->type, from = cast->kid[0]->type;
    return type_is_integer(to) && type_is_integer(from) && type_is_signed(to) != type_is_signed(from) && type_bits(to) == type_bits(from);
}

static bool can_wrap(Kind k) { return k == N_ADD || k == N_SUB || k == N_MUL || k == N_NEG; }

/* Unsigned arithmetic on signed values throughout: no C text means that without casts. */
static bool is_wrapped(const Emitter *e, const Node *n)
{
    if (type_is_signed(n->type) || !can_wrap(n->kind)) {
        const char *text = n->kind == N_INT ? literal_text(e, n) : NULL;
        if (n->kind == N_INT)
            return !text || !strpbrk(text, "uU");
        const Node *same = there_and_back(n);
        return same != n ? is_wrapped(e, same) : n->kind == N_CAST && !type_is_signed(n->type) && changes_sign(n);
    }
    for (int i = 0; i < n->nkids; i++)
        if (!is_wrapped(e, n->kid[i]))
            return false;
    return true;
}

/* C, or the file's own declarations, imply this cast of a kept function where the context wants its type. */
static bool is_implied(const Emitter *e, const Node *cast)
{
    return !is_explicit(e, cast) &&
           !(changes_sign(cast) && type_is_signed(cast->type) && can_wrap(cast->kid[0]->kind) && is_wrapped(e, cast->kid[0]));
}

/* Every value stays what it is. */
static bool widens(const Node *cast)
{
    Type to = cast->type, from = cast->kid[0]->type;
    return type_is_integer(to) && type_is_integer(from) && to != T_BOOL && type_bits(to) >= type_bits(from) &&
           (from == T_BOOL || type_is_signed(to) == type_is_signed(from) || (type_is_signed(to) && type_bits(to) > type_bits(from)));
}

/* `n` without the implied conversions that change no value. */
static const Node *without_widening(const Emitter *e, const Node *n)
{
    while (e->kept && n->kind == N_CAST && widens(n) && is_implied(e, n))
        n = n->kid[0];
    return n;
}

/* Casts. */

static void print_narrow_to_float(Emitter *e, const Node *n)
{
    note_narrow(e, n->type);
    text_printf(e->out, "%s(", dialect_to_float(e->dialect, (Type)n->type));
    print(e, n, PREC_ANY);
    text_putc(e->out, ')');
}

/* Through float or double only what it holds exactly: anything else would round twice. */
static void print_to_narrow(Emitter *e, const Node *n, Type to)
{
    const Dialect *d = e->dialect;
    Type from = n->type;
    bool is_long = from == T_LDOUBLE || (to == T_BF16 && type_is_integer(from) && type_bits(from) == 64); /* half ends before 2^53 */
    bool by_float = from == T_FLOAT || from == T_LDOUBLE || is_narrow_float(from) || (type_is_integer(from) && type_bits(from) <= 16) ||
                    type_is_fp8(to); /* what is not float has been made one by a cast of its own */
    note_narrow(e, to);
    e->uses->long_narrow = e->uses->long_narrow || is_long;
    const char *convert = by_float ? dialect_from_float(d, to) : dialect_from_double(d, to);
    if (is_long && from != T_LDOUBLE)
        convert = type_is_signed(from) ? d->long_to_bf16 : d->ulong_to_bf16;
    text_printf(e->out, "%s(", convert);
    if (is_narrow_float(from)) {
        print_narrow_to_float(e, n);
    } else if (from == T_LDOUBLE) {
        text_printf(e->out, "%s(", d->round_to_odd);
        print(e, n, PREC_ANY);
        text_putc(e->out, ')');
    } else if (from == T_FLOAT || from == T_DOUBLE || is_long) {
        print(e, n, PREC_ANY);
    } else {
        text_puts(e->out, by_float ? "(float)" : "(double)");
        print(e, n, PREC_UNARY);
    }
    text_putc(e->out, ')');
}

static bool is_integer_abs(const Sym *function)
{
    return function->libm && type_is_integer(function->type) && strstr(function->name, "abs");
}

/* Whether `n` is not zero: of products, shifts and choices compilers ask for a comparison that says so. */
static const Node *as_truth(const Emitter *e, const Node *n)
{
    const Node *inner = n;
    while (inner->kind == N_CAST || inner->kind == N_NEG || (inner->kind == N_CALL && is_integer_abs(inner->sym)))
        inner = inner->kid[0];
    bool doubtful = inner->kind == N_MUL || inner->kind == N_SHL || inner->kind == N_SEL;
    if (e->kept || !doubtful || n->type == T_BOOL)
        return n;
    Node *zero = type_is_float(n->type) ? mk_float(e->ir, n->type, 0) : mk_int(e->ir, n->type, 0);
    return mk_binary(e->ir, N_NE, (Node *)n, zero);
}

static Type print_cast(Emitter *e, const Node *n, int min_prec)
{
    const Node *same = there_and_back(n);
    bool whole = e->keeps_detour || (e->kept && !e->compares && is_explicit(e, n));
    e->keeps_detour = false;
    if (same != n && !whole)
        return print(e, same, min_prec);
    Type to = n->type, from = n->kid[0]->type;
    e->wrapping = e->kept && can_wrap(n->kid[0]->kind) && is_wrapped(e, n->kid[0]);
    if (is_narrow_float(from) && to == T_FLOAT) {
        print_narrow_to_float(e, n->kid[0]);
        return T_FLOAT;
    }
    bool is_index = e->kept && n->kid[0]->kind == N_VAR && strchr(n->kid[0]->sym->name, '.'); /* ((int)threadIdx.x) */
    bool parens = (min_prec > PREC_UNARY && !is_narrow_float(to)) || is_index;
    put_open(e, parens);
    if (is_narrow_float(to)) {
        print_to_narrow(e, n->kid[0], to);
    } else {
        text_printf(e->out, "(%s)", dialect_type(e->dialect, to));
        if (is_narrow_float(from))
            print_narrow_to_float(e, n->kid[0]);
        else
            print(e, to == T_BOOL ? as_truth(e, n->kid[0]) : n->kid[0], PREC_UNARY);
    }
    put_close(e, parens);
    return to;
}

/* What is left of `n` when the conversions C does by itself on the way to `wanted` are not written. */
static const Node *bare(const Emitter *e, const Node *n)
{
    if (e->kept && n->kind == N_INT && type_bits((Type)n->type) >= 32 && n->u.i > INT32_MIN && n->u.i <= INT32_MAX &&
        (n->u.i >= 0 || type_is_signed((Type)n->type)) && !literal_text(e, n))
        return mk_int(e->ir, T_INT, n->u.i);
    if (e->kept)
        return n->kind == N_CAST && is_implied(e, n) ? without_widening(e, n->kid[0]) : n;
    while (n->kind == N_CAST && !is_narrow_float(n->type) && !is_narrow_float(n->kid[0]->type)) {
        const Node *inner = n->kid[0];
        /* A literal's conversion stays visible unless it is exact: compilers warn about the others. */
        if (inner->kind == N_FLOAT && type_is_integer(n->type))
            break;
        return inner;
    }
    return n;
}

/* The same for subscripts, where the value itself must not change. */
static const Node *bare_subscript(const Emitter *e, const Node *n)
{
    if (e->kept)
        return without_widening(e, n);
    const Node *inner = bare(e, n);
    bool widens = inner != n && type_is_integer(n->type) && type_is_integer(inner->type) && type_bits(n->type) >= type_bits(inner->type) &&
                  (type_is_signed(n->type) == type_is_signed(inner->type) || type_bits(n->type) > type_bits(inner->type));
    return widens ? inner : n;
}

/* Signed to unsigned conversions are written out: -Wsign-compare asks for it. Kept text stays as its author wrote it. */
static bool may_imply(const Emitter *e, Type from, Type to)
{
    if (e->kept)
        return to != T_BOOL;
    bool changes_sign = type_is_integer(from) && type_is_integer(to) && type_is_signed(type_promote(from)) && !type_is_signed(to);
    return !changes_sign && to != T_BOOL;
}

/* C type of `n` as `print` would give it, without printing. */
static Type printed_type(const Emitter *e, const Node *n)
{
    if (n->kind == N_INT && (type_is_signed(n->type) || type_bits(n->type) < 32) && n->type != T_LONG && n->type != T_LLONG)
        return n->u.i >= INT32_MIN && n->u.i <= INT32_MAX ? T_INT : T_INDEX;
    if (n->kind == N_FLOAT && !is_narrow_float(n->type) && (isinf(n->u.f) || isnan(n->u.f)) && !e->kept)
        return T_FLOAT;
    return (Type)n->type;
}

/* A compiler warns of the conversion in a comparison, in an arm of ?: or in an argument, if no cast says that it is
 * meant: one the file spells anywhere, and leaves to C in no such place, is written there. */
static bool is_meant(const Emitter *e, const Node *n)
{
    const Node *spelled = e->kept && n->kind == N_CAST ? spelled_cast(e, n) : NULL;
    if (!spelled || (e->kept->source && map_get(&e->kept->source->is_left, spelled->id)))
        return false;
    Type from = type_promote(n->kid[0]->type), to = n->type;
    return type_is_float(to) != type_is_float(from) || type_is_signed(to) != type_is_signed(from);
}

/* Both operands of an operator whose operands are of type `type`: which casts may go. */
static void pick_operands(const Emitter *e, const Node **a, const Node **b, Type type, Kind op)
{
    if (e->wrapping)
        return;
    bool warns = (kind_info[op].flags & F_REL) || op == N_SEL;
    const Node *bare_a = warns && is_meant(e, *a) ? *a : bare(e, *a), *bare_b = warns && is_meant(e, *b) ? *b : bare(e, *b);
    Type ta = printed_type(e, bare_a), tb = printed_type(e, bare_b);
    bool imply_a = may_imply(e, ta, type), imply_b = may_imply(e, tb, type);
    if (imply_a && imply_b && type_common(ta, tb) == type) {
        *a = bare_a;
        *b = bare_b;
    } else if (imply_b && printed_type(e, *a) == type && type_common(type, tb) == type) {
        *b = bare_b;
    } else if (imply_a && printed_type(e, *b) == type && type_common(ta, type) == type) {
        *a = bare_a;
    }
}

/* An operand in a place where C would not reach `type` by itself. */
static void print_as(Emitter *e, const Node *n, Type type, int min_prec)
{
    if (printed_type(e, n) != type && !is_narrow_float(type)) {
        put_open(e, min_prec > PREC_UNARY);
        text_printf(e->out, "(%s)", dialect_type(e->dialect, type));
        print(e, n, PREC_UNARY);
        put_close(e, min_prec > PREC_UNARY);
        return;
    }
    print(e, n, min_prec);
}

static bool is_bitwise(Kind k) { return k == N_AND || k == N_OR || k == N_XOR || k == N_SHL || k == N_SHR; }

/* How tight an operand must bind: by the grammar, and tighter where -Wparentheses wants to see it. */
static int operand_prec(const Emitter *e, Kind parent, const Node *operand, int grammar)
{
    if (!(e->kept && !e->compares && is_explicit(e, operand)))
        operand = there_and_back(operand);
    Kind k = operand->kind;
    int prec = kind_info[k].precedence;
    if ((parent == N_AND || parent == N_OR) && k == N_LNOT) /* !a & b: perhaps !(a & b) is meant */
        return PREC_PRIMARY;
    if (prec >= PREC_UNARY || prec == 0)
        return grammar;
    bool unclear = (is_bitwise(parent) && k != parent) || (parent == N_LOR && k == N_LAND) ||
                   ((kind_info[parent].flags & F_REL) && kind_info[parent].precedence >= 9 && kind_info[k].precedence <= 10);
    return unclear ? PREC_UNARY : grammar;
}

/* (unsigned)(int)(a + b) + c: the sum in the detour is a chain of its own, which (a + b) + c would make a part of the
 * other when it is read again. Where a pass has made the whole safe from overflow it is a part of it. */
static void print_operand(Emitter *e, Kind parent, const Node *n, Type type, int min_prec)
{
    const Node *same = there_and_back(n);
    bool joins = parent == N_MUL ? same->kind == N_MUL
                                 : (parent == N_ADD || parent == N_SUB) && can_wrap(same->kind) && same->kind != N_MUL;
    e->keeps_detour = same != n && joins && e->kept && (!e->wrapping || n->loc.beg);
    print_as(e, n, type, min_prec);
    e->keeps_detour = false;
}

static Type print_binary(Emitter *e, const Node *n, int min_prec)
{
    Kind kind = n->kind;
    int prec = kind_info[kind].precedence;
    const Node *a = n->kid[0], *b = n->kid[1];
    Type operands = a->type;
    bool narrow = is_narrow_float(operands) && kind != N_LAND && kind != N_LOR;
    bool narrow_result = narrow && !(kind_info[kind].flags & F_REL);
    if (narrow_result) {
        note_narrow(e, operands);
        text_printf(e->out, "%s(", dialect_from_float(e->dialect, operands));
        min_prec = PREC_ANY;
    }
    bool parens = prec < min_prec;
    put_open(e, parens);
    if (narrow) {
        print_narrow_to_float(e, a);
        text_printf(e->out, " %s ", kind_info[kind].spelling);
        print_narrow_to_float(e, b);
    } else if (kind == N_LAND || kind == N_LOR) {
        print_condition(e, a, operand_prec(e, kind, a, prec));
        text_printf(e->out, " %s ", kind_info[kind].spelling);
        print_condition(e, b, operand_prec(e, kind, b, prec + 1));
    } else if (kind == N_SHL || kind == N_SHR) {
        const Node *left = bare(e, a);
        if (type_promote(printed_type(e, left)) != operands)
            left = a;
        print_as(e, left, type_promote(printed_type(e, left)) == operands ? printed_type(e, left) : operands,
                 operand_prec(e, kind, left, prec));
        text_printf(e->out, " %s ", kind_info[kind].spelling);
        b = without_widening(e, b);
        print(e, b, operand_prec(e, kind, b, prec + 1));
    } else {
        pick_operands(e, &a, &b, operands, kind);
        bool reached = type_common(printed_type(e, a), printed_type(e, b)) == operands;
        print_operand(e, kind, a, reached ? printed_type(e, a) : operands, operand_prec(e, kind, a, prec));
        text_printf(e->out, " %s ", kind_info[kind].spelling);
        print_operand(e, kind, b, printed_type(e, b), operand_prec(e, kind, b, prec + 1));
    }
    put_close(e, parens);
    if (narrow_result)
        text_putc(e->out, ')');
    return n->type;
}

/* Everything else. */

static void print_condition(Emitter *e, const Node *n, int min_prec)
{
    if (is_narrow_float(n->type)) {
        print_narrow_to_float(e, n);
        return;
    }
    n = without_widening(e, n);
    if (e->kept && n->kind == N_CAST && n->type == T_BOOL && is_implied(e, n))
        n = n->kid[0];
    print(e, as_truth(e, n), min_prec);
}

static Type print_select(Emitter *e, const Node *n, int min_prec)
{
    const Node *a = n->kid[1], *b = n->kid[2];
    put_open(e, min_prec > PREC_ANY);
    print_condition(e, n->kid[0], 4);
    if (is_narrow_float(n->type) || type_promote(n->type) != (Type)n->type) {
        text_puts(e->out, " ? ");
        print(e, a, 4);
        text_puts(e->out, " : ");
        print(e, b, 4);
    } else {
        pick_operands(e, &a, &b, n->type, N_SEL);
        bool reached = type_common(printed_type(e, a), printed_type(e, b)) == (Type)n->type;
        text_puts(e->out, " ? ");
        print_as(e, a, reached ? printed_type(e, a) : (Type)n->type, 4);
        text_puts(e->out, " : ");
        print(e, b, 4);
    }
    put_close(e, min_prec > PREC_ANY);
    /* C promotes the arms; only the value matters to the reader of a narrow type. */
    return n->type;
}

/* As the file itself spells it. */
static Type print_min_max_call(Emitter *e, const Node *n)
{
    const Node *a = n->kid[0], *b = n->kid[1];
    pick_operands(e, &a, &b, n->type, N_SEL); /* as its macro does */
    text_puts(e->out, n->kind == N_MIN ? "min(" : "max(");
    print(e, a, PREC_ANY);
    text_puts(e->out, ", ");
    print(e, b, PREC_ANY);
    text_putc(e->out, ')');
    return n->type;
}

/* min(a, b) as a ? expression: the operands are pure. */
static Type print_min_max(Emitter *e, const Node *n, int min_prec)
{
    if (e->kept)
        return print_min_max_call(e, n);
    const Node *cmp_kids[] = {n->kid[0], n->kid[1]};
    pick_operands(e, &cmp_kids[0], &cmp_kids[1], n->type, N_LT);
    bool reached = type_common(printed_type(e, cmp_kids[0]), printed_type(e, cmp_kids[1])) == (Type)n->type;
    Type first = reached ? printed_type(e, cmp_kids[0]) : (Type)n->type;
    put_open(e, min_prec > PREC_ANY);
    print_as(e, cmp_kids[0], first, 11);
    text_puts(e->out, n->kind == N_MIN ? " < " : " > ");
    print(e, cmp_kids[1], 11);
    text_puts(e->out, " ? ");
    print_as(e, cmp_kids[0], first, 4);
    text_puts(e->out, " : ");
    print(e, cmp_kids[1], 4);
    put_close(e, min_prec > PREC_ANY);
    return n->type;
}

static Type print_unary(Emitter *e, const Node *n, int min_prec)
{
    const Node *a = n->kid[0];
    bool complement = n->kind == N_BNOT && without_widening(e, a)->type == T_BOOL; /* compilers take ~ of a bool for a mistake */
    if (e->kept && a->kind == N_CAST && !e->wrapping && !complement && type_promote(without_widening(e, a)->type) == (Type)a->type)
        a = without_widening(e, a);
    bool narrow = is_narrow_float(a->type);
    if (narrow && n->kind == N_NEG) {
        note_narrow(e, a->type);
        text_printf(e->out, "%s(-", dialect_from_float(e->dialect, (Type)a->type));
        print_narrow_to_float(e, a);
        text_putc(e->out, ')');
        return n->type;
    }
    put_open(e, min_prec > PREC_UNARY);
    text_puts(e->out, kind_info[n->kind].spelling);
    if (n->kind == N_LNOT) {
        if (narrow)
            print_narrow_to_float(e, a);
        else
            print(e, as_truth(e, a), PREC_UNARY);
    } else {
        bool again = a->kind == N_NEG || (a->kind == N_INT && a->u.i < 0) || (a->kind == N_FLOAT && signbit(a->u.f));
        if (e->kept)
            print(e, a, again ? PREC_PRIMARY : PREC_UNARY);
        else
            print_as(e, a, n->type, again ? PREC_PRIMARY : PREC_UNARY); /* never "--" */
    }
    put_close(e, min_prec > PREC_UNARY);
    return n->type;
}

/* C++ overloads these functions: an argument of another type would choose another function, or none. C's compilers warn of integers
 * whose absolute value is fabs(). */
static bool is_chosen_by_type(const Emitter *e, const Node *n) { return e->dialect->cuda || !strncmp(n->sym->name, "fabs", 4); }

/* The text of an expression on one line, however it was broken, unless a line's end is needed there. */
static void print_text(Emitter *e, const char *text)
{
    bool is_kept = strstr(text, "//") || strstr(text, "\\\n");
    for (const char *p = text; *p; p++) {
        if (is_kept || *p != '\n') {
            text_putc(e->out, *p);
            continue;
        }
        while (e->out->size && (e->out->data[e->out->size - 1] == ' ' || e->out->data[e->out->size - 1] == '\t'))
            e->out->data[--e->out->size] = 0;
        text_putc(e->out, ' ');
        p += strspn(p + 1, " \t\r\n");
    }
}

static Type print_call(Emitter *e, const Node *n, int min_prec)
{
    if (sym_is_text(n->sym)) {
        bool parens = min_prec > PREC_ANY && !n->sym->kept->is_closed;
        put_open(e, parens);
        print_text(e, n->sym->name);
        put_close(e, parens);
        return n->type;
    }
    e->uses->math = e->uses->math || n->sym->libm;
    e->uses->stdlib = e->uses->stdlib || is_integer_abs(n->sym);
    text_printf(e->out, "%s(", n->sym->name);
    for (int i = 0; i < n->nkids; i++) {
        const Node *arg = is_meant(e, n->kid[i]) ? n->kid[i] : bare(e, n->kid[i]);
        if (i)
            text_puts(e->out, ", ");
        if (e->kept) { /* its own declaration converts, and of a libm function the text of the file did */
            print(e, arg, PREC_ANY);
            continue;
        }
        if (n->sym->libm && libm_argument(n->sym, i) != (Type)n->kid[i]->type)
            arg = n->kid[i];
        if (is_chosen_by_type(e, n) && printed_type(e, arg) != (Type)n->kid[i]->type)
            print_as(e, n->kid[i], n->kid[i]->type, PREC_ANY);
        else
            print(e, arg, PREC_ANY);
    }
    text_putc(e->out, ')');
    return n->type;
}

static Type print_name(Emitter *e, const Node *n)
{
    const char *name = e->kept ? n->sym->name : names_find(e->names, n->sym);
    if (!name)
        internal_error("emit: %s is used where it is not declared", n->sym->name);
    text_puts(e->out, name);
    for (int i = 0; i < n->nkids && !sym_is_member(n->sym); i++) {
        text_putc(e->out, '[');
        print(e, bare_subscript(e, n->kid[i]), PREC_ANY);
        text_putc(e->out, ']');
    }
    return n->type;
}

/* Beside vectors, which GNU C compiles. */
static Type print_popcount(Emitter *e, const Node *n)
{
    text_puts(e->out, type_bits(n->type) == 64 ? "__builtin_popcountll(" : "__builtin_popcount(");
    print(e, n->kid[0], PREC_ANY);
    text_putc(e->out, ')');
    return T_INT;
}

static Type print_mul_shift(Emitter *e, const Node *n, int min_prec)
{
    Ir *ir = e->ir;
    const Type wide = type_is_signed(n->type) ? T_LONG : T_ULONG;
    Node *product = mk_binary(ir, N_MUL, mk_cast(ir, wide, n->kid[0]), mk_cast(ir, wide, n->kid[1]));
    Node *sum = mk_binary(ir, N_ADD, product, mk_int(ir, wide, n->kid[2]->u.i));
    return print(e, mk_cast(ir, n->type, mk_binary(ir, N_SHR, sum, n->kid[3])), min_prec);
}

static Type print_kind(Emitter *e, const Node *n, int min_prec)
{
    if (n->kind != N_VAR && (type_is_vector(n->type) || n->kind == N_FOLD || n->kind == N_ANY || n->kind == N_HEAD)) {
        print_vector(e, n, min_prec);
        return n->type;
    }
    switch ((Kind)n->kind) {
    case N_INT:
    case N_FLOAT: return print_literal(e, n, min_prec);
    case N_VAR:
    case N_REF:
    case N_LOAD: return print_name(e, n);
    case N_CALL: return print_call(e, n, min_prec);
    case N_POPCOUNT: return print_popcount(e, n);
    case N_MUL_SHIFT: return print_mul_shift(e, n, min_prec);
    case N_LOW_INT: return print(e, mk_cast(e->ir, T_INT, mk_cast(e->ir, T_LLONG, n->kid[0])), min_prec);
    case N_CAST: return print_cast(e, n, min_prec);
    case N_NEG:
    case N_BNOT:
    case N_LNOT: return print_unary(e, n, min_prec);
    case N_SEL: return print_select(e, n, min_prec);
    case N_MIN:
    case N_MAX: return print_min_max(e, n, min_prec);
    default: return print_binary(e, n, min_prec);
    }
}

static Type print(Emitter *e, const Node *n, int min_prec)
{
    bool outer = e->wrapping;
    e->wrapping = outer && (can_wrap(n->kind) || there_and_back(n) != n);
    Type type = print_kind(e, n, min_prec);
    e->wrapping = outer;
    return type;
}

void print_at(Emitter *e, const Node *n, int min_prec) { print(e, n, min_prec); }

static const char *text_of(Emitter *e, const Node *n, int min_prec)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    print(e, n, min_prec);
    e->out = outer;
    return text.data;
}

const char *emit_expr(Emitter *e, const Node *n) { return text_of(e, n, PREC_ANY); }

const char *emit_conjunct(Emitter *e, const Node *n) { return text_of(e, n, kind_info[N_LAND].precedence); }

const char *emit_value(Emitter *e, const Node *n)
{
    if (type_is_vector(n->type))
        return emit_expr(e, n);
    const Node *inner = bare(e, n);
    if (e->kept)
        return emit_expr(e, inner);
    if (n->type == T_BOOL && inner != n)
        inner = as_truth(e, inner);
    bool literal = inner->kind == N_INT || inner->kind == N_FLOAT;
    return emit_expr(e, literal && type_is_float(n->type) != type_is_float(inner->type) ? n : inner);
}

const char *emit_condition(Emitter *e, const Node *n)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    print_condition(e, n, PREC_ANY);
    e->out = outer;
    return text.data;
}
