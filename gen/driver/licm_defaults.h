/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of licm that follow from the target. */
#ifndef MIKGEN_GEN_DRIVER_LICM_DEFAULTS_H
#define MIKGEN_GEN_DRIVER_LICM_DEFAULTS_H

#include "ir/licm_options.h"

/* The options with what the target decides where the user has not. `emitted`: the text is ours, not a function that is kept. */
LicmOptions licm_options_of(const LicmOptions *given, bool cuda, bool emitted);

#endif
