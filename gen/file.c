#include "gen/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *complain(const char *path, const char *what, const char *help)
{
    fprintf(stderr, "%s: error: %s\nhelp: %s\n", path, what, help);
    return NULL;
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
    char *data = arena_alloc(arena, limit + 1);
    *len = fread(data, 1, limit, f);
    bool failed = ferror(f) != 0;
    if (!standard)
        fclose(f);
    if (failed)
        return complain(name, "reading failed", "check the file");
    data[*len] = '\0';
    return data;
}

static bool write_failed(const char *path)
{
    fprintf(stderr, "%s: error: %s\nhelp: check the path, its permissions and the disk\n", path, strerror(errno));
    return false;
}

bool file_write(Arena *arena, const char *path, const char *data, size_t len)
{
    if (!path) {
        if (fwrite(data, 1, len, stdout) != len || fflush(stdout) != 0)
            return write_failed("<stdout>");
        return true;
    }
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* a device or pipe: nothing to rename over */
        FILE *f = fopen(path, "wb");
        bool ok = f && fwrite(data, 1, len, f) == len;
        ok = f && fclose(f) == 0 && ok;
        return ok || write_failed(path);
    }
    char *temporary = arena_printf(arena, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0)
        return write_failed(path);
    mode_t mask = umask(0);
    umask(mask);
    FILE *f = fdopen(fd, "wb");
    bool ok = f && fwrite(data, 1, len, f) == len && fchmod(fd, 0666 & ~mask) == 0;
    ok = f && fclose(f) == 0 && ok;
    if (!ok || rename(temporary, path) != 0) {
        int why = errno;
        unlink(temporary);
        errno = why;
        return write_failed(path);
    }
    return true;
}
