/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What kernels do for gathered operands: where there are none, nothing. */
#pragma once
#include "piece.cuh"

template <class S, int UM, int UN, int UK, int THREADS, bool ANY_GATHERED = S::a::GATHERED || S::b::GATHERED> struct mik_tables {
    static constexpr bool ANY = false;
    MIK_DEVICE char *of_b(char *tables) { return tables; }
    MIK_DEVICE void start(const typename S::args *, const mik_piece *, int64_t, char *) {}
    MIK_DEVICE void next(const typename S::args *, int64_t, int, char *) {}
};
