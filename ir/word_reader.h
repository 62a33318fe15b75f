/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is read word by word: lines of words with blanks between them; # begins a comment, which ends with its line. */
#ifndef MIKGEN_IR_WORD_READER_H
#define MIKGEN_IR_WORD_READER_H

#include <stdbool.h>

#include "ir/diag.h"

/* A part of the text, not terminated; of length 0: the place where there is none. */
typedef struct Word {
    const char *beg;
    int len;
} Word;

/* How far a text is read. `text` is that of the Diag, which may have no others. Zero-terminated; borrowed. */
typedef struct Words {
    Diag *diag;
    const char *text, *at;
} Words;

Words words_of(Diag *diag, const char *text);

/* The next word of the line, which is then read, or is not (peek); of length 0 at the line's end, where it stays. */
Word words_next(Words *words);
Word words_peek(const Words *words);

/* To the beginning of the next line, or the text's end, which is a zero byte at `at`. */
void words_skip_line(Words *words);

/* True if the line has no more words; where it has, false after a message that the next one does not belong there. */
bool words_line_ends(Words *words, const char *help);

bool word_is(Word word, const char *text);

/* From the beginning of one word to the end of another. */
Word word_span(Word first, Word last);

/* Reports a fault of the input at the word, as diag_error does. False, so that a reader can return it. */
bool words_refuse(const Words *words, Word word, const char *help, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
