/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many lanes vectors have. */
#include "plan/vector_shape.h"

VectorShape vector_shape(VectorSetId set, LaneWidth width)
{
    return (VectorShape){&vector_sets[set], vector_sets[set].bytes * 8 / lane_bits(width), width};
}

int vector_lanes(const VectorSet *set, Type type) { return set->bytes * 8 / lane_bits(type_lane_width(type)); }
