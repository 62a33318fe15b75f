#pragma once
#define SQUARE(x) ((x) * (x))
typedef float real;
typedef size_t extent;