/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through a kept body and its source text side by side: what no pass changed is copied, the rest is
 * printed. */
#include "emit/kept_leaf.h"

#include <string.h>

#include "ir/walk.h"

enum { STEP = 2 }; /* columns of one level */

static bool remember(void *user, Node *n)
{
    Keep *k = user;
    if (n->kind == N_CAST && n->loc.beg && map_get(&k->source->is_cast, n->id))
        *map_at(k->ir->arena, &k->spelled.casts, (int)n->loc.beg) = n;
    if (!is_expr(n) && n->kind != N_BLOCK && place_of(n))
        *map_at(k->ir->arena, &k->own, place_of(n)) = n;
    return true;
}

Keep *keep_new(Ir *ir, const Source *source)
{
    Keep *k = arena_alloc(ir->arena, sizeof *k);
    *k = (Keep){.ir = ir, .source = source, .spelled = {.source = source}, .nnodes = ir->nnodes, .nsyms = ir->nsyms};
    k->dialect = dialect_cuda; /* as C and CUDA spell types in a file that is somebody else's */
    k->dialect.restrict_word = "restrict";
    if (source->other_bool || (!source->cuda && !source->has_bool))
        k->dialect.bool_name = "_Bool";
    k->emitter = (Emitter){.ir = ir, .dialect = &k->dialect, .uses = &k->uses, .kept = &k->spelled};
    k->remarks = arena_new_array(ir->arena, Remarks, source->functions.count + 1);
    k->bodies = arena_new_array(ir->arena, const Node *, source->functions.count + 1);
    for (int i = 0; i < source->functions.count; i++) {
        const KeptFunc *f = source->functions.items[i];
        k->bodies[i] = f->func->body;
        walk(&(Walker){.pre = remember, .user = k}, f->func->body);
        remarks_attach(&k->remarks[i], source, ir->arena, f->body, f->func->body);
    }
    return k;
}

bool keep_declares_bool(const Keep *keep) { return keep->declares_bool; }

void keep_mark_lines(Keep *k)
{
    k->marks_lines = true;
    if (!k->source->cuda)
        k->dialect.bool_name = "_Bool";
}

bool keep_is_changed(const Keep *k, int index)
{
    return ((const KeptFunc *)k->source->functions.items[index])->func->body != k->bodies[index];
}

const char *keep_expr(Ir *ir, const Keep *keep, const Node *e)
{
    Uses uses = {0};
    Spelled spelled = {0};
    Emitter emitter = {.ir = ir, .dialect = &dialect_cuda, .uses = &uses, .kept = keep ? &keep->spelled : &spelled, .place = e->loc};
    return emit_expr(&emitter, e);
}

/* Lines. */

#define PUT(k, ...) text_printf((k)->emitter.out, __VA_ARGS__)

/* Where the next character stands in its line. */
static int column(const Keep *k)
{
    const Text *out = k->emitter.out;
    size_t line = out->size;
    while (line && out->data[line - 1] != '\n')
        line--;
    return (int)(out->size - line);
}

static void margin(Keep *k, int indent) { PUT(k, "%*s", indent, ""); }

/* What comes next, at the begin of a line, stands at `beg` in the file. */
static void mark_line(Keep *k, uint32_t beg)
{
    int line, column;
    if (!k->marks_lines || !beg)
        return;
    for (const Text *out = k->emitter.out; k->counted < out->size; k->counted++)
        k->line += out->data[k->counted] == '\n';
    diag_line_column(k->ir->diag, (Loc){beg, beg}, &line, &column);
    if (line == k->line)
        return;
    PUT(k, "#line %d\n", line);
    k->counted = k->emitter.out->size;
    k->line = line;
}

static bool is_own(const Keep *k, const Node *stmt) { return stmt->id < k->nnodes; }

static int key_of(const Keep *k, const Node *stmt) { return keep_made(k, stmt) ? 0 : place_of(stmt); }

/* The comments of a statement at one of its places, printed as if they had been at another one. */
static void put_remarks_as(Keep *k, int key, RemarkPlace place, RemarkPlace as, int indent)
{
    const Vec *own = key ? map_get(&k->here->of, key) : NULL;
    for (int i = 0; own && i < own->count; i++) {
        Remark *r = own->items[i];
        if (r->place != place || r->is_printed)
            continue;
        r->is_printed = true;
        if (as == REMARK_BEHIND) {
            PUT(k, " ");
            PUT(k, "%s", text_at(k->ir->arena, k->source, r->loc, column(k)));
        } else {
            margin(k, indent);
            PUT(k, "%s\n", text_at(k->ir->arena, k->source, r->loc, indent));
        }
    }
}

static void put_remarks(Keep *k, int key, RemarkPlace place, int indent) { put_remarks_as(k, key, place, place, indent); }

/* The comments inside a text that is printed as it is; those that are not inside stand before it. */
static void skip_inside(Keep *k, int key, Loc text, int indent)
{
    const Vec *own = key ? map_get(&k->here->of, key) : NULL;
    for (int i = 0; own && i < own->count; i++) {
        Remark *r = own->items[i];
        if (r->place == REMARK_INSIDE && r->loc.beg >= text.beg && r->loc.end <= text.end)
            r->is_printed = true;
    }
    put_remarks(k, key, REMARK_INSIDE, indent);
}

/* Where a statement's text begins in the file, its comments included; {0, 0} for one that a pass made. */
static Loc place_with_remarks(const Keep *k, const Node *stmt)
{
    int key = key_of(k, stmt);
    const Vec *own = key ? map_get(&k->here->of, key) : NULL;
    for (int i = 0; own && i < own->count; i++) {
        const Remark *r = own->items[i];
        if (r->place == REMARK_BEFORE)
            return r->loc;
    }
    const Loc *pragma = key ? map_get(&k->source->pragma, key) : NULL;
    return !key ? (Loc){0, 0} : pragma ? *pragma : stmt->loc;
}

/* Statements. */

static void put_stmt(Keep *k, const Node *n, int indent);
static void put_body(Keep *k, const Node *body, int indent);

/* Did passes change nothing between these that a text of theirs shows? */
static bool prints_same(Keep *k, const char *(*print)(Keep *, const Node *), const Node *own, const Node *n)
{
    k->emitter.compares = true;
    const bool same = strcmp(print(k, own), print(k, n)) == 0;
    k->emitter.compares = false;
    return same;
}

/* The file's own text for the statement, unless a pass changed more than what no text shows. */
static const Loc *own_text(Keep *k, const Node *n)
{
    const Node *own = key_of(k, n) ? map_get(&k->own, key_of(k, n)) : NULL;
    const Loc *whole = own ? map_get(&k->source->whole, place_of(n)) : NULL;
    if (!whole || own == n || n->kind == N_OPAQUE)
        return whole;
    return own->kind == n->kind && prints_same(k, keep_leaf, own, n) ? whole : NULL;
}

static void put_leaf(Keep *k, const Node *n, int indent)
{
    int key = key_of(k, n);
    const Loc *whole = own_text(k, n);
    if (!whole && n->kind == N_OPAQUE)
        whole = &n->loc;
    if (whole) {
        skip_inside(k, key, *whole, indent);
        mark_line(k, whole->beg);
        margin(k, indent);
        const char *text = text_at(k->ir->arena, k->source, *whole, indent);
        bool is_label = n->kind == N_OPAQUE && n->aux != OPAQUE_CASE && *text && text[strlen(text) - 1] == ':';
        PUT(k, "%s%s", text, is_label ? ";" : ""); /* what a pass has made may stand behind it */
    } else {
        put_remarks(k, key, REMARK_INSIDE, indent);
        mark_line(k, key ? n->loc.beg : k->next);
        margin(k, indent);
        PUT(k, "%s;", keep_leaf(k, n));
    }
}

/* "for (...)", "while (...)" or "if (...)": as the file spells it unless a pass changed a part. */
static const char *header_text(Keep *k, const Node *n, const char *word, int nparts, int indent)
{
    const Node *own = map_get(&k->own, place_of(n));
    bool same = own && own->kind == n->kind && own->sym == n->sym;
    bool equal = same;
    for (int i = 0; equal && i < nparts; i++)
        equal = own->kid[i] == n->kid[i];
    if (same && !equal)
        same = prints_same(k, keep_header, own, n);
    Loc at = same ? header_at(k->source, n->loc.beg, word) : (Loc){0, 0};
    if (!at.beg) {
        put_remarks(k, key_of(k, n), REMARK_INSIDE, indent);
        return NULL;
    }
    skip_inside(k, key_of(k, n), at, indent);
    return text_at(k->ir->arena, k->source, at, indent);
}

static void put_loop(Keep *k, const Node *n, int indent)
{
    const Loc *pragma = map_get(&k->source->pragma, place_of(n));
    bool after = n->kind == N_LOOP && loop_form(n) == LOOP_DO;
    const char *word = n->kind == N_LOOP && loop_form(n) == LOOP_WHILE ? "while" : "for";
    const char *header = after ? "do" : header_text(k, n, word, n->kind == N_FOR ? 2 : 3, indent);
    if (!header)
        header = keep_header(k, n);
    if (pragma) {
        mark_line(k, pragma->beg);
        margin(k, indent);
        PUT(k, "%s\n", source_slice(k->ir->arena, k->source, *pragma));
    }
    mark_line(k, n->loc.beg);
    margin(k, indent);
    PUT(k, "%s {\n", header);
    put_body(k, loop_body(n), indent + STEP);
    margin(k, indent);
    if (after)
        PUT(k, "} %s;", keep_header(k, n));
    else
        PUT(k, "}");
}

static const Node *only(const Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n;
}

/* `margin` is written already. */
static void put_if(Keep *k, const Node *n, const char *header, int indent)
{
    PUT(k, "%s {\n", header ? header : keep_header(k, n));
    put_body(k, n->kid[1], indent + STEP);
    margin(k, indent);
    if (n->nkids < 3) {
        PUT(k, "}");
        return;
    }
    const Node *other = only(n->kid[2]);
    if (other->kind == N_IF && !map_get(&k->here->of, place_of(other))) {
        PUT(k, "} else ");
        put_if(k, other, header_text(k, other, "if", 1, column(k)), indent);
        return;
    }
    PUT(k, "} else {\n");
    put_body(k, n->kid[2], indent + STEP);
    margin(k, indent);
    PUT(k, "}");
}

static bool is_declaration(const Keep *k, const Node *n)
{
    return n->kind == N_DECL || (n->kind == N_OPAQUE && (n->aux == OPAQUE_DECLARES || k->source->text[n->loc.beg - 1] == '#'));
}

/* Whether a declaration would stand behind a label, or be seen behind the next one. In C89 others have blocks of their own. */
static bool needs_braces(const Keep *k, const Node *section)
{
    for (int i = 0; i < section->nkids; i++) {
        const Node *kid = section->kid[i];
        if (kid->kind == N_DECL || (kid->kind == N_OPAQUE && kid->aux == OPAQUE_DECLARES))
            return true;
        if (k->source->is_c89 && !is_declaration(k, kid))
            return false;
    }
    return false;
}

/* The statements behind a label of a switch, whose line is not ended yet; behind a text that ends with a label among others, `label` is NULL, and
 * a line begins. */
static void put_section(Keep *k, const Node *label, const Node *section, int indent)
{
    if (section->nkids == 1 && section->kid[0]->kind == N_BLOCK && !map_get(&k->here->of, place_of(section->kid[0])))
        section = section->kid[0];
    bool braces = needs_braces(k, section);
    if (label && braces) {
        PUT(k, " {\n");
        put_remarks_as(k, key_of(k, label), REMARK_BEHIND, REMARK_BEFORE, indent + STEP);
    } else if (label) {
        PUT(k, "%s", section->nkids ? "" : " ;");
        put_remarks(k, key_of(k, label), REMARK_BEHIND, indent);
        PUT(k, "\n");
    } else if (braces) {
        margin(k, indent);
        PUT(k, "{\n");
    }
    put_body(k, section, indent + STEP);
    if (braces) {
        margin(k, indent);
        PUT(k, "}\n");
    }
}

static void put_switch(Keep *k, const Node *n, int indent)
{
    const char *header = header_text(k, n, "switch", 1, indent);
    const Node *body = n->kid[1];
    margin(k, indent);
    PUT(k, "%s {\n", header ? header : keep_header(k, n));
    for (int i = 0; i < body->nkids; i++) {
        const Node *kid = body->kid[i], *next = i + 1 < body->nkids ? body->kid[i + 1] : NULL;
        bool is_label = kid->kind == N_OPAQUE && kid->aux == OPAQUE_CASE;
        if (i && is_label && has_blank_before(k->here, place_with_remarks(k, kid)))
            PUT(k, "\n");
        if (kid->kind == N_BLOCK) {
            put_section(k, NULL, kid, indent);
        } else if (is_label && next && next->kind == N_BLOCK) {
            put_remarks(k, key_of(k, kid), REMARK_BEFORE, indent);
            put_leaf(k, kid, indent);
            put_section(k, kid, next, indent);
            i++;
        } else {
            put_stmt(k, kid, indent);
        }
    }
    margin(k, indent);
    PUT(k, "}");
}

static void put_stmt(Keep *k, const Node *n, int indent)
{
    int key = key_of(k, n);
    put_remarks(k, key, REMARK_BEFORE, indent);
    if (is_loop(n)) {
        put_loop(k, n, indent);
    } else if (n->kind == N_IF) {
        const char *header = header_text(k, n, "if", 1, indent);
        mark_line(k, n->loc.beg);
        margin(k, indent);
        put_if(k, n, header, indent);
    } else if (n->kind == N_SWITCH) {
        put_switch(k, n, indent);
    } else if (n->kind == N_BLOCK) {
        margin(k, indent);
        PUT(k, "{\n");
        put_body(k, n, indent + STEP);
        margin(k, indent);
        PUT(k, "}");
    } else {
        put_leaf(k, n, indent);
    }
    put_remarks(k, key, REMARK_BEHIND, indent);
    PUT(k, "\n");
    put_remarks(k, key, REMARK_AFTER, indent);
}

/* By Sym.id: the number (int *) of the last statement of a block that names the symbol. */
typedef struct LastUses {
    Arena *arena;
    Map of;
    int number;
} LastUses;

static bool note_use(void *user, Node *n)
{
    LastUses *uses = user;
    if (n->sym) {
        void **at = map_at(uses->arena, &uses->of, n->sym->id);
        if (!*at)
            *at = arena_alloc(uses->arena, sizeof(int));
        *(int *)*at = uses->number;
    }
    return true;
}

/* Up to which statement all must see what number `first` and the declarations from there on declare. */
static int last_use(const LastUses *uses, const Node *block, int first, int end)
{
    int last = first;
    for (int i = first; i <= last; i++) {
        if (block->kid[i]->kind != N_DECL)
            continue;
        const int *named = map_get(&uses->of, block->kid[i]->sym->id);
        last = named && *named > last ? *named : last;
        if (last == i && i + 1 < end) /* declarations side by side stay so */
            last = i + 1;
    }
    return last < end ? last : end - 1;
}

/* Statements of a block. What a pass put in front of a statement stands behind the empty line that was there, and in C89 in a block of its
 * own, as long as it is needed. */
static void put_range(Keep *k, const LastUses *uses, const Node *block, int first, int end, int indent)
{
    bool made_before = false, is_behind = false;
    for (int i = first; i < end; i++) {
        int j = i;
        while (j < end - 1 && keep_made(k, block->kid[j]))
            j++;
        Loc place = place_with_remarks(k, block->kid[j]);
        if (i > first && !made_before && place.beg && has_blank_before(k->here, place))
            PUT(k, "\n");
        made_before = keep_made(k, block->kid[i]);
        if (is_behind && k->source->is_c89 && block->kid[i]->kind == N_DECL) {
            int last = last_use(uses, block, i, end);
            margin(k, indent);
            PUT(k, "{\n");
            put_range(k, uses, block, i, last + 1, indent + STEP);
            margin(k, indent);
            PUT(k, "}\n");
            i = last;
            made_before = false;
            continue;
        }
        is_behind = is_behind || !is_declaration(k, block->kid[i]);
        k->next = block->kid[j]->loc.beg;
        put_stmt(k, block->kid[i], indent);
    }
}

static void put_body(Keep *k, const Node *body, int indent)
{
    LastUses uses = {.arena = k->ir->arena};
    if (body->kind != N_BLOCK) {
        put_stmt(k, body, indent);
        return;
    }
    for (; k->source->is_c89 && uses.number < body->nkids; uses.number++)
        walk(&(Walker){.pre = note_use, .user = &uses}, body->kid[uses.number]);
    put_range(k, &uses, body, 0, body->nkids, indent);
}

const char *keep_body(Keep *k, int index)
{
    const KeptFunc *f = k->source->functions.items[index];
    k->here = &k->remarks[index];
    remarks_settle(k->here, f->func->body);
    if (f->func->body->nkids == 0 && is_own(k, f->func->body))
        return source_slice(k->ir->arena, k->source, f->body);
    int column;
    Text out;
    text_init(&out, k->ir->arena);
    k->emitter.out = &out;
    k->counted = 0;
    diag_line_column(k->ir->diag, f->body, &k->line, &column);
    text_puts(&out, "{\n");
    put_body(k, f->func->body, STEP);
    for (int i = 0; i < k->here->rest.count; i++) {
        margin(k, STEP);
        PUT(k, "%s\n", text_at(k->ir->arena, k->source, ((const Remark *)k->here->rest.items[i])->loc, STEP));
    }
    mark_line(k, f->body.end - 1);
    text_puts(&out, "}");
    return out.data;
}
