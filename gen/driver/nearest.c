/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edit distance of Damerau and Levenshtein, where no pair is edited twice. */
#include "gen/driver/nearest.h"

#include <string.h>

enum { LONGEST = 40 }; /* characters of a word that is compared; options and their values have fewer */

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][LONGEST + 1] = {{0}}; /* of the table: this one and the two before */
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

const char *nearest_word(const char *word, size_t len, const char *const *list)
{
    const char *nearest = NULL;
    int best = ((int)len + 2) / 3 + 1;
    if (len > LONGEST)
        return NULL;
    for (; *list; list++) {
        const size_t other = strlen(*list);
        const int away = other <= LONGEST ? distance(word, len, *list, other) : best;
        if (away < best && away < (int)other) { /* of a word something must stay */
            best = away;
            nearest = *list;
        }
    }
    return nearest;
}
