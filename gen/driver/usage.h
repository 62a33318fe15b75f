/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --help prints. */
#ifndef MIKGEN_GEN_DRIVER_USAGE_H
#define MIKGEN_GEN_DRIVER_USAGE_H

extern const char help_text[], tune_help_text[], cc_help_text[]; /* of mikgen, of mikgen tune and of mikgen cc */

#endif
