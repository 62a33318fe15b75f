#pragma once
enum { STEP = 3 };
#pragma once
static inline int least(int a, int b) { return min(a, b); }
