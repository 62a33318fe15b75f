#include <math.h>
#include "step.h"
#define SCALE 2.0f
static inline float scaled(float x)
{
    return x * SCALE;
}
