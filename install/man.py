# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""The manual pages.

    man.py FILE command MIKGEN VERSION             mikgen.1, from what --help prints
    man.py FILE spec DOCUMENT VERSION HEADING...   mikgen-spec.5, from sections of a document in Markdown

Of Markdown it knows what such sections use: paragraphs, lists, blocks of code, `code`, **bold** and links.
"""
import re
import sys
import textwrap

import help_text


def escape(text):
    """Text that roff prints as it stands, wherever it does."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def prose(text):
    """Inline Markdown."""
    parts = re.split(r"(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))", text)
    out = []
    for part in parts:
        if part.startswith("`"):
            out.append("\\fB" + escape(part[1:-1]) + "\\fR")
        elif part.startswith("**"):
            out.append("\\fB" + escape(part[2:-2]) + "\\fR")
        elif part.startswith("["):
            out.append(escape(part[1:part.index("]")]))
        else:
            out.append(escape(part))
    return "".join(out).lstrip()


def usage_of(call):
    """A synopsis: words in capitals are what the reader puts in."""
    return re.sub(r"[A-Z][A-Z-]+", lambda m: "\\fI" + escape(m.group()) + "\\fR", call.replace("\\", "\\e")) \
        .replace("--", "\\-\\-").replace(" -o", " \\-o")


def head_of(option):
    """In bold; where it has many values, lines may break in front of one of them."""
    return "\\fB" + escape(option.head).replace("|", "\\:|") + "\\fR"


def meaning_of(text):
    """Options that a text speaks of are bold."""
    return re.sub(r"(?<![\w-])(\\-\\-[a-z0-9][a-z0-9\\-]*[a-z0-9]|\\-[oDI])(?![\w\\-])", r"\\fB\1\\fR", escape(text))


def wrapped(text):
    """Prose in short lines, none of which roff takes for a request."""
    lines = textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False)
    return ["\\&" + line if line[:1] in (".", "'") else line for line in lines]


def put_sections(out, helps, heading):
    for section in helps.sections:
        if not section.options:
            continue
        out.append("%s %s" % (heading, escape(section.title)))
        for option in section.options:
            out += [".TP", head_of(option)] + wrapped(meaning_of(option.meaning))


def put_examples(out, helps):
    for section in helps.sections:
        if not section.options:
            out += [".PP", ".nf"] + [escape(line) for line in section.lines] + [".fi"]


def put_paragraphs(out, paragraphs):
    for paragraph in paragraphs:
        out += [".PP"] + wrapped(meaning_of(paragraph))


def command(mikgen, version):
    main, tune, cc = [help_text.of_program(mikgen, *words) for words in ((), ("tune",), ("cc",))]
    out = ['.TH MIKGEN 1 "" "mikgen %s" "User Commands"' % version, ".nh", ".ad l", ".SH NAME",
           "mikgen \\- generate C and CUDA with micro\\-kernels for any shape from loop nests", ".SH SYNOPSIS", ".nf"]
    calls = [re.sub(r"   .*", "", call) for call in main.usage]
    out += [usage_of(call) for call in calls] + [".fi", ".SH DESCRIPTION"]
    put_paragraphs(out, main.paragraphs)
    out += [".PP", "What a specification may hold tells \\fBmikgen\\-spec\\fR(5)."]
    out.append(".SH OPTIONS")
    put_sections(out, main, ".SS")
    out += [".SH MIKGEN TUNE", ".nf"] + [usage_of(call) for call in tune.usage] + [".fi"]
    put_paragraphs(out, tune.paragraphs)
    put_sections(out, tune, ".SS")
    out += [".SH MIKGEN CC", ".nf"] + [usage_of(call) for call in cc.usage] + [".fi"]
    put_paragraphs(out, cc.paragraphs)
    put_sections(out, cc, ".SS")
    put_paragraphs(out, [text for text in cc.last if not text.startswith("Exit status")])
    out.append(".SH EXAMPLES")
    put_examples(out, main)
    put_examples(out, tune)
    put_examples(out, cc)
    out.append(".SH EXIT STATUS")
    put_paragraphs(out, [text.removeprefix("Exit status: ") for text in main.last])
    put_paragraphs(out, ["Of mikgen tune: " + text.removeprefix("Exit status: ") for text in tune.last])
    put_paragraphs(out, ["Of mikgen cc: " + text.removeprefix("Exit status: ") for text in cc.last if text.startswith("Exit status")])
    out += [".SH SEE ALSO", "\\fBmikgen\\-spec\\fR(5), \\fBcc\\fR(1), \\fBdiff\\fR(1), \\fBmake\\fR(1)"]
    return out


def section_in(document, heading):
    """The lines below the heading, up to the next one of its level."""
    found = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(heading), document, re.M | re.S)
    if not found:
        sys.exit("man.py: there is no section '## %s'" % heading)
    return found.group(1).strip("\n").split("\n")


def markdown(lines):
    """Blocks of Markdown as roff."""
    out, at = [], 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```") or line.startswith("    "):
            fenced = line.startswith("```")
            end = at + 1
            while end < len(lines) and (not lines[end].startswith("```") if fenced else lines[end].startswith("    ")):
                end += 1
            out += [".PP", ".nf"] + [escape(text if fenced else text[4:]) for text in lines[at + fenced:end]] + [".fi"]
            at = end + fenced
            continue
        block = []
        item = line.startswith("- ")
        while at < len(lines) and lines[at].strip() and not (block and lines[at].startswith(("- ", "```"))):
            block.append(lines[at].strip().removeprefix("- ") if not block else lines[at].strip())
            at += 1
        if block:
            out += [".IP \\(bu 2" if item else ".PP"] + wrapped(prose(" ".join(block)))
        else:
            at += 1
    return out


def spec(document, version, *headings):
    with open(document, encoding="utf-8") as f:
        text = f.read()
    out = ['.TH MIKGEN\\-SPEC 5 "" "mikgen %s" "File Formats"' % version, ".nh", ".ad l", ".SH NAME",
           "mikgen\\-spec \\- operators as C loop nests, which \\fBmikgen\\fR(1) reads", ".SH DESCRIPTION",
           "A spec is C that any compiler accepts: functions whose loop nests say what is computed, for instance"]
    example = re.search(r"^```c\b[^\n]*\n.*?^```$", text, re.M | re.S)
    out += markdown(example.group().split("\n")) if example else []
    for heading in headings:
        out += [".SH " + escape(heading.upper())] + markdown(section_in(text, heading))
    return out + [".SH SEE ALSO", "\\fBmikgen\\fR(1)"]


def put(path, lines):
    """Without paragraphs that begin where a section does."""
    with open(path, "w", encoding="utf-8") as f:
        for before, line in zip([""] + lines, lines):
            if not (line == ".PP" and before.startswith((".SH", ".SS"))):
                f.write(line + "\n")


put(sys.argv[1], {"command": command, "spec": spec}[sys.argv[2]](*sys.argv[3:]))
