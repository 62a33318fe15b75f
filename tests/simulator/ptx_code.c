/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies of functions: declarations, labels, instructions and their operands (PTX ISA 4.3, 6). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

static Reg *new_reg(Parser *p, const char *name, TypeWidth width)
{
    Function *f = p->function;
    if (f->reg_count == f->reg_room) {
        f->reg_room = f->reg_room ? 2 * f->reg_room : 256;
        f->regs = realloc(f->regs, (size_t)f->reg_room * sizeof *f->regs);
    }
    Reg *reg = ptx_new(sizeof *reg);
    reg->name = name;
    reg->width = width;
    reg->index = f->reg_count;
    f->regs[f->reg_count++] = reg;
    ptx_declare_reg(p, reg);
    return reg;
}

/* .reg .b32 %r<10>, x; */
static void registers(Parser *p)
{
    int bytes;
    const char *type = ptx_word(p);
    TypeWidth width = type ? ptx_type(type, &bytes) : T_NONE;
    if (width == T_NONE) {
        ptx_error(p, "unknown register type %s", type ? type : "");
        return;
    }
    do {
        const char *name = ptx_word(p);
        if (!name) {
            ptx_error(p, "expected a register's name");
            return;
        }
        if (ptx_accept(p, "<")) {
            int count = (int)ptx_integer(p);
            ptx_expect(p, ">");
            for (int i = 0; i < count; i++) {
                char text[200];
                int n = snprintf(text, sizeof text, "%s%d", name, i);
                new_reg(p, ptx_copy(text, (size_t)n), width);
            }
        } else {
            new_reg(p, name, width);
        }
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
}

static void variable(Parser *p, Space space)
{
    do {
        Var *var = ptx_variable(p, space, false);
        if (p->failed)
            return;
        var->index = p->function->var_count++;
        var->next = p->function->vars;
        p->function->vars = var;
        ptx_declare_var(p, var);
    } while (ptx_accept(p, ","));
    ptx_expect(p, ";");
}

static void operand(Parser *p, Operand *o);

static void parts(Parser *p, Operand *o, const char *close)
{
    Operand list[300];
    int count = 0;
    while (!p->failed && !ptx_accept(p, close)) {
        if (count == 300) {
            ptx_error(p, "too many operands");
            return;
        }
        operand(p, &list[count++]);
        ptx_accept(p, ",");
    }
    o->count = count;
    o->parts = ptx_new((size_t)count * sizeof *list);
    memcpy(o->parts, list, (size_t)count * sizeof *list);
}

static void name(Parser *p, Operand *o, const char *word)
{
    o->reg = ptx_find_reg(p, word);
    o->name = word;
    if (o->reg) {
        o->kind = O_REG;
        return;
    }
    if (strcmp(word, "_") == 0) {
        o->kind = O_SINK;
        return;
    }
    o->kind = word[0] == '%' ? O_SPECIAL : strcmp(word, "WARP_SZ") == 0 ? O_INT : O_SYMBOL;
    o->value = o->kind == O_INT ? 32 : 0;
    if (o->kind == O_SYMBOL)
        o->var = ptx_find_var(p, word);
}

/* + 8, +-8, - 8 */
static int64_t offset(Parser *p)
{
    int64_t value = 0;
    while (ptx_accept(p, "+"))
        value += ptx_integer(p);
    ptx_skip(p);
    if (p->at < p->end && *p->at == '-')
        value += ptx_integer(p);
    return value;
}

static void operand(Parser *p, Operand *o)
{
    memset(o, 0, sizeof *o);
    if (ptx_accept(p, "!"))
        o->is_negated = true;
    if (ptx_accept(p, "{")) {
        o->kind = O_VECTOR;
        parts(p, o, "}");
    } else if (ptx_accept(p, "(")) {
        o->kind = O_LIST;
        parts(p, o, ")");
    } else if (ptx_accept(p, "[")) {
        o->kind = O_ADDRESS;
        parts(p, o, "]");
        if (o->count > 0) {
            o->value = o->parts[0].kind == O_SYMBOL || o->parts[0].kind == O_REG ? o->parts[0].value : 0;
            if (o->parts[0].kind == O_SYMBOL || o->parts[0].kind == O_REG)
                o->parts[0].value = 0;
        }
    } else if (!ptx_number(p, o)) {
        const char *word = ptx_word(p);
        if (!word) {
            ptx_error(p, "expected an operand before \"%.20s\"", p->at);
            return;
        }
        name(p, o, word);
        if (o->kind == O_SYMBOL || o->kind == O_REG)
            o->value = offset(p);
    }
    if (ptx_accept(p, "|")) {
        Operand first = *o;
        memset(o, 0, sizeof *o);
        o->kind = O_PAIR;
        o->count = 2;
        o->parts = ptx_new(2 * sizeof *o);
        o->parts[0] = first;
        operand(p, &o->parts[1]);
    }
}

static Stmt *new_stmt(Parser *p)
{
    Function *f = p->function;
    if (f->stmt_count == f->stmt_room) {
        f->stmt_room = f->stmt_room ? 2 * f->stmt_room : 256;
        f->stmts = realloc(f->stmts, (size_t)f->stmt_room * sizeof *f->stmts);
    }
    Stmt *s = &f->stmts[f->stmt_count++];
    memset(s, 0, sizeof *s);
    s->line = p->line;
    s->scope = p->scope->id;
    return s;
}

static void instruction(Parser *p, const char *opcode, const Reg *guard, bool is_negated)
{
    Stmt s = *new_stmt(p);
    Operand list[MAX_OPERANDS];
    int count = 0;
    s.opcode = opcode;
    s.guard = guard;
    s.is_guard_negated = is_negated;
    while (!p->failed && !ptx_accept(p, ";")) {
        if (count == MAX_OPERANDS) {
            ptx_error(p, "too many operands");
            return;
        }
        operand(p, &list[count++]);
        ptx_accept(p, ",");
    }
    s.count = count;
    s.operands = ptx_new((size_t)count * sizeof *list);
    memcpy(s.operands, list, (size_t)count * sizeof *list);
    p->function->stmts[p->function->stmt_count - 1] = s;
}

/* name: .branchtargets a, b; */
static void branch_targets(Parser *p, const char *label)
{
    Targets *t = ptx_new(sizeof *t);
    t->name = label;
    t->labels = ptx_new(1024 * sizeof *t->labels);
    t->scope = p->scope->id;
    do {
        if (t->count == 1024)
            ptx_error(p, "too many branch targets");
        else
            t->labels[t->count++] = ptx_word(p);
    } while (!p->failed && ptx_accept(p, ","));
    ptx_expect(p, ";");
    t->next = p->function->targets;
    p->function->targets = t;
}

static void guarded(Parser *p)
{
    bool is_negated = ptx_accept(p, "!");
    const char *word = ptx_word(p);
    const Reg *guard = word ? ptx_find_reg(p, word) : NULL;
    if (!guard || guard->width != T_PRED) {
        ptx_error(p, "%s is not a predicate", word ? word : "this");
        return;
    }
    const char *opcode = ptx_word(p);
    if (opcode)
        instruction(p, opcode, guard, is_negated);
    else
        ptx_error(p, "expected an instruction");
}

void ptx_body(Parser *p)
{
    int depth = 0;
    while (!p->failed) {
        if (ptx_accept(p, "{")) {
            ptx_open(p);
            depth++;
            continue;
        }
        if (ptx_accept(p, "}")) {
            if (depth-- == 0)
                return;
            ptx_close(p);
            continue;
        }
        if (ptx_accept(p, ";"))
            continue;
        if (ptx_accept(p, "@")) {
            guarded(p);
            continue;
        }
        const char *word = ptx_word(p);
        if (!word) {
            ptx_error(p, "expected an instruction before \"%.20s\"", p->at < p->end ? p->at : "the end");
        } else if (strcmp(word, ".reg") == 0) {
            registers(p);
        } else if (strcmp(word, ".local") == 0) {
            variable(p, SPACE_LOCAL);
        } else if (strcmp(word, ".shared") == 0) {
            variable(p, SPACE_SHARED);
        } else if (strcmp(word, ".param") == 0) {
            variable(p, SPACE_PARAM);
        } else if (strcmp(word, ".loc") == 0 || strcmp(word, ".file") == 0) {
            ptx_skip_line(p);
        } else if (strcmp(word, ".pragma") == 0) {
            while (p->at < p->end && *p->at != ';')
                p->at++;
        } else if (word[0] == '.') {
            ptx_error(p, "unknown directive %s", word);
        } else if (ptx_accept(p, ":")) {
            if (ptx_accept(p, ".branchtargets")) {
                branch_targets(p, word);
            } else if (ptx_accept(p, ".callprototype")) {
                while (p->at < p->end && *p->at != ';')
                    p->at++;
            } else {
                new_stmt(p)->name = word;
            }
        } else {
            instruction(p, word, NULL, false);
        }
    }
}
