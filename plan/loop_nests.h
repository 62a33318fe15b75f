/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Non-GEMM loops: of the CUDA target as kernels, of the C target as functions for instruction sets and for classes of calls. */
#ifndef MIKGEN_PLAN_LOOP_NESTS_H
#define MIKGEN_PLAN_LOOP_NESTS_H

#include "plan/grid_knobs.h"
#include "plan/nest_knobs.h"
#include "plan/shape_class.h"
#include "plan/stage_list.h"
#include "plan/vector_shape.h"

/* CUDA: a part of the operator that runs as one grid. Its parallel loops become the axes of an index space: neighbours
 * along AXIS_X are neighbouring threads. One function of the same nest for each way to run it; the emitted host code
 * chooses by the extents at hand. Parameters are T_INDEX, but for lane and on, which are T_INT:
 *   point(x, y, z)               a thread for each index
 *   warp(row, lane)              32 threads for each, row = x + extent[X] * (y + extent[Y] * z)
 *   block(row, lane)             256 threads for each
 *   columns(x, y, z, lane, on)   8 rows of threads for 32 neighbours along x; nothing is stored where `on` is 0
 *   vector(x)                    a thread for `width` indices, x the number of the group; arrays are aligned to 16 bytes
 *   tile(x, y, z, value)         a block for 32 x 32 indices, fetch(x, y, z) having brought the value to shared memory
 *   parts(row, lane, chunk, chunks, part...), then whole(row, lane, chunks, part...)
 *                                256 threads for each chunk of a row, which leave what they reduced in the workspace at
 *                                part[row * chunks + chunk]; then 256 for each row; only if the workspace has room
 * Functions that the nest does not have are NULL; there is always a point. */
enum { AXIS_X, AXIS_Y, AXIS_Z, AXES };
typedef enum NestForm {
    FORM_POINT,
    FORM_WARP,
    FORM_BLOCK,
    FORM_COLUMNS,
    FORM_VECTOR,
    FORM_TILE,
    FORM_FETCH,
    FORM_PARTS,
    FORM_WHOLE,
    FORM_COUNT
} NestForm;

typedef struct DeviceNest {
    STAGE_HEAD
    Node *source; /* its loops as they were planned, for explanations */
    Sym **along;  /* variables of the loops that are axes: along x, along y, all others along z; of vectors all along x; ends with NULL */
    int naxes;          /* those in use; the others have extent 1 */
    Node *extent[AXES]; /* T_INDEX, over what the host knows */
    Func *form[FORM_COUNT];
    GridKnobs knobs; /* what its kernels are like, those of lanes and vectors made for that */
    uint64_t fingerprint; /* of its loops and what they do, whatever things are called (plan/fingerprint.h) */
    int width; /* FORM_VECTOR: how many indices a thread takes */
    /* Where there are lanes (plan/grid/lanes.h): */
    Node *steps;     /* T_INDEX: iterations that the lanes of a row share; NULL: only the device knows */
    Node *reach;     /* T_INDEX: lanes may only be used if it fits int; NULL: always */
    bool prefers_lanes; /* lanes reach memory better than points do */
    const char **ordered; /* phrases: which loops run in order, and why; ends with NULL */
    Vec more;            /* DeviceNest *: the same with other knobs, of which the program that times them chooses by number */
    int number;          /* of one of these, from 1 on; 0: it is none */
} DeviceNest;

/* C target: loops of a nest that may be in any order, and go by tiles (plan/nests/permutable_band.h). */
enum { LONGEST_PERMUTABLE_BAND = 6 };
typedef struct PermutableBand {
    const Sym *outermost; /* its variable */
    int count;            /* with those inside, each of which is all that the one around does; 0: there are none */
    unsigned orders;      /* 1 << a value of KNOB_ORDER: neighbours in memory are neighbours in the innermost loop as well as they were */
    bool across;          /* some access has its neighbours in memory in the outermost, and there are no loops inside these */
} PermutableBand;

/* What forms of a nest are to be like for calls of one class. */
typedef struct ClassForm {
    bool differs;    /* from ChosenForms.knobs, which are the class's else */
    NestKnobs knobs; /* if it does */
} ClassForm;

/* Why a model has chosen something else than planned for a nest (gen/driver/nest_choice.h). */
typedef struct NestExpectation {
    double speed;             /* how many times as fast as planned it is expected to be */
    const char *const *names; /* of features, */
    const double *planned, *chosen; /* which these have: means over shapes */
    int count;
} NestExpectation;

/* Loops that may be cut for threads: the outermost, and the one that is all its body. */
typedef struct NestCut {
    int loops;      /* 0: they run as a whole */
    Sym *var[2];    /* their variables */
    Node *count[2]; /* T_INDEX, iterations */
} NestCut;

/* Of the spec's outermost loop, whose iterations are rows. T_INDEX; NULL: it is no longer the outermost, or nothing is cut. */
typedef struct NestRows {
    Node *first; /* its variable in the first */
    Node *count;
    Node *each;        /* iterations that NestCut.count[0] counts for each */
    Node *each_second; /* and for each of the second loop's; NULL: that is no part of count[0] */
} NestRows;

/* What a call takes, roughly. T_DOUBLE. */
typedef struct NestCosts {
    Node *work;    /* nanoseconds of one thread; NULL: nothing is cut */
    Node *stored;  /* bytes of outputs that these loops do not read; NULL: there are none */
    Node *touched; /* bytes of the arrays that these loops touch, which decide about the class; NULL: there are none */
} NestCosts;

/* What forms are to be like: as planned, or as a profile, a model or a search says. */
typedef struct ChosenForms {
    NestKnobs knobs[SET_COUNT];
    ClassForm of_class[SET_COUNT][CLASS_COUNT]; /* those of classes of calls; of CLASS_ALL: nothing */
    const NestExpectation *expected[SET_COUNT]; /* by the model that has chosen `knobs`; NULL: none has */
    const struct NestForms *compared; /* what NestVectors.more has instead of forms of classes, to be timed; NULL: nothing */
} ChosenForms;

/* What a form of a nest is. */
typedef enum FormKind {
    FORM_VECTORS,  /* the generator's, or scalars where it has none */
    FORM_UNROLLED, /* the same of short loops unrolled, so that the loop around has vectors */
    FORM_SUMS_UNROLLED, /* of short loops, only those that sum up */
    FORM_OUTER, /* the loops around the innermost ones have vectors, reductions or not */
    FORM_HALVES, /* loops of three iterations or more that half a vector holds have such vectors */
    FORM_COMPILED, /* loops as they are, of which compilers make vectors */
    FORM_SCALARS   /* loops as they are, of which nobody makes vectors that are worth it */
} FormKind;

/* The vectorized loops (plan/vectors/vector_nest.h). */
typedef struct NestVectors {
    Func *form[SET_COUNT]; /* NULL: the set has the loops as they are */
    FormKind kind[SET_COUNT];
    bool by_base[SET_COUNT]; /* form[] is NULL, and that of the set on which this one stands runs, which more lanes would make no faster */
    Vec more[SET_COUNT]; /* Func *: other forms for a set, by number, from 1 on: of classes, or of the program that times them */
    int of_class[SET_COUNT][CLASS_COUNT]; /* which of these the class has; 0: form[] */
    Node *few; /* T_INT: the loops as they are take less, as all that are vectorized have small trip counts; NULL: never */
    bool reorders; /* some form gathers sums up in another order, or computes functions otherwise than the C library */
    bool is_non_temporal; /* some form reads HostNest.non_temporal: it has non-temporal stores */
    Vec table; /* LoopRow of plan/vectors/loop_table.h: what became of the loops */
} NestVectors;

/* A local array that a nest stores, made of the constant one `of` alone, whose packed form has it as part number `part`. */
typedef struct MadeArray {
    Sym *array; /* NULL: there is no such thing */
    const struct Constant *of;
    int part;
} MadeArray;

/* C target: non-GEMM loops, as a function for each instruction set. */
typedef struct HostNest {
    STAGE_HEAD
    const char *part; /* of a contraction: "the epilogue"; NULL: the loops are a nest of their own */
    Node *source; /* the loops before any of this */
    uint64_t fingerprint; /* of its loops as the spec has them, whatever things are called (plan/fingerprint.h); 0: of none */
    bool is_signed; /* the spec's loops compute with no unsigned integers */
    Func *loops; /* as the spec has them; parameters (T_INDEX): begin and end of each loop that is cut */
    Func *plain; /* the same in the order of the spec, for compilers; NULL: that cannot be cut as `loops` are */
    Sym *non_temporal; /* one more parameter of forms: whether outputs are stored non-temporally; NULL: costs.stored is */
    NestCut cut;
    NestRows rows;
    NestCosts costs;
    PermutableBand band;
    ChosenForms chosen;
    NestVectors vectors;
    MadeArray made;
    bool in_wave; /* it is a member of a wave, and runs with that */
} HostNest;

#endif
