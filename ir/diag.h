/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Located diagnostics. A user's fault and our own are different things:
 *   diag_error    the input is wrong: one message with its place, counted; the driver exits with 1.
 *   internal_error  we are wrong: "internal error", exit status 2 at once.
 * An error is printed as
 *     gemm.spec:4:25: error: what is wrong
 *         for (int k = 0; k < K; k = k * 2)
 *                                    ^~~~~
 *     help: what to write instead
 */
#ifndef MIKGEN_IR_DIAG_H
#define MIKGEN_IR_DIAG_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "ir/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Byte range [beg, end) of the source text, each plus one so that {0, 0} means "no place". Of several texts, as if they stood one
 * behind the other. */
typedef struct Loc {
    uint32_t beg, end;
} Loc;

typedef struct Diag Diag;

/* Diagnostics for one source file, or the first of several. `name` as the user gave it, `text` of `len` bytes; both are
 * borrowed and must outlive the Diag. Messages go to `out` (stderr for the tool). */
Diag *diag_new(Arena *arena, const char *name, const char *text, size_t len, FILE *out);

/* One more source file. Returns what the Locs of its text begin after. */
uint32_t diag_add(Arena *arena, Diag *diag, const char *name, const char *text, size_t len);

/* Report a fault of the input at `loc`. `help` says what to write instead; NULL for none. */
void diag_error(Diag *diag, Loc loc, const char *help, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_verror(Diag *diag, Loc loc, const char *help, const char *format, va_list args);

/* Something worth knowing about a place that is no fault: printed as an error is, and not counted. `kind` is the word in
 * place of "error": as in gcc's -fopt-info "optimized", "missed" or "note". */
void diag_remark(Diag *diag, Loc loc, const char *kind, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Number of errors reported so far. */
int diag_errors(const Diag *diag);

/* Line and column, both from 1, of the place in its file; 0 and 0 when there is none. */
void diag_line_column(const Diag *diag, Loc loc, int *line, int *column);

/* The name of the place's file; what a reader of the output may call it: "the spec", of several its name without folders. */
const char *diag_name(const Diag *diag, Loc loc);
const char *diag_spec(const Diag *diag, Loc loc);

/* The `*len` bytes of the text at `loc`, not terminated; none, and *len is 0, when there is no such place. */
const char *diag_text(const Diag *diag, Loc loc, size_t *len);

/* The `*len` bytes of the place's file in front of it, not terminated. */
const char *diag_text_before(const Diag *diag, Loc loc, size_t *len);

/* A fault of mikgen itself: prints "internal error" and FAULT_OF_MIKGEN, and exits with status 2. */
#define FAULT_OF_MIKGEN "This is a fault of mikgen, not of the input.\n"
void internal_error(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#ifdef __cplusplus
}
#endif
#endif
