#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The advice of refusals, followed: what they say to write is accepted, and computes what the refused C does.

    advice.py MIKGEN FOLDER [--accepted] [ID...]     of all, or of these; --accepted: nothing is run

pairs.txt has for each refusal of gen/front/refusal.def that gives an advice a spec that it refuses, and behind `--` the same spec with the
advice followed; @500{text} in it is that text 500 times. Both are C: the refused one is the reference of the generated file's self-check,
where gcc takes it and the functions are called alike. `alike` behind the refusal's name says that they are, though they are spelled
otherwise. A refusal without a pair stands in exceptions.txt, with the reason.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# C that never ends, that lacks a function, or that C gives no meaning, or another one than was meant.
WITHOUT_MEANING = {"R_WHILE", "R_LOOP_NO_COND", "R_LOOP_COND", "R_LOOP_STEP", "R_LOOP_ZERO", "R_LOOP_ENDLESS", "R_LOOP_AWAY", "R_C_UNSET",
                   "R_NO_RETURN", "R_SIZEOF_PARAM", "R_BYTES_VALUE", "R_BYTES_COPY", "R_SWITCH_FRONT", "R_ARRAY_ASSIGN", "R_ARG_ELEM",
                   "R_NOT_ARRAY", "R_UNDECLARED_FN", "R_NO_BODY", "R_COMPLEX_FN"}
GCC = ["gcc", "-std=gnu11", "-O0", "-w"]


def refusals():
    """{id: (message, help)} of specs' refusals that give an advice."""
    text = (HERE.parent.parent / "gen/front/refusal.def").read_text(encoding="utf-8")
    rows = re.findall(r'^REFUSE(?:_REST)?\((\w+),\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', text, re.M)
    return {name: (message, cure) for name, message, cure in rows if not name.startswith(("R_KEEP", "R_EXTRACT"))}


def pairs():
    for block in re.split(r"^== ", (HERE / "pairs.txt").read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, body = block.split("\n", 1)
        refused, followed = re.sub(r"@(\d+)\{(.*?)\}", lambda m: int(m[1]) * m[2], body).split("--\n")
        name, *alike = head.split()
        yield name, alike == ["alike"], refused, followed


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def signatures(text):
    return sorted(" ".join(found.split()) for found in re.findall(r"^\w[^;={}]*\([^;{}]*\)(?=\s*\{)", text, re.M) if not found.startswith("static"))


def compare(mikgen, folder, alike, refused, followed):
    """What is wrong with the results; None: nothing, "" : they cannot be compared."""
    made = {emit: run(mikgen, "--target=c", "--emit=" + emit, "--max-kernels=2", "--quiet", folder / "followed.spec").stdout
            for emit in ("source", "header", "selfcheck", "reference")}
    prelude = made["reference"][: made["reference"].rindex(followed.strip()[:40])]
    (folder / "reference.c").write_text(prelude + refused, encoding="utf-8")
    for emit, name in (("source", "followed_dyn.c"), ("header", "followed_dyn.h"), ("selfcheck", "followed_check.c")):
        (folder / name).write_text(made[emit], encoding="utf-8")
    renames = re.findall(r"^ *cc -c((?: -D\S+)*) .*_reference\.c$", made["selfcheck"], re.M)
    if not alike and signatures(refused) != signatures(followed):
        return ""
    built = run(*GCC, *renames[0].split(), "-c", "reference.c", cwd=folder)
    if built.returncode:
        return ""
    built = run(*GCC, "followed_dyn.c", "followed_check.c", "reference.o", "-lm", "-o", "check", cwd=folder)
    if built.returncode:
        return built.stderr
    checked = run("./check", cwd=folder, timeout=300)
    return None if checked.returncode == 0 else checked.stdout + checked.stderr


def fault(mikgen, folder, name, message, alike, refused, followed):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "refused.spec").write_text(refused, encoding="utf-8")
    (folder / "followed.spec").write_text(followed, encoding="utf-8")
    options = ["--target=c", "--max-kernels=2", "--quiet"]
    said = run(mikgen, *options, folder / "refused.spec")
    words = ".*".join(re.escape(part) for part in message.replace('\\"', '"').split("%s"))
    if said.returncode != 1 or not re.search("error: " + words, said.stderr) or "\nhelp: " not in said.stderr:
        return "is refused otherwise: " + said.stderr, False
    accepted = run(mikgen, *options, folder / "followed.spec")
    if accepted.returncode:
        return "the advice is refused: " + accepted.stderr, False
    if "--accepted" in sys.argv or name in WITHOUT_MEANING:
        return None, False
    wrong = compare(mikgen, folder, alike, refused, followed)
    return (wrong and "other results: " + wrong), wrong is None


def main():
    mikgen, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    known, tried, compared, failed = refusals(), set(), 0, 0
    excepted = dict(line.split(None, 1) for line in (HERE / "exceptions.txt").read_text(encoding="utf-8").splitlines() if line[:2] == "R_")
    asked = [word for word in sys.argv[3:] if word.startswith("R_")]
    for number, (name, alike, refused, followed) in enumerate(pairs()):
        if asked and name not in asked:
            continue
        try:
            wrong, same = fault(mikgen, out / ("%02d_%s" % (number, name)), name, known[name][0], alike, refused, followed)
        except subprocess.TimeoutExpired:
            wrong, same = "it does not end", False
        tried.add(name)
        compared += same
        failed += bool(wrong)
        if wrong:
            print("FAILED: %s: %s" % (name, wrong), flush=True)
    if asked:
        sys.exit(failed)
    lacking = sorted(set(known) - tried - set(excepted))
    stale = sorted(set(excepted) & tried | set(excepted) - set(known))
    for what, names in (("no pair in pairs.txt, and no exception", lacking), ("an exception that is none", stale)):
        for name in names:
            print("FAILED: %s: %s" % (name, what))
    print("%d advices followed, %d compared with the refused C, %d exceptions" % (len(tried), compared, len(excepted)))
    sys.exit(bool(failed or lacking or stale or (compared < 60 and "--accepted" not in sys.argv)))


main()
