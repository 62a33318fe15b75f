/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a spec may use without including anything. */
#ifndef MIKGEN_GEN_FRONT_TEXT_SPEC_PRELUDE_H
#define MIKGEN_GEN_FRONT_TEXT_SPEC_PRELUDE_H

#include <stdbool.h>

#include "ir/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A standard header of this name, "math.h", and its text. */
typedef struct SourceHeader {
    const char *name, *text;
} SourceHeader;

/* Those that a spec may include; most are empty, as the prelude declares what they would. NULL name: the end. Owned by the arena. */
const SourceHeader *spec_headers(Arena *arena);

/* The built-in headers as one text for the parser of `spec`, which ends with a zero byte: standard typedefs, limits, those functions of
 * ir/libm.def that it may name, of NULL all; to parse them all would take half of the time that a short spec takes. Owned by the arena. */
const char *prelude_text(Arena *arena, const char *spec);

/* The part of it that is standard C, with all functions: all but half, bf16 and the floats of 8 bits. */
void prelude_common(Text *text);

/* Types that not every compiler has, of those that a spec names. */
typedef struct NarrowTypes {
    bool half, bf16, fp8;
} NarrowTypes;

/* What a spec as plain C begins with, such that gcc and clang compile it. */
void prelude_reference(Text *text, const NarrowTypes *named);

/* Whether it declares a function of this name. */
bool prelude_declares(const char *function);

#ifdef __cplusplus
}
#endif

#endif
