/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files: read at once, written atomically. */
#ifndef MIKGEN_GEN_DRIVER_FILE_H
#define MIKGEN_GEN_DRIVER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/arena.h"

/* The file `path` ("-": standard input), of a longer one the first `limit` bytes. NULL after one message on stderr
 * when it cannot be read or is a directory. The text is NUL-terminated and owned by the arena. */
char *file_read(Arena *arena, const char *path, size_t limit, size_t *len);

/* Which file a path means. */
typedef struct FileId {
    bool is_file;       /* a regular file, there or to be made; else nothing more is known, as of devices and folders */
    uint64_t device, inode; /* its own; of one that is not there its folder's */
    const char *name;   /* of one that is not there, in that folder; else NULL */
} FileId;

/* The file `path`, through links; "-": what standard input is read from. Owned by the arena. */
FileId file_identify(Arena *arena, const char *path);

/* Are both one regular file? */
bool file_is_same(const FileId *a, const FileId *b);

/* Does the path, NULL for standard output, stand for an open file, as /dev/stdout does? Such files are written on. */
bool file_is_open(Arena *arena, const char *path);

/* Is it a regular file of more bytes? */
bool file_is_larger(const char *path, size_t limit);

/* A text in UTF-8 of at most `limit` bytes: a regular file, not standard input. NULL after one message on stderr. */
char *file_read_text(Arena *arena, const char *path, size_t limit);

/* Replace `path` by these bytes through a temporary file beside it and rename(2); of a link what it points to, whether that
 * exists or not. Pipes, devices and what stands for an open file, as /dev/stdout does, are written to. NULL: standard
 * output. False after one message on stderr. */
bool file_write(Arena *arena, const char *path, const char *data, size_t len);

#endif
