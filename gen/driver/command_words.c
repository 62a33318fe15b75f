/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits as a shell does, without its substitutions. */
#include "gen/driver/command_words.h"

#include <stdio.h>
#include <string.h>

#include "gen/driver/file.h"

enum {
    RESPONSE_LIMIT = 1 << 20, /* bytes of a response file */
    RESPONSE_DEPTH = 16
};    /* of them in one another */

static const char *const blanks = " \t\r\n\f\v";

/* One word from *at on, which moves behind it; NULL if a quote in it is not closed, and *at is there. */
static const char *next_word(Arena *arena, const char **at)
{
    Text word;
    char quote = 0;
    const char *opened = *at, *p = *at;
    text_init(&word, arena);
    for (; *p && (quote || !strchr(blanks, *p)); p++) {
        if (*p == '\\' && quote != '\'' && p[1])
            text_putc(&word, *++p);
        else if (quote ? *p == quote : *p == '\'' || *p == '"') {
            opened = p;
            quote = quote ? 0 : *p;
        } else
            text_putc(&word, *p);
    }
    *at = quote ? opened : p;
    return quote ? NULL : word.data;
}

const char *words_split(Arena *arena, const char *text, Vec *words)
{
    for (const char *at = text;;) {
        at += strspn(at, blanks);
        if (!*at)
            return NULL;
        const char *word = next_word(arena, &at);
        if (!word)
            return at;
        vec_push(arena, words, (void *)word);
    }
}

const char *word_quoted(Arena *arena, const char *word)
{
    static const char *const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+@%-";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    Text quoted;
    text_init(&quoted, arena);
    text_putc(&quoted, '\'');
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            text_puts(&quoted, "'\\'");
        text_putc(&quoted, *p);
    }
    text_putc(&quoted, '\'');
    return quoted.data;
}

/* A command line that is put together. */
typedef struct Words {
    Vec words, *files; /* const char *: it, and the response files read */
    bool over;         /* an argument -- has been there */
} Words;

static bool add_words(Arena *arena, const char *word, int depth, Words *words);

/* Those of a response file. */
static bool add_file(Arena *arena, const char *path, int depth, Words *words)
{
    Vec inside = {0};
    if (depth > RESPONSE_DEPTH) {
        fprintf(stderr, "%s: error: response files name one another more than %d deep\nhelp: see that none names itself\n", path,
                RESPONSE_DEPTH);
        return false;
    }
    vec_push(arena, words->files, (void *)path);
    const char *text = file_read_text(arena, path, RESPONSE_LIMIT);
    if (!text)
        return false;
    const char *open = words_split(arena, text, &inside);
    if (open) {
        int line = 1, column = 1;
        for (const char *p = text; p < open; p++, column++)
            if (*p == '\n') {
                line++;
                column = 0;
            }
        fprintf(stderr, "%s:%d:%d: error: this quote is not closed\nhelp: put another %c behind the word, or \\ in front of this one\n",
                path, line, column, *open);
        return false;
    }
    for (int i = 0; i < inside.count; i++)
        if (!add_words(arena, inside.items[i], depth, words))
            return false;
    return true;
}

/* The word, or those that it stands for. */
static bool add_words(Arena *arena, const char *word, int depth, Words *words)
{
    if (word[0] == '@' && word[1] && !words->over)
        return add_file(arena, word + 1, depth + 1, words);
    words->over |= strcmp(word, "--") == 0;
    vec_push(arena, &words->words, (void *)word);
    return true;
}

bool words_of_files(Arena *arena, int *argc, char ***argv, Vec *files)
{
    Words words = {.files = files};
    for (int i = 0; i < *argc; i++)
        if (i == 0)
            vec_push(arena, &words.words, (*argv)[0]);
        else if (!add_words(arena, (*argv)[i], 0, &words))
            return false;
    *argc = words.words.count;
    vec_push(arena, &words.words, NULL);
    *argv = (char **)words.words.items;
    return true;
}
