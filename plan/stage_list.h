/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all kinds of stages have in common, and the one list in which a plan has them (ir/stages.def). */
#ifndef MIKGEN_PLAN_STAGE_LIST_H
#define MIKGEN_PLAN_STAGE_LIST_H

#include "ir/node.h"

/* clang-format off */
typedef enum StageKind {
#define STAGE(kind, ...) STAGE_##kind,
#include "ir/stages.def"
#undef STAGE
    STAGE_KINDS
} StageKind;

#define STAGE_FIELDS                                                                                       \
    StageKind stage_kind;   /* set by set_stages() */                                                      \
    const char *stem;       /* unique in the file */                                                       \
    Loc loc;                                                                                               \
    Sym **captured;         /* scalars of the operator's body that it reads */                             \
    int ncaptured;                                                                                         \
    struct Stage **members; /* stages that run as part of it, in their order; ends before `nmembers` */    \
    int nmembers;
/* clang-format on */

typedef struct Stage {
    STAGE_FIELDS
} Stage;

/* How the struct of each kind begins: with its Stage, whose fields are fields of the struct, too. */
#define STAGE_HEAD \
    union { \
        Stage stage; \
        struct { \
            STAGE_FIELDS \
        }; \
    };

typedef enum StageTarget { STAGE_C = 1, STAGE_CUDA, STAGE_BOTH } StageTarget;

typedef struct StageInfo {
    const char *word;
    StageTarget target;
    const char *list, *drawn, *says;
} StageInfo;

extern const StageInfo stage_info[STAGE_KINDS];

typedef struct Stages {
    Stage **items; /* by kind, in the order of ir/stages.def; of a kind in the order of their N_LAUNCH or N_CONTRACT */
    int first[STAGE_KINDS + 1]; /* of each kind; then how many there are in all */
} Stages;

/* Takes found[] (pointers to structs with STAGE_HEAD) as all stages of the kind. */
void set_stages(Arena *arena, Stages *stages, StageKind kind, const Vec *found);

#endif
