/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as a profile. What is accepted is printed, and read again gives the same text; so does a profile that is read above
 * it. Crashes, sanitizers' reports and an "internal error" are findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernels/gpu.h"
#include "plan/profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Profile *parse(Arena *arena, const char *text, const Profile *below, FILE *messages)
{
    return profile_parse(arena, diag_new(arena, "fuzz.profile", text, strlen(text), messages), text, below, gpu_ends_name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *messages;
    if (!messages && !(messages = fopen("/dev/null", "w")))
        return 0;
    Arena *arena = arena_new();
    const char *text = arena_strndup(arena, (const char *)data, size);
    const Profile *profile = parse(arena, text, NULL, messages);
    if (profile) {
        const char *printed = profile_print(arena, profile);
        const Profile *again = parse(arena, printed, NULL, messages), *above = parse(arena, printed, profile, messages);
        if (!again || strcmp(profile_print(arena, again), printed) != 0)
            internal_error("a profile is not read as it is printed");
        if (!above)
            internal_error("a profile is not read above another");
        profile_print(arena, above);
    }
    arena_free(arena);
    return 0;
}
