/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants that were fitted on one machine, as plan/fitted.def lists them. */
#ifndef MIKGEN_PLAN_FITTED_H
#define MIKGEN_PLAN_FITTED_H

#define FITTED(name, value, what)       static const double name = value;
#define FITTED_COUNT(name, value, what) enum { name = value };
#include "plan/fitted.def"
#undef FITTED
#undef FITTED_COUNT

#endif
