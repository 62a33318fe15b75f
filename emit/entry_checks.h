/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of an operator that look at its arguments only. */
#ifndef MIKGEN_EMIT_ENTRY_CHECKS_H
#define MIKGEN_EMIT_ENTRY_CHECKS_H

#include <jansson.h>

#include "emit/function.h"

typedef struct CheckInput {
    Ir *ir;
    const Dialect *dialect;
    Uses *uses;
    const Plan *plan;
    const Fields *fields;
    const char *symbol;
    bool is_short; /* calls may be so short that checks matter */
    LinearMap *linear;
} CheckInput;

/* NAME_quick: what nearly every call meets: no address is null, no extent is negative or so large that an array's size
 * could overflow, and no output meets another array. null: no call is short. */
json_t *check_quick(const CheckInput *in);

/* NAME_check: are the arguments ones that the operator can run on? Returns a status. */
json_t *check_arguments(const CheckInput *in);

/* In terms of the parameters: is there anything to do? null: there always is. */
json_t *check_works(const CheckInput *in);

/* NAME_meets(args, room, room_bytes): does that memory, of a workspace, overlap an array? null: there are no arrays, or no
 * call takes workspace. */
json_t *check_meets(const CheckInput *in);

/* {test, run, arguments, shaped, variable}: NAME_is_short(), whether a call has little work and arguments as nearly every call has them;
 * NAME_short(), which runs it; what they are handed, over the parameters of the prototype; has that types whose size only calls know?
 * null: no call is told apart. */
json_t *check_short(const CheckInput *in);

/* Is there an output, and another array that it could overlap? */
bool check_has_pairs(const Plan *plan);
/* Are these so many that they are not compared one by one, but sorted, by engine/c/overlap_many.h? */
bool check_has_many_pairs(const Plan *plan);

/* The extents of an array as a brace list of 64-bit expressions. */
const char *check_extent_list(Emitter *e, const Sym *array);
/* Every extent expression of some arrays: what a function that prints them needs unpacked. */
Node **check_extents(Ir *ir, Sym *const *arrays, int narrays, int *count);

#endif
