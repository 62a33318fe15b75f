/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least of repeated times, a monotone curve through points, and its knots. */
#include "tune/fit.h"

#include <math.h>
#include <string.h>

/* The two smallest of n times; twice the same if there is but one. */
static void two_least(const double *times, int n, double least[2])
{
    least[0] = times[0];
    least[1] = INFINITY;
    for (int i = 1; i < n; i++) {
        double larger = times[i] < least[0] ? least[0] : times[i];
        least[0] = times[i] < least[0] ? times[i] : least[0];
        least[1] = larger < least[1] ? larger : least[1];
    }
    least[1] = n > 1 ? least[1] : least[0];
}

double fit_robust(const double *times, int n)
{
    double least[2];
    two_least(times, n, least);
    return (least[0] + least[1]) / 2;
}

double fit_least(const double *times, int n)
{
    double least[2];
    two_least(times, n, least);
    return least[0];
}

bool fit_agrees(const double *times, int n, double tolerance)
{
    double least[2];
    if (n < 2)
        return false;
    two_least(times, n, least);
    return least[1] <= least[0] * (1 + tolerance);
}

void fit_monotone(double *y, int n)
{
    /* Blocks of equal value from the left; a block below its predecessor joins it. The weights 1 / y^2 make the
     * best value of a block sum(1 / y) / sum(1 / y^2). */
    struct Block {
        double one, two;
        int size;
    } blocks[FIT_POINTS];
    int count = 0;
    for (int i = 0; i < n; i++) {
        struct Block b = {1 / y[i], 1 / (y[i] * y[i]), 1};
        while (count && blocks[count - 1].one / blocks[count - 1].two >= b.one / b.two) {
            count--;
            b.one += blocks[count].one;
            b.two += blocks[count].two;
            b.size += blocks[count].size;
        }
        blocks[count++] = b;
    }
    for (int i = 0, at = 0; i < count; i++)
        for (int j = 0; j < blocks[i].size; j++)
            y[at++] = blocks[i].one / blocks[i].two;
}

/* Solves the symmetric positive system m x = b in place, by elimination; n <= stride. A column without any point
 * (a zero pivot) leaves x = 0. */
static void solve(double *m, double *b, int n, int stride)
{
    for (int i = 0; i < n; i++)
        for (int r = i + 1; r < n; r++) {
            double factor = m[i * stride + i] > 0 ? m[r * stride + i] / m[i * stride + i] : 0;
            for (int c = i; c < n; c++)
                m[r * stride + c] -= factor * m[i * stride + c];
            b[r] -= factor * b[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            b[i] -= m[i * stride + c] * b[c];
        b[i] = m[i * stride + i] > 1e-300 ? b[i] / m[i * stride + i] : 0;
    }
}

void fit_g(const double *t, const double *y, int n, double g[G_KNOTS])
{
    double m[G_KNOTS * G_KNOTS] = {0}, b[G_KNOTS] = {0};
    int last = G_KNOTS - 1; /* the last knot with points on its left or at it */
    while (last > 0 && g_knots[last - 1] >= t[n - 1])
        last--;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < last - 1 && t[i] > g_knots[k + 1])
            k++;
        double right = last ? (t[i] - g_knots[k]) / (g_knots[k + 1] - g_knots[k]) : 0, left = 1 - right, weight = 1 / (y[i] * y[i]);
        m[k * G_KNOTS + k] += weight * left * left;
        b[k] += weight * left * y[i];
        if (last) {
            m[k * G_KNOTS + k + 1] += weight * left * right;
            m[(k + 1) * G_KNOTS + k] += weight * left * right;
            m[(k + 1) * G_KNOTS + k + 1] += weight * right * right;
            b[k + 1] += weight * right * y[i];
        }
    }
    solve(m, b, last + 1, G_KNOTS);
    for (int k = 0; k < G_KNOTS; k++) {
        if (k <= last)
            g[k] = b[k];
        else if (k == 1)
            g[k] = g[0] * g_knots[1] / g_knots[0];
        else
            g[k] = g[k - 1] + (g[k - 1] - g[k - 2]) * (g_knots[k] - g_knots[k - 1]) / (g_knots[k - 1] - g_knots[k - 2]);
        double least = k ? g[k - 1] : 1e-3;
        g[k] = g[k] > least ? g[k] : least;
    }
}

void fit_terms(double (*rows)[FIT_TERMS], const double *y, int n, double x[FIT_TERMS])
{
    bool is_out[FIT_TERMS] = {false};
    for (;;) {
        double m[FIT_TERMS * FIT_TERMS] = {0};
        memset(x, 0, sizeof *x * FIT_TERMS);
        for (int i = 0; i < n; i++)
            for (int r = 0; r < FIT_TERMS; r++) {
                if (is_out[r])
                    continue;
                x[r] += rows[i][r] / y[i];
                for (int c = 0; c < FIT_TERMS; c++)
                    m[r * FIT_TERMS + c] += is_out[c] ? 0 : rows[i][r] * rows[i][c] / (y[i] * y[i]);
            }
        solve(m, x, FIT_TERMS, FIT_TERMS);
        int worst = -1;
        for (int r = 0; r < FIT_TERMS; r++)
            if (x[r] < 0 && (worst < 0 || x[r] < x[worst]))
                worst = r;
        if (worst < 0)
            return;
        is_out[worst] = true;
    }
}
