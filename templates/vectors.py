# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What an emitted file takes of the engine's vectors for loops (templates/engine/vec, engine/sets/NAME/loops): only what its text uses.

    {{ vectors(text) }}

finds names like f32z16_load in the text and gives the definitions that it needs, and what those need in turn, each once and before it
is used, by instruction sets. templates/engine/vec/lanes_config.h says what the names mean. Files are written for one kind of vector;
vectors.list in each folder says which of them, renamed how, define others.
"""
import re

NAME = re.compile(r"[A-Za-z_]\w*")
SHAPE = re.compile(r"[a-z]\d+$")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

C_TYPE = {"f32": "float", "f64": "double", "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t", "u64": "uint64_t"}
NARROW = {"i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t"}
MEMORY = {"i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t", "half": "uint16_t", "bf16": "uint16_t"}
TYPES = {"floats": ("f32", "f64"), "integers": ("i32", "u32", "i64", "u64"), "short": ("f32", "i32", "u32"), "long": ("f64", "i64", "u64"),
         "any": tuple(C_TYPE), "bytes": ("i8", "u8"), "words": ("i16", "u16"), "narrow": tuple(NARROW)}
C_TYPE.update(NARROW)


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
    longer_first = sorted(names, key=len, reverse=True)
    old = re.compile(r"(?<![A-Za-z0-9])(%s)(?![A-Za-z0-9])" % "|".join(re.escape(name) for name in longer_first))
    text = old.sub(lambda found: names[found.group(1)] or "\0", text)
    return re.sub("\0[ \t]*", "", text)


class Kind:
    """A kind of vector of a set with loops: f32z16."""

    def __init__(self, type_name, shape, row):
        self.type, self.shape, self.name, self.row = type_name, shape, type_name + shape, row
        self.lanes = int(shape[1:])
        self.long = type_name in TYPES["long"]
        self.widest = 8 * row["bytes"] // self.lanes  # bits of a lane of the shape's widest vectors
        self.size = "half" if self.widest == 64 else "full"

    def is_one_of(self, pattern):
        types, _, shape = pattern.partition("@")
        return self.type in TYPES.get(types, (types,)) and shape in ("", self.size, str(self.lanes))


def neon(kind):
    """What NEON calls such floats, and has for them."""
    found = {"f32p4": ("vsqrtq_f32", "vfmaq_f32", "float32x4_t"), "f64p2": ("vsqrtq_f64", "vfmaq_f64", "float64x2_t"),
             "f32p2": ("vsqrt_f32", "vfma_f32", "float32x2_t")}.get(kind.name)
    return dict(zip(("P4_NEON_SQRT", "P4_NEON_FMA", "P4_NEON"), found)) if found else {}


def for_any(old, kind):
    """Names of a file for all sets, which is written for f32p4 or f64p2."""
    integer = "i64" if kind.long else "i32"
    shape, mask = old[3:], "mask" + kind.shape
    names = {"MIK_LANES": kind.row["macro"], shape.upper() + "_LANES": kind.shape[1:], "mask" + shape: mask}
    if old == "f64p2":
        return dict(names, f64p2=kind.name, i64p2="i64" + kind.shape, u64p2="u64" + kind.shape)
    names["P4_HELD"] = '"+m"' if kind.name == "f32p2" else '"+v"'
    names["P4_WIDEST"] = "int%d_t" % kind.widest
    if kind.type == "mask":
        return names
    if kind.type == "f64":
        names.update({"sqrtf": "sqrt", "fmaf": "fma", "fmaxf": "fmax", "fminf": "fmin", "FLT_EPSILON": "DBL_EPSILON", "float": "double"})
    if kind.type in TYPES["floats"]:
        return dict(names, f32p4=kind.name, i32p4=integer + kind.shape, u32p4="u" + integer[1:] + kind.shape, int32_t=C_TYPE[integer], **neon(kind))
    return dict(names, i32p4=kind.name, f32p4=kind.name, int32_t=C_TYPE[kind.type], float=C_TYPE[kind.type])


def for_one(old, kind, rows):
    """Names of a set's own file, which is written for the kind `old`: of vectors, elements, and intrinsics."""
    shape = SHAPE.search(old).group()
    type_name, row = old[:-len(shape)], rows[shape[0]]
    names = {old: kind.name, "mask" + shape: "mask" + kind.shape, shape.upper() + "_LANES": kind.shape[1:],
             "mmask" + shape[1:]: "mmask" + kind.shape[1:], row["macro"]: kind.row["macro"]}
    if type_name == "mask":
        return names
    if type_name != "i64":  # which is what counts have
        names[C_TYPE[type_name]] = C_TYPE[kind.type]
    if kind.type == "f64":
        names["ps"] = "pd"
    if type_name == "i32":
        bits = "64" if kind.long else "32"
        if kind.type[0] == "u":
            names.update({at + "_epi32": at + "_epu" + bits for at in ("cmp", "min", "max")})
        names["epi32"] = "epi" + bits
    if int(shape[1:]) * 4 == row["bytes"] and not kind.long and kind.size == "half":
        names.update({"mm512": "mm256", "m512i": "m256i"} if type_name[0] == "i" else {"mm512": "mm256"})
    return names


def written(line, kind, rows):
    """The files that a line of vectors.list has for a kind, each as (file, renames)."""
    file, old, kinds, *words = line.split()
    if not any(kind.is_one_of(pattern) for pattern in kinds.split(",")):
        return
    own = {} if old == "-" else for_any(old, kind) if old[-2] == "p" else for_one(old, kind, rows)
    each = words.pop(0)[5:].split(",") if words and words[0].startswith("each=") else [""]
    for memory in each:
        if memory == kind.type:
            continue
        values = {"$A": kind.row["macro"], "$K": kind.name, "$S": kind.shape, "$H": "%s%d" % (kind.shape[0], kind.lanes // 2),
                  "$F": "%s%d" % (kind.shape[0], kind.row["bytes"] // 4), "$M": memory, "$C": MEMORY.get(memory, "")}
        names = dict(own)
        for word in words:
            name, _, new = word.partition("=")
            names[name] = re.sub(r"\$[AKSHFMC]", lambda found: values[found.group()], new)
        yield file, names


def reader(lines_of, resolve, sets):
    """The function; lines_of(NAME): of a file of the engine; sets: by name, as emit/sets.h has them."""
    rows = {row["loops"]["letter"]: dict(row["loops"], name=row["name"]) for row in sets.values() if row["loops"]}
    vector = re.compile(r"\b(f32|f64|i8|u8|i16|u16|i32|u32|i64|u64|mask)([%s]\d+)(?![A-Za-z0-9])" % "".join(rows)) if rows else None
    kinds = {}

    def listed(folder):
        try:
            return [line.strip() for line in lines_of(folder + "vectors.list") if line.strip() and line[0] != "#"]
        except OSError:  # a set need not have any
            return []

    def files_of(kind):
        own = "sets/%s/loops/" % kind.row["name"]
        for line in listed("vec/"):
            for folder, entry in [(own, more) for more in listed(own)] if line == "own" else [("vec/", line)]:
                for file, names in written(entry, kind, rows):
                    yield "sets/" + file.replace("/", "/loops/") if "/" in file else folder + file, names

    def definitions(type_name, shape):
        if (type_name, shape) not in kinds:
            found, row = {}, rows[shape[0]]
            for file, names in files_of(Kind(type_name, shape, row)):
                text = "".join(resolve(lines_of(file), {"MIK_NEON": 0} if row["target"] else {}))
                for part in parts_of(rename(text, names)):
                    found.setdefault(part.name, part)
            kinds[type_name, shape] = found
        return kinds[type_name, shape]

    def part_named(name):
        found = vector.match(name)
        return definitions(*found.groups()).get(name) if found else None

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
            out.setdefault(vector.match(name).group(2)[0], []).append(part)

        for name in dict.fromkeys(NAME.findall(COMMENT.sub(" ", text))):
            take(name)
        said = set()
        return {letter: "\n".join(printed(part, said) for part in out[letter]) for letter in rows if letter in out}

    vectors.definitions = definitions
    return vectors
