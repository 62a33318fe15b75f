/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads with a limit; writes beside the destination and renames. */
#include "gen/driver/file.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ir/number.h"
#include "ir/utf8.h"

static char *complain(const char *path, const char *what, const char *help)
{
    fprintf(stderr, "%s: error: %s\nhelp: %s\n", path, what, help);
    return NULL;
}

/* Up to `limit` bytes, NUL-terminated. */
static char *read_stream(Arena *arena, FILE *f, size_t limit, size_t *len)
{
    enum { FIRST = 1 << 16 };
    struct stat st;
    size_t room = fstat(fileno(f), &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 1 : FIRST;
    room = room < limit ? room : limit;
    char *data = arena_alloc(arena, room + 1);
    *len = fread(data, 1, room, f);
    while (*len == room && room < limit) {
        const size_t more = room < limit - room ? 2 * room : limit;
        char *moved = arena_alloc(arena, more + 1);
        memcpy(moved, data, room);
        data = moved;
        *len += fread(data + room, 1, more - room, f);
        room = more;
    }
    return data;
}

char *file_read(Arena *arena, const char *path, size_t limit, size_t *len)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "<stdin>" : path;
    struct stat st;
    if (!standard && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return complain(name, "this is a directory", "name the spec file itself");
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f)
        return complain(name, strerror(errno), "check the path and its permissions");
    char *data = read_stream(arena, f, limit, len);
    bool failed = ferror(f) != 0;
    if (!standard)
        fclose(f);
    if (failed)
        return complain(name, "reading failed", "check the file");
    data[*len] = '\0';
    return data;
}

bool file_is_larger(const char *path, size_t limit)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && (size_t)st.st_size > limit;
}

char *file_read_text(Arena *arena, const char *path, size_t limit)
{
    struct stat st;
    size_t len;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return complain(path, S_ISDIR(st.st_mode) ? "this is a directory" : "this is not a regular file", "name a text file");
    char *text = strcmp(path, "-") == 0 ? complain(path, "standard input is for the spec", "name a text file")
                                        : file_read(arena, path, limit + 1, &len);
    if (!text)
        return NULL;
    if (len > limit)
        return complain(path, arena_printf(arena, "this file is larger than %zu KB", limit >> 10), "name a text file");
    for (size_t at = 0, n; at < len; at += n)
        if (!(n = utf8_bytes(text + at, len - at)))
            return complain(path, arena_printf(arena, "this is no text in UTF-8: see byte %zu", at + 1), "name a text file");
    return text;
}

static bool write_failed(const char *path)
{
    fprintf(stderr, "%s: error: %s\nhelp: check the path, its permissions and the disk\n", path, strerror(errno));
    return false;
}

/* All of it to an open file, which is closed. */
static bool write_stream(FILE *f, const char *data, size_t len)
{
    bool ok = f && fwrite(data, 1, len, f) == len;
    return f && fclose(f) == 0 && ok;
}

/* The number of the open file that a path like /dev/stdout or /dev/fd/3 stands for, or -1. Opening such a path anew would
 * begin at the start of a file that others are writing to. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int64_t number;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *rest = path + strlen(folders[i]);
        if (strncmp(path, folders[i], strlen(folders[i])) == 0 && number_within(rest, strlen(rest), 0, INT_MAX, &number))
            return (int)number;
    }
    return -1;
}

/* What the link `path` points to; NULL: it is none. */
static const char *link_target(Arena *arena, const char *path)
{
    char target[PATH_MAX];
    const ssize_t len = readlink(path, target, sizeof target - 1);
    if (len < 0)
        return NULL;
    target[len] = '\0';
    const char *slash = strrchr(path, '/');
    return target[0] == '/' || !slash ? arena_strndup(arena, target, (size_t)len)
                                      : arena_printf(arena, "%.*s/%s", (int)(slash - path), path, target);
}

/* The file at the end of a chain of links, which need not exist yet; stops at what stands for an open file. */
static const char *follow(Arena *arena, const char *path)
{
    enum { LINKS = 40 }; /* as many as Linux follows */
    for (int i = 0; i < LINKS && descriptor_of(path) < 0; i++) {
        const char *target = link_target(arena, path);
        if (!target)
            return path;
        path = target;
    }
    return path;
}

FileId file_identify(Arena *arena, const char *path)
{
    struct stat st;
    const bool standard = strcmp(path, "-") == 0, there = (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0;
    if (there || standard)
        return (FileId){there && S_ISREG(st.st_mode), (uint64_t)st.st_dev, (uint64_t)st.st_ino, NULL};
    const char *file = follow(arena, path), *slash = strrchr(file, '/');
    const char *folder = !slash ? "." : slash == file ? "/" : arena_strndup(arena, file, (size_t)(slash - file));
    if (stat(folder, &st) != 0)
        return (FileId){0};
    return (FileId){true, (uint64_t)st.st_dev, (uint64_t)st.st_ino, slash ? slash + 1 : file};
}

bool file_is_same(const FileId *a, const FileId *b)
{
    const bool same_name = !a->name || !b->name ? a->name == b->name : strcmp(a->name, b->name) == 0;
    return a->is_file && b->is_file && a->device == b->device && a->inode == b->inode && same_name;
}

bool file_is_open(Arena *arena, const char *path) { return !path || descriptor_of(follow(arena, path)) >= 0; }

/* Signals that would end us; those of the terminal, of kill(1) and of a lost session. */
static void block_signals(sigset_t *before)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, before);
}

/* The data become the file `path` by way of `temporary`, whose descriptor is `fd`. */
static bool write_and_rename(int fd, const char *temporary, const char *path, const char *data, size_t len)
{
    mode_t mask = umask(0);
    umask(mask);
    const bool allowed = fchmod(fd, 0666 & ~mask) == 0;
    if (!write_stream(fdopen(fd, "wb"), data, len) || !allowed || rename(temporary, path) != 0) {
        int why = errno;
        unlink(temporary);
        errno = why;
        return write_failed(path);
    }
    return true;
}

/* Through a temporary file in the same folder, so that it is written atomically. Only SIGKILL leaves the temporary file behind: other
 * signals wait meanwhile. Its name is short, as the file's may be as long as names can be. */
static bool replace_file(Arena *arena, const char *path, const char *data, size_t len)
{
    const char *slash = strrchr(path, '/');
    char *temporary = arena_printf(arena, "%.*s.mikgen-XXXXXX", slash ? (int)(slash + 1 - path) : 0, path);
    sigset_t before;
    block_signals(&before);
    const int fd = mkstemp(temporary);
    const bool ok = fd < 0 ? write_failed(path) : write_and_rename(fd, temporary, path, data, len);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}

bool file_write(Arena *arena, const char *path, const char *data, size_t len)
{
    if (!path)
        return (fwrite(data, 1, len, stdout) == len && fflush(stdout) == 0) || write_failed("<stdout>");
    const char *file = follow(arena, path);
    const int descriptor = descriptor_of(file);
    struct stat st;
    if (descriptor >= 0) {
        const int copy = dup(descriptor);
        return (copy >= 0 && write_stream(fdopen(copy, "wb"), data, len)) || write_failed(path);
    }
    if (stat(file, &st) == 0 && !S_ISREG(st.st_mode)) /* a device or pipe: nothing to rename over */
        return write_stream(fopen(file, "wb"), data, len) || write_failed(path);
    if (link_target(arena, file)) { /* links that go round in a circle */
        errno = ELOOP;
        return write_failed(path);
    }
    return replace_file(arena, file, data, len);
}
