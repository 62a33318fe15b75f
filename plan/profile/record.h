/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a profile, shared by plan/profile/profile.c and plan/profile/profile_parse.c. */
#ifndef MIKGEN_PLAN_PROFILE_RECORD_H
#define MIKGEN_PLAN_PROFILE_RECORD_H

#include <stdint.h>

#include "plan/engine_knobs.h"
#include "plan/profile/profile.h"

enum { RECORD_NUMBERS = 24 }; /* the most that a record holds */

/* What a number is; UNIT_KNOB: a value of the knob whose number is FieldSpec.at; UNIT_GRID_KNOB likewise; UNIT_PLACEMENT: a Placement, by
 * its word. */
typedef enum Quantity { UNIT_NS, UNIT_WHOLE, UNIT_RATE, UNIT_PART, UNIT_KNOB, UNIT_GRID_KNOB, UNIT_PLACEMENT } Quantity;

/* A field of a kind of record. */
typedef struct FieldSpec {
    const char *name;
    int at, count;    /* its numbers in Record.value */
    Quantity unit;
    double least, most;
} FieldSpec;

typedef struct RecordSpec {
    const char *name;
    const FieldSpec *fields; /* ended by a NULL name */
    bool needs_all;          /* every field must be given */
    bool of_gpu;             /* of a kind of GPU rather than an instruction set */
    bool any_type;           /* of no type */
    bool any_machine;        /* of no kind of GPU and no instruction set */
    bool replaces;           /* a line says all, those before it count no more */
    const char *example;     /* what the rest of a line looks like */
} RecordSpec;

extern const RecordSpec record_specs[RECORD_KINDS];

/* Types of records about GPUs, 0 <= i < RECORD_TYPES: the families, then tf32 and 3xtf32. */
enum { RECORD_TYPES = FAM_COUNT + 2 };
const char *record_type_name(int i);

typedef struct Record {
    RecordKey key;
    double value[RECORD_NUMBERS];
    uint32_t known; /* bit i: field i of its kind */
    uint32_t fresh; /* those that the line being read has given */
} Record;

struct Profile {
    Vec comments; /* const char * */
    Vec records;  /* Record *, in canonical order */
};

/* The record with this key, NULL if there is none; with `add`, it is made. */
Record *profile_record(Arena *arena, Profile *profile, const RecordKey *key, bool add);

#endif
