/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PTX text as a tree (PTX ISA 9.0, chapters 4 and 5). Names are resolved here: a register operand points at its
 * declaration, whatever scope it came from. What an instruction means is none of the parser's business. */
#ifndef SIM_PTX_H
#define SIM_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { T_NONE, T_PRED, T_B8, T_B16, T_B32, T_B64, T_B128 } TypeWidth;

typedef enum { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_CLUSTER } Space;

typedef struct Reg {
    const char *name;
    TypeWidth width;
    int index; /* in its function */
} Reg;

/* An initial value: a number or an address. */
typedef struct Init {
    size_t offset;  /* in the variable */
    int size;       /* bytes */
    uint64_t value; /* the number, or what is added to the address */
    const char *symbol;
    bool is_generic;
    struct Init *next;
} Init;

typedef struct Var {
    const char *name;
    Space space;
    size_t size, align;
    bool is_extern, is_dynamic; /* dynamic: extern .shared without a size */
    Init *inits;
    uint64_t address; /* where module.c put it */
    int index;        /* of a function's variable: in its function */
    struct Var *next;
} Var;

typedef enum {
    O_REG,     /* reg, perhaps negated */
    O_SPECIAL, /* %tid.x: name */
    O_INT,     /* value */
    O_F32,     /* value: its bits */
    O_F64,     /* value: its bits; a decimal number too */
    O_SYMBOL,  /* name + value; var, if it names a variable */
    O_ADDRESS, /* [parts[0] + value, parts[1]...] */
    O_VECTOR,  /* {parts} */
    O_LIST,    /* (parts) of a call */
    O_PAIR,    /* parts[0]|parts[1] */
    O_SINK     /* _ */
} OperandKind;

typedef struct Operand {
    OperandKind kind;
    bool is_negated;
    const Reg *reg;
    Var *var;
    const char *name;
    int64_t value;
    struct Operand *parts;
    int count;
} Operand;

enum { MAX_OPERANDS = 12 };

typedef struct Stmt {
    const char *opcode; /* NULL: a label, name and scope tell which */
    const char *name;
    const Reg *guard; /* @p */
    bool is_guard_negated;
    Operand *operands;
    int count, line, scope;
} Stmt;

/* .branchtargets */
typedef struct Targets {
    const char *name;
    const char **labels;
    int count, scope;
    struct Targets *next;
} Targets;

typedef struct Function {
    const char *name;
    bool is_entry, has_body;
    Var *params, *returns; /* in order */
    size_t param_size;
    Reg **regs;
    int reg_count, reg_room;
    Var *vars; /* .local, .shared and .param inside the body */
    int var_count;
    Stmt *stmts;
    int stmt_count, stmt_room;
    int *scope_parent, scope_count, scope_room;
    Targets *targets;
    int max_threads[3], required_threads[3], cluster[3], min_blocks, max_registers;
    bool needs_cluster;
    struct Function *next;
} Function;

typedef struct Module {
    const char *source; /* what diagnoses call it */
    const char *text;
    int version, target; /* 90; 80 */
    bool is_specific;    /* sm_90a */
    Var *vars;
    Function *functions;
} Module;

/* Returns NULL and says why in ERROR if the text is not PTX that this parser knows. The text is copied. */
Module *ptx_parse(const char *text, size_t length, const char *source, char *error, size_t error_size);

/* The words of a line, without spaces around them. */
void ptx_line(const Module *module, int line, char *text, size_t size);

Function *ptx_function(const Module *module, const char *name);

/* ---- inside the parser ---- */

typedef struct Scope {
    struct Symbol *symbols;
    struct Scope *outer;
    int id;
} Scope;

typedef struct Parser {
    const char *at, *end;
    int line;
    Module *module;
    Function *function;
    Scope *scope;
    char *error;
    size_t error_size;
    bool failed;
} Parser;

void ptx_error(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ptx_skip(Parser *p);                     /* white space and comments */
bool ptx_accept(Parser *p, const char *text); /* a punctuation mark or a whole word */
void ptx_expect(Parser *p, const char *text);
const char *ptx_word(Parser *p);             /* an identifier, directive or opcode; NULL if none is here */
bool ptx_number(Parser *p, Operand *number); /* kind O_INT, O_F32 or O_F64 */
int64_t ptx_integer(Parser *p);
void ptx_skip_line(Parser *p);
void *ptx_new(size_t size); /* zeroed; lives as long as the program */
const char *ptx_copy(const char *text, size_t length);

void ptx_body(Parser *p);                                  /* after the { of a function */
Var *ptx_variable(Parser *p, Space space, bool is_extern); /* .align 4 .b8 name[16] = {...}; without the ; */
TypeWidth ptx_type(const char *type, int *bytes);          /* ".f32" */
void ptx_declare_var(Parser *p, Var *var);
Var *ptx_find_var(Parser *p, const char *name);
void ptx_open(Parser *p);
void ptx_close(Parser *p);
void ptx_declare_reg(Parser *p, Reg *reg);
const Reg *ptx_find_reg(Parser *p, const char *name);

#endif
