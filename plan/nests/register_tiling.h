/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows over neighbours in registers: blocks of iterations of two loops around the one whose iterations are lanes, unrolled and jammed. Each
 * element is loaded once for all sums that it goes into.
 *
 *     for (p = 0; p < P; p++)                                for (p = 0; p < P; p += 2)
 *         for (q = 0; q < Q; q++)                                for (q = 0; q < Q; q += 4) {
 *             for (c = 0; c < C; c++) {                              p_1 = min(p, P - 2); q_1 = min(q, Q - 4);
 *                 s = 0;                                             for (c = 0; c < C; c++) {
 *                 for (i = 0; i < 3; i++)                =>              s = 0; ... s_7 = 0;
 *                     for (j = 0; j < 3; j++)                            e = x[p_1][q_1][c];
 *                         s += x[p + i][q + j][c] * k[i][j][c];          s += e * k[0][0][c];
 *                 y[p][q][c] = s;                                        e_1 = x[p_1][q_1 + 1][c];
 *             }                                                          s += e_1 * k[0][1][c]; s_1 += e_1 * k[0][0][c];
 *                                                                        ...
 *
 * The last block of a row, or of all rows, overlaps the one before. Where there is no room for a block, loops stay as they are. Guards are
 * asked once for each block: inside an image there are none in the loop over c. Loops over blocks are marked FOR_TILES and FOR_ROWS. */
#ifndef MIKGEN_PLAN_NESTS_REGISTER_TILING_H
#define MIKGEN_PLAN_NESTS_REGISTER_TILING_H

#include "plan/plan.h"

/* The body of a nest with such loops, of those marked FOR_PARALLEL. remarks: Vec of PlanRemark; NULL: nobody reads them. */
Node *tile_registers(Ir *ir, Node *body, Vec *remarks);

#endif
