/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches, calls and ends (PTX ISA 9.7.12), and the table of all decoders. Calls are expanded in place: a
 * function's registers and parameters are new ones at each call, and recursion is refused. */
#include <stdio.h>
#include <stdlib.h>

#include "decode.h"
#include "heap.h"

/* ---- branches ---- */

static void add_fix(Decoder *d, const char *label)
{
    if (d->fix_count == d->fix_room) {
        d->fix_room = d->fix_room ? 2 * d->fix_room : 64;
        d->fixes = realloc(d->fixes, (size_t)d->fix_room * sizeof *d->fixes);
    }
    struct Fix *f = &d->fixes[d->fix_count++];
    f->inst = d->code->count - 1;
    f->label = label;
    f->scope = d->stmt->scope;
}

static void decode_bra(Decoder *d)
{
    take(d, "uni");
    finish_parts(d);
    const Operand *to = operand_at(d, 0);
    if (to->kind != O_SYMBOL)
        decode_fail(d, "unsupported target of");
    emit(d, NULL)->flow = FLOW_BRANCH;
    add_fix(d, to->name);
}

static void decode_brx(Decoder *d)
{
    take(d, "uni");
    take(d, "idx");
    finish_parts(d);
    Ref index = source(d, operand_at(d, 0), 4, NULL);
    const Operand *list = operand_at(d, 1);
    Targets *targets = NULL;
    for (Targets *t = d->frame->function->targets; t; t = t->next)
        if (list->name && strcmp(t->name, list->name) == 0 && !targets)
            targets = t;
    if (!targets)
        decode_fail(d, "unknown list of targets of");
    Inst *i = emit(d, NULL);
    i->flow = FLOW_TABLE;
    i->a = index;
    i->extra = targets;
    add_fix(d, NULL);
}

static void decode_exit(Decoder *d)
{
    finish_parts(d);
    emit(d, NULL)->flow = FLOW_EXIT;
}

/* The end of an expanded function is not known yet: decode_call patches it. */
static void decode_ret(Decoder *d)
{
    take(d, "uni");
    finish_parts(d);
    Inst *i = emit(d, NULL);
    i->flow = d->frame->caller ? FLOW_BRANCH : FLOW_EXIT;
    i->flags = (uint32_t)d->frame->depth;
}

/* ---- calls ---- */

static void format_number(char *text, size_t size, const char *format, const uint8_t **argument)
{
    char kind = format[strlen(format) - 1];
    uint64_t bits;
    bool is_long = strstr(format, "l") || strstr(format, "z");
    size_t bytes = strchr("feEgGaAps", kind) || is_long ? 8 : 4;
    *argument = (const uint8_t *)(((uintptr_t)*argument + bytes - 1) / bytes * bytes);
    memcpy(&bits, *argument, 8);
    *argument += bytes;
    double real;
    memcpy(&real, &bits, sizeof real);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (kind == 's')
        snprintf(text, size, format, heap_covers(bits, 1) ? (const char *)heap_host(bits) : "(null)");
    else if (strchr("feEgGaA", kind))
        snprintf(text, size, format, real);
    else if (kind == 'p')
        snprintf(text, size, format, (void *)(uintptr_t)bits);
    else if (bytes == 8)
        snprintf(text, size, format, (long)bits);
    else
        snprintf(text, size, format, (int)bits);
#pragma GCC diagnostic pop
}

/* The device's printf: arguments lie in a buffer of the thread. */
static void print(const char *format, const uint8_t *base, size_t room)
{
    uint8_t copy[1024] __attribute__((aligned(16))) = {0};
    memcpy(copy, base, room < sizeof copy - 16 ? room : sizeof copy - 16);
    const uint8_t *argument = copy;
    while (*format) {
        if (format[0] != '%' || format[1] == '%') {
            putchar(*format);
            format += format[0] == '%' ? 2 : 1;
            continue;
        }
        size_t length = 1 + strspn(format + 1, "-+ #0123456789.lhzj");
        char one[32] = {0}, text[600];
        memcpy(one, format, length + 1 < sizeof one ? length + 1 : sizeof one - 1);
        format_number(text, sizeof text, one, &argument);
        fputs(text, stdout);
        format += length + (format[length] != '\0');
    }
}

static uint64_t local_value(const Warp *w, uint32_t lane, Ref address, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, w->local + lane * w->code->local_size + address, size);
    return value;
}

static void run_printf(Warp *w, const Inst *i, uint32_t mask)
{
    EACH_LANE (l, mask) {
        uint64_t format = local_value(w, l, i->refs[0], 8), arguments = local_value(w, l, i->refs[1], 8);
        const char *text = (const char *)access_memory(w, i, (int)l, SPACE_GENERIC, format, 1, 1);
        uint64_t at = arguments & ~WINDOW_MASK;
        bool has_arguments = (arguments & WINDOW_MASK) == LOCAL_WINDOW && at < w->code->local_size;
        const uint8_t *base = has_arguments ? w->local + l * w->code->local_size + at : NULL;
        uint8_t none = 0;
        print(text, base ? base : &none, base ? w->code->local_size - at : 0);
        uint32_t printed = 1;
        if (i->ref_count > 2)
            memcpy(w->local + l * w->code->local_size + i->refs[2], &printed, 4);
    }
}

static void run_assert(Warp *w, const Inst *i, uint32_t mask)
{
    int l = first_lane(mask);
    const char *text[3];
    for (int k = 0; k < 3; k++) {
        int at = k == 2 ? 3 : k; /* message, file, line, function */
        text[k] = (const char *)access_memory(w, i, l, SPACE_GENERIC, local_value(w, (uint32_t)l, i->refs[at], 8), 1, 1);
    }
    fault(w, i, l, SIM_TRAP, "%s:%u: %s: assertion `%s' failed", text[1], (unsigned)local_value(w, (uint32_t)l, i->refs[2], 4), text[2],
          text[0]);
}

static void run_trap(Warp *w, const Inst *i, uint32_t mask) { fault(w, i, first_lane(mask), SIM_TRAP, "a trap"); }

static Ref place_of(Decoder *d, const Operand *o)
{
    uint64_t address;
    if (o->kind != O_SYMBOL || !o->var || !find_place(d, o->var, &address))
        decode_fail(d, "unsupported argument of");
    return (Ref)address;
}

static bool decode_builtin(Decoder *d, const char *name, const Operand *results, const Operand *arguments)
{
    bool is_printf = strcmp(name, "vprintf") == 0;
    if (!is_printf && strcmp(name, "__assertfail") != 0)
        return false;
    Ref *refs = ptx_new(8 * sizeof *refs);
    int count = 0;
    for (int k = 0; arguments && k < arguments->count && k < 6; k++)
        refs[count++] = place_of(d, &arguments->parts[k]);
    if (results && results->count > 0)
        refs[count++] = place_of(d, &results->parts[0]);
    Inst *i = emit(d, is_printf ? run_printf : run_assert);
    i->refs = refs;
    i->ref_count = count;
    return true;
}

static void bind(Decoder *d, Frame *frame, const Var *formals, const Operand *actuals)
{
    int k = 0;
    for (const Var *v = formals; v; v = v->next, k++) {
        if (!actuals || k >= actuals->count)
            decode_fail(d, "an argument is missing in");
        frame->places = realloc(frame->places, (size_t)(frame->place_count + 1) * sizeof *frame->places);
        frame->places[frame->place_count].var = v;
        frame->places[frame->place_count++].address = place_of(d, &actuals->parts[k]);
    }
}

void decode_call(Decoder *d)
{
    take(d, "uni");
    finish_parts(d);
    const Stmt *stmt = d->stmt;
    int at = stmt->count > 0 && stmt->operands[0].kind == O_LIST ? 1 : 0;
    const Operand *results = at ? &stmt->operands[0] : NULL, *callee = operand_at(d, at);
    const Operand *arguments = stmt->count > at + 1 ? &stmt->operands[at + 1] : NULL;
    if (callee->kind != O_SYMBOL)
        decode_fail(d, "unsupported call through a pointer:");
    if (decode_builtin(d, callee->name, results, arguments))
        return;
    const Function *f = ptx_function(d->module, callee->name);
    if (!f || !f->has_body)
        decode_fail(d, "unsupported call of %s, which has no body:", callee->name);
    int skip = -1;
    if (d->guard != NO_REF) {
        Inst *i = emit(d, NULL);
        i->flow = FLOW_BRANCH;
        i->is_guard_negated = !d->is_guard_negated;
        skip = d->code->count - 1;
    }
    Frame frame = {.function = f, .depth = d->frame->depth + 1};
    if (frame.depth > 30)
        decode_fail(d, "unsupported recursion in");
    bind(d, &frame, f->returns, results);
    bind(d, &frame, f->params, arguments);
    d->guard = NO_REF;
    int first = d->code->count;
    decode_body(d, &frame);
    for (int k = first; k < d->code->count; k++)
        if (d->code->insts[k].flow == FLOW_BRANCH && d->code->insts[k].target < 0 && d->code->insts[k].flags == (uint32_t)frame.depth)
            d->code->insts[k].target = d->code->count;
    if (skip >= 0)
        d->code->insts[skip].target = d->code->count;
    free(frame.places);
    d->stmt = stmt;
}

/* ---- instructions that change nothing here ---- */

static void decode_nothing(Decoder *d) { (void)d; }

static void run_nothing(Warp *w, const Inst *i, uint32_t mask) { (void)w, (void)i, (void)mask; }

static void decode_nanosleep(Decoder *d) { emit(d, run_nothing)->flow = FLOW_SPIN; }

static void decode_trap(Decoder *d) { emit(d, run_trap); }

/* ---- the table ---- */

Decode decode_setp, decode_selp, decode_slct, decode_set, decode_testp, decode_cvt, decode_mov, decode_logic, decode_cvta, decode_isspacep,
    decode_lop3, decode_carry, decode_ld, decode_st, decode_atom, decode_red, decode_bar, decode_barrier, decode_shfl, decode_vote,
    decode_match, decode_redux, decode_activemask, decode_elect, decode_cp, decode_mma, decode_ldmatrix, decode_stmatrix, decode_movmatrix,
    decode_mbarrier, decode_fence, decode_setmaxnreg, decode_mapa, decode_getctarank, decode_wgmma, decode_griddepcontrol;

static const struct {
    const char *first;
    Decode *decode;
} decoders[] = {
    {"ld", decode_ld},
    {"ldu", decode_ld},
    {"st", decode_st},
    {"mov", decode_mov},
    {"setp", decode_setp},
    {"bra", decode_bra},
    {"cvt", decode_cvt},
    {"selp", decode_selp},
    {"cvta", decode_cvta},
    {"and", decode_logic},
    {"or", decode_logic},
    {"xor", decode_logic},
    {"not", decode_logic},
    {"lop3", decode_lop3},
    {"add", decode_carry},
    {"sub", decode_carry},
    {"mad", decode_carry},
    {"addc", decode_carry},
    {"subc", decode_carry},
    {"madc", decode_carry},
    {"set", decode_set},
    {"slct", decode_slct},
    {"testp", decode_testp},
    {"isspacep", decode_isspacep},
    {"brx", decode_brx},
    {"exit", decode_exit},
    {"ret", decode_ret},
    {"call", decode_call},
    {"trap", decode_trap},
    {"brkpt", decode_trap},
    {"nanosleep", decode_nanosleep},
    {"prefetch", decode_nothing},
    {"prefetchu", decode_nothing},
    {"applypriority", decode_nothing},
    {"discard", decode_nothing},
    {"pmevent", decode_nothing},
    {"setmaxnreg", decode_setmaxnreg},
    {"atom", decode_atom},
    {"red", decode_red},
    {"bar", decode_bar},
    {"barrier", decode_barrier},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"match", decode_match},
    {"redux", decode_redux},
    {"activemask", decode_activemask},
    {"elect", decode_elect},
    {"membar", decode_fence},
    {"fence", decode_fence},
    {"cp", decode_cp},
    {"mma", decode_mma},
    {"ldmatrix", decode_ldmatrix},
    {"stmatrix", decode_stmatrix},
    {"movmatrix", decode_movmatrix},
    {"mbarrier", decode_mbarrier},
    {"mapa", decode_mapa},
    {"getctarank", decode_getctarank},
    {"wgmma", decode_wgmma},
    {"griddepcontrol", decode_griddepcontrol},
};

Decode *find_decoder(const char *first)
{
    for (size_t k = 0; k < sizeof decoders / sizeof decoders[0]; k++)
        if (strcmp(decoders[k].first, first) == 0)
            return decoders[k].decode;
    return NULL;
}
