#include "gen/wishes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char known_words[] = "known are target(c), target(cuda), arch(sm_80) and hint(M, 1, 4096)";

/* The words of one pragma, read from left to right. */
typedef struct Reader {
    const Front *front;
    Unit *unit;
    const Pragma *pragma;
    int at;
} Reader;

static const char *peek(const Reader *r)
{
    return r->at < r->pragma->nwords ? r->pragma->words[r->at].text : "";
}

static Loc here(const Reader *r)
{
    return r->at < r->pragma->nwords ? r->pragma->words[r->at].loc : r->pragma->loc;
}

static bool fault(const Reader *r, const char *message)
{
    diag_error(r->front->ir->diag, here(r), known_words, "%s", message);
    return false;
}

static bool expect(Reader *r, const char *word)
{
    if (strcmp(peek(r), word) == 0) {
        r->at++;
        return true;
    }
    diag_error(r->front->ir->diag, here(r), known_words, "'%s' expected here in #pragma mikgen", word);
    return false;
}

static bool read_bound(Reader *r, int64_t *value)
{
    bool negative = strcmp(peek(r), "-") == 0;
    r->at += negative;
    char *end;
    errno = 0;
    long long magnitude = strtoll(peek(r), &end, 0);
    if (end == peek(r) || *end || errno)
        return fault(r, "a hint's bound is not an integer");
    *value = negative ? -magnitude : magnitude;
    r->at++;
    return true;
}

/* Give `name` of the functions that the pragma speaks to the range lo..hi. */
static bool hint(const Reader *r, const Word *name, int64_t lo, int64_t hi)
{
    const Definition *inside = NULL;
    for (int i = 0; i < r->front->operators.count; i++) {
        const Definition *d = r->front->operators.items[i];
        if (d->range.beg <= r->pragma->loc.beg && r->pragma->loc.beg < d->range.end)
            inside = d;
    }
    bool found = false;
    for (int i = 0; i < r->front->operators.count; i++) {
        const Definition *d = r->front->operators.items[i];
        if (inside && d != inside)
            continue;
        for (int p = 0; p < d->func->nparams; p++) {
            Sym *s = d->func->params[p];
            if (s->kind != S_PARAM || !type_is_integer(s->type) || strcmp(s->name, name->text) != 0)
                continue;
            s->has_hint = found = true;
            s->hint_lo = lo;
            s->hint_hi = hi;
        }
    }
    if (!found)
        diag_error(r->front->ir->diag, name->loc,
                   "hint(NAME, LOWEST, HIGHEST) is about an integer parameter of an operator",
                   "no operator has an integer parameter '%s'", name->text);
    return found;
}

static bool read_hint(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (r->at >= r->pragma->nwords)
        return fault(r, "a parameter's name is expected here in #pragma mikgen");
    const Word *name = &r->pragma->words[r->at++];
    int64_t lo, hi;
    if (!expect(r, ",") || !read_bound(r, &lo) || !expect(r, ",") || !read_bound(r, &hi))
        return false;
    if (lo > hi)
        return fault(r, "a hint's lowest value is above its highest");
    return expect(r, ")") && hint(r, name, lo, hi);
}

static bool read_target(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (strcmp(peek(r), "c") != 0 && strcmp(peek(r), "cuda") != 0)
        return fault(r, "the target is neither 'c' nor 'cuda'");
    r->unit->wishes.target = peek(r);
    r->at++;
    return expect(r, ")");
}

static bool read_arch(Reader *r)
{
    if (!expect(r, "("))
        return false;
    if (strncmp(peek(r), "sm_", 3) != 0 || peek(r)[3] < '1' || peek(r)[3] > '9')
        return fault(r, "the architecture is not of the form sm_80");
    r->unit->wishes.arch = peek(r);
    r->at++;
    return expect(r, ")");
}

static bool read_word(Reader *r)
{
    const char *word = peek(r);
    r->at++;
    if (strcmp(word, "target") == 0)
        return read_target(r);
    if (strcmp(word, "arch") == 0)
        return read_arch(r);
    if (strcmp(word, "hint") == 0)
        return read_hint(r);
    r->at--;
    diag_error(r->front->ir->diag, here(r), known_words, "unknown word '%s' in #pragma mikgen", word);
    return false;
}

void apply_pragmas(const Front *front, Unit *unit)
{
    for (int i = 0; i < front->pragmas.count; i++) {
        Reader r = {.front = front, .unit = unit, .pragma = front->pragmas.items[i]};
        if (!r.pragma->nwords)
            fault(&r, "#pragma mikgen without a word");
        while (r.at < r.pragma->nwords && read_word(&r))
            ;
    }
}
