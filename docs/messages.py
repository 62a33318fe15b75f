#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/messages.md: every message, of the tables and calls that say them.

    messages.py            prints it
    messages.py check      is docs/messages.md that, and has every refusal an example? (a test)
    messages.py update     writes it

Refusals come from gen/front/refusal.def, their examples from tests/golden/err, keep_err and extract_err, whose files hold what mikgen says (those of sizes are expected in tests/cli); reasons of
nests from plan/contract/missed.def; the rest from the calls in the sources that print a message and a help (CALLS). What helps
loops that go by no vectors is in plan/vectors/cures.def.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/messages.md"

# Function: which argument is the message, which one the help.
CALLS = {"option_wrong": (0, 2), "refuse_output": (1, 2), "diag_error": (3, 2), "words_refuse": (3, 2), "complain": (0, 1), "database_wrong": (1, 3), "tune_complain": (0, 1)}
ROOMS = ("gen", "ir", "plan", "tune", "emit", "depend", "fuse", "normalize", "licm")
TITLES = [("gen/driver/options.c", "Of the command line"), ("gen/driver/option_words.c", "Of the command line"),
          ("gen/driver/run_files.c", "Of the command line"), ("gen/driver/compile_database.c", "Of the command line"),
          ("gen/tune", "Of mikgen tune"), ("tune", "Of mikgen tune"),
          ("plan/profile", "Of profiles and models"), ("gen/driver/profiles.c", "Of profiles and models"), ("", "Of specs, found by later passes")]

# What else helps loops that are not vectorized. cures.def has those of which a run of mikgen tells by itself.
HELPS = {
    "a loop looks for a place, and does other things as well": "a loop of its own for the place, with an `int` counter",
    "a number of 64 bits changes with the loop": "numbers of 32 bits where these suffice; else a loop of its own for this one",
    "an integer that changes with the loop is used as a number": "an `int` that is a multiple of the counter plus a constant",
    "a conversion has no vectors": "two conversions, by way of `int` or `float`",
    "%s has no vectors": "a loop of its own for this function, so that the rest is vectorized",
    "a condition is too long": "parts of the condition in variables",
    "a reduction has no vectors": "sums, products, minima, maxima and bitwise operations have vectors",
    "array %s belongs to one iteration": "scalars instead, or a declaration in front of the loop with a subscript for each iteration",
    "%s goes from one iteration to the next": "a declaration inside of the loop, unless it is a recurrence",
    "too many loops are inside one another": "fewer loops in one another, with an array between two nests",
    "a statement has no vectors": "a loop of its own for this statement",
}
CLANG = "*(Clang's own message)*"
OR = "\0" # between helps of which a call prints one


def literals(text):
    """The strings in an argument that has nothing but strings, perhaps chosen by ?:, else none."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    rest = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text).strip()
    if re.fullmatch(r'(""\s*)+', rest):
        return [unescaped("".join(strings))]
    chosen = re.search(r'\?\s*""\s*:\s*""', rest) and "(" not in rest
    return [unescaped(string) for string in strings] if chosen else []


def unescaped(text):
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def arguments(text, at):
    """The arguments of a call whose '(' is at `at`."""
    found, depth, begin, quoted = [], 0, at + 1, False
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return found + [text[begin:at]]
        elif c == "," and depth == 1:
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return found


def sources():
    names = subprocess.run(["git", "ls-files", "*.c", "*.cc", "*.hh"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in names if name.split("/")[0] in ROOMS]


def said_by_calls():
    """{title: [(message, help)]} of calls with both as text."""
    found = {}
    for name in sources():
        text = (ROOT / name).read_text(encoding="utf-8")
        title = next(title for begin, title in TITLES if name.startswith(begin))
        for call in re.finditer(r"\b(%s)(?=\()" % "|".join(CALLS), text):
            args, (message, cure) = arguments(text, call.end()), CALLS[call.group(1)]
            if len(args) > max(message, cure):
                made = args[cure].find("arena_printf(")
                cures = OR.join(literals(args[cure]) or (literals(arguments(args[cure], made + len("arena_printf"))[1]) if made >= 0 else []))
                for words in literals(args[message]):
                    filled = call.group(1) == "option_wrong" and args[1].strip() == '""'
                    add(found, title, words.replace("%s", "") if filled else words, cures)
        for call in re.finditer(r"\bfprintf(?=\()", text):
            args = arguments(text, call.end())
            for words in literals(args[1]) if len(args) > 1 else []:
                if words.startswith("mikgen: error: ") and "\nhelp: " in words:
                    message, _, cure = words.removeprefix("mikgen: error: ").partition("\nhelp: ")
                    add(found, title, message, cure.rstrip("\n"))
    return found


def add(found, title, message, cure):
    if len(re.findall(r"[a-z]{2,}", re.sub(r"%\S*", "", message))) > 1 and message not in [row[0] for row in found.setdefault(title, [])]:
        found[title].append((message, cure))


def code(text):
    """A code span, in a cell of a table."""
    text = re.sub(r"%\.\*s|%s|%d|%zu|%lld", "…", text).replace("%%", "%").replace("|", "\\|").strip()
    return ("`` %s ``" if "`" in text else "`%s`") % text if text else ""


def table(head, rows):
    return ["| %s |" % " | ".join(head), "|" + "---|" * len(head)] + ["| %s |" % " | ".join(row) for row in rows] + [""]


def entries(name, macro):
    """The rows of a .def file: [[string or word, ...]]."""
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" + comment.group() if "source-to-source" in comment.group() else "", (ROOT / name).read_text(encoding="utf-8"), flags=re.S)
    for call in re.finditer(r"^%s(?=\()" % macro, text, re.M):
        args = [arg.strip() for arg in arguments(text, call.end())]
        yield [args[0]] + [literals(arg)[0] if literals(arg) else "" for arg in args[1:]]


def golden():
    """(message with help, the line of the spec) of each expected file."""
    found = []
    for folder in ("err", "keep_err", "extract_err"):
        for path in sorted((ROOT / "tests/golden" / folder).glob("*.[el]*")):
            lines = path.read_text(encoding="utf-8").split("\n")
            for i, line in enumerate(lines):
                error = re.match(r"\S+?(?::\d+:\d+)?: (?:error|missed: function '\w+' is left as it is|missed: loop is left as text): (.*)", line)
                if error:
                    cure = next((other.removeprefix("help: ") for other in lines[i + 1:i + 5] if other.startswith("help: ")), "")
                    line = lines[i + 1].strip() if i + 1 < len(lines) else ""
                    shown = line.isascii() and line.isprintable() and re.search("[a-z]", line) and not line.startswith("help: ")
                    found.append((error.group(1), cure, line if shown else ""))
    return found


def matcher(text):
    return re.escape(text).replace("%s", ".*")


def example(message, cure, cases, scripts):
    """The line of a case with message and help; with the message where a better help is always found; "" where a script has it."""
    same = [(helped, line) for said, helped, line in cases if re.fullmatch(matcher(message), said)]
    for helped, line in same:
        if re.fullmatch(matcher(cure), helped):
            return line
    if message != "%s" and same:
        return same[0][1]
    said = re.sub("^.* (?=more than |larger than )", "", message).removesuffix("%s")
    return "" if len(said) > len("error: ") and said in scripts else None


# Refusals that no text is known to lead to, or one that is too large for a test.
GUARDS = ("R_STMT", "R_KEEP_UNKNOWN", "R_KEEP_TOO_LARGE")


def refusals(beginning):
    """Rows of refusal.def, and identifiers without an example."""
    rows, lacking, cases = [], [], golden()
    scripts = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/cli").glob("*.sh")))
    for identifier, message, cure in entries("gen/front/refusal.def", "REFUSE(?:_REST)?"):
        own = next((one for one in ("R_KEEP", "R_EXTRACT") if identifier.startswith(one)), "R_")
        if own != beginning or identifier in GUARDS:
            continue
        line = example(message, cure, cases, scripts)
        if line is None:
            lacking.append(identifier)
        said = code(message) if message != "%s" else CLANG
        rows.append((said, code(line if line and len(line) <= 100 else ""), cure.replace("%s", "…").replace("|", "\\|")))
    return sorted(rows, key=lambda row: row[0] == CLANG), lacking


def vectors():
    cures = dict(re.findall(r'^CURE\("([^"]*)",\s*"([^"]*)"\)', (ROOT / "plan/vectors/cures.def").read_text(encoding="utf-8"), re.M))
    found = dict.fromkeys(cures)
    for name in sources():
        text = (ROOT / name).read_text(encoding="utf-8")
        for call in re.finditer(r"\bvector_refuse(?=\()", text):
            args = arguments(text, call.end())
            for words in re.findall(r'"((?:[^"\\]|\\.)*)"', args[1]) if len(args) > 1 else []:
                found.setdefault(words)
    return [(code(words), cures.get(words, HELPS.get(words, ""))) for words in found]


HEAD = """# Messages

Made by `docs/messages.py` of the tables and calls that say them; do not edit. `…` is a name, a word or a number of yours.

An error is `FILE:LINE:COLUMN: error: WHAT`, the line with its place marked, and `help: WHAT TO WRITE INSTEAD`. It ends mikgen with status 1,
and nothing is written. `internal error` and status 2 are a fault of mikgen: please report it with the spec. If a program is wrong or slow, or does not
build, see [troubleshooting.md](troubleshooting.md).
"""


def document():
    out = HEAD.split("\n")
    out += ["## Of specs", "", "Every rule of the language ([spec-language.md](spec-language.md)) has one of these. Errors that any C compiler finds have Clang's own message,",
            "and often a help of mikgen's: these stand last.", ""]
    spec_rows, lacking = refusals("R_")
    out += table(("message", "for instance", "write instead"), spec_rows)
    out += ["## Of source to source", "", "`mikgen --keep-loops`: [source-to-source.md](source-to-source.md).", ""]
    kept_rows, kept_lacking = refusals("R_KEEP")
    out += table(("message", "for instance", "write instead"), kept_rows)
    out += ["`mikgen --extract`, beside those of specs:", ""]
    made_rows, made_lacking = refusals("R_EXTRACT")
    kept_lacking += made_lacking
    out += table(("message", "for instance", "write instead"), made_rows)
    calls = said_by_calls()
    for title in dict.fromkeys(title for _, title in reversed(TITLES)):
        out += ["## " + title, ""] + table(("message", "help"), [(code(message), ", or ".join(code(one) for one in cure.split(OR))) for message, cure in calls.get(title, [])])
    out += ["## Of remarks", "", "`--remarks` says on standard error how each nest was transformed. `missed:` is no error: the loops run as the spec has them, which gives right",
            "results and may be slower than possible.", "", "`missed: not a contraction: …`:", ""]
    missed = re.findall(r'^MISSED\(\w+,\s*"([^"]*)",\s*"([^"]*)"\)', (ROOT / "plan/contract/missed.def").read_text(encoding="utf-8"), re.M)
    out += table(("reason", "what helps"), [(code(words), cure) for words, cure in missed])
    out += ["`missed: the loop over … is not vectorized: …`:", ""] + table(("reason", "what helps"), vectors())
    out += ["`missed: loop … runs in order: …` names the two accesses, of which one writes what the other reads in another iteration: an array of its",
            "own for results, or a scalar declared inside of the loop, often makes iterations independent.", ""]
    return "\n".join(out).rstrip("\n") + "\n", lacking + kept_lacking


def main():
    text, lacking = document()
    if sys.argv[1:] == ["update"]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif sys.argv[1:] == ["check"]:
        if DOCUMENT.read_text(encoding="utf-8") != text:
            sys.exit("FAILED: docs/messages.md is not what docs/messages.py makes: docs/messages.py update")
        if lacking:
            sys.exit("FAILED: refusals that no test expects, in tests/golden/err, keep_err or cli: %s" % " ".join(lacking))
        print("%d rows" % text.count("\n| "))
    else:
        sys.stdout.write(text)


main()
