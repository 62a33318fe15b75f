/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that emitted text cannot give to something of the spec: words of the languages, macros that a header included before
 * ours may define, what the file's headers declare, and what its own text says. One table, emit/reserved.def. */
#ifndef MIKGEN_EMIT_RESERVED_H
#define MIKGEN_EMIT_RESERVED_H

#include <stdbool.h>

/* May no parameter, variable or local array have this name? */
bool name_is_reserved(const char *name, bool cuda);

/* Is it one of C? */
bool name_is_keyword(const char *name);

/* Does `name` begin as reserved names do, so that nothing behind it helps? */
bool name_begins_reserved(const char *name, bool cuda);

/* Why no function of the file can have this name: "is a keyword of C++"; NULL when one can. */
const char *name_is_taken(const char *name, bool cuda);

#endif
