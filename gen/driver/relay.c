/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One child at a time; a process that waits for the end of a pipe whose other end nobody has but us. */
#include "gen/driver/relay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDING = sizeof ending / sizeof *ending };

static struct sigaction before[ENDING];
static volatile sig_atomic_t current_child, came; /* 0: none */

static int guard_pipe = -1; /* closed: the folder goes */
static pid_t guard;

static void hand_on(int number)
{
    came = number;
    if (current_child > 0)
        kill((pid_t)current_child, number);
}

void relay_signals(void)
{
    for (int i = 0; i < ENDING; i++) {
        struct sigaction action = {.sa_handler = hand_on};
        sigaction(ending[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
}

static void signals_as_before(void)
{
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &before[i], NULL);
}

/* Between a start and the note of its pid no signal must come. */
static void block(sigset_t *old)
{
    sigset_t all;
    sigemptyset(&all);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&all, ending[i]);
    sigprocmask(SIG_BLOCK, &all, old);
}

pid_t relay_start(char *const argv[], int said)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t old;
    pid_t pid;
    block(&old);
    posix_spawn_file_actions_init(&actions);
    if (said >= 0) {
        posix_spawn_file_actions_adddup2(&actions, said, 1);
        posix_spawn_file_actions_adddup2(&actions, said, 2);
    }
    posix_spawnattr_init(&attributes); /* what has a handler here gets its default there */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &old);
    const int failed = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    current_child = failed ? 0 : pid;
    sigprocmask(SIG_SETMASK, &old, NULL);
    errno = failed;
    return failed ? -1 : pid;
}

pid_t relay_fork(void)
{
    sigset_t old;
    block(&old);
    const pid_t pid = fork();
    if (pid == 0) {
        signals_as_before();
        close(guard_pipe);
    } else {
        current_child = pid > 0 ? pid : 0;
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    return pid;
}

int relay_wait(pid_t child)
{
    int status = 0;
    if (came)
        kill(child, came); /* it was not there yet */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    current_child = 0;
    return status;
}

bool relay_is_ending(void) { return came != 0; }

void relay_end(int status)
{
    const int number = came ? came : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number) {
        const struct rlimit none = {0, 0};
        const struct sigaction usual = {.sa_handler = SIG_DFL};
        setrlimit(RLIMIT_CORE, &none); /* the child has left one */
        sigaction(number, &usual, NULL);
        raise(number);
    }
    _exit(number ? 128 + number : WEXITSTATUS(status));
}

/* The folder. */

static void remove_files(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* Those that others wait for the end of must not be open in the process that stays behind. */
static void close_all_but(int kept)
{
    DIR *folder = opendir("/proc/self/fd");
    const int own = folder ? dirfd(folder) : -1;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int fd = atoi(entry->d_name);
        if (*entry->d_name != '.' && fd != kept && fd != own)
            close(fd);
    }
    if (folder)
        closedir(folder);
    for (int fd = 0; !folder && fd < 256; fd++)
        if (fd != kept)
            close(fd);
}

static void wait_and_remove(int fd, const char *path)
{
    char byte;
    setsid(); /* what ends the terminal's processes does not end this one */
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    close_all_but(fd);
    while (read(fd, &byte, 1) < 0 && errno == EINTR)
        ;
    remove_files(path);
    _exit(0);
}

static bool watch(const char *path)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    sigset_t old;
    block(&old);
    guard = fork();
    if (guard == 0) {
        close(ends[1]);
        wait_and_remove(ends[0], path);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(ends[0]);
    guard_pipe = ends[1];
    if (guard < 0)
        close(ends[1]);
    return guard > 0;
}

const char *relay_folder(Arena *arena, const char *name)
{
    const char *base = getenv("TMPDIR");
    char *path = arena_printf(arena, "%s/%s", base && *base ? base : "/tmp", name);
    if (mkdir(path, 0700) != 0) {
        path = mkdtemp(arena_printf(arena, "%s-XXXXXX", path));
        if (!path)
            return NULL;
    }
    if (watch(path))
        return path;
    rmdir(path);
    return NULL;
}

void relay_remove_folder(void)
{
    if (guard_pipe < 0)
        return;
    close(guard_pipe);
    guard_pipe = -1;
    while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
        ;
}
