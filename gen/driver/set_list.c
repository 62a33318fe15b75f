/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of plan/isa.def, with their bases. */
#include "gen/driver/set_list.h"

#include <stdio.h>
#include <string.h>

#include "gen/driver/nearest.h"
#include "plan/targets.h"

/* What is wrong with a list, and what to write. */
typedef struct SetFault {
    char what[160], help[240];
} SetFault;

static const char *names_between_blanks(char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < ISA_COUNT && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", isa_name(i));
    return text;
}

/* Adds the set that the first `len` characters name; false: there is none, and *fault says so. */
static bool add(unsigned *held, const char *name, size_t len, SetFault *fault)
{
    const char *names[ISA_COUNT + 1] = {NULL};
    const bool alone = len > 0 && name[len - 1] == '!';
    char word[40], all[120], meant[60] = "";
    for (int i = 0; i < ISA_COUNT; i++)
        names[i] = isa_name(i);
    len -= alone;
    snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
    int isa = isa_named(word);
    if (isa == ISA_COUNT) {
        const char *near = *word ? nearest_word(word, strlen(word), names) : NULL;
        if (near)
            snprintf(meant, sizeof meant, "did you mean '%s'? ", near);
        snprintf(fault->what, sizeof fault->what, "there is no instruction set '%s'", word);
        snprintf(fault->help, sizeof fault->help, "%sknown are %s", meant, names_between_blanks(all, sizeof all));
        return false;
    }
    for (*held |= 1u << isa; !alone && isa_info[isa].base != (Isa)isa; *held |= 1u << isa)
        isa = (int)isa_info[isa].base;
    return true;
}

/* Sets that add products to another one are of use with it only. */
static bool stand(unsigned held, SetFault *fault)
{
    for (int i = 0; i < ISA_COUNT; i++) {
        const char *base = isa_name((int)isa_info[i].base);
        if (!(held >> i & 1) || isa_kernels[i][FAM_F32].text || held >> isa_info[i].base & 1)
            continue;
        snprintf(fault->what, sizeof fault->what, "%s adds instructions to %s, which is not among the sets", isa_name(i), base);
        snprintf(fault->help, sizeof fault->help, "name %s, too, or write %s without the !", base, isa_name(i));
        return false;
    }
    return true;
}

bool set_list_read(const char *list, unsigned *held)
{
    SetFault fault;
    bool good = true;
    *held = 0;
    for (const char *p = list; good;) {
        const size_t len = strcspn(p, ",");
        good = add(held, p, len, &fault);
        if (!p[len])
            break;
        p += len + 1;
    }
    if (good && stand(*held, &fault))
        return true;
    fprintf(stderr, "mikgen: error: --sets=%s: %s\nhelp: %s\n", list, fault.what, fault.help);
    return false;
}

unsigned set_list_of(Ir *ir, const Options *opt, const Unit *unit)
{
    const Wishes *wishes = &unit->wishes;
    unsigned held = 0;
    SetFault fault;
    if (opt->planner.kernels.held || !wishes->sets)
        return opt->planner.kernels.held;
    Loc loc = {0, 0};
    int word = 0;
    for (const char *p = wishes->sets; *p; word++) {
        const size_t len = strcspn(p, ",");
        loc = wishes->set_locs[word];
        if (!add(&held, p, len, &fault)) {
            diag_error(ir->diag, loc, fault.help, "%s", fault.what);
            return 0;
        }
        p += len + (p[len] == ',');
    }
    if (!stand(held, &fault))
        diag_error(ir->diag, loc, fault.help, "%s", fault.what);
    return held;
}
