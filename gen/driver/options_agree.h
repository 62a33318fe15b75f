/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do the options of a command line go with one another? */
#ifndef MIKGEN_GEN_DRIVER_OPTIONS_AGREE_H
#define MIKGEN_GEN_DRIVER_OPTIONS_AGREE_H

#include "gen/driver/options.h"

/* False after one message that names two that do not, or what lacks. opt: all options and the specs are known, defaults are not yet put in. */
bool options_agree(Arena *arena, const Options *opt);

/* Letters, digits and _, without a digit in front; perhaps "". */
bool is_identifier(const char *s);

/* "mikgen: error: " and `format`, in which %s is `what`, and on a line of its own what to write instead. Returns false. */
bool option_wrong(const char *format, const char *what, const char *expected);

#endif
