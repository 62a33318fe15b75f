/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --keep-loops --explain-licm over several files or folders: a table of loops with what moved out of them and what stayed, and of the
 * reasons why, the one first that would change most if it were lifted. */
#ifndef MIKGEN_GEN_LICM_TABLE_H
#define MIKGEN_GEN_LICM_TABLE_H

#include "gen/driver/options.h"
#include "gen/driver/run_outputs.h"

/* Does the command ask for the table, rather than for one file's list: several files, a folder, or a --format? */
bool licm_table_wanted(const Options *opt);

/* Reads the files (of folders all .c and .cu files, sorted by name) one after the other and adds the table to the outputs. Those that do not
 * compile have their messages on stderr and are counted in the table. False, after messages, if none compiles. */
bool licm_table_run(const Options *opt, Outputs *outputs);

#endif
