/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From statements to instructions that run. decode.c knows functions, registers and constants; each family of
 * instructions has its own decoder, which reads operands and appends to the code. */
#ifndef SIM_DECODE_H
#define SIM_DECODE_H

#include "multiprocessor.h"

enum { MAX_PARTS = 24 };

/* Where the variables of one (inlined) function are. */
typedef struct {
    const Var *var;
    uint64_t address;
} Place;

typedef struct Frame {
    const Function *function;
    Ref *regs;
    Place *places;
    int place_count;
    int *label_at; /* for each statement that is a label: its instruction */
    Ref carry;
    int depth;
    struct Frame *caller;
} Frame;

typedef struct Decoder {
    Code *code;
    const Module *module;
    Frame *frame;
    const Stmt *stmt;
    const char *part[MAX_PARTS]; /* of the opcode, without its first word; taken ones are NULL */
    int parts;
    const char *first;
    Ref guard; /* of the statement */
    bool is_guard_negated;
    struct {
        Ref to, from;
        int to_bytes, from_bytes;
        bool is_signed;
    } widen[16]; /* after the instruction */
    int widen_count;
    int fix_count, fix_room;
    struct Fix {
        int inst, scope;
        const char *label;
        const Function *function;
        int depth;
    } *fixes;
    Place *shared;
    int shared_count;
    jmp_buf failure;
} Decoder;

typedef void Decode(Decoder *d);

typedef struct {
    const char *key;
    Run *run;
    uint8_t bytes[5];
} AluOp;

const AluOp *alu_find(const char *key);

/* Says what is not supported, and gives up on the kernel. */
_Noreturn void decode_fail(Decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

void split_opcode(Decoder *d, const char *opcode);
bool take(Decoder *d, const char *part); /* a modifier, wherever it stands */
const char *take_prefix(Decoder *d, const char *prefix);
const char *take_last(Decoder *d); /* the type */
const char *take_first(Decoder *d);
void finish_parts(Decoder *d);                /* fails if a modifier is left */
int type_bytes(Decoder *d, const char *type); /* "f32" */
bool type_signed(const char *type);
bool type_float(const char *type);

Inst *emit(Decoder *d, Run *run); /* under the statement's guard */
void need_operands(Decoder *d, int count);
Operand *operand_at(Decoder *d, int k); /* fails if there is none */
Ref source(Decoder *d, const Operand *o, int bytes, const char *type); /* a register or constant, as wide as asked */
Ref source_at(Decoder *d, int k, const char *type);
Ref dest(Decoder *d, const Operand *o, int bytes, bool is_signed); /* finish_dests afterwards */
Ref dest_at(Decoder *d, int k, const char *type);
void finish_dests(Decoder *d);
Ref source_pred(Decoder *d, const Operand *o); /* negation included */
Ref dest_pred(Decoder *d, const Operand *o);
Ref new_temp(Decoder *d, int bytes);
Ref new_constant(Decoder *d, int bytes, uint64_t value);
bool constant_value(Decoder *d, const Operand *o, int64_t *value);
/* [reg + offset] or [symbol + offset]: fills a (NO_REF: absolute), imm and space. */
void address_operand(Decoder *d, const Operand *o, Inst *i, Space space);
bool find_place(Decoder *d, const Var *var, uint64_t *address);
void emit_alu(Decoder *d, const char *key, Ref to, Ref a, Ref b);

Decode *find_decoder(const char *first);
Decode decode_alu;
void decode_call(Decoder *d);
void decode_body(Decoder *d, Frame *frame);
Run run_special;

#endif
