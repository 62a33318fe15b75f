/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Before all headers: what a clock needs of them. */
#pragma once

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(__APPLE__)
#define _POSIX_C_SOURCE 199309L /* clock_gettime(): with -std=c99, headers keep to themselves what ISO C does not have */
#endif
