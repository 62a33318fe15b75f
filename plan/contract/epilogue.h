/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with a contraction's finished sums. */
#ifndef MIKGEN_PLAN_CONTRACT_EPILOGUE_H
#define MIKGEN_PLAN_CONTRACT_EPILOGUE_H

#include "plan/contract/map.h"

/* Kind, flags and statements of the epilogue; false when the output is read at other elements. */
bool map_epilogue(Mapping *m);
/* The same for a new stored value over c->sum, whose epilogue is that one store. */
void set_epilogue_value(Ir *ir, Contraction *c, Node *value);
/* The stored value when the epilogue is one store, else NULL. */
Node *epilogue_value(const Contraction *c);

#endif
