/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random C functions for source-to-source mode, and specs: the generator's state, and expressions. What prints statements has
 * random_statement.h besides, what prints loop nests random_nest.h.
 *
 * The functions are free of undefined behaviour by construction: every expression carries the interval of its
 * values, whatever might leave its type is reduced first, and indices, divisors and shift counts are chosen or
 * guarded to fit. Variables that never change may be narrowed by a condition ("facts"): what a guard makes safe
 * stands only behind it. Where the data that the driver draws never lets control arrive ("dead" places) anything
 * goes: divisions by what is zero there, overflow, loads from anywhere. A few programs are risky: arithmetic on
 * values near the limits of int, which some data overflow; the driver notices that and draws others. */
#ifndef MIKGEN_TESTS_FUZZ_RANDOM_H
#define MIKGEN_TESTS_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { BOOL, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE } Type;

typedef enum { NOTHING, PACK, PACK_POINTER, INNER, INNER_POINTER, FUNCTION } Carries;

typedef struct Var {
    const char *name;
    Type type;      /* of the scalar, of the array's elements                            */
    int64_t lo, hi; /* of every value it ever holds; of unsigned long: INT64_MAX = more   */
    int rank;       /* 0, 1 or 2                                                         */
    int extent[2];  /* what may be subscripted                                           */
    bool fixed;     /* never written while it is visible: facts about it last             */
    bool writable;
    bool nonzero;
    bool is_volatile;
    bool is_counter; /* of a loop                                                        */
    bool is_sum;    /* only ever grows by small amounts                                  */
    bool is_call_safe; /* array: external functions may be given it                      */
    bool used;
    bool is_control; /* changed at the end of a body: no declaration there may hide it    */
    bool shadowed;  /* by a later declaration of its name                                */
    size_t at;      /* of the output, behind its declaration                             */
    const char *declaration; /* parameters                                               */
    bool is_pointer; /* to elements: it may move `room` on and `back`; `extent` holds wherever it is   */
    int room, back; /* what is left of that                                              */
    int reach;      /* what `room` began with; -1 if it moves back, too                  */
    long since;     /* how often its declaration may be reached                          */
    bool is_bits;   /* has no address                                                    */
    Carries carries; /* else NOTHING: it has no value of its own, and only random_member.c chooses it */
} Var;

enum { MAX_VARS = 160, MAX_FACTS = 64, TEXTS = 1 << 22 };

typedef struct Fact {
    int var;
    Var before;
} Fact;

typedef struct Expr {
    const char *text;
    Type type;
    int64_t lo, hi;
    int prec; /* of C's grammar, as in ir/ops.def */
} Expr;

/* What a program has beside the simplest: each is drawn by itself. */
enum {
    POINTERS = 1,  /* random_pointer.c: local ones, those that move, bytes of others          */
    MEMBERS = 2,   /* random_member.c: structs, unions, pointers to functions                 */
    CHOICES = 4,   /* random_choice.c: switch                                                 */
    GOTOS = 8,     /* random_choice.c: goto and labels                                        */
    EFFECTS = 16,  /* effects in conditions, commas, counting down                            */
    DIRECTIVES = 32, /* random_text_form.c: #if, pragmas                                      */
    MACROS = 64,   /* random_text_form.c: macros of statements, inline assembly               */
    PLACES = 128,  /* static, volatile and several declarators, arrays of variable size       */
    SPELLINGS = 256 /* random_spelling.c: constants, choices and loops said otherwise         */
};

typedef struct Gen {
    uint64_t seed; /* state of the random numbers */
    long number;   /* of the program */
    Var vars[MAX_VARS];
    int nvars;
    Fact facts[MAX_FACTS];
    int nfacts;
    int hot;             /* variable that a fact was just learnt of, or -1 */
    int dead;            /* > 0: control never arrives here */
    bool risky;
    bool is_spec;        /* without min and max of integers, and without dead places */
    const char *hidden;  /* a name that is being declared */
    int calls;           /* how many impure operands the current condition may still have */
    int loops;           /* loops around this place */
    long trips;          /* how often this place may be reached */
    bool may_continue;
    bool in_helper, has_helper;
    unsigned features;   /* of those above */
    Expr (*constant)(struct Gen *g), (*macro)(struct Gen *g); /* random_spelling.c's, of programs that have SPELLINGS */
    Expr (*effect)(struct Gen *g); /* random_effect.c's, of programs: operand of a condition with an effect; NULL text if there is none */
    int names;           /* that fresh() has given */
    const char *escape;  /* label behind the loops around this place, or NULL */
    int size;            /* statements still wanted */
    int scope;           /* first variable of the innermost block */
    int indent;
    char *out;
    size_t len;
    char *text;          /* where the texts of expressions lie */
    size_t ntext;
} Gen;

static inline bool has(const Gen *g, unsigned feature) { return (g->features & feature) != 0; }

/* random_values.c: random numbers. No two draws stand where C leaves their order open, as among the arguments of a call: the same seed
 * gives the same program whatever compiled the generator. */
uint32_t draw(Gen *g, uint32_t n); /* 0 .. n-1 */
bool chance(Gen *g, int percent);

/* Texts and types. */
const char *format(Gen *g, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
extern const char *const type_name[];
int64_t type_min(Type type), type_max(Type type);
static inline bool is_float_type(Type type) { return type >= FLOAT; }
static inline bool is_unsigned(Type type) { return type == UINT || type == ULONG; } /* after promotion */

/* random_text.c: the text of a function. */
void put(Gen *g, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void line(Gen *g, const char *text); /* indented */
bool is_name_char(char c);
bool says(const char *text, const char *name);
bool is_mentioned(const Gen *g, const char *name);

/* Variables. `add` makes one visible, whose declaration has been printed; `pick` chooses one; -1 when there is none. */
typedef bool Wanted(const Var *var);
Var *add(Gen *g, Var var);
bool is_visible(const Gen *g, int var);
int pick(Gen *g, Wanted *wanted);
int pick_carrier(Gen *g, Wanted *wanted); /* of those that carry others */
bool is_any(const Gen *g, Wanted *wanted);
Wanted is_scalar, is_small, is_counter, is_volatile; /* of integers */
Wanted is_array, is_float_array;

/* Facts. `learn` takes one; `forget` returns to an earlier number of them. */
void learn(Gen *g, int var, int64_t lo, int64_t hi, bool nonzero);
void forget(Gen *g, int nfacts, int hot);

/* random_operator.c */
Expr imm(Gen *g, int64_t value);
Expr cast(Gen *g, Type type, Expr e);
Expr binary(Gen *g, const char *op, Expr a, Expr b);
Expr fit(Gen *g, Expr e, int64_t lo, int64_t hi); /* made to lie within */
const char *operand(Gen *g, Expr e, int parent, bool right); /* text with the parentheses that it needs there */
const char *infix(Gen *g, Expr a, const char *op, Expr b, int prec); /* "a op b" */
int precedence(const char *op);
Type promoted(Type type);
Type usual(Type a, Type b);         /* of the usual arithmetic conversions  */
Expr converted(Expr e, Type type);  /* the interval only                    */

/* random_integer.c */
Expr integer(Gen *g, int depth);
Expr value_for(Gen *g, Type type, int64_t lo, int64_t hi, int depth);
Expr subscript(Gen *g, int extent);
const char *element(Gen *g, int array); /* array[index]... */
Expr load(Gen *g, Wanted *wanted);

/* random_float.c */
Expr floating(Gen *g, Type type, int depth);

/* random_condition.c */
Expr condition(Gen *g, int depth); /* may hold impure operands while g->calls is positive */
Expr pure_condition(Gen *g, int depth);
/* A condition that makes more expressions safe; what it says is learnt. `not`: the condition is the opposite,
 * for a jump over what follows; NULL text if there is none. */
Expr fact(Gen *g, bool not);

#endif
