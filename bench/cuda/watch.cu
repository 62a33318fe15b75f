/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned patience;
static std::string whole = "preparing", text = whole; /* what is done, and that with a part of it */
static size_t after;
static char line[512]; /* what the signal's handler writes */

static void give_up(int)
{
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        _exit(5);
    _exit(4);
}

static void wind_up(void)
{
    if (patience == 0 || after == 0)
        return;
    snprintf(line, sizeof line, "NOT BACK after %u seconds: %s; go on with --from=%zu\n", patience, text.c_str(), after);
    alarm(patience);
}

void watch_open(unsigned seconds)
{
    patience = seconds;
    signal(SIGALRM, give_up);
}

void watch(const std::string &doing, size_t next)
{
    alarm(0);
    whole = text = doing;
    after = next;
    fflush(stdout);
    wind_up();
}

void watch_part(const std::string &part)
{
    alarm(0);
    text = whole + ", " + part;
    wind_up();
}

void watch_close(void) { alarm(0); }

void watch_failed(const char *error)
{
    alarm(0);
    printf("THE DEVICE FAILED: %s: %s", text.c_str(), error);
    if (after > 0)
        printf("; go on with --from=%zu", after);
    printf("\n");
    fflush(stdout);
}
