/* oneDNN's product of rows and weights, the weights as they are or in the layout that it likes best. */
#ifndef BENCH_PACKED_ONEDNN_H
#define BENCH_PACKED_ONEDNN_H

#include <stdbool.h>

typedef struct Product Product;

/* Y[M][N] = X[M][K] W[K][N]; reordered: W is put into the layout of oneDNN's choice now, and may change afterwards. Ends the program
 * when oneDNN fails; to be freed by product_free(). */
Product *product_new(int M, int N, int K, bool reordered, const float *X, const float *W, float *Y);
void product_run(Product *p);
void product_free(Product *p);

#endif
