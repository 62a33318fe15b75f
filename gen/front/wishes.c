/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the words of a pragma one by one, each with its place for a message. */
#include "gen/front/wishes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/number.h"
#include "ir/math_form.h"

static const char known_words[] =
    "known are target(c), target(cuda), arch(sm_80), sets(avx2, neon), math(fast), winograd(4), hint(M, 1, 4096) and constant(W)";

/* The words of one pragma, read from left to right. */
typedef struct Reader {
    const Front *front;
    Unit *unit;
    const Pragma *pragma;
    int at;
} Reader;

static const char *peek(const Reader *r) { return r->at < r->pragma->nwords ? r->pragma->words[r->at].text : ""; }

static Loc here(const Reader *r) { return r->at < r->pragma->nwords ? r->pragma->words[r->at].loc : r->pragma->loc; }

static bool fault(const Reader *r, const char *message)
{
    diag_error(r->front->ir->diag, here(r), known_words, "%s", message);
    return false;
}

static bool expect(Reader *r, const char *word)
{
    if (strcmp(peek(r), word) == 0) {
        r->at++;
        return true;
    }
    diag_error(r->front->ir->diag, here(r), known_words, "'%s' expected here in #pragma mikgen", word);
    return false;
}

/* LO and HI of a hint, and where they stand in the text; of an option nowhere, but `option` is all of it. */
typedef struct HintBounds {
    int64_t lo, hi;
    const char *lo_text, *hi_text;
    Loc lo_loc, hi_loc;
    const char *option;
} HintBounds;

static bool hint_fault(const Front *front, const HintBounds *b, Loc loc, const char *what)
{
    const char *option = b->option ? arena_printf(front->ir->arena, "'%s' is no hint: ", b->option) : "";
    diag_error(front->ir->diag, loc, b->option ? "for example --hint=n:0:1000" : "for example hint(M, 1, 4096)", "%s%s", option, what);
    return false;
}

static bool bound_fault(const Front *front, const HintBounds *b, bool high, int64_t least, int64_t most)
{
    Arena *arena = front->ir->arena;
    const char *text = high ? b->hi_text : b->lo_text;
    return hint_fault(front, b, high ? b->hi_loc : b->lo_loc,
                      arena_printf(arena, "a hint's bound is %s", number_expected(arena, text, strlen(text), least, most)));
}

static bool parse_bounds(const Front *front, HintBounds *b)
{
    if (!number_within(b->lo_text, strlen(b->lo_text), INT64_MIN, INT64_MAX, &b->lo))
        return bound_fault(front, b, false, INT64_MIN, INT64_MAX);
    if (!number_within(b->hi_text, strlen(b->hi_text), INT64_MIN, INT64_MAX, &b->hi))
        return bound_fault(front, b, true, INT64_MIN, INT64_MAX);
    return true;
}

/* Are the bounds, in their order, numbers that something of this type can be? */
static bool bounds_fit(const Front *front, const HintBounds *b, Type type)
{
    if (b->lo < type_min(type) || b->lo > type_max(type))
        return bound_fault(front, b, false, type_min(type), type_max(type));
    if (b->hi < type_min(type) || b->hi > type_max(type))
        return bound_fault(front, b, true, type_min(type), type_max(type));
    if (b->lo <= b->hi)
        return true;
    return hint_fault(front, b, b->hi_loc, "a hint's lowest value is above its highest");
}

/* A number, of which Clang makes two words where it is negative. */
static bool read_bound(Reader *r, const char **text, Loc *loc)
{
    const bool negative = strcmp(peek(r), "-") == 0;
    *loc = here(r);
    r->at += negative;
    if (r->at >= r->pragma->nwords)
        return fault(r, "a hint's bound is expected here in #pragma mikgen");
    loc->end = here(r).end;
    *text = negative ? arena_printf(r->front->ir->arena, "-%s", peek(r)) : peek(r);
    r->at++;
    return true;
}

static bool read_bounds(Reader *r, HintBounds *b)
{
    return expect(r, ",") && read_bound(r, &b->lo_text, &b->lo_loc) && expect(r, ",") && read_bound(r, &b->hi_text, &b->hi_loc) &&
           expect(r, ")") && parse_bounds(r->front, b);
}

/* The operator that a pragma at `place` speaks to; NULL: all of them. */
static const Definition *operator_around(const Vec *operators, Loc place)
{
    for (int i = 0; i < operators->count; i++) {
        const Definition *d = operators->items[i];
        if (d->range.beg <= place.beg && place.beg < d->range.end)
            return d;
    }
    return NULL;
}

/* Give `name` of the functions that the pragma speaks to the range lo..hi. */
static bool hint(const Reader *r, const Word *name, const HintBounds *bounds)
{
    const Definition *inside = operator_around(&r->front->operators, r->pragma->loc);
    bool found = false;
    for (int i = 0; i < r->front->operators.count; i++) {
        const Definition *d = r->front->operators.items[i];
        if (inside && d != inside)
            continue;
        for (int p = 0; p < d->func->nparams; p++) {
            Sym *s = d->func->params[p];
            if (s->kind != S_PARAM || !type_is_integer(s->type) || strcmp(s->name, name->text) != 0)
                continue;
            if (!bounds_fit(r->front, bounds, s->type))
                return false;
            s->has_hint = found = true;
            s->hint_lo = bounds->lo;
            s->hint_hi = bounds->hi;
        }
    }
    if (!found)
        diag_error(r->front->ir->diag, name->loc, "hint(NAME, LOWEST, HIGHEST) is about an integer parameter of an operator",
                   "no operator has an integer parameter '%s'", name->text);
    return found;
}

static bool read_hint(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (r->at >= r->pragma->nwords)
        return fault(r, "a parameter's name is expected here in #pragma mikgen");
    const Word *name = &r->pragma->words[r->at++];
    HintBounds bounds = {0};
    return read_bounds(r, &bounds) && hint(r, name, &bounds);
}

/* The array `name` of an operator never changes: 1; it has none: 0; -1: it is one that may change. */
static int mark_constant(const Func *f, const char *name)
{
    int mark = 0;
    for (int p = 0; p < f->nparams; p++)
        if (f->params[p]->rank && strcmp(whole_param(f->params[p])->name, name) == 0) {
            f->params[p]->is_constant = whole_param(f->params[p])->is_constant = f->params[p]->is_const;
            mark = f->params[p]->is_const ? 1 : -1;
        }
    return mark;
}

/* marks: of some operators, what mark_constant() said, the least if that is negative, else the most. */
static bool all_marked(Ir *ir, int marks, const char *name, Loc loc)
{
    if (marks <= 0)
        diag_error(ir->diag, loc, "a constant is a parameter such as 'const float W[K][N]'",
                   marks < 0 ? "'%s' is not declared const: a call might change it" : "no operator has an array parameter '%s'", name);
    return marks > 0;
}

static int more_marks(int marks, int mark) { return mark < 0 || (marks >= 0 && mark) ? mark : marks; }

static bool read_constant(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (r->at >= r->pragma->nwords)
        return fault(r, "an array's name is expected here in #pragma mikgen");
    const Word *name = &r->pragma->words[r->at++];
    if (!expect(r, ")"))
        return false;
    const Vec *operators = &r->front->operators;
    const Definition *inside = operator_around(operators, r->pragma->loc);
    int marks = 0;
    for (int i = 0; i < operators->count; i++)
        if (!inside || inside == operators->items[i])
            marks = more_marks(marks, mark_constant(((Definition *)operators->items[i])->func, name->text));
    return all_marked(r->front->ir, marks, name->text, name->loc);
}

static bool read_target(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (strcmp(peek(r), "c") != 0 && strcmp(peek(r), "cuda") != 0)
        return fault(r, "the target is neither 'c' nor 'cuda'");
    r->unit->wishes.target = peek(r);
    r->at++;
    return expect(r, ")");
}

static bool read_arch(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (strncmp(peek(r), "sm_", 3) != 0 || peek(r)[3] < '1' || peek(r)[3] > '9')
        return fault(r, "the architecture is not of the form sm_80");
    r->unit->wishes.arch = peek(r);
    r->at++;
    return expect(r, ")");
}

static bool read_math(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (math_form_named(peek(r)) == MATH_UNSAID)
        return fault(r, "functions of <math.h> are neither 'vector', 'fast' nor 'libm'");
    r->unit->wishes.math = peek(r);
    r->at++;
    return expect(r, ")");
}

/* Inside a function for that function, at file scope for every operator. */
static bool read_winograd(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (strcmp(peek(r), "2") != 0 && strcmp(peek(r), "4") != 0)
        return fault(r, "tiles of Winograd's algorithm have rows of 2 or 4 outputs");
    const int outputs = *peek(r) - '0';
    r->at++;
    const Vec *operators = &r->front->operators;
    const Definition *inside = operator_around(operators, r->pragma->loc);
    for (int i = 0; i < operators->count; i++) {
        const Definition *d = operators->items[i];
        if (!inside || inside == d)
            d->func->winograd = outputs;
    }
    return expect(r, ")");
}

/* Names between commas, ! behind some; what they mean is asked by whoever knows instruction sets. Those of several pragmas add up. */
static bool read_sets(Reader *r)
{
    Arena *arena = r->front->ir->arena;
    Wishes *wishes = &r->unit->wishes;
    int count = 0;
    for (const char *p = wishes->sets; p; p = strchr(p + 1, ','))
        count++;
    Loc *locs = arena_new_array(arena, Loc, count + r->pragma->nwords);
    if (count)
        memcpy(locs, wishes->set_locs, sizeof *locs * (size_t)count);
    if (!expect(r, "("))
        return false;
    do {
        if (r->at >= r->pragma->nwords || strchr("!,)", *peek(r)))
            return fault(r, "an instruction set's name is expected here in #pragma mikgen");
        locs[count++] = here(r);
        const char *name = peek(r);
        r->at++;
        const bool alone = strcmp(peek(r), "!") == 0;
        r->at += alone;
        wishes->sets = arena_printf(arena, "%s%s%s%s", wishes->sets ? wishes->sets : "", wishes->sets ? "," : "", name, alone ? "!" : "");
    } while (strcmp(peek(r), ",") == 0 && ++r->at);
    wishes->set_locs = locs;
    return expect(r, ")");
}

static bool read_word(Reader *r)
{
    const char *word = peek(r);
    r->at++;
    if (strcmp(word, "target") == 0)
        return read_target(r);
    if (strcmp(word, "arch") == 0)
        return read_arch(r);
    if (strcmp(word, "sets") == 0)
        return read_sets(r);
    if (strcmp(word, "math") == 0)
        return read_math(r);
    if (strcmp(word, "winograd") == 0)
        return read_winograd(r);
    if (strcmp(word, "hint") == 0)
        return read_hint(r);
    if (strcmp(word, "constant") == 0)
        return read_constant(r);
    r->at--;
    diag_error(r->front->ir->diag, here(r), known_words, "unknown word '%s' in #pragma mikgen", word);
    return false;
}

void apply_pragmas(const Front *front, Unit *unit)
{
    for (int i = 0; i < front->pragmas.count; i++) {
        Reader r = {.front = front, .unit = unit, .pragma = front->pragmas.items[i]};
        if (!r.pragma->nwords)
            fault(&r, "#pragma mikgen without a word");
        while (r.at < r.pragma->nwords && read_word(&r))
            ;
    }
}

bool apply_constants(Ir *ir, const Unit *unit, const Vec *names)
{
    bool good = true;
    for (int n = 0; n < names->count; n++) {
        int marks = 0;
        for (int i = 0; i < unit->nfuncs; i++)
            marks = more_marks(marks, mark_constant(unit->funcs[i], names->items[n]));
        good = all_marked(ir, marks, names->items[n], (Loc){0, 0}) && good;
    }
    return good;
}

/* Promises. */

static bool is_index_name(const char *name)
{
    static const char known[] = " threadIdx blockIdx blockDim gridDim ";
    const char *dot = strchr(name, '.');
    char word[16];
    if (!dot || dot - name > 9 || dot[1] < 'x' || dot[1] > 'z' || dot[2])
        return false;
    snprintf(word, sizeof word, " %.*s ", (int)(dot - name), name);
    return strstr(known, word) != NULL;
}

static bool is_in(const Vec *v, const void *item)
{
    for (int i = 0; i < v->count; i++)
        if (v->items[i] == item)
            return true;
    return false;
}

static void promise(Sym *s, const HintBounds *bounds)
{
    s->has_range = true;
    s->lo = bounds->lo;
    s->hi = bounds->hi;
}

/* What stands inside a function is about that one. */
static bool promise_all(const Front *front, const char *name, Loc place, const HintBounds *bounds)
{
    const Kept *kept = front->kept;
    const Definition *inside = NULL;
    bool found = kept->source->cuda && is_index_name(name);
    if (found && !bounds_fit(front, bounds, T_UINT))
        return false;
    for (int i = 0; i < kept->definitions.count; i++) {
        const Definition *d = kept->definitions.items[i];
        if (place.beg && d->range.beg <= place.beg && place.beg < d->range.end)
            inside = d;
    }
    for (int i = 0; i < kept->definitions.count; i++) {
        const Definition *d = kept->definitions.items[i];
        for (int p = 0; p < d->func->nparams && (!inside || d == inside); p++) {
            Sym *s = d->func->params[p];
            if (s->kind != S_PARAM || !type_is_integer(s->type) || strcmp(s->name, name) != 0)
                continue;
            found = true;
            if (!bounds_fit(front, bounds, s->type))
                return false;
            if (s->alias == ALIAS_NONE && !s->is_volatile && !is_in(&kept->changed, s))
                promise(s, bounds);
        }
    }
    for (int i = 0; i < kept->indices.count; i++) {
        Sym *s = kept->indices.items[i];
        if (strcmp(s->name, name) == 0)
            promise(s, bounds);
    }
    if (inside && !inside->func->body) /* a function that is not touched anyway */
        return true;
    if (!found)
        diag_error(front->ir->diag, place, "hint(NAME, LOWEST, HIGHEST) is about an integer parameter",
                   "no function with a loop has an integer parameter '%s'", name);
    return found;
}

static bool read_promise(Reader *r)
{
    r->at++;
    if (!expect(r, "("))
        return false;
    if (r->at >= r->pragma->nwords)
        return fault(r, "a parameter's name is expected here in #pragma mikgen");
    const Word *word = &r->pragma->words[r->at++];
    const char *name = word->text;
    if (strcmp(peek(r), ".") == 0 && r->at + 1 < r->pragma->nwords) {
        name = arena_printf(r->front->ir->arena, "%s.%s", name, r->pragma->words[r->at + 1].text);
        r->at += 2;
    }
    HintBounds bounds = {0};
    return read_bounds(r, &bounds) && promise_all(r->front, name, word->loc, &bounds);
}

/* NAME:LO:HI; gen/driver/options.c has seen to the colons. */
static bool read_option(const Front *front, const char *option)
{
    Arena *arena = front->ir->arena;
    const char *colon = strchr(option, ':'), *second = strchr(colon + 1, ':');
    HintBounds bounds = {.lo_text = arena_strndup(arena, colon + 1, (size_t)(second - colon - 1)), .hi_text = second + 1, .option = option};
    return parse_bounds(front, &bounds) && promise_all(front, arena_strndup(arena, option, (size_t)(colon - option)), (Loc){0, 0}, &bounds);
}

void apply_promises(const Front *front)
{
    for (int i = 0; i < front->pragmas.count; i++) {
        Reader r = {.front = front, .pragma = front->pragmas.items[i]};
        while (r.at < r.pragma->nwords || !r.pragma->nwords) {
            if (strcmp(peek(&r), "hint") != 0) {
                diag_error(front->ir->diag, here(&r), "write #pragma mikgen hint(NAME, LOWEST, HIGHEST)",
                           "only hints have a meaning in a text whose loops are kept");
                break;
            }
            if (!read_promise(&r))
                break;
        }
    }
    const Vec *hints = front->kept->options->hints;
    for (int i = 0; hints && i < hints->count; i++)
        read_option(front, hints->items[i]);
}
