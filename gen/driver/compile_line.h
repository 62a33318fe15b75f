/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A compiler's command line, as far as `mikgen cc` must understand it: gcc's options, which clang's are too. */
#ifndef MIKGEN_GEN_DRIVER_COMPILE_LINE_H
#define MIKGEN_GEN_DRIVER_COMPILE_LINE_H

#include <stdbool.h>

#include "ir/arena.h"

typedef struct CompileLine {
    Vec words;          /* char *: all of them, the compiler first; those of response files in place of @FILE */
    const char *passes; /* why the compiler gets the line as it is; NULL: it compiles sources in C */
    const char *other_text; /* why sources mean something else in it than to mikgen; NULL: they do not */
    Vec sources;        /* int *: which words these are; all in one folder */
    const char *folder; /* that folder as they name it: "" or with a slash at its end */
    int nleading;       /* words in front of options and files: the compiler, and what it is called by */
    Vec asked;          /* char *: the compiler with those options that say which headers and macros there are */
    Vec front;          /* char *: -D, -U and -include, for Clang */
    Vec depfiles;       /* const char *: where a rule for make may be once the compiler has run, of -MD and the like */
    bool checks_overflow; /* the program is to notice where signed arithmetic overflows */
    bool rounds;        /* it may change how floating-point numbers are rounded, or look at the exceptions that they raise */
    bool ignores_exceptions; /* it does neither, nor looks at errno */
} CompileLine;

/* Reads the `nwords` words of a command line. Everything is owned by the arena, or is a word given. */
void compile_line_read(Arena *arena, int nwords, char *const words[], CompileLine *line);

#endif
