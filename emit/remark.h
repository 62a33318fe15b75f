/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kept file says between statements: comments, blank lines, and how text moves to another indentation. */
#ifndef MIKGEN_EMIT_REMARK_H
#define MIKGEN_EMIT_REMARK_H

#include "ir/kept_source.h"

/* Where a comment belongs. */
typedef enum RemarkPlace {
    REMARK_BEFORE, /* on lines of its own before a statement                      */
    REMARK_INSIDE, /* in the text of a statement or of a compound one's header    */
    REMARK_BEHIND, /* on the line on which a statement ends                       */
    REMARK_AFTER,  /* on lines of its own after the last statement of a block     */
} RemarkPlace;

typedef struct Remark {
    Loc loc;
    RemarkPlace place;
    bool is_printed;
} Remark;

/* The comments of one function. */
typedef struct Remarks {
    const Source *source;
    Arena *arena;
    Map of;   /* by place_of: Vec of Remark, in the order of the text   */
    Vec keys; /* place_of, of every statement in the order of the text  */
    Vec rest; /* Remark: those that belong to nothing any more          */
} Remarks;

/* By what a statement is known: the place of its text, of a declaration that of its symbol; 0: a pass made it. */
int place_of(const Node *stmt);

/* The source's comments within `body`, whose tree is `block`, no pass having changed it. */
void remarks_attach(Remarks *remarks, const Source *source, Arena *arena, Loc body, const Node *block);

/* Statements that the passes removed hand their comments to the next one left in `block`. */
void remarks_settle(Remarks *remarks, const Node *block);

/* The source's text at `loc`, its further lines moved from their indentation to `indent`. */
const char *text_at(Arena *arena, const Source *source, Loc loc, int indent);

/* An empty line precedes the place, or the comments before it. */
bool has_blank_before(const Remarks *remarks, Loc loc);

/* From the word at `loc` to the parenthesis that closes the one behind it: "for (...)". {0, 0} if the text does not
 * have this form. */
Loc header_at(const Source *source, uint32_t beg, const char *word);

#endif
