/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing that a run writes is a file that it reads, by whatever name. */
#ifndef MIKGEN_GEN_DRIVER_RUN_FILES_H
#define MIKGEN_GEN_DRIVER_RUN_FILES_H

#include <stdbool.h>

#include "gen/driver/options.h"

typedef struct RunOutput {
    const char *option; /* which says so: "-o" */
    const char *path;   /* NULL: standard output */
} RunOutput;

/* Do the `n` outputs, as far as they are regular files, differ from one another and from all inputs: the specs, "-" for standard input,
 * and what else `opt` names, the files in `inputs` (const char *; may be NULL), the templates, and this executable? Files that are there are told by device and inode,
 * others by their folder's and their name. False after one message, which names the output. To be asked before the first is opened. */
bool run_files_differ(Arena *arena, const Options *opt, const Vec *inputs, const RunOutput *outputs, int n);

#endif
