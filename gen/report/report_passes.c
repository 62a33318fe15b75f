/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines are matched by their longest common subsequence. What has moved: the value of a name that only the right side declares, where it
 * stands on the left. */
#include "gen/report/report_passes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST_LINES = 3000, /* of a function, to be compared */
    MOST_MOVED = 200   /* of a function */
};

typedef struct Lines {
    const char **text;
    int n;
} Lines;

typedef struct Moved {
    const char *name, *value; /* the value in terms of the left side's names */
} Moved;

typedef struct Comparison {
    Arena *arena;
    Lines left, right;
    Moved moved[MOST_MOVED];
    int nmoved;
    json_t *rows;
    bool changed;
} Comparison;

/* ---------------------------------------------------------------- lines */

static Lines lines_of(Arena *arena, const char *text)
{
    Lines lines = {NULL, 0};
    int count = 1;
    for (const char *p = text; *p; p++)
        count += *p == '\n';
    lines.text = arena_new_array(arena, const char *, count);
    while (*text) {
        const size_t len = strcspn(text, "\n");
        lines.text[lines.n++] = arena_strndup(arena, text, len);
        text += len + (text[len] == '\n');
    }
    return lines;
}

/* length[i * (m + 1) + j]: of the longest common subsequence of the lines from i and j on. */
static uint16_t *common_lengths(Arena *arena, const Lines *a, const Lines *b)
{
    const int n = a->n, m = b->n;
    uint16_t *length = arena_new_array(arena, uint16_t, (n + 1) * (m + 1));
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) {
            const uint16_t down = length[(i + 1) * (m + 1) + j], along = length[i * (m + 1) + j + 1];
            length[i * (m + 1) + j] = strcmp(a->text[i], b->text[j]) == 0 ? (uint16_t)(length[(i + 1) * (m + 1) + j + 1] + 1)
                                      : down > along                      ? down
                                                                          : along;
        }
    return length;
}

/* ---------------------------------------------------------------- what has moved */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* `text` with `value` wherever the word `name` stands; the parentheses that it may need are the left side's business. */
static const char *replaced(Arena *arena, const char *text, const char *name, const char *value)
{
    const size_t len = strlen(name);
    Text out;
    text_init(&out, arena);
    for (const char *p = text; *p;) {
        const bool here = strncmp(p, name, len) == 0 && !is_word(p[len]) && (p == text || !is_word(p[-1]));
        if (here)
            text_puts(&out, value);
        else
            text_putc(&out, *p);
        p += here ? len : 1;
    }
    return out.data;
}

/* "    const int64_t t6 = k0 + kc - 1;" declares t6, which has a value then. */
static bool is_declaration(Arena *arena, const char *line, Moved *moved)
{
    const char *equal = strstr(line, " = "), *end = strrchr(line, ';');
    const char *p = line + strspn(line, " ");
    if (strncmp(p, "const ", 6) != 0 || !equal || !end || end < equal)
        return false;
    const char *name = equal;
    while (name > line && is_word(name[-1]))
        name--;
    moved->name = arena_strndup(arena, name, (size_t)(equal - name));
    moved->value = arena_strndup(arena, equal + 3, (size_t)(end - equal - 3));
    return true;
}

/* A line that only the right side has: is what it declares something that has moved? */
static void note_moved(Comparison *c, const char *line)
{
    Moved moved;
    if (c->nmoved == MOST_MOVED || !is_declaration(c->arena, line, &moved))
        return;
    for (int i = c->nmoved - 1; i >= 0; i--)
        moved.value = replaced(c->arena, moved.value, c->moved[i].name, c->moved[i].value);
    c->moved[c->nmoved++] = moved;
}

static json_t *piece(Arena *arena, const char *text, size_t len, int moved, bool differs)
{
    return json_pack("{s:s, s:i, s:b}", "text", arena_strndup(arena, text, len), "moved", moved, "differs", differs);
}

/* The longest value of what has moved that stands at p; its number from 1 on, or 0. */
static int moved_at(const Comparison *c, const char *p, size_t *len)
{
    int found = 0;
    *len = 0;
    for (int i = 0; i < c->nmoved; i++) {
        const size_t n = strlen(c->moved[i].value);
        if (n > *len && strncmp(p, c->moved[i].value, n) == 0 && !(is_word(p[n]) && is_word(p[n - 1])))
            *len = n, found = i + 1;
    }
    return found;
}

/* A line of the left side that is not as it was. */
static json_t *left_pieces(const Comparison *c, const char *line)
{
    json_t *pieces = json_array();
    const char *from = line;
    for (const char *p = line; *p;) {
        size_t len;
        const int moved = p == line || !is_word(p[-1]) ? moved_at(c, p, &len) : 0;
        if (!moved) {
            p++;
            continue;
        }
        if (p > from)
            json_array_append_new(pieces, piece(c->arena, from, (size_t)(p - from), 0, false));
        json_array_append_new(pieces, piece(c->arena, p, len, moved, false));
        p = from = p + len;
    }
    if (*from || from == line)
        json_array_append_new(pieces, piece(c->arena, from, strlen(from), 0, false));
    return pieces;
}

static json_t *right_pieces(const Comparison *c, const char *line)
{
    json_t *pieces = json_array();
    Moved moved;
    int number = 0;
    if (is_declaration(c->arena, line, &moved))
        for (int i = 0; i < c->nmoved; i++)
            number = strcmp(c->moved[i].name, moved.name) == 0 ? i + 1 : number;
    const size_t blank = strspn(line, " ");
    json_array_append_new(pieces, piece(c->arena, line, blank, 0, false));
    json_array_append_new(pieces, piece(c->arena, line + blank, strlen(line + blank), number, false));
    return pieces;
}

/* Two lines of which the middle differs. */
static void different_pieces(Arena *arena, const char *a, const char *b, json_t **left, json_t **right)
{
    size_t head = 0, tail = 0;
    const size_t n = strlen(a), m = strlen(b);
    while (a[head] && a[head] == b[head])
        head++;
    while (tail < n - head && tail < m - head && a[n - 1 - tail] == b[m - 1 - tail])
        tail++;
    *left = json_pack("[o, o, o]", piece(arena, a, head, 0, false), piece(arena, a + head, n - head - tail, 0, true),
                      piece(arena, a + n - tail, tail, 0, false));
    *right = json_pack("[o, o, o]", piece(arena, b, head, 0, false), piece(arena, b + head, m - head - tail, 0, true),
                       piece(arena, b + m - tail, tail, 0, false));
}

/* ---------------------------------------------------------------- rows */

static void add_row(Comparison *c, const char *kind, json_t *left, json_t *right)
{
    c->changed = c->changed || strcmp(kind, "same") != 0;
    json_array_append_new(
        c->rows, json_pack("{s:s, s:o, s:o}", "kind", kind, "left", left ? left : json_null(), "right", right ? right : json_null()));
}

/* Lines of the right side that say what has moved stand alone; other lines that differ are shown in pairs. */
static bool says_moved(const Comparison *c, const char *line)
{
    Moved moved;
    if (!is_declaration(c->arena, line, &moved))
        return false;
    for (int i = 0; i < c->nmoved; i++)
        if (strcmp(c->moved[i].name, moved.name) == 0)
            return true;
    return false;
}

/* Lines i to `gone` of the left and j to `fresh` of the right, which differ. */
static void add_difference(Comparison *c, int i, int gone, int j, int fresh, bool by_pairs)
{
    while (i < gone || j < fresh) {
        const char *b = j < fresh ? c->right.text[j] : NULL;
        const char *a = i < gone && !(b && says_moved(c, b)) ? c->left.text[i] : NULL;
        json_t *left = NULL, *right = NULL;
        if (a && b && by_pairs)
            different_pieces(c->arena, a, b, &left, &right);
        else {
            left = a ? left_pieces(c, a) : NULL;
            right = b ? right_pieces(c, b) : NULL;
        }
        add_row(c, a && b ? "changed" : a ? "gone" : "new", left, right);
        i += a != NULL;
        j += b != NULL;
    }
}

static void go_through(Comparison *c, const uint16_t *length, bool by_pairs, bool notes)
{
    const int n = c->left.n, m = c->right.n;
    for (int i = 0, j = 0; i < n || j < m;) {
        if (i < n && j < m && strcmp(c->left.text[i], c->right.text[j]) == 0) {
            if (!notes)
                add_row(c, "same", json_pack("[o]", piece(c->arena, c->left.text[i], strlen(c->left.text[i]), 0, false)),
                        json_pack("[o]", piece(c->arena, c->right.text[j], strlen(c->right.text[j]), 0, false)));
            i++, j++;
            continue;
        }
        const int i0 = i, j0 = j;
        while ((i < n || j < m) && !(i < n && j < m && strcmp(c->left.text[i], c->right.text[j]) == 0)) {
            const bool left = i < n && (j == m || length[(i + 1) * (m + 1) + j] >= length[i * (m + 1) + j + 1]);
            if (!left && notes)
                note_moved(c, c->right.text[j]);
            *(left ? &i : &j) += 1;
        }
        if (!notes)
            add_difference(c, i0, i, j0, j, by_pairs);
    }
}

/* One step of a function; NULL: it changes nothing. */
static json_t *step(Arena *arena, const char *name, const char *left, const char *right, bool by_pairs)
{
    Comparison *c = arena_alloc(arena, sizeof *c);
    *c = (Comparison){.arena = arena, .left = lines_of(arena, left), .right = lines_of(arena, right), .rows = json_array()};
    if (c->left.n <= MOST_LINES && c->right.n <= MOST_LINES) {
        const uint16_t *length = common_lengths(arena, &c->left, &c->right);
        if (!by_pairs)
            go_through(c, length, by_pairs, true);
        go_through(c, length, by_pairs, false);
    }
    return json_pack("{s:s, s:b, s:o}", "name", name, "changed", c->changed, "rows", c->rows);
}

/* ---------------------------------------------------------------- functions */

/* Adds the functions of a model's list, {name, body}, to `all` by their names. */
static void collect(json_t *all, const json_t *function)
{
    const char *name = json_string_value(json_object_get(function, "name"));
    json_t *body = json_object_get(function, "body");
    if (name && json_is_string(body))
        json_object_set(all, name, body);
}

/* In the order in which the emitted file has them: hooks, nests, the body. */
static json_t *functions_of(const json_t *op)
{
    json_t *all = json_object();
    size_t i, j;
    const json_t *stage, *hook, *nest;
    json_array_foreach(json_object_get(op, "stages"), i, stage) json_array_foreach(json_object_get(stage, "hooks"), j, hook)
        collect(all, hook);
    json_array_foreach(json_object_get(op, "nests"), i, nest) collect(all, json_object_get(nest, "loops"));
    collect(all, json_object_get(op, "body"));
    return all;
}

json_t *report_functions(Arena *arena, const json_t *before, const json_t *normalized, const json_t *hoisted)
{
    json_t *texts[] = {functions_of(before), functions_of(normalized), functions_of(hoisted)}, *functions = json_array();
    const char *name;
    json_t *body;
    json_object_foreach(texts[0], name, body)
    {
        const char *second = json_string_value(json_object_get(texts[1], name)),
                   *third = json_string_value(json_object_get(texts[2], name));
        const char *first = json_string_value(body);
        if (!second || !third || (strcmp(first, second) == 0 && strcmp(second, third) == 0))
            continue;
        json_array_append_new(functions, json_pack("{s:s, s:[o, o]}", "name", name, "steps", step(arena, "normalize", first, second, true),
                                                   step(arena, "licm", second, third, false)));
    }
    for (int i = 0; i < 3; i++)
        json_decref(texts[i]);
    return functions;
}
