/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds comments and blank lines between two places of a text, and indents what moves. */
#include "emit/remark.h"

#include <ctype.h>
#include <string.h>

int place_of(const Node *stmt) { return (int)(stmt->kind == N_DECL ? stmt->sym->loc.beg : stmt->loc.beg); }

/* Attaching. */

typedef struct Attaching {
    Remarks *remarks;
    int next; /* of the source's comments */
    uint32_t end;
} Attaching;

static const Loc *next_comment(const Attaching *a)
{
    const Vec *comments = &a->remarks->source->comments;
    const Loc *loc = a->next < comments->count ? comments->items[a->next] : NULL;
    return loc && loc->end <= a->end ? loc : NULL;
}

static void attach(Attaching *a, int key, RemarkPlace place)
{
    Remarks *r = a->remarks;
    Remark *remark = arena_alloc(r->arena, sizeof *remark);
    *remark = (Remark){.loc = *next_comment(a), .place = place};
    a->next++;
    if (!key) {
        vec_push(r->arena, &r->rest, remark);
        return;
    }
    Vec **of = (Vec **)map_at(r->arena, &r->of, key);
    if (!*of)
        *of = arena_alloc(r->arena, sizeof **of);
    vec_push(r->arena, *of, remark);
}

/* Comments that start before `beg` belong to statement `key`. */
static void attach_until(Attaching *a, uint32_t beg, int key, RemarkPlace place)
{
    for (const Loc *loc; (loc = next_comment(a)) && loc->beg < beg;)
        attach(a, key, place);
}

/* Offset by 1, as in Loc. `from` 0: of what the text does not have, such as the block of a switch's labels. */
static bool on_one_line(const Source *s, uint32_t from, uint32_t to)
{
    return from && from < to && !memchr(s->text + from - 1, '\n', to - from);
}

static void attach_block(Attaching *a, const Node *block, int owner);

static void attach_inside(Attaching *a, const Node *stmt)
{
    int key = place_of(stmt);
    switch ((Kind)stmt->kind) {
    case N_FOR:
    case N_LOOP: {
        const Node *body = loop_body(stmt);
        attach_until(a, body->loc.beg, key, REMARK_INSIDE);
        attach_block(a, body, key);
        break;
    }
    case N_IF:
        for (int i = 1; i < stmt->nkids; i++) {
            attach_until(a, stmt->kid[i]->loc.beg, key, i == 1 ? REMARK_INSIDE : REMARK_BEFORE);
            attach_block(a, stmt->kid[i], key);
        }
        break;
    case N_SWITCH:
        attach_until(a, stmt->kid[1]->loc.beg, key, REMARK_INSIDE);
        attach_block(a, stmt->kid[1], key);
        break;
    case N_BLOCK: attach_block(a, stmt, key); break;
    default: break;
    }
    attach_until(a, stmt->loc.end, key, REMARK_INSIDE);
}

/* A second declaration of one line has no place but its symbol's. */
static Loc text_of(const Node *stmt) { return stmt->loc.beg || stmt->kind != N_DECL ? stmt->loc : stmt->sym->loc; }

/* `next`: where the statement behind it, or the end of its block, begins. */
static void attach_stmt(Attaching *a, const Node *stmt, uint32_t next)
{
    int key = place_of(stmt);
    if (key) {
        int *known = arena_alloc(a->remarks->arena, sizeof *known);
        *known = key;
        vec_push(a->remarks->arena, &a->remarks->keys, known);
    }
    attach_until(a, text_of(stmt).beg, key, REMARK_BEFORE);
    attach_inside(a, stmt);
    for (const Loc *loc; (loc = next_comment(a)) && loc->beg < next && on_one_line(a->remarks->source, text_of(stmt).end, loc->beg);)
        attach(a, key, REMARK_BEHIND);
}

static void attach_block(Attaching *a, const Node *block, int owner)
{
    if (block->kind != N_BLOCK) {
        attach_stmt(a, block, block->loc.end + 1);
        return;
    }
    const Node *last = NULL;
    for (int i = 0; i < block->nkids; i++) {
        last = block->kid[i];
        attach_stmt(a, last, i + 1 < block->nkids ? text_of(block->kid[i + 1]).beg : block->loc.end);
    }
    attach_until(a, block->loc.end, last ? place_of(last) : owner, last ? REMARK_AFTER : REMARK_BEFORE);
}

void remarks_attach(Remarks *remarks, const Source *source, Arena *arena, Loc body, const Node *block)
{
    *remarks = (Remarks){.source = source, .arena = arena};
    Attaching a = {.remarks = remarks, .end = body.end};
    for (int behind = source->comments.count; a.next < behind;) {
        const int middle = a.next + (behind - a.next) / 2;
        if (((const Loc *)source->comments.items[middle])->beg < body.beg)
            a.next = middle + 1;
        else
            behind = middle;
    }
    attach_block(&a, block, 0);
    while (next_comment(&a))
        attach(&a, 0, REMARK_AFTER);
}

/* Settling. */

static void find_keys(Arena *arena, Map *found, const Node *stmt)
{
    int key = place_of(stmt);
    if (key)
        *map_at(arena, found, key) = found;
    for (int i = 0; i < stmt->nkids; i++)
        if (!is_expr(stmt->kid[i]))
            find_keys(arena, found, stmt->kid[i]);
}

void remarks_settle(Remarks *r, const Node *block)
{
    Map left = {0};
    find_keys(r->arena, &left, block);
    Vec homeless = {0}; /* Remark, of the removed statements met so far */
    for (int i = 0; i < r->keys.count; i++) {
        int key = *(const int *)r->keys.items[i];
        Vec *own = map_get(&r->of, key);
        if (!map_get(&left, key)) {
            for (int j = 0; own && j < own->count; j++)
                vec_push(r->arena, &homeless, own->items[j]);
            *map_at(r->arena, &r->of, key) = NULL;
            continue;
        }
        if (!homeless.count)
            continue;
        for (int j = 0; j < homeless.count; j++)
            ((Remark *)homeless.items[j])->place = REMARK_BEFORE;
        for (int j = 0; own && j < own->count; j++)
            vec_push(r->arena, &homeless, own->items[j]);
        Vec *merged = arena_alloc(r->arena, sizeof *merged);
        *merged = homeless;
        *map_at(r->arena, &r->of, key) = merged;
        homeless = (Vec){0};
    }
    for (int j = 0; j < homeless.count; j++)
        vec_push(r->arena, &r->rest, homeless.items[j]);
}

/* Text. */

const char *text_at(Arena *arena, const Source *source, Loc loc, int indent)
{
    const char *text = source->text, *p = text + loc.beg - 1, *end = text + loc.end - 1, *line = p;
    while (line > text && line[-1] != '\n')
        line--;
    long old = p - line;
    Text out;
    text_init(&out, arena);
    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline + 1 : end;
        text_puts(&out, arena_strndup(arena, p, (size_t)(stop - p)));
        p = stop;
        bool continued = newline && newline > text && newline[-1] == '\\'; /* perhaps a string */
        if (p == end || continued)
            continue;
        for (long i = 0; i < old && p < end && (*p == ' ' || *p == '\t'); i++)
            p++;
        if (p < end && *p != '\n')
            text_printf(&out, "%*s", indent, "");
    }
    return out.data;
}

bool has_blank_before(const Remarks *r, Loc loc)
{
    const char *text = r->source->text, *p = text + loc.beg - 1;
    while (p > text && p[-1] != '\n')
        if (strchr(";{}", *--p))
            return false; /* another statement begins the line */
    int newlines = 0;
    while (p > text && isspace((unsigned char)p[-1]))
        newlines += *--p == '\n';
    return newlines > 1;
}

static const char *skip_literal(const char *p, const char *end)
{
    char quote = *p;
    for (p++; p < end && *p != quote; p++)
        if (*p == '\\')
            p++;
    return p;
}

static const char *skip_comment(const char *p, const char *end)
{
    bool line = p[1] == '/';
    for (p += 2; p < end; p++)
        if (line ? *p == '\n' : (p[-1] == '*' && *p == '/'))
            break;
    return p;
}

Loc header_at(const Source *source, uint32_t beg, const char *word)
{
    const char *start = source->text + beg - 1, *end = source->text + source->len, *p = start + strlen(word);
    int depth = 0;
    if (beg == 0 || beg + strlen(word) > source->len || strncmp(start, word, strlen(word)) != 0)
        return (Loc){0, 0};
    for (; p < end; p++) {
        if (*p == '"' || *p == '\'')
            p = skip_literal(p, end);
        else if (*p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*'))
            p = skip_comment(p, end);
        else if (*p == '(')
            depth++;
        else if (*p == ')' && --depth == 0)
            return (Loc){beg, (uint32_t)(p + 2 - source->text)};
        else if (depth == 0 && !isspace((unsigned char)*p))
            break;
    }
    return (Loc){0, 0};
}
