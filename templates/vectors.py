# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What an emitted file takes of the engine's vectors (templates/engine/vec): only what its text uses.

    {{ vectors(text) }}

finds names like f32z16_load in the text and gives the definitions that it needs, and what those need in turn, each once and before it
is used, by instruction sets. templates/engine/vec/lanes_config.h says what the names mean. Files there are written for one type and one
shape; files_of() says which of them, renamed how, define the names of a kind of vector. Of two definitions the first counts.
"""
import re

NAME = re.compile(r"[A-Za-z_]\w*")
VECTOR = re.compile(r"\b(f32|f64|i32|u32|i64|u64|mask)([zyp]\d+)(?![A-Za-z0-9])")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

C_TYPE = {"f32": "float", "f64": "double", "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t", "u64": "uint64_t"}
MEMORY = {"i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t"}
ATTRIBUTE = {"z": "MIK_AVX512L", "y": "MIK_AVX2L", "p": "MIK_UNUSED"}
WIDE = ("f64", "i64", "u64")
NARROW = ("z8", "y4", "p2")
WIDE_PAIRS = {  # what stands in baseline_interleaved.h for neighbours of 32 bits, and the same for 64
    "shuffle_ps((__m128)x, (__m128)y, 0x88": "unpacklo_pd((__m128d)x, (__m128d)y",
    "shuffle_ps((__m128)x, (__m128)y, 0xdd": "unpackhi_pd((__m128d)x, (__m128d)y",
    "shuffle_ps((__m128)x, (__m128)x, 0xb1": "shuffle_pd((__m128d)x, (__m128d)x, 1",
    "shuffle_ps((__m128)x, (__m128)x, 0xa0": "unpacklo_pd((__m128d)x, (__m128d)x",
    "shuffle_ps((__m128)x, (__m128)x, 0xf5": "unpackhi_pd((__m128d)x, (__m128d)x",
    "vrev64q_u32((uint32x4_t)x": "vextq_u64((uint64x2_t)x, (uint64x2_t)x, 1",
    "unpacklo_ps": "unpacklo_pd", "unpackhi_ps": "unpackhi_pd", "m128": "m128d",
    "vuzp1q_u32": "vzip1q_u64", "vuzp2q_u32": "vzip2q_u64", "vzip1q_u32": "vzip1q_u64", "vzip2q_u32": "vzip2q_u64",
    "vtrn1q_u32": "vzip1q_u64", "vtrn2q_u32": "vzip2q_u64", "uint32x4_t": "uint64x2_t",
}
MATH = ("exp", "log", "exact", "erf", "trig", "arc", "root")


class Part:
    """A definition with the comment above it."""

    def __init__(self, lines, comment):
        code = "\n".join(lines[comment:])
        self.code = code
        self.comment = "\n".join(lines[:comment])
        self.uses = dict.fromkeys(NAME.findall(COMMENT.sub(" ", code)))
        head = re.sub(r"__attribute__\(\(.*?\)\)+", "", code)
        if head.startswith("#define"):
            self.name = NAME.findall(head)[1]
        elif head.startswith("typedef"):
            self.name = NAME.findall(head)[-1]
        else:
            self.name = NAME.findall(re.split(r"[({\[=]", head)[0])[-1]


def printed(part, said):
    """The definition; what sets have in common is explained once."""
    comment = part.comment if part.comment not in said else ""
    said.add(part.comment)
    return comment + "\n" * bool(comment) + part.code


def end_of(lines, at):
    """The line behind the definition that begins at line `at`."""
    if lines[at].startswith("#"):
        while lines[at].endswith("\\"):
            at += 1
        return at + 1
    depth = 0
    while True:
        depth += lines[at].count("{") - lines[at].count("}")
        at += 1
        if depth == 0 and re.search(r"[;}]\s*(/\*.*\*/)?$", lines[at - 1]):
            return at


def parts_of(text):
    """The definitions of a header, in order."""
    text = re.sub(r"\A\s*/\*.*?\*/\n", "", text, flags=re.DOTALL)
    lines = [line for line in text.split("\n") if not re.match(r"#\s*(pragma|include)\b|\s*/\* clang-format ", line)]
    found, at = [], 0
    while at < len(lines):
        start = at
        while at < len(lines) and lines[at].startswith("/*"):
            while not lines[at].endswith("*/"):
                at += 1
            at += 1
        if at == len(lines) or not lines[at].strip():
            at += 1
            continue
        end = end_of(lines, at)
        found.append(Part(lines[start:end], at - start))
        at = end
    return found


def rename(text, names):
    """All at once: a new name may be another one's old name. What becomes nothing takes the blanks behind it along."""
    if not names:
        return text
    old = re.compile(r"(?<![A-Za-z0-9])(%s)(?![A-Za-z0-9])" % "|".join(re.escape(name) for name in names))
    text = old.sub(lambda found: names[found.group(1)] or "\0", text)
    return re.sub("\0[ \t]*", "", text)


def generic(kind, shape):
    """How files written for f32p4 are renamed."""
    bits = 512 // int(shape[1:]) if shape[0] == "z" else 256 // int(shape[1:]) if shape[0] == "y" else 128 // int(shape[1:])
    names = {"MIK_LANES": ATTRIBUTE[shape[0]], "P4_LANES": shape[1:], "P4_WIDEST": "int%d_t" % bits, "maskp4": "mask" + shape}
    if kind == "mask":
        return names
    same = "i64" if kind in WIDE else "i32"
    if kind == "f64":
        names.update({"sqrtf": "sqrt", "fmaf": "fma", "fmaxf": "fmax", "fminf": "fmin", "FLT_EPSILON": "DBL_EPSILON", "float": "double"})
    if kind[0] == "f":
        neon = {"f32p4": ("vsqrtq_f32", "vfmaq_f32", "float32x4_t"), "f64p2": ("vsqrtq_f64", "vfmaq_f64", "float64x2_t"),
                "f32p2": ("vsqrt_f32", "vfma_f32", "float32x2_t")}.get(kind + shape)
        if neon:  # the longer names first
            names.update(zip(("P4_NEON_SQRT", "P4_NEON_FMA", "P4_NEON"), neon))
        return dict(names, f32p4=kind + shape, i32p4=same + shape, u32p4="u" + same[1:] + shape, int32_t=C_TYPE[same])
    return dict(names, i32p4=kind + shape, f32p4=kind + shape, int32_t=C_TYPE[kind], float=C_TYPE[kind])


def avx512(kind, shape):
    """How files written for f32z16 and i32z16 are renamed."""
    names = {"f32z16": kind + shape, "i32z16": kind + shape, "maskz16": "mask" + shape, "Z16_LANES": shape[1:],
             "mmask16": "mmask" + shape[1:]}
    half = shape == "z8" and kind not in WIDE
    if half:
        names.update({"mm512": "mm256"})
    if kind == "f64":
        return dict(names, float="double", ps="pd")
    if kind[0] == "f":
        return names
    if half:
        names["m512i"] = "m256i"
    bits = "64" if kind in WIDE else "32"
    if kind[0] == "u":
        names.update({at + "_epi32": at + "_epu" + bits for at in ("cmp", "min", "max")})
    return dict(names, int32_t=C_TYPE[kind], epi32="epi" + bits)


def memory(names, suffix, c_type, from_memory, to_memory):
    """How apart.h is renamed for elements of another type in memory."""
    names = dict(names, float=c_type, P4_FROM=from_memory, P4_TO=to_memory)
    names.update({how: how + "_" + suffix for how in ("load_apart", "store_apart", "gather", "scatter")})
    return names


def math_of(kind, shape, own):
    """The files with mathematical functions: for doubles written for f64p2; of floats some are made by those for doubles, by halves
    where a vector of floats has more lanes than one of doubles."""
    lanes = int(shape[1:])
    doubles = {"f64p2": "f64" + shape, "i64p2": "i64" + shape, "u64p2": "u64" + shape, "maskp2": "mask" + shape, "P2_LANES": shape[1:],
               "MIK_LANES": ATTRIBUTE[shape[0]]}
    if kind == "f64":
        return [("math_%s_f64.h" % subject, doubles) for subject in MATH]
    files = [("math_%s_f32.h" % subject, own) for subject in MATH]
    if shape in NARROW:
        return files + [("narrow_math_f32.h", dict(own, f64p4="f64" + shape))]
    special = {"z16": [("avx512_halves.h", {})], "y8": [("avx2_halves.h", {})]}.get(shape, [])
    return files + special + [("halves_f32.h", dict(own, f64p2="f64%s%d" % (shape[0], lanes // 2)))]


def files_of(kind, shape):
    """The files that define a kind of vector, and how each is renamed, in the order in which they count."""
    own = generic(kind, shape)
    files = [("lanes_types.h", own)]
    if kind == "mask":
        special = [("avx512_types.h", avx512("f32", shape))] if shape[0] == "z" else []
        special += [("avx2_types.h", {})] if shape == "y8" else [("avx2_mask_f64.h", {})] if shape == "y4" else []
        special += [("avx2_mask.h", {"masky8": "mask" + shape})] if shape[0] == "y" else []
        return special + [("shape.h", own)] + ([("baseline_mask.h", own)] if shape[0] == "p" else [])
    if shape[0] == "z":
        files.append(("avx512_float.h" if kind[0] == "f" else "avx512_integer.h", avx512(kind, shape)))
        if shape == "z16" or kind in WIDE:
            files.append(("avx512_fold.h" if kind[0] == "f" else "avx512_fold_integer.h", avx512(kind, shape)))
        if shape == "z16":
            files.append(("avx512_memory.h", {}))
        if kind[0] == "f":
            files.append(("avx512_math.h", avx512(kind, shape)))
        if kind + shape == "f32z16":
            files.append(("avx512_erf.h", {}))
        if kind == "f64":
            files.append(("avx512_double.h", {}))
        if kind in WIDE:
            files.append(("avx512_tile_f64.h", {"f64z8": kind + shape, "double": C_TYPE[kind]}))
        if kind in ("i32", "u32") and shape == "z8":
            files += [("avx512_narrow.h", {"i32z8": kind + shape, "i64": wide, "i64z8": wide + shape}) for wide in ("i64", "u64")]
        if kind + shape == "i32z8":
            files.append(("avx2_memory.h", {"i32y8": "i32z8", "MIK_AVX2L": "MIK_AVX512L"}))
    if shape == "y8":
        files += [("avx2_float.h", {})] if kind == "f32" else []
        files += [("avx2_memory.h", {})] + ([("avx2_part_integer.h", {"i32y8": kind + shape, "int32_t": C_TYPE[kind]})] if kind[0] != "f" else [])
    if shape == "y4":
        files += [("avx2_double.h", {})] if kind == "f64" else []
        own_names = {"f64y4" if kind in WIDE else "f32y4": kind + shape, "double" if kind in WIDE else "float": C_TYPE[kind]}
        files += [(name, own_names) for name in (("avx2_part.h", "avx2_tile_f64.h") if kind in WIDE else ("avx2_part_half.h", "avx2_tile_half.h"))]
        files += [("avx2_narrow.h", {})] if kind == "i32" else []
        files += [("avx2_widened.h", {"i64y4": kind + shape})] if kind in ("i64", "u64") else []
    if kind + shape in ("f32p4", "f64p2"):
        files.append(("baseline_float.h", dict(own, ps="pd") if kind == "f64" else own))
    if kind + shape == "i32p4":
        files.append(("baseline_pairs.h", own))
    special = {"z16": "avx512", "y8": "avx2"}.get(shape)
    if special and kind in ("f32", "i32"):
        files.append((special + "_tile.h", {"f32" + shape: kind + shape, "float": C_TYPE[kind]}))
    if special and kind == "f32":
        files.append((special + "_apart.h", {}))
    files += [("memory.h", own), ("lanes_tile.h", own)]
    pairs = {"z16": "avx512_interleaved.h", "y8": "avx2_interleaved.h", "p4": "baseline_interleaved.h"}
    if kind in WIDE:
        pairs = {"z8": "avx512_interleaved_f64.h", "y4": "avx2_interleaved_f64.h", "p2": "baseline_interleaved.h"}
    if shape in pairs:
        as_written = {"z16": "f32z16", "y8": "f32y8"}.get(shape, "f64" + shape)
        names = dict(own, **(WIDE_PAIRS if kind in WIDE else {})) if shape[0] == "p" else {as_written: kind + shape, "double": C_TYPE[kind]}
        files.append((pairs[shape], names))
    if kind + shape in ("f32z16", "f64z8", "f32y8", "f64y4"):
        written = "f32z16" if shape[0] == "z" else "f32y8"
        files.append(("avx512_sub_add.h" if shape[0] == "z" else "avx2_sub_add.h", dict({written: kind + shape}, **({"ps": "pd"} if kind == "f64" else {}))))
    files += [("interleaved.h", own)] + ([("interleaved_float.h", own)] if kind[0] == "f" else [])
    named = dict(own, MIK_AVX2L=ATTRIBUTE[shape[0]], MIK_AVX512L=ATTRIBUTE[shape[0]], f32p4="f32p4")
    named[{"8": "f32y8", "16": "f32z16"}.get(shape[1:], "f32p4")] = kind + shape
    files += [("lanes_apart.h", named)] if shape[1:] != "2" else []
    apart = dict(own, P4_INDEX="i32" + shape, P4_FROM="", P4_TO="")
    files.append(("apart.h", apart))
    if kind == "f32":
        files += [("apart.h", memory(apart, half, "uint16_t", "mik_%s_to_float" % half, "mik_float_to_%s" % half)) for half in ("half", "bf16")]
    if kind == "i32":
        files += [("lanes_apart.h", memory(named, name, c, "", "")) for name, c in MEMORY.items()] if shape[1:] != "2" else []
        files += [("avx2_where.h", {"i32y8_load_where_u8": "i32y8_load_where_" + name, "i32y8_load_u8": "i32y8_load_" + name, "uint8_t": c})
                  for name, c in MEMORY.items()] if shape == "y8" else []
        files += [("apart.h", memory(apart, name, c, "", "(%s)" % c)) for name, c in MEMORY.items()]
    if kind in ("i32", "u32") and shape in NARROW:
        files.append(("lanes_narrow_integer.h", own))
    files.append(("lanes_narrow.h" if shape in NARROW and kind not in WIDE else "lanes_compare.h", own))
    files.append(("floats.h" if kind[0] == "f" else "integer.h", own))
    files += [(name, dict(own, half=half)) for name in ("half.h", "narrow_tile.h") for half in ("half", "bf16")] if kind == "f32" else []
    if kind == "i32":
        files += [(name, dict(own, i8=memory_name, int8_t=c)) for name in ("bytes.h", "pairs.h") for memory_name, c in MEMORY.items()]
        files += [("narrow_tile.h", dict(own, half=memory_name, uint16_t=c)) for memory_name, c in MEMORY.items()]
    files += [("convert.h", dict(own, i32=other, i32p4=other + shape)) for other in C_TYPE if other != kind]
    return files + (math_of(kind, shape, own) if kind[0] == "f" else [])


def reader(lines_of, resolve):
    """The function; lines_of(NAME): of a file of the engine."""
    kinds = {}

    def definitions(kind, shape):
        if (kind, shape) not in kinds:
            found = {}
            for name, names in files_of(kind, shape):
                try:
                    text = "".join(resolve(lines_of("vec/" + name), {} if shape[0] == "p" else {"MIK_NEON": 0}))
                except OSError:  # not every kind has every file
                    continue
                for part in parts_of(rename(text, names)):
                    found.setdefault(part.name, part)
            kinds[kind, shape] = found
        return kinds[kind, shape]

    def part_named(name):
        vector = VECTOR.match(name)
        return definitions(*vector.groups()).get(name) if vector else None

    def vectors(text):
        """The definitions, by the letter of the instruction set: {"z": "typedef ...", ...}."""
        taken, out = set(), {}

        def take(name):
            part = part_named(name)
            if not part or name in taken:
                return
            taken.add(name)
            for used in part.uses:
                take(used)
            out.setdefault(VECTOR.match(name).group(2)[0], []).append(part)

        for name in dict.fromkeys(NAME.findall(COMMENT.sub(" ", text))):
            take(name)
        said = set()
        return {letter: "\n".join(printed(part, said) for part in out[letter]) for letter in "zyp" if letter in out}
    return vectors
