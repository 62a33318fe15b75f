/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files of --profile one above the other; the built-in profiles are texts in the executable. */
#include "gen/driver/profiles.h"

#include <string.h>

#include "gen/driver/file.h"
#include "plan/kernels/gpu.h"

enum { PROFILE_LIMIT = 1 << 22 }; /* bytes */

Profile *profiles_read(Arena *arena, const char *path, const Profile *below)
{
    size_t len;
    const char *text = file_read(arena, path, PROFILE_LIMIT + 1, &len);
    if (!text)
        return NULL;
    Diag *diag = diag_new(arena, strcmp(path, "-") == 0 ? "<stdin>" : path, text, len, stderr);
    const char *zero = memchr(text, 0, len);
    if (len > PROFILE_LIMIT)
        diag_error(diag, (Loc){0, 0}, "a profile has a line for each kernel", "this profile is larger than 4 MB");
    else if (zero)
        diag_error(diag, (Loc){(uint32_t)(zero - text) + 1, (uint32_t)(zero - text) + 2}, "a profile is plain text",
                   "there is a zero byte in this profile");
    return diag_errors(diag) ? NULL : profile_parse(arena, diag, text, below, gpu_ends_name);
}

/* The profiles that are part of the executable. */
static Profile *built_in(Arena *arena)
{
    Profile *profile = NULL;
    for (int i = 0; built_in_profiles[i]; i++) {
        const char *text = built_in_profiles[i];
        Diag *diag = diag_new(arena, "<built-in profile>", text, strlen(text), stderr);
        if (!(profile = profile_parse(arena, diag, text, profile, gpu_ends_name)))
            internal_error("a built-in profile is wrong");
    }
    return profile;
}

bool profiles_load(Arena *arena, const PlannerOptions *planner, KernelOptions *kernels)
{
    kernels->profile = NULL;
    kernels->usual = built_in(arena);
    for (int i = 0; i < planner->profiles.count; i++) {
        const char *path = planner->profiles.items[i];
        if (strcmp(path, "none") == 0)
            kernels->profile = kernels->usual = NULL;
        else if (!(kernels->profile = profiles_read(arena, path, kernels->profile)))
            return false;
    }
    return true;
}
