/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes unknowns out of systems of linear constraints where that is exact over the integers and makes the system smaller: by equalities,
 * or by Fourier's and Motzkin's method, of which Pugh ("The Omega test", Supercomputing 1991) says when that is so. Loops around a
 * question that has nothing to do with them go away like this.
 *
 *     i >= 0, i < n, j >= 0, j < n, j >= i + 1        n >= 2
 */
#ifndef MIKGEN_DEPEND_ELIMINATE_H
#define MIKGEN_DEPEND_ELIMINATE_H

#include "depend/affine.h"

/* Afterwards the system has integer points if it had some before. False: it has none. */
bool eliminate_unknowns(System *sys);

#endif
