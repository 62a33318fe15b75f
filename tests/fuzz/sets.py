# SPDX-License-Identifier: GPL-3.0-or-later
"""Random specs under random sets of options. See sets.sh."""
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ORACLE = ROOT / "tests" / "oracle" / "oracle.sh"
SIMULATOR = ROOT / "tests" / "simulator" / "run.sh"
WARNINGS = """-Wno-unused-but-set-variable -Wno-type-limits -Wno-bool-compare -Wno-tautological-compare -Wno-constant-conversion
    -Wno-unknown-warning-option""".split()

# Each set has one value of about half of these.
BOTH = {
    "--max-kernels": ["1", "4", "9"],
    "--n-gen": ["1", "16"],
    "--fuse": ["off"],
    "--licm": ["off", "halide"],
    "--licm-threshold": ["0", "2", "9"],
    "--licm-small": ["refined", "paper", "conditions"],
    "--licm-loads": ["proven"],
    "--licm-fp": ["none"],
    "--licm-barrier": ["legal"],
    "--unroll-limit": ["0", "4", "64"],
    "--overflow": ["keep"],
    "--const-pos": ["low"],
    "--distribute": ["1"],
    "--unswitch": ["0"],
    "--chains": ["flat", "grouped"],
    "--prefix": ["p_"],
}
HOST = {"--fp": ["strict"], "--math": ["libm"], "--stack": ["15360", "65536"]}
DEVICE = {"--arch": ["sm_80"]}
# What is generated and compiled, but not run.
TEXTS = ["header", "python", "cpp", "rust", "engine", "keep-loops", "check"]


def words_of(table, first):
    """The word of each row of a .def table, and the values that the row has."""
    rows = []
    for row in re.findall(r"^" + first + r"\((.*)\)$", (ROOT / table).read_text(encoding="utf-8"), re.M):
        word = re.search(r'"(\w+)"', row)
        values = re.sub(r"KNOB_(NO|YES|OUTER|INNER)", lambda m: {"NO": "1", "YES": "2", "OUTER": "1", "INNER": "2"}[m[1]],
                        row.rsplit('"', 1)[1])
        rows.append((word[1], re.findall(r"\d+", values)))
    return rows


KNOBS = words_of("plan/nest_knobs.def", "KNOB")
GRID_KNOBS = words_of("plan/grid_knobs.def", "GRID_KNOB")


class Case:
    """A spec's text and how it is tried."""

    def __init__(self, text, kind, options, profile, seed):
        self.text, self.kind, self.options, self.profile, self.seed = text, kind, options, profile, seed

    def but(self, **changes):
        return Case(**{**vars(self), **changes})

    def said(self):
        return f"{self.kind} {' '.join(self.options)}{' with a profile' if self.profile else ''}"


class Runner:
    """The tools, and the folder where they run."""

    seconds = 600  # that a command may take; then it counts as failed, with status 124

    def __init__(self, mikgen, generators, folder):
        self.mikgen, self.generators, self.folder = mikgen, generators, folder

    def shell(self, command, **environment):
        command = ["timeout", str(self.seconds), *(str(word) for word in command)]
        done = subprocess.run(command, env=dict(os.environ, **environment), capture_output=True, text=True, errors="replace",
                              cwd=self.folder, check=False)
        return done.returncode, done.stdout + done.stderr

    def random_spec(self, seed, draw, strict):
        generator = self.generators[seed % len(self.generators)]
        operators = draw.choice([1, 2, 3])
        return self.shell([generator, 10 * seed, operators] + (["strict"] if strict else []))[1]

    def random_profile(self, draw, text, device):
        """Lines about the nests of a spec, in which each knob that is there has one of its values."""
        (self.folder / "f.spec").write_text(text, encoding="utf-8")
        said = self.shell([self.mikgen, "--target=cuda" if device else "--target=c", "--dump-after=nests", "f.spec"])[1]
        lines = ["mikgen-profile 1"]
        for nest in sorted(set(re.findall(r"\b[0-9a-f]{16}\b", said))):
            for kind in ["sm_80", "sm_90"] if device else ["avx2", "avx512", "portable"]:
                table = GRID_KNOBS if device else KNOBS
                chosen = [f"{word} {draw.choice(values)}" for word, values in draw.sample(table, 3) if values]
                lines.append(f"{'grid' if device else 'nest'} {kind} {nest} {' '.join(chosen)} ns 100")
        return "\n".join(lines) + "\n"

    def random_case(self, seed):
        draw = random.Random(seed)
        kind = draw.choice(["gcc", "clang", "sanitize", "gcc", "device", "text"])
        table = {**BOTH, **(DEVICE if kind == "device" else HOST)}
        options = [f"{name}={draw.choice(values)}" for name, values in table.items() if draw.random() < 0.35]
        if not any(option.startswith("--max-kernels") for option in options):
            options.append("--max-kernels=4")
        if kind == "text":
            kind = draw.choice(TEXTS)
        text = self.random_spec(seed, draw, "--fp=strict" in options)
        if kind == "keep-loops" and re.search(r"\b(half|bf16|\w+_t)\b", text):
            kind = "header"  # a C file would declare these types
        profile = self.random_profile(draw, text, kind == "device") if draw.random() < 0.5 and kind != "keep-loops" else None
        return Case(text, kind, options, profile, seed)

    def fault(self, case):
        """What is wrong, in a line that stays the same while the spec gets smaller; "" if nothing is."""
        spec = self.folder / "f.spec"
        spec.write_text(case.text, encoding="utf-8")
        options = list(case.options)
        if case.profile:
            (self.folder / "f.profile").write_text(case.profile, encoding="utf-8")
            options.append(f"--profile={self.folder / 'f.profile'}")
        if case.kind in TEXTS:
            status, said = self.texts(case, options)
        elif case.kind == "device":
            status, said = self.shell([SIMULATOR, self.mikgen, self.folder / "device", spec, "--tuples=3", f"--seed={case.seed}", "--slack=64"],
                                      MIKGEN_OPTIONS=" ".join(options), SIM_ARCH="80", SIM_SCHEDULE="random-lazy")
        else:
            how = "--exact" if "--fp=strict" in options else "--slack=64"
            status, said = self.shell([ORACLE, case.kind, self.mikgen, spec, self.folder / case.kind, "--tuples=4", how, f"--seed={case.seed}"],
                                      MIKGEN_OPTIONS=" ".join(options), MIKGEN_DEFINES=" ".join(WARNINGS))
        if status in (0, 77):
            return ""
        found = re.search(r"internal error.*|Sanitizer: [a-z-]*|runtime error: \w+ \w+|error: [^\n]*|FAILED|is .*, not|touches memory", said)
        return re.sub(r"\d+|‘[^’]*’|'[^']*'", "#", found[0])[:60] if found else f"status {status}"

    def texts(self, case, options):
        """What is only compiled."""
        if case.kind == "keep-loops":
            licm = [option for option in options if re.match(r"--(licm|unroll|overflow|const|distribute|unswitch|chains)", option)]
            status, said = self.shell([self.mikgen, "--keep-loops", *licm, "-o", "kept.c", "f.spec"])
            return (status, said) if status else self.shell([self.mikgen, "--keep-loops", *licm, "-o", "again.c", "kept.c"])
        run = [self.mikgen, "--target=c", *options]
        if case.kind == "check":
            status, said = self.shell(run + ["-o", "f_dyn.c", "f.spec"])
            return (status, said) if status else self.shell([self.mikgen, "--check", "f_dyn.c"])
        if case.kind == "engine":
            status, said = self.shell(run + ["--emit=engine", "-o", ".", "f.spec"])
            if "no engine to share" in said:
                return 0, ""
            if not status:
                status, said = self.shell(run + ["--engine=shared", "-o", "shared.c", "f.spec"])
            return (status, said) if status else self.shell(["gcc", "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", *WARNINGS, "-c",
                                                             "shared.c", "-o", "shared.o"])
        ending = {"header": "h", "python": "py", "cpp": "hpp", "rust": "rs"}[case.kind]
        out = f"made.{ending}"
        status, said = self.shell(run + ["--emit=header", "-o", "f_dyn.h", "f.spec"])
        if not status:
            status, said = self.shell(run + [f"--emit={case.kind}", "-o", out, "f.spec"])
        if status or case.kind == "rust":
            return status, said
        compilers = {"header": ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c"],
                     "cpp": ["g++", "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", "-x", "c++"],
                     "python": ["python3", "-m", "py_compile"]}
        return self.shell(compilers[case.kind] + [out])


def operators(text):
    return re.findall(r"^void \w+\(.*?^}\n", text, re.S | re.M)


def blocks(lines):
    """Ranges of lines that may go: of blocks, all of it or the first and the last; and lines."""
    for at in range(len(lines) - 1, 0, -1):
        if lines[at].endswith("{"):
            indent = re.match(" *", lines[at])[0]
            end = next((i for i in range(at + 1, len(lines)) if re.match(indent + "}", lines[i])), None)
            if end:
                yield lines[:at] + lines[end + 1:]
                yield lines[:at] + lines[at + 1:end] + lines[end + 1:]
        yield lines[:at] + lines[at + 1:]


def smaller(case):
    """Cases that are a little less than this one, the much smaller ones first."""
    each = operators(case.text)
    if len(each) > 1:
        yield from (case.but(text=text) for text in each)
    if case.profile:
        yield case.but(profile=None)
        lines = case.profile.splitlines(True)
        yield from (case.but(profile="".join(lines[:i] + lines[i + 1:])) for i in range(1, len(lines)))
    for option in case.options:
        yield case.but(options=[other for other in case.options if other != option])
    for lines in blocks(case.text.split("\n")):
        yield case.but(text="\n".join(lines))


def shrink(runner, case, fault, seconds):
    """The smallest case found that has the same fault."""
    end, changed = time.monotonic() + seconds, True
    while changed:
        changed = False
        for candidate in smaller(case):
            if time.monotonic() > end:
                return case
            if runner.fault(candidate) == fault:
                case, changed = candidate, True
                break
    return case


def main():
    mikgen, folder, first, seconds, most = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *map(int, sys.argv[3:6])
    folder.mkdir(parents=True, exist_ok=True)
    runner = Runner(mikgen, [Path(name).resolve() for name in sys.argv[6:]], folder)
    start, seed, findings, kinds = time.monotonic(), first, {}, {}
    while seed < first + most and time.monotonic() - start < seconds:
        case = runner.random_case(seed)
        fault = runner.fault(case)
        kinds[case.kind] = kinds.get(case.kind, 0) + 1
        if fault and fault not in findings:
            case = shrink(runner, case, fault, int(os.environ.get("MIKGEN_FUZZ_SHRINK", "120")))
            findings[fault] = case
            path = folder / f"finding_{seed}.spec"
            path.write_text(case.text, encoding="utf-8")
            if case.profile:
                path.with_suffix(".profile").write_text(case.profile, encoding="utf-8")
            print(f"{seed}: {fault}\n  {case.said()}: {path}\n{case.text}", flush=True)
        seed += 1
    print(f"{seed - first} specs ({', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}), {len(findings)} findings")
    sys.exit(bool(findings))


main()
