/* A small language model: its layers are operators that mikgen has made, with weights (random) packed once. Reads a prompt in one
   call for each layer, then writes on, token by token, from the cache of keys and values; and reads all of it again at once, which has to
   come to the same.

       mikgen --target=c --output-dir=. examples/transformer/transformer.spec
       cc -O2 -I. examples/transformer/main.c transformer_dyn.c -lm -o transformer && ./transformer
*/
#include "transformer_dyn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAYERS = 3, D = 128, G = 2, M = 2, R = 16, F = 352, V = 256, CONTEXT = 80, PROMPT = 24, S = 2 * R };

typedef struct {
    float n1[D], n2[D], keys[G][CONTEXT][S], values[G][CONTEXT][S];
    void *wq, *wk, *wv, *wo, *wg, *wu, *wd;
} Layer;

static Layer layers[LAYERS];
static float words[V][D], last[D], cosine[CONTEXT][R], sine[CONTEXT][R];
static void *packed_words;

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    if (!p)
        exit(1);
    return p;
}

/* Between -bound and bound. */
static void draw(float *x, size_t n, float bound)
{
    static unsigned long state = 1;
    for (size_t i = 0; i < n; i++) {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        x[i] = bound * ((float)(state >> 8) / 4194304 - 1);
    }
}

/* Weights of two extents, and how they are packed. */
#define PACK(name, rows, columns, size, pack) \
    do { \
        float *w = room(sizeof(float) * (rows) * (columns)); \
        draw(w, (size_t)(rows) * (columns), sqrtf(3.f / (rows))); \
        l->name = room(size); \
        if (pack != MIKGEN_OK) \
            exit(1); \
        free(w); \
    } while (0)

static void begin(void)
{
    for (Layer *l = layers; l < layers + LAYERS; l++) {
        for (int d = 0; d < D; d++)
            l->n1[d] = l->n2[d] = 1;
        PACK(wq, D, G * M * S, transformer_wq_size(G, M, R, D), transformer_wq_pack(G, M, R, D, w, l->wq));
        PACK(wk, D, G * S, transformer_wk_size(G, R, D), transformer_wk_pack(G, R, D, w, l->wk));
        PACK(wv, D, G * S, transformer_wv_size(G, R, D), transformer_wv_pack(G, R, D, w, l->wv));
        PACK(wo, G * M * S, D, transformer_wo_size(G, M, R, D), transformer_wo_pack(G, M, R, D, w, l->wo));
        PACK(wg, D, F, transformer_wg_size(D, F), transformer_wg_pack(D, F, w, l->wg));
        PACK(wu, D, F, transformer_wu_size(D, F), transformer_wu_pack(D, F, w, l->wu));
        PACK(wd, F, D, transformer_wd_size(D, F), transformer_wd_pack(D, F, w, l->wd));
    }
    for (int d = 0; d < D; d++)
        last[d] = 1;
    draw(&words[0][0], V * D, 1);
    packed_words = room(predict_words_size(D, V));
    if (predict_words_pack(D, V, &words[0][0], packed_words) != MIKGEN_OK)
        exit(1);
    for (int t = 0; t < CONTEXT; t++)
        for (int r = 0; r < R; r++) {
            cosine[t][r] = cosf((float)t * powf(10000, -(float)r / R));
            sine[t][r] = sinf((float)t * powf(10000, -(float)r / R));
        }
}

/* Reads `count` tokens behind the `before` that the caches have; scores: of each word to follow the last one. */
static void read_tokens(const int *tokens, int before, int count, float *scores)
{
    static float x[CONTEXT][D], y[CONTEXT][D];
    for (int t = 0; t < count; t++)
        memcpy(x[t], words[tokens[t]], sizeof x[t]);
    for (Layer *l = layers; l < layers + LAYERS; l++) {
        const int status = transformer_packed(count, before, CONTEXT, G, M, R, D, F, &x[0][0], l->n1, l->wq, l->wk, l->wv, l->wo, l->n2,
                                              l->wg, l->wu, l->wd, &cosine[0][0], &sine[0][0], &l->keys[0][0][0], &l->values[0][0][0],
                                              &y[0][0]);
        if (status != MIKGEN_OK) {
            printf("transformer: error %d\n", status);
            exit(1);
        }
        memcpy(x, y, sizeof x[0] * (size_t)count);
    }
    if (predict_packed(D, V, x[count - 1], last, packed_words, scores) != MIKGEN_OK)
        exit(1);
}

static int best_of(const float *scores)
{
    int best = 0;
    for (int v = 1; v < V; v++)
        best = scores[v] > scores[best] ? v : best;
    return best;
}

int main(void)
{
    static float scores[V], again[V];
    int tokens[CONTEXT];
    begin();
    for (int t = 0; t < PROMPT; t++)
        tokens[t] = t * 37 % V;
    read_tokens(tokens, 0, PROMPT, scores);
    const clock_t start = clock();
    for (int t = PROMPT; t < CONTEXT; t++) {
        tokens[t] = best_of(scores);
        read_tokens(tokens + t, t, 1, scores);
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    read_tokens(tokens, 0, CONTEXT, again);
    float most = 0, apart = 0;
    for (int v = 0; v < V; v++) {
        most = fmaxf(most, fabsf(again[v]));
        apart = fmaxf(apart, fabsf(again[v] - scores[v]));
    }
    if (!(apart <= 1e-3f * most)) {
        printf("transformer: scores of single tokens are %g off those of all at once, which are up to %g\n", apart, most);
        return 1;
    }
    printf("transformer: %d tokens behind %d, one by one and at once: ok", CONTEXT - PROMPT, PROMPT);
    if (seconds > 0)
        printf(" (%.0f tokens a second)", (CONTEXT - PROMPT) / seconds);
    printf("\n");
    return 0;
}
