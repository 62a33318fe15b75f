/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a module for another language says of an operator: its comment, extents as trees and as sums, whether subscripts stay inside. */
#include "emit/binding.h"

#include <string.h>

#include "depend/carry.h"
#include "depend/index.h"
#include "depend/inside.h"
#include "depend/poly.h"

/* ---------------------------------------------------------------- the comment */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Without blanks and ends of lines behind it. */
static size_t trimmed(const char *text, size_t len)
{
    while (len && (is_blank(text[len - 1]) || text[len - 1] == '\n'))
        len--;
    return len;
}

static size_t line_begin(const char *text, size_t len)
{
    while (len && text[len - 1] != '\n')
        len--;
    return len;
}

static bool begins_with(const char *text, size_t len, const char *word)
{
    return len >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* A line of a comment, without what decorates it. */
static void add_line(json_t *lines, const char *text, size_t len)
{
    while (len && (is_blank(*text) || *text == '*' || *text == '/'))
        text++, len--;
    len = trimmed(text, len);
    if (len || json_array_size(lines))
        json_array_append_new(lines, json_stringn(text, len));
}

/* Lines of "//" at the end of the text. */
static void add_line_comment(json_t *lines, const char *text, size_t len)
{
    size_t begin = len;
    for (;;) {
        size_t before = begin ? line_begin(text, begin - 1) : 0, at = before;
        while (at < begin && is_blank(text[at]))
            at++;
        if (before == begin || !begins_with(text + at, begin - at, "//"))
            break;
        begin = before;
    }
    while (begin < len) {
        const char *end = memchr(text + begin, '\n', len - begin);
        const size_t next = end ? (size_t)(end - text) : len;
        add_line(lines, text + begin, next - begin);
        begin = next + 1;
    }
}

static void add_block_comment(json_t *lines, const char *text, size_t len)
{
    size_t begin = len - 2;
    while (begin >= 2 && memcmp(text + begin - 2, "/*", 2) != 0)
        begin--;
    for (len -= 2; begin < len;) {
        const char *end = memchr(text + begin, '\n', len - begin);
        const size_t next = end ? (size_t)(end - text) : len;
        add_line(lines, text + begin, next - begin);
        begin = next + 1;
    }
}

/* The comment that ends where the function begins, pragmas and blank lines apart. */
static json_t *spec_comment(const Diag *diag, Loc loc)
{
    json_t *lines = json_array();
    size_t len;
    const char *text = diag_text_before(diag, loc, &len);
    len = line_begin(text, len); /* of the line with the result's type */
    for (;;) {
        len = trimmed(text, len);
        const size_t begin = line_begin(text, len);
        if (!begins_with(text + begin, len - begin, "#pragma mikgen"))
            break;
        len = begin;
    }
    if (len >= 4 && memcmp(text + len - 2, "*/", 2) == 0)
        add_block_comment(lines, text, len);
    else
        add_line_comment(lines, text, len);
    return lines;
}

/* ---------------------------------------------------------------- extents */

static const char *operator_of(const Node *n)
{
    switch (n->kind) {
    case N_CAST: return "cast";
    case N_MIN: return "min";
    case N_MAX: return "max";
    case N_NEG: return "neg";
    default: return kind_info[n->kind].spelling;
    }
}

static json_t *tree(Emitter *e, const Node *n)
{
    if (n->kind == N_INT)
        return json_pack("{s:s, s:I}", "op", "int", "value", (json_int_t)n->u.i);
    if (n->kind == N_VAR)
        return json_pack("{s:s, s:s}", "op", "var", "name", names_find(e->names, n->sym));
    json_t *kids = json_array();
    for (int i = 0; i < n->nkids; i++)
        json_array_append_new(kids, tree(e, n->kid[i]));
    if (!type_is_integer((Type)n->type) || *operator_of(n) == '\0')
        internal_error("an extent with %s in it", kind_info[n->kind].name);
    return json_pack("{s:s, s:i, s:b, s:o}", "op", operator_of(n), "bits", type_bits((Type)n->type), "signed",
                     type_is_signed((Type)n->type), "kids", kids);
}

/* The parameter that the only atom of a term is; NULL: it is something else. */
static const Sym *parameter_of(const Term *t)
{
    const Node *atom = t->natoms == 1 ? t->atoms[0] : NULL;
    while (atom && atom->kind == N_CAST && type_is_integer((Type)atom->kid[0]->type))
        atom = atom->kid[0];
    return atom && atom->kind == N_VAR ? atom->sym : NULL;
}

static json_t *linear(Emitter *e, Node *extent)
{
    const Poly *p = poly_of(e->ir, extent);
    json_t *terms = json_array();
    int64_t offset = 0;
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        const Sym *sym = parameter_of(t);
        if (t->natoms == 0) {
            offset = (int64_t)t->coef;
        } else if (sym) {
            json_array_append_new(terms, json_pack("{s:s, s:I}", "name", names_find(e->names, sym), "scale", (json_int_t)(int64_t)t->coef));
        } else {
            json_decref(terms);
            return json_null();
        }
    }
    return json_pack("{s:o, s:I}", "terms", terms, "offset", (json_int_t)offset);
}

static void add_extents(json_t *param, Emitter *e, const Sym *array)
{
    json_t *trees = json_array(), *linears = json_array();
    for (int d = 0; d < array->rank; d++) {
        json_array_append_new(trees, tree(e, widen(e->ir, array->extent[d])));
        json_array_append_new(linears, linear(e, array->extent[d]));
    }
    if (array->elements) { /* bytes */
        Node *bytes = mk_int(e->ir, T_INT, array->elements->bytes);
        json_array_append_new(trees, tree(e, bytes));
        json_array_append_new(linears, linear(e, bytes));
    }
    json_object_set_new(param, "trees", trees);
    json_object_set_new(param, "linear", linears);
}

/* ---------------------------------------------------------------- together */

void binding_add(json_t *op, Emitter *e, const Plan *plan)
{
    const Func *f = plan->func;
    json_t *params = json_object_get(op, "params");
    for (int i = 0; i < plan->ncallers; i++)
        add_extents(json_array_get(params, (size_t)i), e, plan->callers[i].sym);
    json_object_set_new(op, "doc", spec_comment(e->ir->diag, f->loc));
    Node *stmt, *access = perhaps_outside(e->ir, f, plan->source, &stmt);
    json_object_set_new(op, "outside", access ? json_string(place_text(e->ir, access, stmt)) : json_null());
}
