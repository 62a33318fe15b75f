#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How documents read: lengths of sentences, "what" clauses, and words for which docs/glossary.md has the field's own.

    prose.py [--count] [FILE...]

Without FILEs, all documents that people have written. Fails where, of a document, more than one sentence in ten has 25 words or more, where one
has more than 30 (code counts as one word), where there are more than 3 "what ..." clauses in 1,000 words, or where a word stands that the
glossary's last column replaces. --count prints the figures of each document and fails never.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG, TOO_LONG, SHARE, WHATS = 25, 30, 10, 3
MADE = {"docs/files.md", "docs/messages.md", "docs/options.md"}  # of head comments, of messages, of --help


def replaced():
    """The expressions that the glossary replaces, as (pattern, what it has instead)."""
    rows = []
    for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[2] not in ("", "instead of", "---"):
            rows += [(word.strip().strip('"'), cells[0]) for word in cells[2].split(";")]
    return [(re.compile(r"\b" + re.escape(word) + r"\b", re.I), word, term) for word, term in rows if word]


def prose(text):
    """A document's paragraphs, list items and table cells, without code, links' targets and headings."""
    text = re.sub(r"^(```+)[^\n]*\n.*?^\1$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]+`", "CODE", text)
    blocks, block = [], []
    for line in text.splitlines() + [""]:
        bare = line.strip()
        starts = re.match(r"([-*]|\d+[.])\s+", bare)
        if not bare or bare.startswith(("#", "|")) or starts:
            blocks.append(" ".join(block))
            block = []
        if bare.startswith("|"):
            blocks += [cell.strip() for cell in bare.strip("|").split("|") if not re.fullmatch(r"[\s:-]*", cell)]
        elif bare and not bare.startswith("#"):
            block.append(re.sub(r"^([-*]|\d+[.])\s+", "", bare))
    return [b.replace("**", "").replace("*", "") for b in blocks if b]


def sentences(block):
    """Split at full stops, question marks, colons that end a line of thought, semicolons: where a reader may rest."""
    return [s.strip() for s in re.split(r"(?<=[.!?;])\s+(?=[A-Z0-9\"'(`])|(?<=;)\s+", block) if s.strip()]


def words(sentence):
    return re.findall(r"[A-Za-z0-9_'’.%/+-]*[A-Za-z0-9][A-Za-z0-9_'’.%/+-]*", sentence)


def judge(name, patterns):
    """(figures, complaints) of a document."""
    blocks = prose((ROOT / name).read_text(encoding="utf-8"))
    said = [s for b in blocks for s in sentences(b)]
    lengths = [len(words(s)) for s in said]
    total = sum(lengths) or 1
    own = [] if name.endswith("glossary.md") else said  # that has the expressions that it replaces
    whats = sum(len(re.findall(r"\bwhat\b(?![^.?!]{0,80}\?)", s, re.I)) for s in own)
    longer = sum(n >= LONG for n in lengths)
    wrong = [f"{n} words: {s}" for n, s in zip(lengths, said) if n > TOO_LONG]
    wrong += [f'"{word}" is {term}: {s}' for s in own for pattern, word, term in patterns if pattern.search(s)]
    if longer * SHARE > len(said):
        wrong.append(f"{longer} of {len(said)} sentences have {LONG} words or more")
    if whats * 1000 > WHATS * total and whats > 2:
        wrong.append(f'{whats} "what" clauses in {total} words')
    figures = f"{name}: {total} words, {len(said)} sentences, {longer} of {LONG} words or more, {sum(n > TOO_LONG for n in lengths)} above {TOO_LONG}, {whats} \"what\""
    return figures, wrong


def main():
    arguments = [a for a in sys.argv[1:] if a != "--count"]
    count = "--count" in sys.argv[1:]
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "README.md", "CONTRIBUTING.md", "docs/*.md", "findings/*.md",
                             "examples/*/README.md", "tests/*/README.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    names = arguments or sorted(set(listed) - MADE)
    patterns = replaced() if (ROOT / "docs/glossary.md").exists() else []
    failed = False
    for name in names:
        figures, wrong = judge(name, patterns)
        if count:
            print(figures)
        elif wrong:
            failed = True
            print(f"FAILED: {name}", *wrong, sep="\n    ")
    print(f"{len(names)} documents")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
