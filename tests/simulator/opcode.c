/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of an opcode, "ld.global.nc.v4.f32": decoders take the ones they know, and none may be left. */
#include <stdio.h>

#include "decode.h"

bool take(Decoder *d, const char *part)
{
    for (int i = 0; i < d->parts; i++)
        if (d->part[i] && strcmp(d->part[i], part) == 0) {
            d->part[i] = NULL;
            return true;
        }
    return false;
}

const char *take_prefix(Decoder *d, const char *prefix)
{
    for (int i = 0; i < d->parts; i++)
        if (d->part[i] && strncmp(d->part[i], prefix, strlen(prefix)) == 0) {
            const char *found = d->part[i];
            d->part[i] = NULL;
            return found;
        }
    return NULL;
}

const char *take_last(Decoder *d)
{
    for (int i = d->parts - 1; i >= 0; i--)
        if (d->part[i]) {
            const char *last = d->part[i];
            d->part[i] = NULL;
            return last;
        }
    decode_fail(d, "no type in");
}

const char *take_first(Decoder *d)
{
    for (int i = 0; i < d->parts; i++)
        if (d->part[i]) {
            const char *first = d->part[i];
            d->part[i] = NULL;
            return first;
        }
    decode_fail(d, "a part is missing in");
}

void finish_parts(Decoder *d)
{
    for (int i = 0; i < d->parts; i++)
        if (d->part[i])
            decode_fail(d, "unsupported instruction (.%s)", d->part[i]);
}

void split_opcode(Decoder *d, const char *opcode)
{
    char *copy = (char *)ptx_copy(opcode, strlen(opcode));
    d->parts = 0;
    d->first = copy;
    for (char *dot = strchr(copy, '.'); dot; dot = strchr(dot, '.')) {
        *dot++ = '\0';
        if (d->parts == MAX_PARTS)
            decode_fail(d, "too many parts in");
        d->part[d->parts++] = dot;
    }
}

int type_bytes(Decoder *d, const char *type)
{
    char dotted[32];
    int bytes;
    snprintf(dotted, sizeof dotted, ".%s", type);
    if (ptx_type(dotted, &bytes) == T_NONE)
        decode_fail(d, "unknown type .%s in", type);
    return bytes;
}

bool type_signed(const char *type) { return type[0] == 's'; }

bool type_float(const char *type) { return type[0] == 'f' || strncmp(type, "bf", 2) == 0; }
