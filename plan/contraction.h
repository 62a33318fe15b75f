/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop nests that micro-kernels compute: how their loops fold into (batch, m, n, k), how operands are addressed, what happens to the
 * finished sum, and the small functions ("hooks") that the templates place into the emitted text; and arrays that may come prepacked.
 *
 * The mapping is MikPoly's and DynaChain's operator mapper with AKG's implicit GEMM: loops are told apart by
 * where they occur (index structure), never by names. */
#ifndef MIKGEN_PLAN_CONTRACTION_H
#define MIKGEN_PLAN_CONTRACTION_H

#include "plan/stage_list.h"
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
    bool
        in_place; /* strided and of type `elem` (never for FAM_I8; FAM_I32: or of the other sign), or an output of type `acc`: kernels may work on it
                      where it lies */
    int64_t plus; /* strided, FAM_I8: the value is the array's element plus this */
    int64_t dots_plus; /* with `dots` == FAM_U8S8: what turns a value into the u8 of A (0, 128) or the s8 of B (0, -128) */
    Node *base; /* strided: element offset (T_INDEX) with t_m = t_n = t_k = 0; the batch loops' variables are
                   left in it as N_VARs */
    Node *stride[R_COUNT]; /* strided: T_INDEX element strides of the folded dimensions, of any sign; 0 where
                              the role does not move it; [R_BATCH] is unused */
    struct Gather *gather; /* operands: plan/contract/gather.h; NULL where in_place or of another form */
    struct Gather *rows; /* A, C target: the same of elements that packing converts, for rows whose steps are neighbours; pack_a has
                              the others */
} Operand;

typedef enum EpilogueKind {
    EPI_STORE, /* out = sum                                                       */
    EPI_ACCUMULATE, /* out += sum, out of the accumulator's type, addressed in place   */
    EPI_GENERAL /* out = E(sum, ...)                                               */
} EpilogueKind;

/* The types that kernels multiply. C target: F32, F64; I8, which is pairs of 16-bit integers along k; I32, modulo 2^32
 * (plan/contract/wrapping.h); and the families of dot-product instructions, BF16 (pairs of bf16) and U8S8 (fours of u8 from A and s8
 * from B). CUDA: F32, F64, I8; F16, BF16, U8S8 (each factor s8 or u8) and F8 (each factor e4m3 or e5m2), whose elements stay narrow. */
typedef enum Family { FAM_F32, FAM_F64, FAM_I8, FAM_I32, FAM_F16, FAM_BF16, FAM_U8S8, FAM_F8, FAM_COUNT } Family;

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
    Func *form[SET_COUNT]; /* C target: vectorized for a set; NULL: the set has the loops as they are */
    bool is_signed; /* what the spec says there has no unsigned integers */
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
    Node *code; /* of an integer type, or half or bf16 */
    CodeKind kind; /* by what there is of these: */
    Node *shared[SHARED_COUNT]; /* T_FLOAT; NULL: 1 or 0 */
    int bytes[SHARED_COUNT]; /* of each as it is packed: 4; 2: all are halves; 1: integers of a byte; 0: there are none */
    int64_t least_zero; /* of zero points that are bytes: -128 or 0 */
    int bits; /* of a code as it is packed: 4, 5, 6 or 8; 16: it is what it was */
    int64_t least; /* what is packed is what a code of fewer bits has above that */
    int64_t group; /* steps; 0: all */
} Quantized;

/* CUDA: B is (byte's bits + least) * scale, of which 16 bytes are unpacked at a time (plan/contract/device_codes.h). */
typedef struct DeviceCodes {
    const struct Gather *bytes; /* where they are; along k one after the other, or */
    bool across; /* along columns; then of 8 bits, and without scales */
    int bits; /* 8, or 4: two in a byte, the first step's the low ones */
    int half; /* of 4 bits: how many bytes further on the steps of the high ones begin; 1: they take turns */
    bool is_signed; /* of 8 bits */
    int least; /* that bits without a sign are above */
    const struct Gather *scales; /* where they are, one after the other along groups of steps; NULL: 1 */
    int64_t group; /* steps; 0: all */
} DeviceCodes;

/* Where the contraction takes the nest's place. */
typedef struct Applies {
    Node *condition; /* where this holds; elsewhere it has no batches. NULL: always */
    bool leaves_small; /* the condition only leaves small products to the loops */
    bool is_partial; /* where the condition does not hold it is not the nest; else it only would not pay there */
    bool is_otherwise; /* it is `otherwise` of another one: where that one's condition holds this one has no batches */
    struct Contraction *otherwise; /* what the nest is where it does not hold; NULL: it stays loops */
} Applies;

/* C target: an operand, or something that B's codes share, is made of an array that may come prepacked (plan/lower/pack_ahead.h). */
typedef struct Prepacked {
    const struct Constant *of; /* NULL: it is not */
    int part; /* which part of it */
    /* Of A and B, T_INDEX: how many there are, and which one a batch reads, in terms of the batch loops' variables. */
    Node *batches, *batch;
} Prepacked;

/* What else runs with it. */
typedef struct Company {
    const struct ProductGroup *group; /* CUDA: it may share a launch with others; NULL: with none */
    int member; /* which of them it is */
    const struct RaggedBatch *ragged; /* it runs for each iteration of one; NULL: of none */
    /* `ragged`: the extents as a host that cannot read bounds, CUDA's, takes them to be; batches: of all iterations. T_INDEX. */
    Node *usual[R_COUNT];
    bool in_chain; /* it is a member of a chain, and may be asked for some rows alone */
} Company;

/* What plan/lower makes of it. */
typedef struct Lowered {
    Hook hooks[HOOK_COUNT];
    bool converts; /* C target, EPI_GENERAL: out, which is strided, = (its type)E(sum) in the end */
    bool ends_apart; /* CUDA: the epilogue reads nothing at places that row and column decide together */
} Lowered;

/* C target: what plan/kernels/choice.h decides before calls do. */
typedef struct ChosenKernels {
    struct Cover2d **covers; /* of each kernel set of the family, for an output whose extents are constants; NULL: not before a call */
    bool at_once; /* small products are computed before anything is planned */
} ChosenKernels;

/* Its stem is the operator's name, or OPERATOR_s1, OPERATOR_s2 ... when it has several. */
typedef struct Contraction {
    STAGE_HEAD
    int index;
    Family family; /* C target: F32, F64, I8, I32; CUDA also F16, BF16, U8S8, F8 */
    Family dots; /* C target: the family that also computes it where the processor has its instructions; FAM_COUNT: none */
    Type acc; /* type of the sum */
    Type elem; /* type of packed elements: acc, or T_SHORT (i8). CUDA: the operands' values say their own types */
    Tf32 tf32; /* CUDA, F32 */
    int winograd; /* C target, F32 and F64 with a gathered A: outputs of a row of Winograd's tiles, at most; 0: it is not allowed */
    LoopDim *dims;
    int ndims; /* grouped by role: batch, m, n, k; within a role in the order in which they fold, outermost
                  first */
    Node *extent[R_COUNT]; /* folded: product of the extents with that role (1 when none), T_INDEX */
    Operand a, b, c;
    Sym *sum; /* stands for the finished sum in `epilogue` and in the hooks */
    Node *epilogue; /* EPI_GENERAL: the statements that run once per (batch, m, n), as a block; also filled
                       for the other kinds, as the store they mean */
    EpilogueKind kind;
    bool partial_in_c; /* EPI_GENERAL: sums of earlier k-blocks may live in the output */
    bool first_beta; /* EPI_GENERAL: E = f(old out) + g * sum: later k-blocks do out += g * sum (HOOK_MORE) */
    Node *more; /* first_beta: g * sum */
    const DeviceCodes *codes; /* CUDA: B is packed so; NULL: it is not */
    const Quantized *quantized; /* C target: B is so; with ahead_b, which then is of its codes, it comes packed as codes and what they
                                   share. NULL: it is not */
    Applies applies;
    Company with;
    Lowered lowered;
    ChosenKernels chosen;
    Prepacked ahead_a, ahead_b; /* A's is there once, for all iterations of a ragged batch; */
    bool ahead_loop; /* of B each has its own */
    bool turns; /* with ahead_a: roles may be exchanged at a call, for which A is packed as well (templates/engine/c/turned.h) */
    Prepacked ahead_shared[SHARED_COUNT];
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

#endif
