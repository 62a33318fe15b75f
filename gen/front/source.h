/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front end of source-to-source mode (--keep-loops): C or CUDA text in, trees of its functions out. It takes
 * more than a spec: pointers with subscripts, any loop, break, continue and return, volatile, globals, calls of
 * any declared function, and of CUDA the kernel words, the index variables and barriers. A statement that it does
 * not understand but that cannot leave the function stays as opaque text; what it cannot keep safe is refused. */
#ifndef MIKGEN_GEN_FRONT_SOURCE_H
#define MIKGEN_GEN_FRONT_SOURCE_H

#include "ir/kept_source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SourceOptions {
    bool cuda;              /* the text is CUDA: source_is_cuda() */
    const Vec *definitions; /* const char *: "-DN=64", "-DN" or "-UN", as of a compiler */
    const Vec *quoted;      /* const char *: folders, as of a compiler's -iquote; may be NULL */
    const Vec *includes;    /* const char *: folders, as of a compiler's -I        */
    const Vec *system; /* const char *: folders of #include <...>; none: standard headers are built in. With any, CUDA is read in C++ */
    const Vec *versions; /* const char *: "-D__CUDACC_VER_MAJOR__=13" and its like, of the toolkit with these folders; else not used */
    const Vec *words; /* const char *: more options of a compiler, such as -std=c99, which Clang gets as they are; may be NULL */
    const char *predefined; /* a text in front of all others; NULL: none */
    const Vec *hints; /* const char *: "n:0:1000": a promise about a parameter or an index variable of CUDA */
    bool remarks; /* say which loops stay texts, and how many do not */
    Vec *included; /* gets the names (const char *) of the files that the text includes; NULL: nobody asks */
} SourceOptions;

/* By its name or its words. */
bool source_is_cuda(const char *name, const char *text);

/* Parse `len` bytes at `text`, named `name` in messages. #include "x" is looked for beside the file `name`. Names
 * used anywhere in the text are put into ir->reserved. NULL after located messages on ir->diag. */
Source *source_parse(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *opt);

/* The message of source_parse() for a file of more than KEPT_LIMIT bytes, which need not be read for that. */
void source_refuse_large(Ir *ir);

#ifdef __cplusplus
}
#endif
#endif
