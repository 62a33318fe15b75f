#include "no_such.h"
