/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From functions of ordinary C to specs (--extract): what a function reaches beside its parameters becomes parameters, extents that its
 * loops show are written down, and the helpers and types that it needs come along. What a spec may hold is decided where specs are read:
 * the text made here goes through that, and its faults are told at the places of the original. */
#ifndef MIKGEN_GEN_FRONT_EXTRACT_H
#define MIKGEN_GEN_FRONT_EXTRACT_H

#include "gen/front/source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ExtractOptions {
    const char *function; /* only this one; NULL: every function with a loop that the text itself defines */
    int line;             /* the loop of it that begins in this line or is the first behind; 0: the whole function */
    const Vec *extents;   /* const char *: "A:n,m", extents of a pointer that the loops do not show */
    const Vec *constants; /* const char *: macros and enumeration constants that stay constants */
} ExtractOptions;

/* From `offset` of the spec's text on, up to the next mark, it says what the source says at `loc`. */
typedef struct Mark {
    uint32_t offset;
    Loc loc;
} Mark;

/* One function. Either text or faults. */
typedef struct Extracted {
    const char *function;
    Loc loc;
    int loops;        /* for, while and do, all depths */
    const char *text; /* of the spec, NULL if there are faults */
    Vec marks;        /* Mark *, by offset */
    Vec faults;       /* Fault * (spec_clang.h), in the order of their places */
    const char *what; /* the first fault's words */
} Extracted;

/* Extracts from `len` bytes at `text`, named `name` in messages: adds Extracted * to `out`, in the order of the text. False after located
 * messages on ir->diag, if the file does not compile or has no such function. Faults of a function are not reported. */
bool extract_parse(Ir *ir, const char *name, const char *text, size_t len, const SourceOptions *how, const ExtractOptions *opt, Vec *out);

/* Where the first fault of one that has any is. */
Loc extract_first_fault(const Extracted *one);

/* Reports the faults of one on ir->diag. */
void extract_report(Ir *ir, const Extracted *one);

#ifdef __cplusplus
}
#endif
#endif
