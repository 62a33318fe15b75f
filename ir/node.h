/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree: what the front end builds, the passes rewrite and emit/ prints.
 *
 * Expressions are interned: two equal expressions (kind, type, symbol, value, operands) are the same
 * pointer, so equality is `==`, and per-node facts live in arrays indexed by Node.id. Statements are
 * not interned (each has its place). Nodes are immutable once made; a rewrite makes new ones and
 * returns the old pointer when nothing changed. Everything lives in the Ir's arena.
 *
 * Typing rules, checked by ir/check.c:
 *   both operands of an arithmetic, bitwise, compare, min or max node have the same type; a shift's
 *   operands may differ; arithmetic nodes have their operands' type; F_REL nodes have type T_INT and
 *   their operands any scalar type (&& || ! take any scalar); N_SEL's arms have its type;
 *   all conversions, C's implicit ones included, are N_CAST nodes; arithmetic never happens in a type
 *   narrower than int (C's promotions are casts too); T_HALF and T_BF16 arithmetic rounds after every
 *   operation; subscripts may have any integer type.
 */
#ifndef MIKGEN_IR_NODE_H
#define MIKGEN_IR_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/arena.h"
#include "ir/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Type {
#define TYPE(id, ...) id,
#include "ir/types.def"
    T_COUNT,
    /* Flags, in functions for one instruction set (plan/vector_shape.h): a vector of elements of the type; */
    T_LANES = 32,
    T_LANE_WIDTH = 64 /* of as many as there are elements of a LaneWidth in a register: times that */
} Type;

/* How wide the lanes of a vector are, whose number is that of such elements in a register. */
typedef enum LaneWidth { LANES_32, LANES_64, LANES_16, LANES_8, LANE_WIDTHS } LaneWidth;

typedef enum Kind {
    N_NONE,
#define EXPR(kind, name, spelling, prec, kids, cost, flags) kind,
#define STMT(kind, name, kids)                              kind,
#include "ir/ops.def"
    N_COUNT
} Kind;

enum { F_COMM = 1, F_ASSOC = 2, F_LAZY = 4, F_REL = 8 };

typedef struct KindInfo {
    const char *name, *spelling;
    int precedence, kids, cost;
    unsigned flags;
    bool is_expr;
} KindInfo;
extern const KindInfo kind_info[N_COUNT];

const char *type_spec_name(Type type); /* as a spec spells it: "half"     */
Type type_element(Type type);          /* without flags; the functions below look at a vector's elements */
Type type_vector(Type element, LaneWidth width);
Type type_like(Type element, Type vector); /* a vector with as many lanes as another */
LaneWidth type_lane_width(Type vector);
int lane_bits(LaneWidth width);
bool type_is_vector(Type type);
int type_bits(Type type);              /* value bits incl. sign; bool is 1 byte of storage: 8 */
int type_bytes(Type type);             /* storage; long double 16         */
bool type_is_float(Type type);
bool type_is_fp8(Type type);            /* e4m3, e5m2                      */
bool type_is_integer(Type type);       /* bool included                   */
bool type_is_signed(Type type);        /* signed integers and floats      */
Type type_promote(Type type);          /* C11 6.3.1.1 integer promotion   */
Type type_common(Type a, Type b);      /* C11 6.3.1.8 usual arithmetic conversions */
int64_t type_min(Type type);           /* integers; of 64-bit unsigned types the maximum saturates at INT64_MAX */
int64_t type_max(Type type);

typedef enum SymKind {
    S_PARAM,      /* scalar parameter of an operator or helper */
    S_LOCAL,      /* local scalar                              */
    S_LOOP,       /* loop variable declared by its loop        */
    S_ARRAY,      /* array parameter                           */
    S_LOCAL_ARRAY,/* local array                               */
    S_FUNC,       /* libm, helper or, in kept functions, any other function */
} SymKind;

/* Which memory accesses through other names may reach a symbol's object. A call of a function that is not known
 * may reach everything but locals and parameters with ALIAS_NONE. */
typedef enum Alias {
    ALIAS_NONE,    /* only its own name: locals, restrict pointers, a spec's arrays                           */
    ALIAS_NAMED,   /* an object of its own that pointers may reach: globals, locals whose address is taken    */
    ALIAS_POINTER, /* a pointer that may point to anything but ALIAS_NONE: two of them may overlap            */
} Alias;

/* Of a complex parameter: scalars are two, one for each part; arrays have both, a last extent of 2. */
typedef enum ComplexPart { COMPLEX_NONE, COMPLEX_RE, COMPLEX_IM, COMPLEX_BOTH } ComplexPart;

typedef enum LoopForm { LOOP_FOR, LOOP_WHILE, LOOP_DO } LoopForm;
/* aux of N_FOR; FOR_UNROLLED: marked so by a pragma; FOR_PARALLEL: its iterations may run in any order, reductions apart; FOR_VECTOR:
 * likewise, and it is vectorized although there is a loop in it that might; FOR_PEELED: few iterations, beside those of another loop;
 * FOR_ROWS: independent iterations, of which several may be done together; FOR_BLOCKS, FOR_COMBINES: plan/nests/reduction_blocking.h;
 * FOR_FEW: so few iterations that they had better go one by one; FOR_TILES: plan/nests/permute_and_tile.h */
enum {
    FOR_DECLARES = 1,
    FOR_UNROLLED = 2,
    FOR_PARALLEL = 4,
    FOR_VECTOR = 8,
    FOR_PEELED = 16,
    FOR_ROWS = 32,
    FOR_BLOCKS = 64,
    FOR_COMBINES = 128,
    FOR_FEW = 256,
    FOR_TILES = 512
};
/* aux of N_OPAQUE: a goto may lead to it, or into it; labels of a switch; it declares something */
enum { OPAQUE_LABEL = 1, OPAQUE_CASE = 2, OPAQUE_DECLARES = 4 };
/* aux of N_VSTORE: perhaps a non-temporal store; lanes of 16 bits, with a sign: what bytes do not hold is stored as what of theirs is next */
enum { VSTORE_NON_TEMPORAL = 1, VSTORE_SATURATES = 2 };
/* u.i of N_PAIRWISE: neighbours change places; even lanes twice, odd ones; the lower half of two vectors by turns, the upper half;
 * a - b in even lanes, a + b in odd ones. */
enum { ROW_LENGTH = 8 }; /* u.i of N_ROW_LOAD */
static inline int row_length(int64_t row) { return (int)(row / ROW_LENGTH); }
static inline int row_element(int64_t row) { return (int)(row % ROW_LENGTH); }

typedef enum Pairwise { PAIR_SWAP, PAIR_EVENS, PAIR_ODDS, PAIR_LOW, PAIR_HIGH, PAIR_SUB_ADD } Pairwise;
enum { TILE_STORES = 1, TILE_WIDE = 2 }; /* aux of N_TILE: a set; wide: of as many lanes as 64-bit elements have */
enum { LOOP_FORM = 3, LOOP_UNROLLED = 4 }; /* aux of N_LOOP: mask of its LoopForm, flag          */
/* Flags of Node.has: in it is a load, an expression of unsigned integers of 32 bits or more, a statement of the kind. */
enum { HAS_LOAD = 1, HAS_UNSIGNED = 2, HAS_FIRST_STATEMENT = 4 };

typedef struct Node Node;
typedef struct Sym Sym;
typedef struct StructType StructType;
typedef struct KeptSym KeptSym;
typedef struct Func Func;
typedef struct Ir Ir;

/* The elements of an array of constants, in the order of memory. */
typedef struct ConstantTable {
    const char *name; /* as in the spec */
    int count;
    Node **value; /* N_INT or N_FLOAT, of the array's type */
} ConstantTable;

/* A member of a struct: a scalar, a struct or an array of either. */
typedef struct Member {
    const char *name;
    const char *spelling; /* as of a symbol                             */
    Type type; /* of the scalars                             */
    const StructType *inner; /* what it consists of instead; NULL: scalars */
    int64_t offset; /* bytes from the struct's first one          */
    int rank;
    const int64_t *dims; /* rank sizes */
} Member;

/* A struct of a spec, laid out as C does by itself: its size is a multiple of that of each scalar in it. */
struct StructType {
    const char *tag;
    int64_t bytes;
    int nmembers;
    const Member *members;
};

/* A scalar of a struct that is passed by value. */
typedef struct StructPart {
    const StructType *type;
    const char *name; /* of the parameter, in the spec */
    const char *place; /* ".pad[0]"                     */
} StructPart;

struct Sym {
    SymKind kind;
    Type type; /* of the scalar, of the array's elements, of the function's result */
    const char *name; /* as in the spec; several symbols may share a name (shadowing)     */
    const char *spelling; /* parameters: a standard typedef the spec used ("int64_t", "size_t"), else NULL;
                             locals of kept functions: the whole type as written, qualifiers included       */
    int id; /* dense, from 0, per Ir                                            */
    int rank; /* arrays: number of dimensions, else 0                             */
    Node **extent; /* arrays: rank expressions over scalar parameters; NULL entry = unknown (pointer made by a pass) */
    bool is_const; /* declared const                                                   */
    bool is_restrict; /* generated pointers                                               */
    const ConstantTable *table; /* S_ARRAY that is no parameter: the spec's own constants; the file has them once. NULL: it has none */
    Alias alias;
    bool is_global; /* kept functions: of file scope, and not a constant                */
    bool is_volatile; /* every read and write is a side effect                            */
    bool is_spelled; /* locals of kept functions: text that no tree shows names it (sizeof, typeof)       */
    const KeptSym *kept; /* kept functions: ir/kept_sym.h; NULL: none of that            */
    bool is_pure; /* S_FUNC that is neither libm nor a helper: its value depends on its arguments alone */
    bool has_range; /* a fact: whenever the body runs, the value is within ...          */
    int64_t lo, hi; /* ... these, inclusive                                             */
    bool has_hint; /* a wish, `#pragma mikgen hint(name, lo, hi)`: decides speed only  */
    int64_t hint_lo, hint_hi;
    bool is_constant; /* a wish, `#pragma mikgen constant(name)`: the array may be prepacked */
    /* A parameter that is an array of structs stands in no tree. For each of its scalar members that is used there is a symbol of an array
     * over the same bytes, of the parameter's extents and a last one: of how many such scalars have room in a struct. As members do not
     * overlap, neither do the elements of these arrays that the spec uses. In lists of parameters they stand side by side. Hints, `const`
     * and pragmas are about the parameter. */
    Sym *whole; /* of such a member: the parameter */
    const StructType *elements; /* of such a parameter */
    unsigned short multiples; /* arrays whose extent a pass has left unknown: bit n says that it is a multiple of n, from 2 to 8 */
    struct Node *total; /* likewise: how many elements there are, T_INDEX; NULL: that is not known */
    ComplexPart part; /* parameters */
    const StructPart *struct_part; /* operators' scalar parameters; NULL: of no struct */
    Func *func; /* S_FUNC: the helper's definition, NULL for libm                   */
    int libm; /* S_FUNC: index into libm.def plus 1, 0 for helpers                */
    struct Sym *fast; /* of libm: its form with wider bounds; NULL: nobody has asked (libm_fast) */
    Loc loc;
};

struct Node {
    uint8_t kind; /* Kind */
    uint8_t type; /* Type of an expression, T_VOID for statements */
    uint16_t aux; /* see ops.def */
    int id; /* dense, from 0, per Ir; statements have ids too */
    int nkids;
    uint32_t has; /* HAS_LOAD ...: what is in it, itself included */
    Sym *sym;
    uint64_t uses; /* sym_bit() of each symbol in it, so that a search need not go where none of its symbols is */
    union {
        int64_t i; /* N_INT: value (two's complement bits for unsigned 64-bit types); N_FOR: step */
        long double f; /* N_FLOAT */
    } u;
    Loc loc; /* of the first occurrence, for expressions */
    uint64_t writes; /* likewise of its statements' own symbols */
    Node *kid[];
};

/* An operator (entry point) or a helper. */
struct Func {
    const char *name;
    Type result; /* T_VOID for operators */
    Sym **params;
    int nparams;
    Node *body; /* N_BLOCK */
    Sym *returned; /* operators whose spec returns a value: the last parameter, an array of one element, which takes it; else NULL */
    Sym *packed; /* operators with constant arrays: T_INT, not 0 in calls to which these come packed; NULL: nothing depends on that */
    int winograd; /* a wish, `#pragma mikgen winograd(4)`: outputs of a row of Winograd's tiles, at most; 0: none */
    bool is_helper;
    bool is_kept; /* of source-to-source mode: its tree may hold what ops.def allows only there; names are exact */
    bool
        accesses_fenv; /* kept: it looks at floating-point exceptions or sets how numbers are rounded, as `#pragma STDC FENV_ACCESS ON` says */
    bool is_device; /* kept: it runs on a GPU */
    bool counts; /* kept: __COUNTER__ stands in it, so that its texts keep their order */
    const char *const *other_names; /* kept: what its text calls things that are no symbols, ends with NULL; may be NULL */
    Loc loc;
};

/* What `#pragma mikgen` lines asked for; strings NULL when absent. Hints sit on the symbols. */
typedef struct Wishes {
    const char *target, *arch;
    const char *math; /* a name of a MathForm */
    const char *sets; /* "avx2,neon!", */
    Loc *set_locs; /* and where each stands */
} Wishes;

/* The specs of a run. */
typedef struct Unit {
    Func **funcs; /* operators, in order of definition */
    int nfuncs;
    Wishes wishes;
    uint64_t hash; /* of the texts, and of what they include */
    const char *text; /* of the last of them, as it is printed for compilers: --emit=reference */
} Unit;

struct Ir {
    Arena *arena;
    Arena *scratch; /* for tables that one pass makes over one function; the pass resets it at its end */
    Diag *diag;
    int nnodes, nsyms; /* ids in use are 0 .. n-1 */
    struct NodeSlot {
        Node *node; /* NULL: free */
        uint32_t hash;
    } *table; /* interned expressions, open addressing */
    int table_size, table_used;
    const Ir *below; /* of a trial: the Ir that it is a trial of, whose first nbelow nodes are known too; else NULL */
    int nbelow;
    const char *const *reserved; /* names that no new symbol may take; NULL-terminated, or NULL */
    struct NameTable *reserved_table; /* the same for look-up: ir/facts.c fills it                    */
};

Ir *ir_new(Arena *arena, Diag *diag);

/* A copy for what is tried and thrown away, with arenas of its own: it sees all that there is, and what it makes is gone with ir_trial_end().
 * Numbers of its symbols and nodes are given again afterwards. */
Ir ir_trial(const Ir *ir);
void ir_trial_end(Ir *trial);

/* Symbols. `name` is copied. Arrays: `extent` has `rank` entries and is copied. */
Sym *sym_new(Ir *ir, SymKind kind, Type type, const char *name, Loc loc);
Sym *sym_new_array(Ir *ir, SymKind kind, Type elem, const char *name, int rank, Node *const *extent, Loc loc);

/* Expressions: interned. They do no folding whatever; ir/simplify.c does. */
Node *mk_int(Ir *ir, Type type, int64_t value);
Node *mk_float(Ir *ir, Type type, long double value);
Node *mk_var(Ir *ir, Sym *sym);
Node *mk_load(Ir *ir, Sym *array, int nsubscripts, Node *const *subscripts);
Node *mk_call(Ir *ir, Sym *func, int nargs, Node *const *args);
Node *mk_cast(Ir *ir, Type type, Node *e); /* e itself when it has the type already */
/* Of (unsigned)(int)u, u: conversions between the two integer types of a width keep the bits. `e` itself if it is none. */
const Node *there_and_back(const Node *e);
Node *mk_unary(Ir *ir, Kind kind, Node *e); /* type by the rules above */
Node *mk_binary(Ir *ir, Kind kind, Node *a, Node *b);
Node *mk_select(Ir *ir, Node *cond, Node *a, Node *b);
/* Of vectors (ops.def); `part` may be NULL. */
Node *mk_splat(Ir *ir, Node *scalar, LaneWidth width);
Node *mk_vload(Ir *ir, Sym *array, Node *subscript, Node *part, LaneWidth width);
Node *mk_member(Ir *ir, Sym *array, Node *subscript, int which, Node *part, LaneWidth width);
Node *mk_pairwise(Ir *ir, Pairwise how, Type type, int nkids, Node *const *kids);
Node *mk_fold(Ir *ir, int op, Node *vector);
Node *mk_any(Ir *ir, Node *mask); /* 1 if it names some lane, else 0 */
Node *mk_vstore(Ir *ir, Sym *array, Node *subscript, Node *value, Node *part, Loc loc);
/* Of what bytes do not hold what of theirs is next to it. */
Node *mk_vstore_saturated(Ir *ir, Sym *array, Node *subscript, Node *value, Node *part, Loc loc);
/* The same with a scalar that says whether the vector, which is aligned, is stored non-temporally. */
Node *mk_vstore_non_temporal(Ir *ir, Sym *array, Node *subscript, Node *value, Node *non_temporal, Loc loc);
/* How many elements from the subscript on until a vector of the array's type is aligned. */
Node *mk_prefetch(Ir *ir, Sym *array, Node *subscript, Loc loc);
Node *mk_head(Ir *ir, Sym *array, Node *subscript, LaneWidth width);
/* An N_GATHER of 32-bit lanes that rise, the last by no more than there are lanes; of the first `count`, a T_INDEX, or of all, NULL. */
Node *mk_near_gather(Ir *ir, Sym *array, Node *first, Node *apart, Node *count);
/* Vectors `both` of first and of second members. */
/* Element `which` of rows of `length` elements, 3 or 4. */
Node *mk_row_load(Ir *ir, Sym *array, Node *first, Node *apart, int length, int which, LaneWidth width);
Node *mk_row_store(Ir *ir, Sym *array, Node *first, Node *apart, int length, Node *const *values, Loc loc);
Node *mk_interleave(Ir *ir, Sym *array, Node *subscript, Node *const *both, Node *part, Loc loc);
/* Of groups of narrow elements; kids: the subscript, a vector for each member, and the number of lanes if it `has_part`. */
Node *mk_interleave_groups(Ir *ir, Sym *array, int members, Node *const *kids, bool has_part, Loc loc);
enum { NARROW_GROUP = 16, GROUP_WORD = 256 }; /* of N_MEMBER's u.i */
/* Of a load of a group: how many members that has; of a word its code, else 0. */
static inline int group_members(const Node *member) { return (int)(member->u.i % GROUP_WORD / NARROW_GROUP); }
static inline int group_word(const Node *member) { return (int)(member->u.i / GROUP_WORD); }
/* Words of 32 bits made of bytes of groups: `code` has 4 bits for each byte, the lowest one first: a member's number plus 1, or 0 for a 0. */
Node *mk_group_word(Ir *ir, Sym *array, Node *subscript, int members, int code, Node *part);
/* Kids as ops.def says. */
Node *mk_scatter(Ir *ir, Sym *array, int nkids, Node *const *kids, Loc loc);
/* Kids: an N_REF of the tile, the array's subscript, apart, rows, columns. */
Node *mk_tile(Ir *ir, Sym *array, Node *const *kids, int aux, Loc loc);
/* Any expression kind; `type` is needed for kinds whose type does not follow from the operands. */
Node *mk_expr(Ir *ir, Kind kind, Type type, Sym *sym, int nkids, Node *const *kids, Loc loc);

/* Statements. */
Node *mk_block(Ir *ir, int n, Node *const *stmts, Loc loc);
Node *mk_decl(Ir *ir, Sym *sym, Node *init_or_null, Loc loc);
Node *mk_assign(Ir *ir, Sym *sym, Node *value, Kind compound_or_none, Loc loc);
Node *mk_store(Ir *ir, Sym *array, int nsubscripts, Node *const *subscripts, Node *value, Kind compound_or_none, Loc loc);
/* for (sym = lo; cond; sym += step) body. `cond` is any expression; passes ask for_bounds(). */
Node *mk_for(Ir *ir, Sym *sym, Node *lo, Node *cond, int64_t step, Node *body, bool declares, Loc loc);
Node *mk_if(Ir *ir, Node *cond, Node *then, Node *otherwise_or_null, Loc loc);
/* Stands where contraction `index` of the plan runs; `captured` are N_VARs of the local scalars it reads. */
Node *mk_contract(Ir *ir, Sym *out, int index, int ncaptured, Node *const *captured, Loc loc);
/* Stands where stage `index` of a kind (its row in ir/stages.def) runs. */
Node *mk_launch_of(Ir *ir, int kind, int index, int ncaptured, Node *const *captured, Loc loc);
Node *mk_eval(Ir *ir, Node *call, Loc loc);
Node *mk_return(Ir *ir, Node *value_or_null, Loc loc);
/* `init` and `step` are blocks, perhaps empty; of LOOP_WHILE and LOOP_DO they are. */
Node *mk_loop(Ir *ir, LoopForm form, Node *init, Node *cond, Node *step, Node *body, Loc loc);
/* N_BREAK, N_CONTINUE; N_BARRIER with its function. */
Node *mk_jump(Ir *ir, Kind kind, Sym *func_or_null, Loc loc);
Node *mk_switch(Ir *ir, Node *value, Node *body, Loc loc);
Node *mk_opaque(Ir *ir, int nnamed, Node *const *named, Loc loc);
/* The same node with other kids: `n` itself when all kids are the same pointers. */
Node *with_kids(Ir *ir, Node *n, int nkids, Node *const *kids);
/* The same with another kid number `at`. */
Node *with_kid(Ir *ir, Node *n, int at, Node *kid);
/* The same node with another symbol and kids (renaming). */
Node *with_sym_kids(Ir *ir, Node *n, Sym *sym, int nkids, Node *const *kids);

/* What a caller knows the parameter as. */
static inline Sym *whole_param(const Sym *param) { return param->whole ? param->whole : (Sym *)param; }

static inline bool is_expr(const Node *n) { return kind_info[n->kind].is_expr; }
/* One of 64 bits: several symbols may share it. */
static inline uint64_t sym_bit(const Sym *sym) { return UINT64_C(1) << ((unsigned)sym->id & 63); }
static inline uint32_t has_flag(Kind statement) { return (uint32_t)HAS_FIRST_STATEMENT << (statement - N_BLOCK); }
static inline bool is_int(const Node *n, int64_t value) { return n->kind == N_INT && n->u.i == value; }

/* A compound statement `x op= e` is kept as x = x op e with aux = op. This is its `e`: the right operand
 * of the operator node in `value` (below the final conversion); NULL when aux is 0. */
Node *compound_operand(const Node *stmt);
/* The stored or assigned value: last kid of N_ASSIGN, N_STORE. */
static inline Node *stmt_value(const Node *stmt) { return stmt->kid[stmt->nkids - 1]; }

/* A counted loop: sym runs lo, lo+step, ... while sym `cmp` hi, which has no sym in it. False when the condition has another form
 * (then only its C meaning holds). `hi` may be below conversions only if they cannot change its value
 * relative to sym's (widening of both sides); cmp is N_LT, N_LE, N_GT, N_GE or N_NE, with sym on the left. */
typedef struct Bounds {
    Sym *var;
    Node *lo, *hi;
    Kind cmp;
    int64_t step;
} Bounds;
bool for_bounds(const Node *loop, Bounds *bounds);
/* Is the number of iterations that of steps from lo up to hi, or down to it, none where that is no way to go? No if the variable runs away
 * from its bound, or may meet a `!=` one only after it has wrapped around. */
bool bounds_count(const Bounds *bounds);
/* That number where the bounds are worth `lo` and `hi`: exact below 2^53. */
double bounds_steps(const Bounds *bounds, double lo, double hi);
/* The bound of `for (i = 0; i < bound; i++)`; NULL: it is another loop. */
Node *counted_from_zero(const Node *loop);
/* Of a condition alone: `cond` compares `var`, perhaps widened, with `hi`. `nonnegative`: var never is below 0. */
bool bound_on(const Node *cond, const Sym *var, bool nonnegative, Kind *cmp, Node **hi);

/* The loop is an N_FOR or N_LOOP; where each keeps its parts. */
static inline bool is_loop(const Node *n) { return n->kind == N_FOR || n->kind == N_LOOP; }
static inline Node *loop_body(const Node *loop) { return loop->kid[loop->kind == N_FOR ? 2 : 3]; }
static inline bool loop_declares(const Node *loop) { return loop->kind == N_FOR && loop->aux & FOR_DECLARES; }
static inline bool loop_is_unrolled(const Node *loop) { return loop->kind == N_FOR ? loop->aux & FOR_UNROLLED : loop->aux & LOOP_UNROLLED; }
static inline LoopForm loop_form(const Node *loop) { return loop->kind == N_FOR ? LOOP_FOR : (LoopForm)(loop->aux & LOOP_FORM); }

#ifdef __cplusplus
}
#endif
#endif
