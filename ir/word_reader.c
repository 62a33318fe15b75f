/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A word is what stands between blanks; nothing is quoted. */
#include "ir/word_reader.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_end(char c) { return c == '\0' || c == '\n' || c == '#'; }

Words words_of(Diag *diag, const char *text) { return (Words){diag, text, text}; }

Word words_peek(const Words *words)
{
    const char *beg = words->at;
    while (is_blank(*beg))
        beg++;
    const char *end = beg;
    while (!is_blank(*end) && !is_end(*end))
        end++;
    return (Word){beg, (int)(end - beg)};
}

Word words_next(Words *words)
{
    const Word word = words_peek(words);
    words->at = word.beg + word.len;
    return word;
}

void words_skip_line(Words *words)
{
    words->at += strcspn(words->at, "\n");
    words->at += *words->at == '\n';
}

bool words_line_ends(Words *words, const char *help)
{
    const Word rest = words_peek(words);
    return rest.len == 0 || words_refuse(words, rest, help, "'%.*s' does not belong here", rest.len, rest.beg);
}

bool word_is(Word word, const char *text) { return strlen(text) == (size_t)word.len && memcmp(word.beg, text, (size_t)word.len) == 0; }

Word word_span(Word first, Word last) { return (Word){first.beg, (int)(last.beg + last.len - first.beg)}; }

bool words_refuse(const Words *words, Word word, const char *help, const char *format, ...)
{
    const uint32_t beg = (uint32_t)(word.beg - words->text) + 1;
    va_list args;
    va_start(args, format);
    diag_verror(words->diag, (Loc){beg, beg + (uint32_t)word.len}, help, format, args);
    va_end(args);
    return false;
}
