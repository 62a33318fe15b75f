/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which word is wrong, and what it may have been. */
#include "gen/driver/option_words.h"

#include <string.h>
#include <unistd.h>

#include "gen/driver/nearest.h"
#include "gen/driver/options_agree.h"

const char *option_next(int argc, char *const argv[], int at, bool in_front)
{
    while (at < argc && !in_front && (argv[at][0] != '-' || !argv[at][1]))
        at++;
    return at < argc ? argv[at] : NULL;
}

/* The names of all options, NULL at the end. */
static const char *const *names_of(Arena *arena, const struct option *all)
{
    Vec names = {0};
    for (; all->name; all++)
        vec_push(arena, &names, (void *)all->name);
    vec_push(arena, &names, NULL);
    return (const char *const *)names.items;
}

/* The options that begin with these characters, as a list; how many. */
static int beginning_with(Arena *arena, const struct option *all, const char *name, size_t len, const char **list)
{
    int n = 0;
    for (*list = ""; all->name; all++)
        if (strncmp(all->name, name, len) == 0)
            *list = arena_printf(arena, "%s%s--%s", *list, n++ ? ", " : "", all->name);
    return n;
}

static const char *name_of(const struct option *all, int which)
{
    while (all->name && all->val != which)
        all++;
    return all->name;
}

static bool refuse_unknown(Arena *arena, const struct option *all, const char *word, const char *command)
{
    const char *name = word + strspn(word, "-"), *list;
    const bool is_long = word[1] == '-';
    const size_t len = strcspn(name, "=");
    if (is_long && len && beginning_with(arena, all, name, len, &list) > 1)
        return option_wrong("%s may be several options", word, arena_printf(arena, "write more of its name: %s", list));
    const char *near = len > 1 ? nearest_word(name, len, names_of(arena, all)) : NULL;
    if (near)
        return option_wrong("there is no option %s", word, arena_printf(arena, "did you mean --%s%s?", near, name + len));
    return option_wrong("there is no option %s", word,
                        arena_printf(arena,
                                     is_long ? "%s --help lists the options"
                                             : "%s --help lists the options; with one dash there are -o, -D, -U, -I, -p, -isystem and -h",
                                     command));
}

bool option_refused(Arena *arena, const struct option *all, const char *word, int result, int which, const char *command)
{
    const char *known = name_of(all, which);
    if (result == ':')
        return option_wrong("option %s needs a value", known ? arena_printf(arena, "--%s", known) : word,
                            arena_printf(arena, "%s --help lists the options", command));
    if (known)
        return option_wrong("option --%s takes no value", known, arena_printf(arena, "write --%s", known));
    return refuse_unknown(arena, all, word, command);
}

bool option_is_long(const struct option *all, const char *word)
{
    const size_t len = strcspn(word, "=");
    while (all->name && (strlen(all->name) != len || strncmp(all->name, word, len) != 0))
        all++;
    return all->name;
}

bool option_is_operand(Arena *arena, const struct option *all, const char *word)
{
    static const char *const commands[] = {"tune", "cc", NULL};
    if (strpbrk(word, "./-@") || access(word, F_OK) == 0)
        return true;
    const char *near = nearest_word(word, strlen(word), commands);
    if (near && strcmp(near, word) == 0)
        return option_wrong("the command %s stands behind options", word, arena_printf(arena, "write: mikgen %s [options] ...", word));
    if (near)
        return option_wrong("there is no file '%s', and no such command", word, arena_printf(arena, "did you mean mikgen %s?", near));
    for (; all->name; all++)
        if (strcmp(all->name, word) == 0)
            return option_wrong("there is no file '%s', and no such command", word, arena_printf(arena, "did you mean mikgen --%s?", word));
    return true;
}
