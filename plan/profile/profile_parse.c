/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles as text: one record a line, words with blanks between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/word_reader.h"
#include "plan/profile/record.h"

enum { VERSION = 1, MOST_SIDE = 4096 };

static const char magic[] = "mikgen-profile";

/* The text while it is read. */
typedef struct Reader {
    Arena *arena;
    Words words;
    Profile *profile;
    EndsName *ends_name;
} Reader;

/* "avx512, avx2 or portable" */
static const char *listed(Arena *arena, const char *(*name)(Arena *, int), int n)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < n; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : i == n - 1 ? " or " : ", ", name(arena, i));
    return t.data;
}

static const char *name_of_kind(Arena *arena, int i)
{
    (void)arena;
    return record_specs[i].name;
}
static const char *name_of_type(Arena *arena, int i)
{
    (void)arena;
    return record_type_name(i);
}
static const char *name_of_gpu(Arena *arena, int i)
{
    (void)arena;
    return gpu_name(i);
}
static const char *name_of_isa(Arena *arena, int i)
{
    (void)arena;
    return isa_name(i);
}

/* Which of n names the next word is; -1 after a message. */
static int read_name(Reader *r, const char *what, const char *(*name)(Arena *, int), int n)
{
    Word w = words_next(&r->words);
    for (int i = 0; i < n; i++)
        if (word_is(w, name(r->arena, i)))
            return i;
    const char *help = arena_printf(r->arena, "write %s", listed(r->arena, name, n));
    if (w.len)
        words_refuse(&r->words, w, help, "there is no %s '%.*s'", what, w.len, w.beg);
    else
        words_refuse(&r->words, w, help, "the line ends before its %s", what);
    return -1;
}

/* A number from 1 to `most` at *s, which then points behind it; 0 if there is none. */
static int read_side(const char **s, const char *end)
{
    int n = 0;
    const char *p = *s;
    while (p < end && *p >= '0' && *p <= '9' && n <= MOST_SIDE)
        n = 10 * n + (*p++ - '0');
    bool ok = p > *s && **s != '0' && n <= MOST_SIDE;
    *s = p;
    return ok ? n : 0;
}

/* "14x32" */
static bool read_size(Reader *r, RecordKey *key)
{
    static const char help[] = "write rows x columns of the kernel, for example 14x32";
    Word w = words_next(&r->words);
    const char *p = w.beg, *end = w.beg + w.len;
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before its kernel's size");
    key->rows = read_side(&p, end);
    const bool has_x = p < end && *p++ == 'x';
    key->columns = has_x ? read_side(&p, end) : 0;
    return (key->rows && key->columns && p == end) || words_refuse(&r->words, w, help, "'%.*s' is no size of a kernel", w.len, w.beg);
}

/* "128x128x32_any_sm80" */
static bool read_kernel(Reader *r, RecordKey *key)
{
    static const char help[] = "write a kernel as in its symbol, for example 128x256x64_sm90a or 128x128x32_any_sm80";
    Word w = words_next(&r->words);
    const char *p = w.beg, *end = w.beg + w.len;
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before its kernel");
    key->rows = read_side(&p, end);
    const bool has_columns = p < end && *p++ == 'x';
    key->columns = has_columns ? read_side(&p, end) : 0;
    const bool has_steps = p < end && *p++ == 'x' && read_side(&p, end), is_whole = key->rows && key->columns && has_steps;
    if (!is_whole || !r->ends_name(p, (size_t)(end - p)))
        return words_refuse(&r->words, w, help, "'%.*s' is no kernel", w.len, w.beg);
    key->kernel = arena_strndup(r->arena, w.beg, (size_t)w.len);
    return true;
}

/* "l2", if there is such a word */
static bool read_shape(Reader *r, RecordKey *key)
{
    const Word w = words_peek(&r->words);
    key->shape = shape_class_named(w.beg, (size_t)w.len);
    if (key->shape != CLASS_ALL)
        words_next(&r->words);
    return true;
}

/* "8c5b3e6a1f20d497" */
static bool read_fingerprint(Reader *r, RecordKey *key, const char *what, const char *help)
{
    static const char digits[] = "0123456789abcdef";
    Word w = words_next(&r->words);
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before its %s", what);
    key->kernel = arena_strndup(r->arena, w.beg, (size_t)w.len);
    return (w.len == 16 && strspn(key->kernel, digits) == 16) || words_refuse(&r->words, w, help, "'%s' is no %s", key->kernel, what);
}

static bool read_nest(Reader *r, RecordKey *key)
{
    return read_fingerprint(r, key, "nest", "write the 16 hexadecimal digits that --dump-after=vectors shows beside the nest");
}

static bool read_operator(Reader *r, RecordKey *key)
{
    return read_fingerprint(r, key, "operator", "write the 16 hexadecimal digits that --dump-after=nests shows beside the operator");
}

static const char *fields_of_kind(Arena *arena, RecordKind kind)
{
    Text t;
    text_init(&t, arena);
    const FieldSpec *fields = record_specs[kind].fields;
    for (int i = 0; fields[i].name; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : fields[i + 1].name ? ", " : " or ", fields[i].name);
    return t.data;
}

/* "write 1, 2, 4 or 8, or 0: as planned" */
static const char *knob_help(Arena *arena, const int *values, const char *what)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; values[i]; i++)
        text_printf(&t, "%s%d", i == 0 ? "write " : values[i + 1] ? ", " : " or ", values[i]);
    text_printf(&t, ", or 0: as planned; %s", what);
    return t.data;
}

/* What the numbers of a field are, for the help of messages. */
static const char *about_field(Arena *arena, const FieldSpec *spec)
{
    if (spec->unit == UNIT_WHOLE)
        return arena_printf(arena, "write a whole number from %.0f to %.0f", spec->least, spec->most);
    if (spec->unit == UNIT_KNOB)
        return knob_help(arena, knob_info[spec->at].values, knob_info[spec->at].what);
    if (spec->unit == UNIT_GRID_KNOB)
        return knob_help(arena, grid_knob_info[spec->at].values, grid_knob_info[spec->at].what);
    if (spec->unit == UNIT_RATE)
        return "write bytes per nanosecond, for example 1800";
    if (spec->unit == UNIT_PART)
        return arena_printf(arena, "write a part of the whole, from %g to 1", spec->least);
    if (spec->count == 1)
        return "write nanoseconds, for example 0.25";
    Text t;
    text_init(&t, arena);
    text_printf(&t, "write %d times in nanoseconds: of", spec->count);
    for (int i = 0; i < spec->count; i++)
        text_printf(&t, "%s %d", i == 0 ? "" : i == spec->count - 1 ? " and" : ",", g_knots[i]);
    text_puts(&t, " steps");
    return t.data;
}

/* "whole" */
static bool read_placement(Reader *r, const FieldSpec *spec, double *out)
{
    const Word w = words_next(&r->words);
    const Placement placement = w.len ? placement_named(w.beg, (size_t)w.len) : PLACEMENT_COUNT;
    const char *help = arena_printf(r->arena, "write %s", placement_words(r->arena));
    *out = placement;
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before it says where array %s is computed", spec->name);
    return placement != PLACEMENT_COUNT || words_refuse(&r->words, w, help, "array %s cannot be '%.*s'", spec->name, w.len, w.beg);
}

static bool read_number(Reader *r, const FieldSpec *spec, double *out)
{
    if (spec->unit == UNIT_PLACEMENT)
        return read_placement(r, spec, out);
    Word w = words_next(&r->words);
    const char *help = about_field(r->arena, spec);
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before the numbers of '%s' do", spec->name);
    char *copy = arena_strndup(r->arena, w.beg, (size_t)w.len), *end;
    *out = strtod(copy, &end);
    if (*end || !isfinite(*out) || strspn(copy, "+-.0123456789eE") != (size_t)w.len)
        return words_refuse(&r->words, w, help, "'%s' is no number", copy);
    if (*out < spec->least || *out > spec->most || (spec->unit == UNIT_WHOLE && *out != floor(*out)))
        return words_refuse(&r->words, w, help, "'%s' cannot be %s", spec->name, copy);
    const bool is_value = *out == floor(*out);
    if ((spec->unit == UNIT_KNOB && !(is_value && knob_may_be((NestKnob)spec->at, (int)*out))) ||
        (spec->unit == UNIT_GRID_KNOB && !(is_value && grid_knob_may_be((GridKnob)spec->at, (int)*out))))
        return words_refuse(&r->words, w, help, "'%s' cannot be %s", spec->name, copy);
    return true;
}

/* The word that older profiles have for a field; NULL: the same. */
static const char *former_word(RecordKind kind, const FieldSpec *field)
{
    return field->unit == UNIT_KNOB ? knob_info[field->at].former : kind == RECORD_ENGINE ? engine_former[field->at] : NULL;
}

/* The field of such a record, by its word or by that of older profiles; the nameless one behind the last if there is none. */
static const FieldSpec *field_named(RecordKind kind, Word name)
{
    const FieldSpec *field = record_specs[kind].fields;
    for (const char *former; field->name && !word_is(name, field->name); field++)
        if ((former = former_word(kind, field)) && word_is(name, former))
            break;
    return field;
}

static bool read_field(Reader *r, Record *record, Word name)
{
    const RecordSpec *kind = &record_specs[record->key.kind];
    const FieldSpec *spec = field_named(record->key.kind, name);
    if (!spec->name && record->key.kind == RECORD_MOVE && field_named(RECORD_ENGINE, name)->name)
        return words_refuse(&r->words, name, "write it in a record of its own: engine TYPE ISA and the same field",
                            "a move record has no field '%.*s', an engine record has", name.len, name.beg);
    const char *before = record->key.kind == RECORD_NEST && record->key.shape == CLASS_ALL
                             ? arena_printf(r->arena, "; a class, %s, goes right behind the nest", shape_class_words(r->arena))
                             : "";
    if (!spec->name)
        return words_refuse(&r->words, name, arena_printf(r->arena, "write %s%s", fields_of_kind(r->arena, record->key.kind), before),
                            "a %s record has no field '%.*s'", kind->name, name.len, name.beg);
    const ptrdiff_t f = spec - kind->fields;
    if (record->fresh >> f & 1)
        return words_refuse(&r->words, name, "leave one of the two away", "'%s' of this record is given twice", spec->name);
    double *value = record->value + spec->at;
    for (int i = 0; i < spec->count; i++) {
        const Word number = words_peek(&r->words);
        if (!read_number(r, spec, &value[i]))
            return false;
        if (i && value[i] < value[i - 1])
            return words_refuse(&r->words, number, "more steps cannot take less time: write the time before it", "'%s' decreases",
                                spec->name);
    }
    record->fresh |= UINT32_C(1) << f;
    record->known |= UINT32_C(1) << f;
    return true;
}

/* The words that tell what a record is about. */
static bool read_key(Reader *r, RecordKey *key)
{
    int kind = read_name(r, "record", name_of_kind, RECORD_KINDS), type = FAM_COUNT;
    if (kind < 0)
        return false;
    const bool of_gpu = record_specs[kind].of_gpu;
    if (record_specs[kind].any_machine) {
        *key = (RecordKey){.kind = (RecordKind)kind, .family = FAM_COUNT, .isa = ""};
        return read_operator(r, key);
    }
    if (!record_specs[kind].any_type && (type = read_name(r, "type", name_of_type, of_gpu ? RECORD_TYPES : FAM_COUNT)) < 0)
        return false;
    int isa = of_gpu ? read_name(r, "kind of GPU", name_of_gpu, GPU_COUNT) : read_name(r, "instruction set", name_of_isa, ISA_COUNT);
    if (isa < 0)
        return false;
    *key = (RecordKey){.kind = (RecordKind)kind, .family = (Family)type, .isa = of_gpu ? gpu_name(isa) : isa_name(isa)};
    if (kind == RECORD_BLOCK && type >= FAM_COUNT) {
        key->family = FAM_F32;
        key->tf32 = (Tf32)(TF32_ONCE + type - FAM_COUNT);
    }
    switch (key->kind) {
    case RECORD_KERNEL: return read_size(r, key);
    case RECORD_BLOCK: return read_kernel(r, key);
    case RECORD_NEST: return read_nest(r, key) && read_shape(r, key);
    case RECORD_GRID: return read_nest(r, key);
    default: return true;
    }
}

static bool read_record(Reader *r)
{
    RecordKey key;
    const Word first = words_peek(&r->words);
    if (!read_key(r, &key))
        return false;
    const int kind = (int)key.kind;
    const RecordSpec *spec = &record_specs[kind];
    if (spec->replaces)
        profile_replace(r->arena, r->profile, &key);
    Record *record = profile_record(r->arena, r->profile, &key, true);
    record->fresh = 0;
    const char *help = arena_printf(r->arena, "for example: %s", spec->example);
    for (Word w; (w = words_next(&r->words)).len;)
        if (!read_field(r, record, w))
            return false;
    if (!record->fresh)
        return words_refuse(&r->words, first, help, "this record says nothing");
    if ((kind == RECORD_NEST || kind == RECORD_GRID || kind == RECORD_FUSE) && !profile_get(r->profile, &key, "ns"))
        return words_refuse(&r->words, first, help, "this record lacks 'ns'");
    for (int f = 0; spec->needs_all && spec->fields[f].name; f++)
        if (!(record->fresh >> f & 1))
            return words_refuse(&r->words, first, help, "this record lacks '%s'", spec->fields[f].name);
    return true;
}

/* Keeps a comment, which begins there: one that stands alone on a line before the first record. */
static void keep_comment(Reader *r, const char *hash)
{
    const char *from = hash + 1;
    from += *from == ' ';
    size_t len = strcspn(from, "\r\n");
    profile_add_comment(r->arena, r->profile, arena_strndup(r->arena, from, len));
}

static bool read_header(Reader *r)
{
    static const char help[] = "the first line is: mikgen-profile 1 (mikgen tune makes such files)";
    Word first = words_next(&r->words), version = words_next(&r->words);
    if (!word_is(first, magic))
        return words_refuse(&r->words, first, help, "this is no profile");
    if (version.len == 0)
        return words_refuse(&r->words, version, help, "the profile's version is missing");
    if (!word_is(version, "1"))
        return words_refuse(&r->words, version, "measure again with this mikgen's tune",
                            "the profile is of version '%.*s', this mikgen reads version %d", version.len, version.beg, VERSION);
    return words_line_ends(&r->words, help);
}

Profile *profile_parse(Arena *arena, Diag *diag, const char *text, const Profile *below, EndsName *ends_name)
{
    Reader reader = {.arena = arena, .words = words_of(diag, text), .ends_name = ends_name}, *r = &reader;
    r->profile = profile_new(arena, below);
    bool has_header = false, has_records = false;
    for (; *r->words.at; words_skip_line(&r->words)) {
        const Word first = words_peek(&r->words);
        if (first.len) {
            /* A second header is the first line of another profile, which was appended. */
            const bool is_header = !has_header || word_is(first, magic);
            if (is_header ? !read_header(r) : !read_record(r))
                return NULL;
            has_records |= !is_header;
            has_header = true;
        } else if (*first.beg == '#' && !has_records) {
            keep_comment(r, first.beg);
        }
    }
    if (!has_header) {
        read_header(r);
        return NULL;
    }
    return r->profile;
}
