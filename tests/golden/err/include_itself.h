#include "include_itself.h"
#include "include_itself.h"
