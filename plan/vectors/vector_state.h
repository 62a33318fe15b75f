/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between vector_loop.c, vector_window.c, vector_stmt.c, vector_expr.c and vector_reduce.c: a loop's body on its way into vectors. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_STATE_H
#define MIKGEN_PLAN_VECTORS_VECTOR_STATE_H

#include "depend/reduce.h"
#include "depend/scan.h"
#include "ir/range.h"
#include "ir/sym_map.h"
#include "plan/vectors/narrow_lanes.h"
#include "plan/vectors/vector_facts.h"
#include "plan/vectors/vector_loop.h"

/* A scalar that is different in every iteration: a vector for each copy of the body. */
typedef struct Varying {
    Sym *copy[MOST_COPIES];
    bool number;   /* never NaN */
    bool outlives; /* the iteration: lanes that do not count keep what they have */
} Varying;

/* How the loop reduces. */
typedef struct LoopReductions {
    int count;
    Node *runs;  /* does the loop? */
    Vec choices; /* of vector_choice.c */
} LoopReductions;

/* A loop of prefix sums. */
typedef struct ScanLanes {
    Scan scan;
    Sym *carried; /* a vector: the sum so far in all lanes; NULL: the loop is none such */
} ScanLanes;

/* What every iteration computes alike. */
typedef struct BeforeLoop {
    Vec decls;   /* N_DECLs for a place where the loop is known to run */
    Map hoisted; /* by node id: Node *, the variable that has its value */
} BeforeLoop;

/* What the main loop does with memory besides. */
typedef struct MainLoopMemory {
    Node **next_row; /* for each of in->next_rows: how far away it is */
    Sym **non_temporal; /* per array of in->non_temporal: a scalar that says whether it is stored non-temporally; NULL: none is here */
} MainLoopMemory;

/* The copies of the body in one loop, a vector each. */
typedef struct BodyCopies {
    int number;
    Node *at; /* T_INDEX: the first iteration of copy 0 */
    Node *behind; /* T_INDEX: how much later the others begin, each after the one before */
    Node *count[MOST_COPIES]; /* T_INDEX: how many lanes count; NULL: all */
} BodyCopies;

/* What has become of the body's scalars, by symbol id. */
typedef struct LaneScalars {
    Map varying; /* Varying */
    Map places; /* Node *, integers that are sums of the loop's variable and what does not vary, used in subscripts */
    Map interleaved; /* InterleavedName *, what is both it and its neighbour */
} LaneScalars;

/* Accesses that are made with others, by node id. */
typedef struct JoinedAccesses {
    Map held; /* of a store: HeldStore *, the other member's, which waits for it */
    Map row_names; /* of an N_ROW_LOAD, or of an N_MEMBER of a group: Sym *, the variable that has its value */
    Map rows; /* of a store: RowStores *, those of the elements of its row */
    Map tiled; /* Node *, the N_VLOAD of a tile that a load has become */
    Map grouped; /* of a store to a member of a narrow group: Node **, the values for all copies, by names */
} JoinedAccesses;

typedef struct MaskNames {
    Map syms; /* by symbol id: Sym *, */
    int count;
} MaskNames;

/* Loads that are done whatever conditions say. */
typedef struct CertainLoads {
    Vec loads;
    Map at; /* by node id: where it is in there, plus 1 */
} CertainLoads;

/* A branch that only some lanes take. */
typedef struct LaneBranch {
    Vec *out; /* its statements; NULL: it has branches itself */
    Node *taken[MOST_COPIES]; /* `where` at its begin */
    Map shared; /* by vector_shared()'s numbers: Node *, the variable that has a value */
} LaneBranch;

/* Where in the body the statement at hand stands. */
typedef struct BodyPlace {
    Node *inner[16]; /* the loops around it */
    int ninner;
    int depth; /* loops and branches around it, which may not run */
    Node *where[MOST_COPIES]; /* masks: which lanes get here; NULL: all that count */
    bool counted[MOST_COPIES]; /* `where` has only lanes that count */
    LaneBranch branch; /* the innermost */
    CertainLoads certain;
    Vec *now; /* takes what has to be done before the statement; NULL: that may not evaluate everything */
} BodyPlace;

typedef struct VectorState {
    const VectorInput *in;
    Ir *ir;
    VectorShape shape;
    NarrowLanes *narrow; /* of shapes with lanes of less than 32 bits, else NULL */
    NarrowGroups groups; /* of bytes in lanes of 32 bits */
    LoopFacts loop;
    Node *scalars_body; /* what iterations do that run one by one: without operations that only vectors have */
    LoopReductions reductions;
    ScanLanes scan;
    BeforeLoop before;
    MainLoopMemory main;
    BodyCopies copies;
    LaneScalars scalars;
    JoinedAccesses joined;
    MaskNames masks;
    BodyPlace here;
    Ranges *ranges;  /* of the body; NULL: nobody has asked */
    const char *why; /* it cannot be done; NULL so far */
} VectorState;

/* The element of the first lane; `apart`: NULL: the other lanes' follow; a T_INDEX: how far they are from one another; a vector of
 * integers: how far each is from `first`; near: as mk_near_gather() wants them. */
typedef struct VectorPlace {
    Node *first, *apart;
    bool near;
} VectorPlace;

/* vector_loop.c */

/* The body for `copies` vectors from iteration `at` on, each so many iterations behind the one before; *counts: of how many lanes each. */
Node *vector_body(VectorState *s, Node *loop, int copies, Node *at, Node *behind, Node *const *counts);
/* Declares how many lanes count of each of the vectors from iteration `at` on, which is before `end`. */
void vector_count_lanes(VectorState *s, Node *at, Node *end, int copies, Node **count, Vec *out);
Node *vector_index_loop(Ir *ir, Sym *var, Node *lo, Node *hi, int64_t step, Node *body, Loc loc);

/* vector_expr.c */

/* From now on, until certain->loads is cut short, the load is one. */
void vector_note_certain(Arena *arena, CertainLoads *certain, Node *load);
bool vector_is_certain(const CertainLoads *certain, const Node *load);
/* Is the element in the array for certain? Nodes are interned: a certain load is from the same place of an array of the same shape. */
bool vector_is_there(const CertainLoads *certain, const Sym *array, const Node *subscript);
/* What is the same in all iterations, in all lanes. What may fault is looked at only if some lane gets there. */
Node *vector_spread(VectorState *s, Node *e, int copy);
/* The expression as a vector, for a copy; scalars are spread. NULL after s->why is set. */
Node *vector_value(VectorState *s, Node *e, int copy);
/* As a mask: not 0. */
Node *vector_mask(VectorState *s, Node *e, int copy);
/* An integer that never changes again and only says where elements are. False: it takes too much to spell, as what is used again and again. */
bool vector_note_place(VectorState *s, const Sym *sym, Node *value);
/* The integer with names of the body in terms of what they stand for. */
Node *vector_spelled(VectorState *s, Node *e);
/* Where the lanes' elements of an access are, which has one subscript; false after s->why is set. */
bool vector_place(VectorState *s, const Node *access, int copy, VectorPlace *place);
/* A mask: those that count, of a copy of which not all do. */
Node *vector_first_lanes(VectorState *s, int copy);
/* What a load or a store is told of its lanes: N_FIRST's number, a mask, or NULL. */
Node *vector_part(VectorState *s, int copy);
/* The integer in the first lane of a copy. */
Node *vector_first_lane(VectorState *s, Node *e, int copy);
/* Does the integer grow by the same from one iteration to the next? By *stride, a T_INDEX. */
bool vector_stride(VectorState *s, Node *e, Node **stride);
/* Makers that see through what is the same: a > b ? a : b. */
Node *vector_select(Ir *ir, Node *mask, Node *a, Node *b);
Node *vector_binary(Ir *ir, Kind kind, Node *a, Node *b);
Node *vector_and(Ir *ir, Node *mask_or_null, Node *mask);
/* Refuses, and returns NULL. */
Node *vector_refuse(VectorState *s, const char *why);

/* vector_wide.c */

/* The product `e` of these two: of 64 bits by one instruction, where 32 bits hold both. */
Node *vector_product(VectorState *s, const Node *e, Node *a, Node *b);
/* Of an N_MUL_SHIFT. */
Node *vector_scaled(VectorState *s, Node *e, int copy);
/* What a conversion to 64 bits is of: what has 64 already, if the fewer bits that it becomes on its way hold it; else its operand. */
Node *vector_kept_wide(VectorState *s, Node *e);
/* What becomes a float, the vector `value` of `of`: with a sign if it fits, for which sets have conversions. */
Node *vector_for_float(VectorState *s, const Node *of, Node *value);
/* Of a shift with a sign of which only the bits of type `to` are kept, none of them a copy of the sign: one without a sign; else `e`. */
Node *wide_shift_narrowed(Ir *ir, Node *e, Type to);

/* vector_masks.c */

/* The mask, by a name if it is long: for what several places will spell out. NULL after s->why is set. */
Node *vector_named_mask(VectorState *s, Node *mask);
/* The lanes of `outer`, NULL: all, that the mask names, likewise: for BodyPlace.where. */
Node *vector_mask_within(VectorState *s, Node *outer, Node *mask);
/* The body without names of masks that it does not use after all. */
Node *vector_drop_unused_masks(Ir *ir, const MaskNames *masks, Node *body);

/* vector_hoist.c: a scalar expression, which is evaluated in every iteration, perhaps as a variable set before the loop. */
Node *vector_before_loop(VectorState *s, Node *e);

/* The same in a branch that some lanes take: the value, which is that of `e` if there are any, perhaps as a variable set in the branch. */
Node *vector_shared(VectorState *s, Node *e, Node *value, int copy);

/* vector_tile.c: a loop of the body, whose iterations are independent too, with what it reads along itself in tiles; NULL: nothing is
 * read so, or s->why is set. */
Node *vector_tiled(VectorState *s, Node *loop);

/* non_temporal_stores.c: non-temporal stores of vectors that are whole and aligned. */

/* The first store, to such an array, of neighbours by an iteration that runs in any case; NULL: there is none. In iteration `at`. */
Node *vector_first_store(VectorState *s, Node *at);
/* The first store to any array of elements that vectors hold as they are, or else the first load, likewise. */
Node *vector_first_access(VectorState *s, Node *at);
/* Declares s->main.non_temporal for a main loop that begins with iteration `start`. */
void vector_begin_non_temporal(VectorState *s, Vec *out, Node *start);
/* The scalar for a store, or NULL. */
Sym *vector_non_temporal(const VectorState *s, const Node *store);

/* Vectors of such an array's elements are in memory as they are in registers. */
bool vector_is_plain(const VectorShape *shape, const Sym *array);

/* vector_interleaved.c: pairs of neighbours, of which every iteration has one. */

/* Of one array, or members of the same structs. */
bool vector_share_bytes(const Sym *a, const Sym *b);
/* Of a load with a stride of 2: is the other member there, too? *which: which one this is. */
bool vector_member(VectorState *s, const Node *load, int *which);
Node *vector_load_member(VectorState *s, const Node *load, const VectorPlace *place, int which, Node *part);
/* A store behind the block's statement `at`, a store, by which both may be done together: to the other member; NULL: there is none. */
Node *vector_other_store(VectorState *s, const Node *block, int at);
/* Both, with a value for each copy. False after s->why is set. */
bool vector_store_both(VectorState *s, Node *first, Node *const *values, Node *second, Node *const *others, Vec *out);

/* vector_rows_of_lanes.c: rows of neighbours, of which every iteration has one. */

/* One of the 3 or 4 elements of a row that are loaded and stored together. */
typedef struct RowElement {
    Sym *array; /* by which its row is reached: one for all members of the same structs */
    int length, which;
    unsigned used; /* bits: elements that the iteration uses */
} RowElement;

/* Is the load, whose lanes are `apart`, of an element whose neighbours are loaded as well, or in the array? */
bool vector_row_element(VectorState *s, const Node *load, Node *apart, RowElement *element);
Node *vector_load_element(VectorState *s, const VectorPlace *place, const RowElement *element);
/* May all of a row be loaded before the statement at hand, for those below it, too? Compilers load once more behind each store. */
bool vector_may_be_named(const VectorState *s, const Sym *array);
/* Notes the store in the block's statement `at` and those of its neighbours in s->joined.rows, if they may be done together. */
void vector_find_row_stores(VectorState *s, const Node *block, int at);
/* One of these, of such values for the copies; the last does them all. False after s->why is set. */
bool vector_store_in_row(VectorState *s, Node *n, Node *const *values, Vec *out);

/* vector_interleaved_pairs.c: pairs that stay as they are in memory. */

/* Stores first and second members, both[0] and both[1], so, the first lane's pair at `first`, if that takes fewer shuffles. */
bool vector_store_interleaved(VectorState *s, Sym *array, Node *first, Node *const *both, Loc loc, Vec *out);
/* If `out` ends with the declarations of two scalars for all copies: what they are together, if they are alike, gets a name, too. */
void vector_name_interleaved(VectorState *s, Sym *const *copies, Sym *const *others, Vec *out);

/* vector_stmt.c: the statement for all copies, added to `out`. False after s->why is set. */
bool vector_stmt(VectorState *s, Node *n, Vec *out);

/* vector_divergent.c: a loop inside whose bounds vary. False: refused. */
bool vector_divergent_loop(VectorState *s, Node *n, Vec *out);

/* vector_groups.c: groups of neighbouring bytes, of which every iteration has one. */

/* Of the load, which runs in all lanes that count. */
Node *vector_load_of_group(VectorState *s, Node *load, const NarrowPlace *place, int copy);
/* Is the load one of a member, in lanes of 32 bits? */
bool vector_is_of_group(VectorState *s, Node *load, int copy, NarrowPlace *place);
/* byte_words.c: an integer of 32 bits put together of a group's bytes; NULL: it is none. */
Node *vector_word(VectorState *s, Node *e, int copy);
/* Such a vector shifted to the left; NULL: it is none. */
Node *vector_shifted_word(Ir *ir, Node *value, int by);

/* The group that a store is one of; NULL: it is none. */
const NarrowGroup *vector_group_of_store(VectorState *s, Node *store);
/* Such a store, of such values for the copies; the last of a group does them all. */
void vector_store_member(VectorState *s, Node *n, const NarrowGroup *group, Node *const *values, Vec *out);

/* vector_narrow.c: lanes of less than 32 bits, which hold what s->narrow says. */

/* As vector_value(); only its lower bits are right where it does not fit. */
Node *vector_narrow_value(VectorState *s, Node *e, int copy);
/* What is stored: of it the lower bits, as many as the array's elements have. */
Node *vector_narrow_stored(VectorState *s, const Sym *array, Node *e, int copy);
/* The value of which a store that saturates makes what is stored; NULL: there is none, or what it is refuses vectors. */
Node *vector_narrow_saturated(VectorState *s, const Sym *array, Node *e, int copy);
/* Of an operator that compares, a mask. */
Node *vector_narrow_comparison(VectorState *s, Node *e, int copy);
/* narrow_interval.c: two comparisons of one value with constants as one, a mask. NULL: they are none, or `s` has said why not. */
Node *vector_narrow_interval(VectorState *s, Node *e, int copy);
/* The vectors of a scalar of the body, or of what the loop reduces into. */
Type vector_narrow_scalar(const VectorState *s, const Sym *sym);
/* What lanes start from; what an assignment of `value` makes of `old`; where the loop ends, of all lanes. */
Node *vector_narrow_start(VectorState *s, const NarrowAcc *acc);
Node *vector_narrow_reduced(VectorState *s, const NarrowAcc *acc, Node *value, Node *old, int copy);
void vector_narrow_end(VectorState *s, const NarrowAcc *acc, Node *lanes, Vec *out);

/* vector_choice.c: reductions with a choice. */

/* Declares what lanes keep; *runs: the loop has iterations. False after s->why is set. */
bool vector_begin_choice(VectorState *s, const Reduction *r, Node *runs, Vec *out);
bool vector_is_choice(const LoopReductions *reductions, const Node *n);
/* The N_IF, for all copies. */
bool vector_choose(VectorState *s, const Node *n, Vec *out);
void vector_end_choice(VectorState *s, const Reduction *r, Vec *out);

/* vector_scan.c: prefix sums. */

/* Declares what is carried from vector to vector. False after s->why is set. */
bool vector_begin_scan(VectorState *s, Vec *out);
/* The body's declaration of what an iteration adds: the copies' sums so far, which *values were the terms of. */
void vector_scan(VectorState *s, Sym *const *copies, Node *const *values, Loc loc, Vec *out);
void vector_end_scan(VectorState *s, Vec *out);

/* vector_reduce.c */

/* Declares what the copies reduce into. False after s->why is set. */
bool vector_begin_reductions(VectorState *s, const Vec *reductions, Vec *out);
/* Everything in the scalars that the loop was to leave. */
void vector_end_reductions(VectorState *s, const Vec *reductions, Vec *out);

#endif
