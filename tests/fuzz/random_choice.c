/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps that structured loops do not have: switches, whose sections end in every way, and labels, in front of and behind what jumps. */
#include "random_statement.h"

#include <string.h>

/* A section's statements: in braces, or one after the other, without declarations, as others jump over them. */
static void section(Gen *g)
{
    if (chance(g, 45)) {
        put(g, "%*s", g->indent * 4 - 1, "");
        braces(g, 1 + (int)draw(g, 2), NULL, NULL, "");
        return;
    }
    for (int n = 1 + (int)draw(g, 2); n > 0; n--)
        line(g, simple(g));
}

static void end_of_section(Gen *g)
{
    uint32_t kind = draw(g, 100);
    if (kind < 62)
        line(g, "break;");
    else if (kind < 70 && g->may_continue)
        line(g, "continue;");
    else if (kind < 78 && g->escape)
        line(g, format(g, "goto %s;", g->escape));
    else if (kind < 90)
        line(g, "/* fall through */");
}

void choice(Gen *g)
{
    const uint32_t values = 3 + draw(g, 5), sections = 2 + draw(g, 4), rest = draw(g, 8);
    uint32_t value = draw(g, 3);
    Place place = enter(g);
    Expr e = fit(g, integer(g, 2), 0, (int64_t)values);
    bool is_call = has(g, EFFECTS) && chance(g, 20), is_conditional = has(g, DIRECTIVES) && chance(g, 20);
    line(g, is_call ? format(g, "switch (next(%s) & 7) {", e.text) : format(g, "switch (%s) {", e.text));
    for (uint32_t i = 0; i < sections; i++) {
        bool is_hidden = is_conditional && i == 1;
        if (is_hidden)
            line(g, "#ifndef NEVER");
        if (i == rest)
            line(g, "default:");
        if (i != rest || chance(g, 50)) {
            line(g, chance(g, 10) ? format(g, "case %u ... %u:", value, value + 1) : format(g, "case %u:", value));
            value += 2;
        }
        g->indent++;
        section(g);
        end_of_section(g);
        g->indent--;
        if (is_hidden)
            line(g, "#endif");
    }
    line(g, "}");
    leave(g, place);
}

/* Unrolled by hand: labels of a switch inside a loop. */
void device(Gen *g)
{
    const char *left = fresh(g, "left");
    Expr e = fit(g, integer(g, 1), 0, 3);
    Place place = enter(g);
    line(g, format(g, "int %s = %u;", left, 1 + draw(g, 3)));
    g->trips *= 4, g->may_continue = false;
    line(g, format(g, "switch (%s) {", e.text));
    static const char *const sections[] = {"case 0: do {", "case 3:", "case 2:", "default:"};
    for (int i = 0; i < 4; i++) {
        line(g, sections[i]);
        line(g, simple(g));
    }
    line(g, format(g, "} while (--%s > 0);", left));
    line(g, "}");
    leave(g, place);
}

/* Statements out of which, and out of whose loops, a goto leads behind them. */
void escape(Gen *g)
{
    const char *label = fresh(g, "out"), *outer = g->escape;
    g->escape = label;
    put(g, "%*s", g->indent * 4 - 1, "");
    braces(g, 3 + (int)draw(g, 3), NULL, NULL, "");
    g->escape = outer;
    line(g, format(g, "%s:", label));
    line(g, chance(g, 30) ? ";" : simple(g));
}

/* Statements to which a goto returns twice. */
void again(Gen *g)
{
    const char *label = fresh(g, "again"), *left = fresh(g, "left");
    Place place = enter(g);
    line(g, format(g, "int %s = 2;", left));
    line(g, format(g, "%s:", label));
    g->trips *= 3;
    put(g, "%*s", g->indent * 4 - 1, "");
    braces(g, 2 + (int)draw(g, 3), NULL, NULL, "");
    leave(g, place);
    const char *more = chance(g, 50) ? format(g, " && (%s)", pure_condition(g, 1).text) : "";
    line(g, format(g, "if (%s-- > 0%s)", left, more));
    line(g, format(g, "    goto %s;", label));
}
