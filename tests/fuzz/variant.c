/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One version of a batch of random programs: PROGRAMS and CALLS are files, VARIANT names the function that runs one. */
#include "programs.h"

#include PROGRAMS

Run VARIANT;

long VARIANT(long program, Data *data)
{
    (void)data;
    switch (program) {
#include CALLS
    }
    return 0;
}
