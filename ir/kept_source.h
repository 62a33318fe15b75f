/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A C or CUDA file whose functions are kept as they stand (source-to-source mode): the trees of its functions,
 * and what of the text belongs to which place, so that a printer can give back everything that no pass changed.
 * Places are byte offsets plus one (Loc); everything is owned by the Ir's arena. */
#ifndef MIKGEN_IR_KEPT_SOURCE_H
#define MIKGEN_IR_KEPT_SOURCE_H

#include "ir/node.h"
#include "ir/sym_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KeptFunc {
    Func *func;
    Loc body; /* from '{' to '}', both included */
} KeptFunc;

/* Where a number stands, and the text that spells it there: a token of its own, or the name of a macro that means the same all over the
 * function; {0, 0}: there is none, it was computed. */
typedef struct NumberPlace {
    Loc place, text;
} NumberPlace;

typedef struct Source {
    const char *name, *text;
    size_t len;
    bool cuda;
    bool has_bool; /* the text may say "bool" */
    bool is_c89;   /* it declares nothing behind a statement or in a `for`, and knows neither bool nor line comments */
    bool other_bool; /* it makes "bool" mean something else than C does */
    bool moves_badly; /* compiled from another folder it would include other files, though -iquote names its own */
    int left; /* functions with loops that have what is not understood; they are not listed */
    Vec functions; /* KeptFunc *, in the order of the text; functions that need not be touched are not listed */
    Vec comments;  /* Loc *, those inside listed functions, in order */
    /* By Loc.beg of a statement or (N_DECL) of its symbol: */
    Map whole;  /* Loc * of the text, its ';' included, if the file's text alone spells it (no macro ends inside) and it
                   declares no second thing */
    Map pragma; /* Loc * of the #pragma line that stands in front of a loop and stays there */
    Map step;   /* Loc * of the third part of a `for`, which an N_FOR keeps as a number only */
    Map numbers; /* by Node.id of an N_INT or N_FLOAT: Vec * of NumberPlace *, in the order of the text: nothing else says which is spelled how */
    Map is_cast; /* by Node.id of an N_CAST: not NULL if the text spells the conversion somewhere */
    Map is_implied; /* likewise: not NULL if somewhere the text leaves it to C */
    Map is_left; /* likewise: in a comparison, an arm of ?: or an argument */
} Source;

static inline const char *source_slice(Arena *arena, const Source *source, Loc loc)
{
    return arena_strndup(arena, source->text + loc.beg - 1, loc.end - loc.beg);
}

#ifdef __cplusplus
}
#endif
#endif
