/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/text/blanks.h"

#include <string.h>

bool is_word_char(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The text between `at` and the end of the comment, string or character that begins there; `at` if none does. */
static char *skip_quoted(char *at)
{
    if (at[0] == '/' && at[1] == '/') {
        char *end = strchr(at, '\n');
        return end ? end : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '*') {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static char *skip_blanks(char *at)
{
    for (;; at++) {
        while (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = skip_quoted(at);
        if (!*at || !strchr(" \t\r\n", *at))
            return at;
    }
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

static char *skip_spaces(char *at) { return at + strspn(at, " \t"); }

/* The directive whose `#` stands at `at`; NULL if none does. */
static char *directive_at(char *at) { return *at == '#' ? skip_spaces(at + 1) : NULL; }

/* Behind what only C++ sees: from an #ifdef __cplusplus to its #else or #endif. */
static char *skip_cplusplus(char *at)
{
    char *word = directive_at(at);
    if (!word || strncmp(word, "ifdef", 5) != 0 || strncmp(skip_spaces(word + 5), "__cplusplus", 11) != 0)
        return at;
    int depth = 0;
    for (char *line = at; (line = strchr(line, '\n'));) {
        line = skip_spaces(line + 1);
        if (!(word = directive_at(line)))
            continue;
        if (!depth && (strncmp(word, "endif", 5) == 0 || strncmp(word, "el", 2) == 0))
            return line;
        depth += strncmp(word, "if", 2) == 0 ? 1 : strncmp(word, "endif", 5) == 0 ? -1 : 0;
    }
    return at;
}

/* What is no C to be read, if it begins at `at`. */
static char *skip_unread(char *at)
{
    char *behind = skip_quoted(at);
    return behind != at ? behind : skip_cplusplus(at);
}

/* The brace that closes the one in front of `at`; NULL if none does. */
static char *closing_brace(char *at)
{
    for (int depth = 1; *at;) {
        char *behind = skip_unread(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth == 0)
            return at;
        at++;
    }
    return NULL;
}

void blank_linkage(char *text)
{
    for (char *at = text; *at;) {
        char *behind = skip_unread(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        char *word = at;
        while (is_word_char(*at))
            at++;
        if (at == word) {
            at++;
            continue;
        }
        char *language = skip_blanks(at);
        if (at - word != 6 || strncmp(word, "extern", 6) != 0 || strncmp(language, "\"C\"", 3) != 0)
            continue;
        at = language + 3;
        char *open = skip_blanks(at);
        blank(word, at);
        char *close = *open == '{' ? closing_brace(open + 1) : NULL;
        if (close)
            *open = *close = ' ';
    }
}

/* Behind three such characters, the third of which may stand apart, as nvcc has it; NULL: there are none. */
static char *behind_three(char *at, const char *two)
{
    if (strncmp(at, two, 2) != 0)
        return NULL;
    at = skip_blanks(at + 2);
    return *at == *two ? at + 1 : NULL;
}

void blank_launches(Arena *arena, char *text, Vec *launches)
{
    for (char *at = text; *at;) {
        char *behind = skip_quoted(at), *from = at, *end = NULL;
        if (behind != at) {
            at = behind;
            continue;
        }
        int depth = 0;
        char *inside = behind_three(at, "<<");
        at = inside ? inside : at + 1;
        for (; inside && *at && (depth || !(end = behind_three(at, ">>"))); at++)
            depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (!end)
            continue;
        at = end;
        blank(from, at);
        if (!launches)
            continue;
        Loc *loc = arena_new_array(arena, Loc, 1);
        *loc = (Loc){(uint32_t)(from - text) + 1, (uint32_t)(at - text) + 1};
        vec_push(arena, launches, loc);
    }
}
