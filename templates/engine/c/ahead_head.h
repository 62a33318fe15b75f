/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The head of an array prepacked: what says whether a call can take it. It holds no address, so that it may be kept in a file. */
#pragma once
#include "base.h"
#include "call_options.h"
#include "config.h"

enum {
    MIK_AHEAD_HEAD = 64, /* bytes; parts begin at multiples of it */
    MIK_AHEAD_LAYOUT = 7 /* changes with that of the parts */
};

/* The layout; the array, by its specification and name; the parameters that its layout depends on; its bytes. */
static uint64_t mik_ahead_key(uint64_t key, const int64_t *numbers, int count, int64_t bytes)
{
    key ^= MIK_AHEAD_LAYOUT;
    for (int i = 0; i <= count; i++)
        key = (key ^ (uint64_t)(i < count ? numbers[i] : bytes)) * 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
}

static void mik_ahead_sign(void *packed, uint64_t key, int64_t bytes)
{
    const uint64_t head[] = {key, (uint64_t)bytes};
    memset(packed, 0, MIK_AHEAD_HEAD);
    memcpy(packed, head, sizeof head);
}

/* Is it what NAME_pack has written for these numbers? */
static int mik_ahead_check(const void *packed, uint64_t key, int64_t bytes)
{
    uint64_t head[2];
    if (!packed)
        return MIKGEN_OK; /* an array without elements */
    memcpy(head, packed, sizeof head);
    return (uintptr_t)packed % MIK_AHEAD_HEAD == 0 && head[0] == key && head[1] == (uint64_t)bytes ? MIKGEN_OK : MIKGEN_NOT_PACKED;
}

/* In calls that take it packed: where all of it is; else where the plain one is. */
MIK_UNUSED static const void *mik_ahead_place(const void *packed, const void *plain) { return packed ? packed : plain; }

/* And its bytes. */
MIK_UNUSED static uint64_t mik_ahead_bytes(const void *packed, uint64_t plain)
{
    uint64_t head[2];
    if (!packed)
        return plain;
    memcpy(head, packed, sizeof head);
    return head[1];
}

/* What counts as packed where there is no call: it has no bytes. */
MIK_UNUSED static const uint64_t mik_ahead_none[2];
