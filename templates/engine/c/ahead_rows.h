/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * A prepacked: rows one after the other as kernels of any height read them in place, each with all steps of k, of the elements
 * that they multiply. Rows that fill a few cache lines begin in different cache sets.
 */
#pragma once
#include "base.h"

/* Bytes from one row to the next, of rows of so many. */
MIK_UNUSED static int64_t mik_rows_apart(int64_t bytes)
{
    enum { line = 64, few = 8 };
    return bytes < few * line ? bytes : (mik_ceil_div(bytes, line) | 1) * line;
}
