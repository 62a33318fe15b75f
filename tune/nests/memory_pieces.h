/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of a replay put together. */
#ifndef MIKGEN_TUNE_NESTS_MEMORY_PIECES_H
#define MIKGEN_TUNE_NESTS_MEMORY_PIECES_H

#include "tune/nests/footprint.h"

/* All but those non-temporal stores, as Piece *, those of an array side by side. */
Vec pieces_of(const Replay *replay, Arena *arena);

#endif
