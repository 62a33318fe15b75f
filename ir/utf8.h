/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters of texts from outside. */
#ifndef MIKGEN_IR_UTF8_H
#define MIKGEN_IR_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, of which `left` are there; 0 if it is none (RFC 3629), or a zero byte. */
size_t utf8_bytes(const char *text, size_t left);

#endif
