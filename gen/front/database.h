/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compilation databases, compile_commands.json, by libTooling: matched and split into words as Clang's own tools do it. */
#ifndef MIKGEN_GEN_FRONT_DATABASE_H
#define MIKGEN_GEN_FRONT_DATABASE_H

#include <stdbool.h>

#include "ir/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DatabaseCommand {
    const char *path;   /* of the database, as it was asked for */
    const char *folder; /* where it runs */
    Vec words;          /* char *: the compiler, without a cache in front of it, and its arguments */
} DatabaseCommand;

/* The database of `folder`, or of the next folder above it, as Clang's tools look for one. NULL: there is none. */
const char *database_path(Arena *arena, const char *folder);

/* The first command that the database `path` has for `file`; both are absolute, and links to a file are that file. Everything is owned by the
 * arena. False: it has none, and *why is NULL, or what is wrong with the database. */
bool database_find(Arena *arena, const char *path, const char *file, DatabaseCommand *command, const char **why);

#ifdef __cplusplus
}
#endif
#endif
