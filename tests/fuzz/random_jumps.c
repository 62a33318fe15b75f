/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints specs whose operators jump: break, continue and return in loops, branches, switches and helpers, in all their mixtures; some return
 * a value. Arithmetic is on unsigned numbers, so that every order of the same operations gives the same bits. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

enum { MOST_LOOPS = 3, MOST_DEPTH = 6 };

typedef struct Jumps {
    Gen *g;
    bool rows, columns; /* loops over them are open: variables r and c       */
    int loops, depth;
    bool in_switch; /* which `break` leaves                                */
    int names; /* variables of other loops so far                     */
    int counter; /* number of the innermost other loop's variable, or -1 */
    const char *result; /* type of what the function returns; NULL: nothing    */
    bool is_helper;
} Jumps;

static void statements(Jumps *j, int most);

/* Something that differs from iteration to iteration. */
static const char *atom(Jumps *j)
{
    Gen *g = j->g;
    if (j->is_helper)
        return chance(g, 50) ? "a" : "b";
    if (j->rows && j->columns && chance(g, 50))
        return chance(g, 70) ? "(unsigned)x[r][c]" : "y[r][c]";
    if (j->counter >= 0 && chance(g, 30))
        return format(g, "(unsigned)i%d", j->counter);
    return j->rows && chance(g, 40) ? "z[r]" : chance(g, 60) ? "s" : "t";
}

static const char *condition_of(Jumps *j, int depth)
{
    Gen *g = j->g;
    if (depth > 0 && chance(g, 25)) {
        const char *left = condition_of(j, depth - 1), *right = condition_of(j, depth - 1);
        return format(g, chance(g, 50) ? "%s && %s" : "(%s || %s)", left, right);
    }
    if (depth > 0 && chance(g, 10))
        return format(g, "!(%s)", condition_of(j, depth - 1));
    if (!j->is_helper && chance(g, 15))
        return chance(g, 50) ? format(g, "N > %u", draw(g, 9)) : format(g, "M != %u", draw(g, 9));
    const unsigned of = 3 + 2 * draw(g, 3); /* of tests of single bits gcc says when they exclude each other */
    const char *value = atom(j);
    const unsigned to = draw(g, of);
    return format(g, chance(g, 60) ? "%s %% %uu == %uu" : "%s %% %uu > %uu", value, of, to);
}

static void simple_statement(Jumps *j)
{
    Gen *g = j->g;
    const char *value = atom(j);
    if (j->is_helper)
        line(g, chance(g, 50) ? format(g, "a = a * 3u + %s;", value) : "b ^= a >> 1;");
    else if (j->rows && j->columns && chance(g, 40))
        line(g, format(g, "y[r][c] %s %s;", chance(g, 50) ? "=" : "+=", value));
    else if (j->rows && chance(g, 30))
        line(g, format(g, "z[r] += %s;", value));
    else if (chance(g, 25))
        line(g, format(g, "t += helper(%s, %s);", atom(j), value));
    else
        line(g, chance(g, 50) ? format(g, "s = s * 5u + %s;", value) : format(g, "t ^= s + %s;", value));
}

static void block_of(Jumps *j, const char *head, const char *first, int most)
{
    const Jumps outer = *j;
    line(j->g, format(j->g, "%s {", head));
    j->g->indent++;
    j->depth++;
    if (first)
        line(j->g, first);
    if (chance(j->g, 15)) /* hides another */
        line(j->g, j->is_helper ? "unsigned hidden = a + 1u;" : "unsigned t = s + 1u;");
    statements(j, most);
    j->g->indent--;
    j->depth--;
    j->loops = outer.loops, j->rows = outer.rows, j->columns = outer.columns, j->counter = outer.counter;
    line(j->g, "}");
}

static void jump(Jumps *j)
{
    Gen *g = j->g;
    const uint32_t kind = draw(g, 10);
    if ((j->loops || j->in_switch) && kind < 8)
        line(g, kind < 4 || !j->loops ? "break;" : "continue;");
    else if (!j->result)
        line(g, "return;");
    else
        line(g, format(g, "return (%s)(%s);", j->result, atom(j)));
}

static void branch(Jumps *j)
{
    Gen *g = j->g;
    const char *head = format(g, "if (%s)", condition_of(j, 2));
    if (chance(g, 50)) {
        line(g, format(g, "%s {", head));
        g->indent++;
        if (chance(g, 40))
            simple_statement(j);
        jump(j);
        g->indent--;
        line(g, "}");
    } else {
        block_of(j, head, NULL, 3);
    }
    if (chance(g, 30))
        block_of(j, chance(g, 40) ? format(g, "else if (%s)", condition_of(j, 1)) : "else", NULL, 3);
}

static void loop_over(Jumps *j)
{
    Gen *g = j->g;
    const bool rows = !j->is_helper && !j->rows && chance(g, 60), columns = !rows && !j->is_helper && !j->columns && chance(g, 80);
    const char *name = rows ? "r" : columns ? "c" : format(g, "i%d", j->names), *bound = rows ? "M" : columns ? "N" : "5";
    const bool outside = chance(g, 25), has_step = !j->is_helper && chance(g, 20);
    const char *type = outside ? "" : "int ", *step = has_step ? ", t++" : "";
    const char *head = NULL, *first = NULL;
    if (outside) /* a scope for it, behind whose loop it is read */
        line(g, "{"), g->indent++, line(g, format(g, "int %s;", name));
    switch (draw(g, 4)) {
    case 0: head = format(g, "for (%s%s = %s - 1; %s >= 0; %s--%s)", type, name, bound, name, name, step); break;
    case 1:
        head = format(g, "for (%s%s = 0;; %s++%s)", type, name, name, step);
        first = format(g, "if (%s >= %s) break;", name, bound);
        break;
    default: head = format(g, "for (%s%s = 0; %s < %s; %s++%s)", type, name, name, bound, name, step);
    }
    const Jumps outer = *j;
    j->rows |= rows, j->columns |= columns, j->loops++, j->in_switch = false;
    if (!rows && !columns)
        j->counter = j->names++;
    block_of(j, head, first, 4);
    *j = (Jumps){j->g,     outer.rows,    outer.columns, outer.loops, outer.depth, outer.in_switch,
                 j->names, outer.counter, j->result,     j->is_helper};
    if (outside) {
        line(g, format(g, "%s += (unsigned)%s;", j->is_helper ? "a" : "s", name));
        g->indent--;
        line(g, "}");
    }
}

/* A switch whose sections end in all ways; their labels are drawn without order. */
static void choice(Jumps *j)
{
    Gen *g = j->g;
    const bool outer = j->in_switch;
    const uint32_t values = 3 + draw(g, 5), sections = 1 + draw(g, 4), rest = draw(g, 8);
    uint32_t value = draw(g, values);
    const char *begin = chance(g, 80) ? "switch (%s %% %uu) {" : "switch ((int)(%s %% %uu) - 1) {";
    line(g, format(g, begin, atom(j), values));
    j->in_switch = true;
    for (uint32_t i = 0; i < sections && i < values; i++) {
        if (i == rest)
            line(g, "default:");
        if (i != rest || chance(g, 50))
            line(g, format(g, "case %u:", value)), value = (value + 1) % values;
        if (i + 1 < values && i + 1 == sections && chance(g, 30))
            line(g, format(g, "case %u:", value));
        j->depth += 2; /* there are several */
        block_of(j, "", NULL, 1);
        j->depth -= 2;
        if (chance(g, 70))
            jump(j);
    }
    j->in_switch = outer;
    line(g, "}");
}

static void statement_of(Jumps *j)
{
    Gen *g = j->g;
    const uint32_t kind = draw(g, 10);
    if (j->depth < MOST_DEPTH && j->loops < MOST_LOOPS && kind < 3)
        loop_over(j);
    else if (j->depth < MOST_DEPTH && kind < 6)
        branch(j);
    else if (j->depth < MOST_DEPTH && kind < 7)
        chance(j->g, 50) ? choice(j) : block_of(j, "", NULL, 3);
    else
        simple_statement(j);
}

static void statements(Jumps *j, int most)
{
    for (int left = 1 + (int)draw(j->g, (uint32_t)most); left > 0; left--)
        statement_of(j);
}

/* The text of a function's body. */
static const char *body_of(Jumps *j, int most)
{
    Gen *g = j->g;
    g->indent = 1, g->len = 0, g->out[0] = '\0';
    statements(j, most);
    return format(g, "%s", g->out);
}

static void operator_of(Gen *g, long number)
{
    static const char *const results[] = {"unsigned", "int64_t", "uint8_t", "bool"};
    g->seed = (uint64_t)number * 0x2545f4914f6cdd1du + 1;
    g->ntext = 0;
    Jumps helper = {.g = g, .result = "unsigned", .is_helper = true, .counter = -1};
    Jumps j = {.g = g, .counter = -1, .result = chance(g, 40) ? results[draw(g, 4)] : NULL};
    printf("static unsigned helper%ld(unsigned a, unsigned b)\n{\n%s    return a + b;\n}\n\n", number, body_of(&helper, 4));
    printf("#define helper helper%ld\n%s jumps%ld(int M, int N, const int x[M][N], unsigned y[M][N], unsigned z[M], unsigned st[2])\n{\n"
           "    unsigned s = 1, t = 2;\n%s    st[0] = s;\n    st[1] = t;\n",
           number, j.result ? j.result : "void", number, body_of(&j, 6));
    if (j.result)
        printf("    return (%s)s;\n", j.result);
    printf("}\n#undef helper\n\n");
}

int main(int argc, char **argv)
{
    Gen *g = calloc(1, sizeof *g);
    char *out = malloc(TEXTS), *text = malloc(TEXTS);
    if (argc < 3 || !g || !out || !text) {
        fputs("usage: random_jumps FIRST COUNT [KIND]\n", stderr);
        return 2;
    }
    g->out = out, g->text = text;
    const long first = atol(argv[1]), count = atol(argv[2]);
    for (long number = first; number < first + count; number++)
        operator_of(g, number);
    free(out), free(text), free(g);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
