/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators where C has them for vectors, else functions named after the elements and the shape. */
#include "emit/vector.h"

#include <string.h>

#include "depend/reduce.h"
#include "emit/expr.h"

/* Elements narrower than lanes are computed with as those of lanes, but floats of 8 bits, which lanes have as their bits. */
static const char *element_name(Type type)
{
    const LaneWidth width = type_lane_width(type);
    type = type_element(type);
    if (type == T_MASK)
        return "mask";
    if (width == LANES_8)
        return type_is_signed(type) ? "i8" : "u8";
    if (width == LANES_16)
        return type == T_USHORT ? "u16" : "i16";
    if (type_is_float(type) && !type_is_fp8(type))
        return type == T_DOUBLE ? "f64" : "f32";
    if (type_bits(type) == 64)
        return type_is_signed(type) ? "i64" : "u64";
    return type == T_UINT ? "u32" : "i32";
}

/* In memory; "" where they are as the lanes have them. */
static const char *memory_suffix(const Sym *array, Type vector)
{
    const Type type = array->type;
    if (lane_bits(type_lane_width(vector)) == type_bits(type) && type_is_integer(type))
        return "";
    switch (type_element(type)) {
    case T_HALF: return "_half";
    case T_BF16: return "_bf16";
    case T_CHAR:
    case T_SCHAR: return "_i8";
    case T_E4M3:
    case T_E5M2:
    case T_BOOL:
    case T_UCHAR: return "_u8";
    case T_SHORT: return "_i16";
    case T_USHORT: return "_u16";
    default: return "";
    }
}

const char *vector_type(const Emitter *e, Type type)
{
    return arena_printf(e->ir->arena, "%s%c%d", element_name(type), e->set->letter, vector_lanes(e->set, type));
}

static void open_call(Emitter *e, Type type, const char *function) { text_printf(e->out, "%s_%s(", vector_type(e, type), function); }

/* function(kids) */
static void print_function(Emitter *e, Type type, const char *function, Node *const *kid, int nkids)
{
    open_call(e, type, function);
    for (int i = 0; i < nkids; i++) {
        if (i)
            text_puts(e->out, ", ");
        print_at(e, kid[i], PREC_ANY);
    }
    text_putc(e->out, ')');
}

/* What the vocabulary takes elements for: a type of C that an array of it may not have. */
static const char *memory_type(Type type)
{
    switch (type) {
    case T_FLOAT: return "float";
    case T_DOUBLE: return "double";
    case T_HALF:
    case T_BF16:
    case T_USHORT: return "uint16_t";
    case T_SHORT: return "int16_t";
    case T_CHAR:
    case T_SCHAR: return "int8_t";
    case T_E4M3:
    case T_E5M2:
    case T_BOOL:
    case T_UCHAR: return "uint8_t";
    case T_INT: return "int32_t";
    case T_UINT: return "uint32_t";
    default: return type_is_signed(type) ? "int64_t" : "uint64_t";
    }
}

static bool is_spelled_otherwise(const Emitter *e, const Sym *array)
{
    const char *spelled = array->spelling ? array->spelling : dialect_type(e->dialect, array->type);
    const bool same = strcmp(spelled, memory_type(array->type)) == 0;
    return !same && !(array->type == T_INT || array->type == T_UINT || array->type == T_SHORT || array->type == T_USHORT ||
                      array->type == T_SCHAR || array->type == T_UCHAR);
}

/* array + subscript */
static void print_place(Emitter *e, const Sym *array, const Node *subscript, const char *constness)
{
    const char *name = names_find(e->names, array);
    if (!name)
        internal_error("emit: %s is used where it is not declared", array->name);
    if (is_spelled_otherwise(e, array))
        text_printf(e->out, "(%s%s *)", constness, memory_type(array->type));
    text_puts(e->out, name);
    if (is_int(subscript, 0))
        return;
    text_puts(e->out, " + ");
    print_at(e, subscript, kind_info[N_ADD].precedence + (subscript->kind != N_ADD));
}

/* "_part" of the first so many lanes, "_where" a mask says so. */
static const char *part_suffix(const Node *part) { return !part ? "" : type_is_vector(part->type) ? "_where" : "_part"; }

/* Operands n->kid[from ..], each behind a comma. */
static void print_more(Emitter *e, const Node *n, int from)
{
    for (int i = from; i < n->nkids; i++) {
        text_puts(e->out, ", ");
        print_at(e, n->kid[i], PREC_ANY);
    }
    text_putc(e->out, ')');
}

/* "load_where_half"; of elements that are not neighbours "load_apart_half_where", "gather_half_part". */
static const char *access_name(Emitter *e, Type vector, const Sym *array, const char *whole, const Node *apart, const Node *part)
{
    e->uses->half = e->uses->half || array->type == T_HALF;
    e->uses->bf16 = e->uses->bf16 || array->type == T_BF16;
    e->uses->fp8 = e->uses->fp8 || type_is_fp8(array->type);
    if (!apart)
        return arena_printf(e->ir->arena, "%s%s%s", whole, part_suffix(part), memory_suffix(array, vector));
    const bool loads = strcmp(whole, "load") == 0, looks_up = type_is_vector(apart->type);
    const char *how = looks_up ? (loads ? "gather" : "scatter") : loads ? "load_apart" : "store_apart";
    return arena_printf(e->ir->arena, "%s%s%s", how, memory_suffix(array, vector), part_suffix(part));
}

static const char *load_name(const Node *n)
{
    switch ((Kind)n->kind) {
    case N_MEMBER: return group_word(n) ? "load_word" : n->u.i >= NARROW_GROUP ? "load_member" : n->u.i ? "load_odd" : "load_even";
    default: return "load";
    }
}

static void print_load(Emitter *e, const Node *n)
{
    const int least = n->kind == N_GATHER ? 2 : 1;
    const Node *part = n->nkids > least ? n->kid[least] : NULL;
    const bool near = n->kind == N_GATHER && n->u.i;
    open_call(e, n->type,
              near ? arena_printf(e->ir->arena, "gather_near%s", part_suffix(part))
                   : access_name(e, (Type)n->type, n->sym, load_name(n), n->kind == N_GATHER ? n->kid[1] : NULL, part));
    print_place(e, n->sym, n->kid[0], "const ");
    if (n->kind == N_MEMBER && group_word(n))
        text_printf(e->out, ", %d, 0x%x", group_members(n), (unsigned)group_word(n));
    else if (n->kind == N_MEMBER && n->u.i >= NARROW_GROUP)
        text_printf(e->out, ", %d, %d", group_members(n), (int)(n->u.i % NARROW_GROUP));
    print_more(e, n, 1);
}

/* f32y8_load4_1(p, apart); rows of three follow one another. */
static void print_row_load(Emitter *e, const Node *n)
{
    const int length = row_length(n->u.i);
    open_call(e, n->type, arena_printf(e->ir->arena, "load%d_%d", length, row_element(n->u.i)));
    print_place(e, n->sym, n->kid[0], "const ");
    print_more(e, n, length == 3 ? n->nkids : 1);
}

static void print_head(Emitter *e, const Node *n)
{
    open_call(e, type_vector(n->sym->type, (LaneWidth)n->kid[1]->u.i), "until_aligned");
    print_place(e, n->sym, n->kid[0], "const ");
    text_putc(e->out, ')');
}

const char *vector_store(Emitter *e, const Node *n)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    const bool groups = n->kind == N_INTERLEAVE && n->aux;
    const int least = n->kind == N_VSTORE ? 2 : groups ? 1 + n->aux : 3;
    const Node *part = n->nkids > least ? n->kid[least] : NULL;
    const bool non_temporal = n->kind == N_VSTORE && n->aux == VSTORE_NON_TEMPORAL;
    const char *whole = n->kind == N_VSTORE && n->aux == VSTORE_SATURATES ? "store_sat"
                        : groups                                          ? arena_printf(e->ir->arena, "store_groups%d", n->aux)
                        : n->kind == N_INTERLEAVE                         ? "store_both"
                                                                          : "store";
    open_call(e, n->kid[1]->type,
              non_temporal ? "store_non_temporal"
                           : access_name(e, (Type)n->kid[1]->type, n->sym, whole, n->kind == N_SCATTER ? n->kid[2] : NULL, part));
    print_place(e, n->sym, n->kid[0], "");
    print_more(e, n, 1);
    e->out = outer;
    return text.data;
}

const char *vector_row_store(Emitter *e, const Node *n)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    const int length = n->nkids - 2;
    open_call(e, n->kid[2]->type, arena_printf(e->ir->arena, "store%d", length));
    print_place(e, n->sym, n->kid[0], "");
    print_more(e, n, length == 3 ? 2 : 1);
    e->out = outer;
    return text.data;
}

const char *vector_prefetch(Emitter *e, const Node *n)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    text_puts(e->out, "MIK_PREFETCH(");
    print_place(e, n->sym, n->kid[0], "const ");
    text_putc(e->out, ')');
    e->out = outer;
    return text.data;
}

const char *vector_tile(Emitter *e, const Node *n)
{
    Text text, *outer = e->out;
    text_init(&text, e->ir->arena);
    e->out = &text;
    const bool stores = n->aux & TILE_STORES;
    const char *tile = names_find(e->names, n->kid[0]->sym);
    const Type type = type_vector(n->sym->type, n->aux & TILE_WIDE ? LANES_64 : LANES_32);
    open_call(e, type, access_name(e, type, n->sym, stores ? "store_tile" : "load_tile", NULL, NULL));
    if (!stores)
        text_printf(e->out, "%s, ", tile);
    print_place(e, n->sym, n->kid[1], stores ? "" : "const ");
    if (stores)
        text_printf(e->out, ", %s", tile);
    print_more(e, n, 2);
    e->out = outer;
    return text.data;
}

/* ---------------------------------------------------------------- arithmetic */

static const char *comparison_name(Kind k)
{
    switch (k) {
    case N_LT: return "lt";
    case N_LE: return "le";
    case N_GT: return "gt";
    case N_GE: return "ge";
    case N_EQ: return "eq";
    case N_NE: return "ne";
    default: return NULL;
    }
}

/* Of a conversion: are its vectors those of its operand? */
static bool is_silent(const Node *n)
{
    const Type to = type_element(n->type), from = type_element(n->kid[0]->type);
    return type_is_integer(to) && type_is_integer(from) && strcmp(element_name((Type)n->type), element_name((Type)n->kid[0]->type)) == 0;
}

static bool is_bitwise(Kind k) { return k == N_AND || k == N_OR || k == N_XOR || k == N_SHL || k == N_SHR; }

/* What is printed of an expression: conversions between types that vectors do not tell apart are not. */
static const Node *printed(const Node *n)
{
    while (n->kind == N_CAST && is_silent(n))
        n = n->kid[0];
    return n;
}

/* Operands of bitwise operators in parentheses, as compilers' warnings want it. */
static int operand_prec(Kind parent, const Node *operand, int grammar)
{
    Kind k = printed(operand)->kind;
    const bool primary = kind_info[k].precedence >= PREC_UNARY;
    return !primary && k != parent && (is_bitwise(parent) || is_bitwise(k)) ? PREC_UNARY : grammar;
}

static void print_operator(Emitter *e, const Node *n, int min_prec)
{
    const int prec = kind_info[n->kind].precedence;
    put_open(e, prec < min_prec);
    print_at(e, n->kid[0], operand_prec(n->kind, n->kid[0], prec));
    text_printf(e->out, " %s ", kind_info[n->kind].spelling);
    print_at(e, n->kid[1], operand_prec(n->kind, n->kid[1], prec + 1));
    put_close(e, prec < min_prec);
}

/* With a sign, in lanes of 64 bits: there are sets without an instruction. */
static bool is_wide_shift(const Node *n) { return type_bits(n->type) == 64 && type_is_signed(n->type); }

/* By a number that is the same for all lanes; by one for each. */
static void print_wide_shift(Emitter *e, const Node *n)
{
    const Node *by = n->kid[1];
    while (by->kind == N_CAST)
        by = by->kid[0];
    if (by->kind == N_SPLAT) {
        Node *kids[] = {n->kid[0], mk_cast(e->ir, T_INT, by->kid[0])};
        print_function(e, n->type, "shr", kids, 2);
    } else {
        print_function(e, n->type, "shr_each", n->kid, 2);
    }
}

/* Each lane by another count, in lanes of 16 bits: there are sets without an instruction. */
static bool is_lanes_shift(const Node *n)
{
    const Node *by = n->kid[1];
    while (by->kind == N_CAST)
        by = by->kid[0];
    return type_bits(n->type) == 16 && by->kind != N_SPLAT;
}

static void print_sign(Emitter *e, const Node *n, int min_prec)
{
    put_open(e, min_prec > PREC_UNARY);
    text_puts(e->out, kind_info[n->kind].spelling);
    print_at(e, n->kid[0], n->kid[0]->kind == n->kind ? PREC_PRIMARY : PREC_UNARY);
    put_close(e, min_prec > PREC_UNARY);
}

/* Half and bf16 round after every operation. */
static void print_arithmetic(Emitter *e, const Node *n, int min_prec)
{
    const bool rounds = is_narrow_float(type_element(n->type));
    if (rounds)
        open_call(e, n->type, type_element(n->type) == T_HALF ? "to_half" : "to_bf16");
    if (n->nkids == 1)
        print_sign(e, n, rounds ? PREC_ANY : min_prec);
    else
        print_operator(e, n, rounds ? PREC_ANY : min_prec);
    if (rounds)
        text_putc(e->out, ')');
}

/* By operators, but where there are sets without an instruction. */
static void print_shift(Emitter *e, const Node *n, int min_prec)
{
    if (n->kind == N_SHR && is_wide_shift(n))
        print_wide_shift(e, n);
    else if (is_lanes_shift(n))
        print_function(e, n->type, n->kind == N_SHL ? "shift_left" : "shift_right", n->kid, 2);
    else
        print_arithmetic(e, n, min_prec);
}

static void print_conversion(Emitter *e, const Node *n, int min_prec)
{
    const Type to = type_element(n->type), from = type_element(n->kid[0]->type);
    const char *name = element_name((Type)n->type), *of = element_name((Type)n->kid[0]->type);
    if (from == T_MASK) {
        print_function(e, n->type, "of_mask", n->kid, 1);
    } else if (type_is_fp8(from) != type_is_fp8(to)) { /* the other one is float */
        const bool widens = type_is_fp8(from);
        const char *function = arena_printf(e->ir->arena, "%s_%s", widens ? "of" : "to", type_spec_name(widens ? from : to));
        print_function(e, widens ? n->type : n->kid[0]->type, function, n->kid, 1);
    } else if (is_narrow_float(to)) { /* of floats, which hold integers of 16 bits exactly */
        Node *value = type_is_float(from) ? n->kid[0] : mk_cast(e->ir, type_like(T_FLOAT, (Type)n->type), n->kid[0]);
        print_function(e, n->type, to == T_HALF ? "to_half" : "to_bf16", &value, 1);
    } else if (strcmp(name, of) == 0) {
        print_at(e, n->kid[0], min_prec);
    } else {
        print_function(e, n->type, arena_printf(e->ir->arena, "of_%s", of), n->kid, 1);
    }
}

/* An element of half or bf16 as a float: sets have instructions that convert it in all lanes. */
static bool is_widened(const Node *e)
{
    const bool narrow = e->kind == N_CAST && e->type == T_FLOAT && (e->kid[0]->type == T_HALF || e->kid[0]->type == T_BF16);
    return narrow && e->kid[0]->kind == N_LOAD && e->kid[0]->nkids == 1;
}

static bool is_product_of_widened(const Node *e)
{
    return e->kind == N_MUL ? is_product_of_widened(e->kid[0]) && is_product_of_widened(e->kid[1]) : is_widened(e);
}

static void print_widened(Emitter *e, Type type, const Node *n)
{
    if (n->kind == N_MUL) {
        print_widened(e, type, n->kid[0]);
        text_puts(e->out, " * ");
        const bool nested = n->kid[1]->kind == N_MUL;
        put_open(e, nested);
        print_widened(e, type, n->kid[1]);
        put_close(e, nested);
        return;
    }
    const Node *load = n->kid[0];
    open_call(e, type, access_name(e, type, load->sym, "all", NULL, NULL));
    print_place(e, load->sym, load->kid[0], "const ");
    text_putc(e->out, ')');
}

/* 16-bit floats are computed with as floats. */
static void print_splat(Emitter *e, const Node *n, int min_prec)
{
    Node *kid = n->kid[0];
    if (is_narrow_float(kid->type) && !type_is_fp8(kid->type))
        kid = kid->kind == N_FLOAT ? mk_float(e->ir, T_FLOAT, kid->u.f) : mk_cast(e->ir, T_FLOAT, kid);
    if (is_product_of_widened(kid)) {
        const bool product = kid->kind == N_MUL && kind_info[N_MUL].precedence < min_prec;
        put_open(e, product);
        print_widened(e, n->type, kid);
        put_close(e, product);
        return;
    }
    print_function(e, n->type, "all", &kid, 1);
}

/* libm's functions without their suffix. */
static void print_libm(Emitter *e, const Node *n)
{
    const char *name = n->sym->name;
    const size_t length = strlen(name);
    const bool suffixed = n->sym->type == T_FLOAT && name[length - 1] == 'f';
    print_function(e, n->type, arena_printf(e->ir->arena, "%.*s", (int)(length - suffixed), name), n->kid, n->nkids);
}

/* Of lanes, or of the whole. */
static void print_choice(Emitter *e, const Node *n, int min_prec)
{
    if (type_is_vector(n->kid[0]->type)) {
        print_function(e, n->type, "select", n->kid, 3);
        return;
    }
    const int prec = kind_info[N_SEL].precedence;
    put_open(e, prec < min_prec);
    print_at(e, n->kid[0], prec + 1);
    text_puts(e->out, " ? ");
    print_at(e, n->kid[1], PREC_ANY);
    text_puts(e->out, " : ");
    print_at(e, n->kid[2], prec);
    put_close(e, prec < min_prec);
}

static const char *fold_name(ReduceOp op)
{
    switch (op) {
    case RED_SUM: return "sum";
    case RED_PRODUCT: return "product";
    case RED_GREATEST: return "greatest";
    case RED_LEAST: return "least";
    case RED_AND: return "and";
    case RED_OR: return "or";
    case RED_XOR: return "xor";
    case RED_FMAX: return "fgreatest";
    case RED_FMIN: return "fleast";
    default: internal_error("emit: reduction %d has no fold", (int)op);
    }
}

static const char *pairwise_name(Pairwise how)
{
    switch (how) {
    case PAIR_SWAP: return "swap";
    case PAIR_EVENS: return "evens";
    case PAIR_ODDS: return "odds";
    case PAIR_LOW: return "zip_low";
    case PAIR_HIGH: return "zip_high";
    case PAIR_SUB_ADD: return "sub_add";
    default: internal_error("emit: pairs have no operation %d", (int)how);
    }
}

void print_vector(Emitter *e, const Node *n, int min_prec)
{
    const char *comparison = comparison_name(n->kind);
    if (comparison) {
        print_function(e, n->kid[0]->type, comparison, n->kid, 2);
        return;
    }
    switch ((Kind)n->kind) {
    case N_SPLAT: print_splat(e, n, min_prec); break;
    case N_IOTA: print_function(e, n->type, "iota", NULL, 0); break;
    case N_FIRST: print_function(e, n->type, "first", n->kid, 1); break;
    case N_ROW_LOAD: print_row_load(e, n); break;
    case N_GATHER:
    case N_MEMBER:
    case N_VLOAD: print_load(e, n); break;
    case N_FOLD: print_function(e, n->kid[0]->type, fold_name((ReduceOp)n->u.i), n->kid, 1); break;
    case N_SEL: print_choice(e, n, min_prec); break;
    case N_DOT: print_function(e, n->kid[0]->type, n->kid[1]->type == n->type ? "dot_pairs" : "dot", n->kid, 2); break;
    case N_PARTIAL: print_function(e, n->kid[0]->type, n->nkids == 2 ? "sad" : "partial", n->kid, n->nkids); break;
    case N_PAIRWISE: print_function(e, n->type, pairwise_name((Pairwise)n->u.i), n->kid, n->nkids); break;
    case N_QUOTIENT: print_function(e, n->type, "quotient", n->kid, 2); break;
    case N_OVER_ROOT: print_function(e, n->type, "over_root", n->kid, 2); break;
    case N_MULADD: print_function(e, n->type, "mul_add", n->kid, 3); break;
    case N_MUL_LOW: print_function(e, n->type, "mul_low", n->kid, 2); break;
    case N_MUL_SHIFT: print_function(e, n->type, "mul_shift", n->kid, 4); break;
    case N_LOW_INT: print_function(e, n->kid[0]->type, "low_int", n->kid, 1); break;
    case N_POPCOUNT: print_function(e, n->type, "popcount", n->kid, 1); break;
    case N_BIT_REVERSE: print_function(e, n->type, "bit_reverse", n->kid, 1); break;
    case N_BYTE_REVERSE: print_function(e, n->type, "byte_reverse", n->kid, 1); break;
    case N_SHL:
    case N_SHR: print_shift(e, n, min_prec); break;
    case N_ANY: print_function(e, n->kid[0]->type, "any", n->kid, 1); break;
    case N_HEAD: print_head(e, n); break;
    case N_AVERAGE:
    case N_ADD_SAT:
    case N_SUB_SAT:
    case N_MUL_HIGH:
    case N_MUL_ROUND:
    case N_MIN:
    case N_MAX: print_function(e, n->type, kind_info[n->kind].name, n->kid, 2); break;
    case N_CALL: print_libm(e, n); break;
    case N_CAST: print_conversion(e, n, min_prec); break;
    default: print_arithmetic(e, n, min_prec);
    }
}
