/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of emit/kept_text.c: the texts of single statements and of loop headers, and what is known while bodies are printed. */
#ifndef MIKGEN_EMIT_KEPT_LEAF_H
#define MIKGEN_EMIT_KEPT_LEAF_H

#include "emit/kept_text.h"
#include "emit/remark.h"

struct Keep {
    Ir *ir;
    const Source *source;
    Spelled spelled;
    int nnodes;       /* nodes with smaller ids are the file's own                 */
    int nsyms;        /* and so are symbols                                        */
    Map own;          /* by place_of: const Node *, the file's statements          */
    Remarks *remarks; /* one for each function                                     */
    Remarks *here;    /* of the function that is being printed                     */
    Dialect dialect;
    Emitter emitter;
    Uses uses;
    bool declares_bool;
    const Node **bodies; /* by function, as they were */
    bool marks_lines;
    int line;       /* of the file, where the output stands at `counted`           */
    size_t counted; /* bytes of the body that is being printed                     */
    uint32_t next;  /* place of the statement that comes behind those of a pass    */
};

/* A declaration that a pass made, not one that it moved. */
bool keep_made(const Keep *k, const Node *stmt);

/* A statement that holds no other, without its semicolon. Owned by the tree's arena, as all texts here. */
const char *keep_leaf(Keep *k, const Node *n);

/* "for (...)", "while (...)", the latter also of do ... while, "if (...)" or "switch (...)". */
const char *keep_header(Keep *k, const Node *n);

#endif
