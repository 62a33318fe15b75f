/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What profiles know of the CPU's micro-kernels, in place of their analytical times. */
#ifndef MIKGEN_PLAN_KERNELS_MEASURED_H
#define MIKGEN_PLAN_KERNELS_MEASURED_H

#include "plan/kernels/tile_kernel.h"
#include "plan/profile/profile.h"

/* Replaces whatever the profile knows about the set: g of its tiles, costs of dot kernels and of moving data. Kernels
 * that it does not know, beside others that it does, keep their analytical g, scaled as those others were in the
 * median: measured and analytical times stay comparable. Unless the profile stands `alone`, those that it knows get, for
 * more than a few steps, the geometric mean of their measured time and of the analytical one so scaled, and for many steps the
 * latter: chance and the machine measured have a part in the former. NULL knows nothing. */
void apply_profile(const Profile *profile, Family family, KernelSet *set, bool alone);

#endif
