/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front end, behind one C header: only the folders below gen/front know Clang. */
#ifndef MIKGEN_GEN_FRONT_SPEC_H
#define MIKGEN_GEN_FRONT_SPEC_H

#include "ir/node.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SPEC_LIMIT = 4 << 20, /* bytes of a spec: more is no hand-written loop nest, and refused */
    KEPT_LIMIT = 1 << 30  /* and of a file whose loops are kept: places are 32 bits wide, of trees and of Clang */
};

/* A spec: `len` bytes at `text` (NUL not needed), named `name` in messages; `base`: what its Locs begin after, of diag_add(), 0 for
 * the first. `included`: gets the names (const char *) of the files that it includes; NULL: nobody asks. */
typedef struct SpecText {
    const char *name, *text;
    size_t len;
    uint32_t base;
    Vec *included;
    const Vec *definitions; /* const char *: "-DNAME=VALUE", "-DNAME" and "-UNAME", one for each name at most; NULL: none */
    const Vec *folders; /* const char *: where else included files are looked for than beside the file `name`; NULL: nowhere */
} SpecText;

/* Parse specs. Builds operators and their helpers in `ir` (helpers depend on S_FUNC symbols). Every construct outside the subset is
 * reported through ir->diag at its own place, as are operators of one name and pragmas that want different targets. Returns the unit
 * with the operators of all specs in their order, or NULL when errors were reported. */
Unit *specs_parse(Ir *ir, const SpecText *specs, int nspecs);

/* The same for one. */
Unit *spec_parse(Ir *ir, const char *name, const char *text, size_t len);

/* What stands behind it for such definitions, which may be NULL: #define and #undef, or "". Owned by the arena. */
const char *definition_lines(Arena *arena, const Vec *definitions);

/* "LLVM 19.1.7" */
const char *spec_front_version(void);

#ifdef __cplusplus
}
#endif
/* Marks the arrays of these names (const char *, of --constant), in all operators that have them, as constants; false, with faults in
 * ir->diag, if no operator has one, or it is not declared const. */
bool specs_mark_constants(Ir *ir, const Unit *unit, const Vec *names);

#endif
