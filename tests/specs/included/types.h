/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#define SQUARE(x) ((x) * (x))
typedef float real;
typedef size_t extent;