/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the planner decides about one operator: which loop nests are contractions, how their loops fold into
 * (batch, m, n, k), how operands are addressed, what happens to the finished sum, and the small functions
 * ("hooks") that the templates place into the emitted text. Everything lives in the Ir's arena.
 *
 * The mapping is MikPoly's and DynaChain's operator mapper with AKG's implicit GEMM: loops are told apart by
 * where they occur (index structure), never by names.
 */
#ifndef MIKGEN_PLAN_PLAN_H
#define MIKGEN_PLAN_PLAN_H

#include "ir/node.h"
#include "ir/placement.h"
#include "plan/grid_knobs.h"
#include "plan/nest_knobs.h"
#include "plan/shape_class.h"
#include "plan/stage.h"
#include "plan/vector_shape.h"

typedef enum Role { R_BATCH, R_M, R_N, R_K, R_COUNT } Role;

/* One loop of a contraction's nest. Iteration t = 0 .. extent-1 has var = lo + step * t. */
typedef struct LoopDim {
    Sym *var;
    Node *lo; /* of var's type, invariant in the nest */
    int64_t step;
    Node *extent; /* trip count as T_INDEX, never negative */
    Role role;
} LoopDim;

/* An operand or the output. `value` is in terms of the loop variables. */
typedef struct Operand {
    Node *value; /* operands: the factor, of the contraction's element type `elem`; may be any pure expression.
                    The output: its element, as an N_LOAD */
    Sym *array;  /* the output's array; of an operand only when strided: the array that a plain load reads */
    bool strided;  /* a plain load, perhaps converted (plan/contract/narrow.h), or an output, whose address is
                      base + t_m * stride[R_M] + t_n * stride[R_N] + t_k * stride[R_K]: it is packed, or stored, by
                      these strides alone */
    bool in_place; /* strided and of type `elem` (never for FAM_I8), or an output of type `acc`: kernels may work on it
                      where it lies */
    int64_t plus;  /* strided, FAM_I8: the value is the array's element plus this */
    int64_t dots_plus; /* with `dots` == FAM_U8S8: what turns a value into the u8 of A (0, 128) or the s8 of B (0, -128) */
    Node *base; /* strided: element offset (T_INDEX) with t_m = t_n = t_k = 0; the batch loops' variables are
                   left in it as N_VARs */
    Node *stride[R_COUNT]; /* strided: T_INDEX element strides of the folded dimensions, of any sign; 0 where
                              the role does not move it; [R_BATCH] is unused */
    struct Gather *gather; /* operands: plan/contract/gather.h; NULL where in_place or of another form */
    struct Gather *rows;   /* A, C target: the same of elements that packing converts, for rows whose steps are neighbours; pack_a has
                              the others */
} Operand;

typedef enum EpilogueKind {
    EPI_STORE,      /* out = sum                                                       */
    EPI_ACCUMULATE, /* out += sum, out of the accumulator's type, addressed in place   */
    EPI_GENERAL     /* out = E(sum, ...)                                               */
} EpilogueKind;

/* The types that kernels multiply. C target: F32, F64; I8, which is pairs of 16-bit integers along k; and the families of
 * dot-product instructions, BF16 (pairs of bf16) and U8S8 (fours of u8 from A and s8 from B). CUDA: F32, F64, I8; F16,
 * BF16, U8S8 (each factor s8 or u8) and F8 (each factor e4m3 or e5m2), whose elements stay narrow. */
typedef enum Family { FAM_F32, FAM_F64, FAM_I8, FAM_F16, FAM_BF16, FAM_U8S8, FAM_F8, FAM_COUNT } Family;

/* A generated function: `params` in order, body in IR; the operator's parameters, temporaries and captured
 * scalars are free in it. Accesses to the operator's arrays keep their subscripts until depend/linear.c turns
 * them into one T_INDEX subscript. Hooks are called with at least one row, column and step.
 *
 * C target, for rows m0 .. m0 + mc - 1 and so on:
 *   pack_a(batch, m0, mc, k0, kc, mr, dst)    panels of mr rows: (i, k) at [k * h + i], h the panel's height; not of
 *                                             strided operands
 *   pack_b(batch, k0, kc, n0, nc, nr, dst)    panels of nr columns: (k, j) at [k * nr + j]; likewise
 *   epilogue(batch, m0, mc, n0, nc, t, ldt)   out = E(t[i * ldt + j]); EPI_GENERAL only
 *   finish(batch, m0, mc, n0, nc, t, ldt)     t[i * ldt + j] = E(t[i * ldt + j]), instead, for outputs that are
 *                                             converted; none when E is the sum itself
 *   more(batch, m0, mc, n0, nc, t, ldt)       out += g * t[i * ldt + j]; first_beta only
 *   codes, scales, zeros, offsets, factors(batch, k0, kc, n0, nc, nr, dst)   as pack_b, of a quantized B
 *
 * CUDA, for one point:
 *   value_a(batch, m, k), value_b(batch, k, n)   return the factor
 *   place_a(batch, m, dst), step_a(k, dst)       with a gather: the sums of dst[0] are the element's offset, the sums of dst[1],
 *                                                ... are not negative where the conditions hold, else the factor is 0
 *   place_b(batch, n, dst), step_b(k, dst)       likewise
 *   place_codes, place_scales(batch, n, dst)     of B's packed codes: dst[0] is where the column's first byte, or scale, is
 *   step_codes(k, dst)                           of those that lie across k: how far the step's are behind the first step's
 *   point(batch, m, n, sum)                      out = E(sum), for every kind
 *   finished(batch, m, n, sum)                   returns E(sum), where the output is strided and the epilogue stores only that
 */
typedef struct Hook {
    const char *name; /* suffix: "pack_a", "epilogue", ...; NULL when this hook does not exist */
    Func *func;
    Func *form[SET_COUNT]; /* C target: by vectors of a set; NULL: the set has the loops as they are */
    bool is_signed;        /* what the spec says there has no unsigned integers */
} Hook;
enum {
    HOOK_PACK_A,
    HOOK_PACK_B,
    HOOK_EPILOGUE,
    HOOK_MORE,
    HOOK_CODES,
    HOOK_SCALES,
    HOOK_ZEROS,
    HOOK_OFFSETS,
    HOOK_FACTORS,
    HOOK_VALUE_A,
    HOOK_VALUE_B,
    HOOK_POINT,
    HOOK_FINISHED,
    HOOK_PLACE_A,
    HOOK_STEP_A,
    HOOK_PLACE_B,
    HOOK_STEP_B,
    HOOK_PLACE_CODES,
    HOOK_PLACE_SCALES,
    HOOK_STEP_CODES,
    HOOK_COUNT
};

/* Whether products of float may use the tensor cores of a GPU, which round their factors to 11 bits (tf32): no; yes; in three
 * products of parts that are exact in tf32, of which the smallest is left out. */
typedef enum Tf32 { TF32_NEVER, TF32_ONCE, TF32_THRICE } Tf32;

/* B is ((code - zero) * scale + offset) * factor, codes being integers of a few bits, or half, or bf16, and the others the same
 * for a group of steps (plan/contract/quantized.h). Without an offset there is no factor. */
enum { SHARED_SCALE, SHARED_ZERO, SHARED_OFFSET, SHARED_FACTOR, SHARED_COUNT };

/* What kernels do with a code before a row's element multiplies it: nothing; subtract a zero point that is an integer, or any
 * number; scale it and add an offset, perhaps after that. As in templates/engine/c/operation.h. */
typedef enum CodeKind { CODE_PLAIN, CODE_WHOLE_ZEROS, CODE_ZEROS, CODE_OFFSETS, CODE_ZEROS_OFFSETS, CODE_KINDS } CodeKind;

typedef struct Quantized {
    Node *code;                 /* of an integer type, or half or bf16 */
    CodeKind kind;              /* by what there is of these: */
    Node *shared[SHARED_COUNT]; /* T_FLOAT; NULL: 1 or 0 */
    int bytes[SHARED_COUNT];    /* of each as it is packed: 4; 2: all are halves; 1: integers of a byte; 0: there are none */
    int64_t least_zero;         /* of zero points that are bytes: -128 or 0 */
    int bits;                   /* of a code as it is packed: 4, 5, 6 or 8; 16: it is what it was */
    int64_t least;              /* what is packed is what a code of fewer bits has above that */
    int64_t group;              /* steps; 0: all */
} Quantized;

/* CUDA: B is (byte's bits + least) * scale, of which 16 bytes are unpacked at a time (plan/contract/device_codes.h). */
typedef struct DeviceCodes {
    const struct Gather *bytes; /* where they are; along k one after the other, or */
    bool across;                /* along columns; then of 8 bits, and without scales */
    int bits;                   /* 8, or 4: two in a byte, the first step's the low ones */
    int half;                   /* of 4 bits: how many bytes further on the steps of the high ones begin; 1: they take turns */
    bool is_signed;             /* of 8 bits */
    int least;                  /* that bits without a sign are above */
    const struct Gather *scales; /* where they are, one after the other along groups of steps; NULL: 1 */
    int64_t group;               /* steps; 0: all */
} DeviceCodes;

/* Its stem is the operator's name, or OPERATOR_s1, OPERATOR_s2 ... when it has several. */
typedef struct Contraction {
    STAGE_HEAD
    int index;
    Family family; /* C target: F32, F64, I8; CUDA also F16, BF16, U8S8, F8 */
    Family dots;   /* C target: the family that also computes it where the processor has its instructions; FAM_COUNT: none */
    Type acc;      /* type of the sum */
    Type elem;     /* type of packed elements: acc, or T_SHORT (i8). CUDA: the operands' values say their own types */
    Tf32 tf32;     /* CUDA, F32 */
    LoopDim *dims;
    int ndims; /* grouped by role: batch, m, n, k; within a role in the order in which they fold, outermost
                  first */
    Node *extent[R_COUNT]; /* folded: product of the extents with that role (1 when none), T_INDEX */
    Operand a, b, c;
    Sym *sum;       /* stands for the finished sum in `epilogue` and in the hooks */
    Node *epilogue; /* EPI_GENERAL: the statements that run once per (batch, m, n), as a block; also filled
                       for the other kinds, as the store they mean */
    EpilogueKind kind;
    bool partial_in_c; /* EPI_GENERAL: sums of earlier k-blocks may live in the output */
    bool first_beta;   /* EPI_GENERAL: E = f(old out) + g * sum: later k-blocks do out += g * sum (HOOK_MORE) */
    Node *more;        /* first_beta: g * sum */
    bool converts;     /* EPI_GENERAL: out, which is strided, = (its type)E(sum) in the end; set by lower_host */
    bool ends_apart;   /* CUDA: the epilogue reads nothing at places that row and column decide together; set by lower_device */
    Hook hooks[HOOK_COUNT];
    Node *condition; /* where this holds it takes the nest's place; elsewhere it has no batches. NULL: always */
    bool leaves_small; /* the condition only leaves products of a handful of multiplications to the loops */
    bool is_partial; /* where the condition does not hold it is not the nest; else it only would not pay there */
    struct Contraction *otherwise; /* what the nest is where it does not hold; NULL: it stays loops */
    bool is_otherwise;             /* of another one: where that one's condition holds this one has no batches */
    /* C target, set by choose_kernels (plan/kernels/choice.h): */
    struct Cover2d **covers; /* of each kernel set of the family, for an output whose extents are constants; NULL: not before a call */
    bool at_once;            /* small products are computed before anything is planned */
    const struct ProductGroup *group; /* CUDA: it may share a launch with others; NULL: with none */
    int member;              /* which of them it is */
    const DeviceCodes *codes; /* CUDA: B is packed so; NULL: it is not */
    const struct RaggedBatch *ragged; /* it runs for each iteration of one; NULL: of none */
    /* `ragged`: the extents as a host that cannot read bounds, CUDA's, takes them to be; batches: of all iterations. T_INDEX. */
    Node *usual[R_COUNT];
    bool in_chain;           /* it is a member of a chain, and may be asked for some rows alone */
    /* C target: B is, or is made of, an array that may come prepacked; NULL: it is not. */
    const struct Constant *ahead;
    int ahead_part; /* which part of it */
    /* T_INDEX: how many B's there are, and which one a batch reads, in terms of the batch loops' variables. */
    Node *ahead_batches, *ahead_batch;
    bool ahead_loop; /* its ragged batch's iterations have a B each, too */
    /* B is quantized; with `ahead`, which then is of its codes, it comes packed as codes and what they share. NULL: it is not. */
    const Quantized *quantized;
    const struct Constant *ahead_shared[SHARED_COUNT]; /* NULL: it has none */
    int ahead_shared_part[SHARED_COUNT];
    const struct Constant *ahead_a; /* the same of A, of which there is one for each iteration of no ragged batch */
    int ahead_a_part;
    Node *ahead_a_batches, *ahead_a_batch;
} Contraction;

/* What a packed array has for a contraction: its B as kernels read it, or its codes, or one of what they share, in the order of
 * SHARED_SCALE and so on; its A, row by row; for a nest what it makes. */
typedef enum PartKind { PART_WHOLE, PART_ROWS, PART_CODES, PART_SCALES, PART_ZEROS, PART_OFFSETS, PART_FACTORS, PART_MADE } PartKind;

typedef struct ConstantPart {
    Contraction *user; /* NULL: PART_MADE */
    PartKind kind;
    struct HostNest *nest; /* PART_MADE */
} ConstantPart;

/* C target: an array that never changes and may come prepacked (plan/lower/pack_ahead.h): a part for each contraction
 * whose A or B it is, and for each nest that makes an array of it alone, and perhaps itself. */
typedef struct Constant {
    Sym *array;
    Sym **with; /* other constant arrays, of which its parts are made, too */
    int nwith;
    ConstantPart *parts;
    int nparts;
    bool plain; /* something else reads it, as it lies */
    Sym **ints; /* the operator's parameters on which its packed form depends, in their order */
    int nints;
} Constant;

/* A local array whose size is known only at run time, or is large: lives in the workspace of a call. */
typedef struct Temporary {
    Sym *array;
    Node *elements; /* T_INDEX */
} Temporary;

/* A local array of loops alone, and where it is computed. */
typedef struct Producer {
    Sym *array;
    int number;           /* among the declarations of local arrays in Plan.source; -1: it is none of them */
    Placement placement;  /* as a profile has it, if `fits` */
    bool fits;            /* else it cannot be placed so, and is as planned */
    bool by_rows;         /* nests that store and that read it are in one wave or chain, or would be if it were not kept whole */
} Producer;

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
 *                                256 threads for each chunk of a row, which leave what they gathered up in the workspace at
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
    bool differs;     /* from HostNest.knobs, which are the class's else */
    NestKnobs knobs;  /* if it does */
    int number;       /* which of HostNest.more it has, from 1 on; 0: form[]. Set by the pass vectors */
} ClassForm;

/* Why a model has chosen something else than planned for a nest (gen/driver/nest_choice.h). */
typedef struct NestExpectation {
    double speed;             /* how many times as fast as planned it is expected to be */
    const char *const *names; /* of features, */
    const double *planned, *chosen; /* which these have: means over shapes */
    int count;
} NestExpectation;

/* C target: non-GEMM loops, as a function for each instruction set. */
typedef struct HostNest {
    STAGE_HEAD
    const char *part; /* of a contraction: "the epilogue"; NULL: the loops are a nest of their own */
    Node *source; /* the loops before any of this */
    Func *loops; /* as the spec has them; parameters (T_INDEX): begin and end of each loop that `count` counts */
    /* Loops that may be cut for threads: the outermost, and the one that is all its body; T_INDEX, iterations. */
    Node *count[2];
    Sym *cut[2];           /* these loops' variables */
    int ncounts;           /* 0: the loops run as a whole */
    /* Of the spec's outermost loop, whose iterations are rows; NULL: it is no longer the outermost, or ncounts is 0. T_INDEX. */
    Node *first_row;       /* its variable in the first */
    Node *row_count;
    Node *per_row;         /* iterations that count[0] counts for each */
    Node *per_second;      /* and for each of the second loop's; NULL: that is no part of count[0] */
    Node *work;            /* T_DOUBLE: nanoseconds of one thread; NULL: ncounts is 0 */
    Node *stored;          /* T_DOUBLE: bytes of outputs that these loops do not read; NULL: there are none */
    Sym *past;             /* the last parameter of forms: whether these are stored non-temporally; NULL: `stored` is */
    bool goes_past;        /* some form reads it, of `more` as well: it has non-temporal stores */
    Func *form[SET_COUNT]; /* by vectors of a set; NULL: the set has the loops as they are */
    uint64_t fingerprint;  /* of its loops as the spec has them, whatever things are called (plan/fingerprint.h); 0: of none */
    Vec more[SET_COUNT];   /* Func *: other forms for a set, by number, from 1 on: of classes, or of the program that times them */
    NestKnobs knobs[SET_COUNT]; /* what forms are to be like; set between the passes nests and vectors, as are */
    const NestExpectation *expected[SET_COUNT]; /* by the model that has set `knobs`; NULL: none has */
    ClassForm of_class[SET_COUNT][CLASS_COUNT]; /* those of classes of calls; of CLASS_ALL: nothing */
    const struct NestForms *compared; /* what `more` has instead of forms of classes, to be timed; NULL: nothing */
    Node *touched;         /* T_DOUBLE: bytes of the arrays that these loops touch, which decide about the class; NULL: there are none */
    PermutableBand free;
    Node *few;             /* T_INT: the loops as they are take less, as all that are vectorized have few turns; NULL: never */
    bool in_wave;          /* it is a member of a wave, and runs with that */
    Sym *made;             /* the local array that it stores, made of the constant one `of` alone, whose packed form has it as part */
    const Constant *of;    /* number `made_part`; NULL: there is no such thing */
    int made_part;
    bool is_signed;        /* the spec's loops compute with no unsigned integers */
    bool reorders;         /* these gather sums up in another order, or compute functions otherwise than the C library */
    Vec rows;              /* LoopRow of plan/vectors/loop_table.h: what became of its loops */
} HostNest;

/* C target: a nest in a wave. */
typedef struct WaveStage {
    HostNest *nest;
    Node *when;           /* it runs only then; NULL: always */
    Node *row, *rows;     /* T_INDEX: the first one, and how many */
    Node *per_row;        /* T_INDEX: iterations that nest->count[0] counts for each */
    bool alone;           /* no other stage and no other step touches what it stores */
    int64_t behind;       /* rows that it stays behind the first stage, at least 0 and never less than the stage before */
    int64_t ahead;        /* the same when rows run downwards; -1: too far, here or before */
} WaveStage;

/* C target: nests that follow one another, pipelined by rows (plan/nests/pipelined_nests.h). `step` is none of `captured`. */
typedef struct Wave {
    STAGE_HEAD
    WaveStage *stages;
    int nstages;
    Node *steps;      /* T_INDEX: how often all of them run, one after the other; NULL: once */
    int64_t apart;    /* rows that a step stays behind the one before */
    int64_t onward;   /* the same when rows run downwards; -1: too far */
    Sym *step;        /* the variable that counts steps, if stages read it, */
    Node *step_first; /* T_INDEX: from this on, */
    int64_t step_by;  /* by this */
    Node *row_bytes;  /* T_DOUBLE: that all stages touch of a row */
} Wave;

/* C target: a stage of a chain: a product, loops, or both, of which a condition says which. */
typedef struct ChainStage {
    Contraction *product; /* NULL: loops alone */
    HostNest *nest;       /* NULL: the product alone */
    Node *when;           /* the product has it then, else the loops have; NULL: there is but one of them */
    Node *first, *rows;   /* T_INDEX: its first row, and how many, for each iteration of the loop around */
    Node *per_row;        /* T_INDEX: rows of the product (R_M) for each */
    bool folded;          /* the loop around is folded into R_M of the product, too, else it is its batches */
    Node *columns, *steps; /* T_INDEX: row number r needs no more than so many plus r of the product's; NULL: it needs all of them */
    int64_t before, after; /* rows next to a block's that other stages want as well; it stores nothing but windows then */
    bool alone;            /* no other stage touches what the loops only store */
    Node *work;            /* T_DOUBLE: nanoseconds of one thread for all rows */
    Node *again;           /* T_DOUBLE: bytes that each block reads again; NULL: none */
} ChainStage;

/* A local array of which there are only the rows of a block, row `r` of iteration `o` of the loop around at o * rows + r. */
typedef struct ChainWindow {
    Sym *array;
    Node *rows, *row;      /* T_INDEX: its rows for each iteration of the loop around; elements of a row */
    int64_t before, after; /* rows next to a block's that are touched as well */
    int touched;           /* by so many stages */
} ChainWindow;

/* C target: stages that follow one another, by blocks of rows (plan/chains/chains.h). */
typedef struct Chain {
    STAGE_HEAD
    ChainStage *stages;
    int nstages;
    ChainWindow *windows;
    int nwindows;
    const char *window_names;
    int around;       /* loops around rows: at most 2 */
    Node *outer;      /* T_INDEX: iterations of all of them; NULL: rows are outermost */
    Node *row_bytes;  /* T_DOUBLE: of a row of all windows */
    Node *moved;      /* T_DOUBLE: that all stages together move of it */
} Chain;

/* A ragged batch: the iterations of a loop, each of which has the same contractions, its members, of its own extents
 * (plan/split/find_ragged.h). */
typedef struct RaggedBatch {
    STAGE_HEAD
    Sym *loop;               /* its variable, */
    Node *from, *count;      /* T_INDEX: which begins there, and has so many iterations */
    Func *group; /* of an iteration, by its number (T_INDEX): the scalars that its contractions read, and an N_LAUNCH that hands
                                them over */
    Sym *number; /* what stands for `loop` there */
    Node *first, *end; /* T_INDEX, of these scalars: iterations have no outputs in common if these intervals lie one behind the other;
                                NULL: they have none in any case */
} RaggedBatch;

/* CUDA: contractions that run as one launch (plan/lower/group_products.h), its members. */
enum { GROUP_MEMBERS = 4 };
typedef struct ProductGroup {
    STAGE_HEAD
    bool in_turn; /* each block computes its tile of all of them; else they are side by side */
} ProductGroup;

/* CUDA: two contractions and the nest between them that run as one launch (plan/lower/attention.h). Functions, for one point of the
 * contractions, as Hook has them:
 *   score(batch, m, n, sum)              returns the exponential's argument for key n of row m
 *   keys(batch, m)                       returns how many keys row m has; less than 1: none; NULL: all rows have all
 *   point(batch, m, n, sum, total)       out = E(sum, total), given the sums of weights with values, and of weights
 *   finished(batch, m, n, sum, total)    returns what it would store; NULL: it is no one value */
typedef enum AttentionFunc { ATTENTION_SCORE, ATTENTION_KEYS, ATTENTION_POINT, ATTENTION_FINISHED, ATTENTION_FUNCS } AttentionFunc;
typedef struct Attention {
    STAGE_HEAD
    Contraction *scores, *product;
    DeviceNest *nest;
    double least; /* the maximum of a row is no less */
    Sym **arrays; /* local ones that one launch does without */
    int narrays;
    Func *func[ATTENTION_FUNCS];
} Attention;

/* Something about a place of the spec that the user may want to know, --remarks: what was done, what could not be. */
typedef enum RemarkKind { REMARK_OPTIMIZED, REMARK_MISSED } RemarkKind;
typedef struct PlanRemark {
    Loc loc;
    RemarkKind kind;
    bool is_of_nest; /* says what a nest became, not what one of its loops does */
    const char *text;
} PlanRemark;

/* A product or another reduction that runs in loops one element at a time, where micro-kernels or vectors were to be expected. */
typedef struct Fallback {
    Loc loc;
    uint32_t inner; /* where its innermost loop stands: Loc.beg */
    const char *what, *why, *cure; /* cure: NULL where nobody knows one */
} Fallback;

/* A parameter as callers have it: of an array of structs, members stand for it one after the other (plan/callers.h). */
typedef struct CallerParam {
    Sym *sym;
    int first;          /* of func's parameters, that stands for it */
    bool reads, writes; /* the operator loads from / stores to the array */
} CallerParam;

typedef struct Plan {
    Node *source; /* the operator's body before planning: what the spec says, helpers inlined */
    Func *func; /* body: generic statements, and N_CONTRACT where a contraction runs */
    Stages stages;
    Constant **constants; /* C target: in the order of the parameters */
    int nconstants;
    const Constant **brought_by; /* C target, per parameter: the constant whose packed form has all that is read of it; NULL: none */
    Vec fallbacks; /* Fallback: missed products, known once the operator is planned */
    Vec remarks; /* PlanRemark; C target: without PlanOptions.remarks only what the nests became */
    Temporary *temporaries;
    int ntemporaries;
    uint64_t fingerprint; /* of `source`, whatever things are called; set by find_producers(), as are */
    Producer *producers;  /* arrays that no contraction touches, in the order of the source; with --fuse=off none */
    int nproducers;
    CallerParam *callers; /* in the order of the signature */
    int ncallers;
    int *caller_index; /* by parameter of func: which of these it is or stands for */
    Node **touches; /* per parameter: when a call may do so, a condition on the arguments; NULL, or a NULL entry: always */
    Node *works; /* when a call may touch any array; elsewhere it must not run; NULL: always */
} Plan;

/* Of each kind its struct, how many stages there are in a plan, and one of these. */
#define STAGE(KIND, Type, name, ...) \
    typedef struct Type Type; \
    static inline int name##_count(const Plan *plan) { return plan->stages.first[STAGE_##KIND + 1] - plan->stages.first[STAGE_##KIND]; } \
    static inline Type *name##_at(const Plan *plan, int number) \
    { \
        return (Type *)plan->stages.items[plan->stages.first[STAGE_##KIND] + number]; \
    }
#include "ir/stages.def"
#undef STAGE

/* What an N_CONTRACT or N_LAUNCH stands for. */
static inline Stage *stage_at(const Plan *plan, const Node *n)
{
    return plan->stages.items[plan->stages.first[n->kind == N_CONTRACT ? STAGE_CONTRACTION : n->aux] + n->u.i];
}

/* Forms that are to be compared: of the nest with this fingerprint, for a set, with knobs of number 0, 1, ... No others are by vectors of
 * another set. */
typedef struct NestForms {
    uint64_t fingerprint;
    VectorSetId set;
    const NestKnobs *knobs;
    int count;
} NestForms;

/* The same of a nest on GPUs: its forms are numbers first, first + 1, ... of the file. */
typedef struct GridForms {
    uint64_t fingerprint;
    const GridKnobs *knobs;
    int count, first;
} GridForms;

/* A nest on a GPU as it is planned, and what makes it again, otherwise; the same stem and fingerprint. */
typedef struct GridInput {
    const DeviceNest *planned;
    const DeviceNest *(*make)(const void *maker, const GridKnobs *knobs);
    const void *maker;
} GridInput;

typedef struct PlanOptions {
    bool cuda;
    Tf32 tf32;
    bool remarks; /* C target: somebody asks for all of Plan.remarks (CUDA's are always made) */
    bool fp_strict; /* no sum is reordered: floating contractions stay loops */
    bool math_libm; /* C target: loops call the C library's functions one element at a time */
    int stack; /* C target: bytes of stack that a call may take (plan/stack.h) */
    const NestForms *forms; /* C target: what HostNest.more get; NULL: nothing */
    /* CUDA: what the kernels of a nest are to be like; NULL: as planned. `grid_user` goes to it. */
    GridKnobs (*grid_knobs)(const void *user, Ir *ir, const GridInput *in);
    const void *grid_user;
    const GridForms *grid_forms; /* CUDA: what DeviceNest.more get: forms of ngrid_forms nests */
    int ngrid_forms;
} PlanOptions;

#endif
