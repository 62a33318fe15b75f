/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the notes of licm by place and prints a line for each. */
#include "gen/explain_licm.h"

#include <string.h>

#include "ir/licm_options.h"

/* The words of LicmNote.rule, and what they mean to a reader. */
static const struct {
    const char *rule, *meaning;
} rules[] = {
    {"loads", "a load, and loads do not move (--licm-loads=proven moves those that are proven safe)"},
    {"traps", "it may fault (division, shift, load), and further out it would be evaluated where the source does not"},
    {"overflow", "it may overflow, and further out it would be evaluated where the source does not (--overflow=keep)"},
    {"barrier", "the loop contains a barrier (--licm-barrier=strict)"},
    {"small", "the loop is unrolled, so leaving it saves nothing (--unroll-limit)"},
    {"rare", "it is under an if in a loop that may run once, and cheap"},
    {"step", "further out it would be done in unsigned, and compilers would no longer see what each trip adds to it"},
    {"cost", "it costs less than the threshold (--licm-threshold)"},
    {"impure", "it has side effects or reads a volatile object"},
    {"nvcc", "nvcc moves it by itself, and nothing else moves in this function"},
    {"exception", "it may raise a floating-point exception or set errno, and further out it would be evaluated where the source does not "
                  "(--licm-fp=speculative)"},
    {"float", "floating-point expressions stay (--licm-fp=none)"},
};

const char *licm_rule_meaning(const char *rule)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].rule, rule) == 0)
            return rules[i].meaning;
    return rule;
}

static int line_of(const Ir *ir, Loc loc)
{
    int line, column;
    diag_line_column(ir->diag, loc, &line, &column);
    return line;
}

/* Passes make loops without a place in the text; those go by the name of their variable. */
static void put_loop(const Ir *ir, const Node *loop, Text *out)
{
    int line = line_of(ir, loop->loc);
    if (line)
        text_printf(out, "the loop at line %d", line);
    else
        text_printf(out, "the loop over %s", loop->sym ? loop->sym->name : "a condition");
}

/* What became of the expression. */
static void put_fate(const Ir *ir, const LicmNote *note, Text *out)
{
    if (note->is_branch) {
        text_puts(out, "  the `if` moves around ");
        put_loop(ir, note->loop, out);
        return;
    }
    if (note->cost >= 0)
        text_printf(out, "  cost %d", note->cost);
    if (note->loop) {
        text_puts(out, note->cost < 0 ? "  has its value from in front of " : "  hoisted in front of ");
        put_loop(ir, note->loop, out);
        if (note->rule)
            text_printf(out, "; not further: %s (%s)", licm_rule_meaning(note->rule), note->rule);
    } else {
        text_printf(out, "  stays: %s (%s)", note->rule ? licm_rule_meaning(note->rule) : "its value is known already",
                    note->rule ? note->rule : "available");
    }
}

static void put_note(Ir *ir, const Keep *keep, const LicmNote *note, Text *out)
{
    const Loc loc = note->stmt && note->stmt->loc.beg ? note->stmt->loc : note->e->loc;
    const int line = line_of(ir, loc);
    text_puts(out, diag_name(ir->diag, loc));
    if (line)
        text_printf(out, ":%d", line);
    text_printf(out, ": %s", keep_expr(ir, keep, note->e));
    put_fate(ir, note, out);
    text_putc(out, '\n');
}

void explain_licm_remark(Ir *ir, const Keep *keep, const LicmNote *note)
{
    Text text;
    text_init(&text, ir->arena);
    text_puts(&text, keep_expr(ir, keep, note->e));
    put_fate(ir, note, &text);
    const Loc loc = note->e->loc.beg || !note->stmt ? note->e->loc : note->stmt->loc;
    diag_remark(ir->diag, loc, note->loop ? "optimized" : "missed", "%s", text.data);
}

void explain_licm(Ir *ir, const Keep *keep, const Vec *notes, Text *out)
{
    for (int i = 0; i < notes->count; i++)
        put_note(ir, keep, notes->items[i], out);
}
