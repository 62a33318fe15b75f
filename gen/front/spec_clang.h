/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seam between C and the C++ of the folders below gen/front, which alone know Clang. */
#ifndef MIKGEN_GEN_FRONT_SPEC_CLANG_H
#define MIKGEN_GEN_FRONT_SPEC_CLANG_H

#include "gen/front/extract.h"
#include "gen/front/source.h"
#include "gen/front/spec.h"
#include "ir/node.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Refusal {
#define REFUSE(id, message, help) id,
#include "gen/front/refusal.def"
    R_COUNT
} Refusal;

/* One word of a `#pragma mikgen` line. */
typedef struct Word {
    const char *text;
    Loc loc;
} Word;

typedef struct Pragma {
    Word *words;
    int nwords;
    Loc loc; /* of the word "mikgen" */
} Pragma;

/* A defined function and the whole of its text. */
typedef struct Definition {
    Func *func;
    Loc range;
} Definition;

typedef struct Fault {
    Refusal why;
    Loc loc;
    const char *name;
    const char *help; /* instead of the refusal's own; NULL: that */
    int order;
} Fault;

/* A file that the text includes, once however often it does. */
typedef struct Included {
    const void *file; /* Clang's name for it */
    const char *text; /* NUL-terminated */
    size_t len;
    uint32_t base; /* what its Locs begin after */
} Included;

/* A function with a loop that stays byte for byte, or a loop that does, and the first thing in it that stands against it. */
typedef struct Left {
    const char *function;
    Loc loop; /* {0, 0}: the function */
    const Fault *why;
} Left;

/* How many loops a function has, and how many of them are in its tree. */
typedef struct LoopCount {
    const char *function;
    Loc loc;
    int loops, understood;
} LoopCount;

/* What source-to-source mode needs and leaves behind beside the trees. */
typedef struct Kept {
    Source *source;
    const SourceOptions *options;
    bool wants_min, wants_max; /* the text calls min, max without declaring them */
    Vec definitions; /* Definition *: of all functions of the file    */
    Vec hidden;      /* Loc *: _Pragma("...") of the text or of a macro  */
    Vec placed;      /* Loc *: __LINE__ and other words that become what depends on their place, or macros with such a word inside */
    Vec counters;    /* Loc *: of these, __COUNTER__ */
    bool moves_badly; /* compiled from another folder, the text would include other files */
    bool other_bool; /* the text makes `bool` a macro of its own, or none */
    Vec changed;     /* Sym *: parameters that their function writes  */
    Vec launches;    /* Loc *: what a launch of CUDA has more than a call, which is blank in the text that Clang reads */
    Vec indices;     /* Sym *: threadIdx.x and its like, where used   */
    Vec left;        /* Left *: functions that have what is not understood, in the order of the text */
    Vec left_loops;  /* Left *: likewise loops */
    Vec loops;       /* LoopCount *: of functions that have some */
} Kept;

/* What --extract asks, and gets. */
typedef struct Extraction {
    const ExtractOptions *options;
    const char *name; /* of the file, in what is made */
    Vec *out;         /* Extracted * */
} Extraction;

/* A parameter whose value at this place must be that of the call: it stands for an extent. */
typedef struct Unchanged {
    const Sym *sym;
    Loc loc;
    const char *array;
} Unchanged;

/* What the parse leaves behind. Everything is in the Ir's arena. */
typedef struct Front {
    Ir *ir;
    const char *text, *prelude; /* the spec and the text of the built-in headers, both NUL-terminated */
    const char *definitions; /* of a spec: lines between these two, or "" */
    size_t len;
    uint32_t base; /* what Locs of the text begin after: other texts of the run come before it */
    Vec pragmas;   /* Pragma *, in order                                        */
    Vec operators; /* Definition *, in order of definition                      */
    Vec helpers;   /* Definition *, callees before callers                      */
    Vec faults;    /* Fault *, in order of discovery; when any, the trees are not complete */
    Vec written;   /* Sym *: helpers' array parameters that they write; made by check_semantics */
    const char *folder; /* of the text's file, for #include "x.h" */
    const Vec *folders; /* const char *: where else, of -I; may be NULL */
    Vec unchanged; /* Unchanged * */
    Vec *included; /* const char *: names of the files that the text includes are added; may be NULL */
    Vec files;     /* Included *, of a spec: in the order in which they are met */
    const char *whole; /* of a spec: the text with all these in their places, and with casts where each operation rounds */
    bool names_half, names_bf16, names_fp8; /* the spec names these types, or a function of theirs */
    bool has_system; /* <...> are the system's own headers, and nothing is declared that they do not */
    Kept *kept;    /* source-to-source mode; NULL for a spec */
    Extraction *extract; /* with kept: specs are made instead of trees; else NULL */
} Front;

void front_parse(Front *front);

/* Note a fault; "%s" in the refusal's texts becomes `name`, which must live as long as the Ir. */
static inline void front_refuse(Front *front, Refusal why, Loc loc, const char *name)
{
    Fault *fault = arena_new_array(front->ir->arena, Fault, 1);
    fault->why = why;
    fault->loc = loc;
    fault->name = name;
    fault->order = front->faults.count;
    vec_push(front->ir->arena, &front->faults, fault);
}

#ifdef __cplusplus
}
#endif
#endif
