/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/describe.h"

#include <stdio.h>
#include <string.h>

static const char begins[] = "measured on ";

static bool is_machine(const char *comment) { return strncmp(comment, begins, strlen(begins)) == 0; }

bool describe_machine(Arena *arena, Session *session, const char *words, Profile *profile)
{
    const char *machine = session_ask(session, "machine"), *compiler = session_ask(session, "compiler");
    if (!machine || !compiler)
        return false;
    const char *line = arena_printf(arena, "%s%s; %s%s%s", begins, machine, compiler, *words ? ", " : "", words), *have;
    for (int i = 0; (have = profile_comment(profile, i)); i++)
        if (is_machine(have) && strcmp(have, line) != 0) {
            fprintf(stderr,
                    "mikgen: error: the profile to go on with was %s; now it would be %s\nhelp: --fresh starts over, "
                    "another file leaves this one alone\n",
                    have, line);
            return false;
        }
    profile_add_comment(arena, profile, line);
    return true;
}

const char *machine_line(const Profile *profile)
{
    const char *comment;
    for (int i = 0; (comment = profile_comment(profile, i)); i++)
        if (is_machine(comment))
            return comment;
    return NULL;
}
