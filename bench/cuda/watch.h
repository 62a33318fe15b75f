/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the process is doing, so that it can say so when the device breaks or does not come back, and another process goes on
   behind it. */
#ifndef BENCH_CUDA_WATCH_H
#define BENCH_CUDA_WATCH_H

#include <stddef.h>
#include <string>

/* A process that does the same thing for longer than that says so and ends, with status 4. 0: it waits. Nothing is done yet. */
void watch_open(unsigned seconds);

/* What is done from now on, and the number of the problem that comes after it, which another process begins with; 0: there is none,
   and it may take as long as it likes. */
void watch(const std::string &doing, size_t next);
/* Of that, a part, until the next one; it has the time for itself. */
void watch_part(const std::string &part);
void watch_close(void);

/* "THE DEVICE FAILED: doing: error; go on with --from=next", on standard output. */
void watch_failed(const char *error);

#endif
