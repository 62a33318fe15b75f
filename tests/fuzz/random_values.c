/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types, random numbers, the memory for texts, and the variables with what is known of their values: which of
 * them may be chosen here, and the facts that a condition adds and its end takes away. Knows nothing of C's syntax. */
#include "random.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const type_name[] = {"bool",     "signed char", "unsigned char", "short", "unsigned short", "int",
                                 "unsigned", "long",        "unsigned long", "float", "double"};

int64_t type_min(Type type)
{
    static const int64_t min[] = {0, SCHAR_MIN, 0, SHRT_MIN, 0, INT_MIN, 0, INT64_MIN, 0, 0, 0};
    return min[type];
}

int64_t type_max(Type type)
{
    static const int64_t max[] = {1, SCHAR_MAX, UCHAR_MAX, SHRT_MAX, USHRT_MAX, INT_MAX, UINT_MAX, INT64_MAX, INT64_MAX, 0, 0};
    return max[type];
}

/* splitmix64 */
uint32_t draw(Gen *g, uint32_t n)
{
    uint64_t z = g->seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

bool chance(Gen *g, int percent) { return (int)draw(g, 100) < percent; }

const char *format(Gen *g, const char *pattern, ...)
{
    va_list args;
    char *at = g->text + g->ntext;
    va_start(args, pattern);
    int n = vsnprintf(at, TEXTS - g->ntext, pattern, args);
    va_end(args);
    if (n < 0 || (size_t)n + 1 > TEXTS - g->ntext) {
        fprintf(stderr, "random: a program grew too large\n");
        exit(1);
    }
    g->ntext += (size_t)n + 1;
    return at;
}

/* ------------------------------------------------------------------------------------ variables and facts */

Var *add(Gen *g, Var var)
{
    if (g->nvars == MAX_VARS) {
        fprintf(stderr, "random: too many variables\n");
        exit(1);
    }
    for (int i = 0; i < g->nvars; i++)
        g->vars[i].shadowed |= !strcmp(g->vars[i].name, var.name);
    g->vars[g->nvars] = var;
    g->vars[g->nvars].at = g->len;
    return &g->vars[g->nvars++];
}

bool is_visible(const Gen *g, int var)
{
    const char *name = g->vars[var].name;
    if (g->hidden && !strcmp(name, g->hidden))
        return false;
    for (int i = var + 1; i < g->nvars; i++)
        if (!strcmp(g->vars[i].name, name))
            return false;
    return true;
}

static int pick_of(Gen *g, Wanted *wanted, bool carriers)
{
    int found[MAX_VARS], n = 0;
    for (int i = 0; i < g->nvars; i++)
        if ((g->vars[i].carries != NOTHING) == carriers && wanted(&g->vars[i]) && is_visible(g, i))
            found[n++] = i;
    if (!n)
        return -1;
    /* Locals more often than the many parameters and globals. */
    int var = found[draw(g, (uint32_t)n)];
    if (chance(g, 40))
        var = found[n - 1 - (int)draw(g, (uint32_t)(n + 2) / 3)];
    return var;
}

int pick(Gen *g, Wanted *wanted) { return pick_of(g, wanted, false); }
int pick_carrier(Gen *g, Wanted *wanted) { return pick_of(g, wanted, true); }

bool is_any(const Gen *g, Wanted *wanted)
{
    for (int i = 0; i < g->nvars; i++)
        if (!g->vars[i].carries && wanted(&g->vars[i]) && is_visible(g, i))
            return true;
    return false;
}

bool is_scalar(const Var *var) { return !var->rank && !is_float_type(var->type) && !var->is_volatile; }
bool is_array(const Var *var) { return var->rank && !is_float_type(var->type); }
bool is_float_array(const Var *var) { return var->rank && is_float_type(var->type); }
bool is_small(const Var *var) { return is_scalar(var) && var->lo >= -2 && var->hi <= 40; }
bool is_counter(const Var *var) { return var->is_counter && is_small(var); }
bool is_volatile(const Var *var) { return !var->rank && var->is_volatile; }
void learn(Gen *g, int var, int64_t lo, int64_t hi, bool nonzero)
{
    if (g->nfacts == MAX_FACTS)
        return;
    Var *v = &g->vars[var];
    g->facts[g->nfacts++] = (Fact){var, *v};
    v->lo = lo > v->lo ? lo : v->lo;
    v->hi = hi < v->hi ? hi : v->hi;
    v->nonzero |= nonzero;
    g->hot = var;
}

void forget(Gen *g, int nfacts, int hot)
{
    while (g->nfacts > nfacts) {
        Fact *f = &g->facts[--g->nfacts];
        bool used = g->vars[f->var].used;
        if (f->var < g->nvars) {
            g->vars[f->var] = f->before;
            g->vars[f->var].used |= used;
        }
    }
    g->hot = hot;
}
