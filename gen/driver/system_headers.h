/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a file of source-to-source mode finds the headers of its system: where the system's compiler does. */
#ifndef MIKGEN_GEN_DRIVER_SYSTEM_HEADERS_H
#define MIKGEN_GEN_DRIVER_SYSTEM_HEADERS_H

#include <stdbool.h>

#include "gen/driver/options.h"
#include "ir/arena.h"

/* What compilers have said of themselves so far: in a run over many files each is asked once, as nvcc takes a third of a second. */
struct Answers {
    Arena *arena; /* owns all that follows                                     */
    Vec calls;    /* char **: the words of a call, ended by NULL               */
    Vec said;     /* const char *: what was said to each; NULL: nothing        */
};

/* The folders of #include <...>, in order, as `folders` (const char *, owned by the arena): what --cc, by default `cc`, names when
 * it is called as in
 *     cc -E -v -x c /dev/null [--sysroot=DIR]
 * behind the headers that Clang brings itself, which come first where they are installed, as those of another compiler speak of
 * its own built-in functions. None if there is no such compiler and the user has not named one. False after a message if the
 * named one does not answer, or compiles for another target than files are read for; of the default one a warning says that. */
bool system_headers(Arena *arena, const Options *opt, Vec *folders);

/* The same of CUDA's toolkit and of the C++ compiler that it works with, as $NVCC, nvcc or /usr/local/cuda/bin/nvcc says when it is called as in
 *     nvcc -E -x cu -Xcompiler -v /dev/null
 * and as `versions` (const char *) the macros that say its version: "-D__CUDACC_VER_MAJOR__=13". Nothing is added to either if there is no
 * toolkit, or with --sysroot. */
bool toolkit_headers(Arena *arena, const Options *opt, Vec *folders, Vec *versions);

/* What a compiler says of itself when it is called with certain options. */
typedef struct CompilerSays {
    Vec quoted; /* const char *: folders for #include "..." alone                                  */
    Vec folders; /* const char *: for <...>, too; those of system_headers()                       */
    const char *macros; /* lines with #define, of all that it defines by itself                          */
} CompilerSays;

/* Asks the compiler and options `words` (char *). False if it does not say where its headers are; without a message. */
bool compiler_ask(Arena *arena, const Vec *words, CompilerSays *says);

/* The value of a macro that the compiler defines by itself, up to the line's end; "" if it does not. Owned by the arena. */
const char *compiler_macro(Arena *arena, const CompilerSays *says, const char *name);

/* Does it compile for the one target whose types all files are read with: x86-64 where `long` has 64 bits and char is signed? */
bool compiler_has_known_target(Arena *arena, const CompilerSays *says);

#endif
