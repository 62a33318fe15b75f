#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists that say which tests run when: fixed.txt, rota.txt, seconds.txt (mikgen_test.cmake tells what they hold).

    sets.py check BUILD               they name tests that there are, and the time of each set is within its bound
    sets.py update BUILD              drops tests that are no more; gives those that RULES names a turn in rota.txt, and those that ALWAYS
                                      names a line in fixed.txt, where they have none
    sets.py seconds FILE              takes times from what cmake -DMIKGEN_SECONDS_TO=FILE has written
    sets.py record BUILD MIKGEN FOLDER [PATTERN]
                                      runs tests with a MIKGEN that counts (cmake -DMIKGEN_COVERAGE=ON) and keeps what of it has run in FOLDER
    sets.py choose BUILD FOLDER       writes fixed.txt: what ALWAYS and ONE_EACH name, the quick tests that notice mutations of the passes and of
                                      the engine, and then those that add most to what has run, by FOLDER, in a second, until BOUND_FIXED
    sets.py compare BUILD FOLDER      how much of what all recorded tests run the fixed set does
"""
import collections
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOUND_FIXED = 560  # seconds of a processor: five minutes on two cores, after two to four of building
BOUND_TURN = 1600  # of what one commit runs with --all: 13 minutes on two cores, three times as many on slow ones
LONG = 12  # seconds, which the fixed set takes for a test only if coverage asks for it
GUESS = 2.5  # seconds of a test that seconds.txt does not have

# What does not run at each commit: a pattern of names, and at how many commits in a row it has one turn. The first that matches counts.
RULES = [
    (r"golden\.sanitized|fuzz\.bytes\..*", 8),  # one turn for all: they share a build
    (r"emitted\.zig_all\..*", 24),
    (r"emitted\.zig\..*", 4),
    (r"simulator\..*\.sample.*", 24),
    (r"simulator\.(attentions|mutations)", 24),
    (r"simulator\.(gemm_f64|bugs|entries|tune|tune_grids|ragged_bugs|never|assignments)", 12),
    (r"simulator\.(each|grid_knobs)\..*", 12),
    (r"simulator\.unit\..*", 3),
    (r"simulator\..*", 8),
    (r"emitted\.(cuda|machine_code)\..*", 8),
    (r"emitted\.(vmath|bind)\..*|emitted\.(races|rounding|trace|explain_trace|shared|openmp)", 6),
    (r"emitted\.(stack|example)\..*", 4),
    (r"golden\.licm\.(gcc|clang)", 4),
    (r"oracle\.(types|type_pairs)\..*", 24),
    (r"oracle\..*\.(stack|single)\..*", 8),
    (r"oracle\.(?!engine).*(clang|neon)", 8),
    (r"oracle\.(?!engine).*\.sanitize", 12),
    (r"oracle\.engine\..*|oracle\.mutations", 3),
    (r"oracle\.(bert_layer|gpt2_layer|llama|resnet18|resnet|mobilenet|transformer).*\.gcc", 8),
    (r"oracle\.(knobs|placements|numbers|platforms|conversions)\..*", 4),
    (r"oracle\..*\.(past|scaled|long\.gcc)", 4),
    (r"oracle\.(threads|packed|packed_zeros\..*|assignments\.c|advice)", 6),
    (r"oracle\..*\.gcc", 4),
    (r"topi\.(?!shapes).*", 4),
    (r"cli\.(tune.*|remarks|pictures_cuda|names|kernels|limits|sets|fallbacks|faults|extract)", 6),
    (r"unit\.mutations|emitted\.(processor|explain_large)", 3),
    (r"install\.(package|onefile|consumer\..*)", 3),
    (r"tune\.replay", 3),
    (r"gpu\.script", 3),
    (r"docs\.(cuda|tutorial)", 2),
    (r"fuzz\.new\..*|fuzz\.(sets|stages|jumps)", 3),
]
TOGETHER = r"golden\.sanitized|fuzz\.bytes\..*"

# The fixed set whatever has run: quick kinds, and one test at least of each other kind (the quickest).
ALWAYS = r"unit\.(?!mutations).*|golden\.(?!sanitized|licm\.(gcc|clang)).*|tasks\..*|docs\.(?!cuda|tutorial).*"
ONE_EACH = [
    r"oracle\.\w+\.gcc", r"oracle\.\w+\.clang", r"oracle\.\w+\.sanitize", r"oracle\.\w+\.neon", r"oracle\.knobs\..*", r"oracle\.placements\..*",
    r"oracle\.\w+\.stack\.gcc", r"oracle\.types\..*\.gcc", r"oracle\.\w+\.scaled", r"oracle\.platforms\..*", r"simulator\.unit\..*",
    r"simulator\.(?!unit)\w+", r"fuzz\.programs", r"fuzz\.nests", r"fuzz\.same", r"install\.tree", r"install\.consumer\..*", r"topi\.shapes",
    r"topi\.(?!shapes).*", r"tune\..*", r"cli\.tune.*", r"emitted\.example\..*", r"emitted\.generated", r"emitted\.bind\..*", r"gpu\.examples",
]


def lines(name):
    path = HERE / name
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"] if path.exists() else []


def write(name, head, rows):
    (HERE / name).write_text("".join(f"# {line}\n" for line in head) + "".join(f"{row}\n" for row in rows), encoding="utf-8")


def seconds():
    return {name: float(value) for name, value in lines("seconds.txt")}


def tests(build):
    """What CTest says of each test, by name."""
    said = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    found = {}
    for test in json.loads(said)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        found[test["name"]] = {"command": test.get("command"), **properties}
    return found


def fixtures(found, names):
    """The tests that set up what `names` need."""
    needed = {fixture for name in names for fixture in found[name].get("FIXTURES_REQUIRED", [])}
    return {name for name, test in found.items() if needed & set(test.get("FIXTURES_SETUP", []))}


def turns(rota):
    """Of how many commits a cycle consists."""
    return math.lcm(*(of for _, of in rota.values()), 1)


def rota_lines():
    return {name: tuple(map(int, turn.split("/"))) for name, turn in lines("rota.txt")}


def loads(found, rota):
    """Seconds of each turn of a cycle."""
    took = seconds()
    always = sum(took.get(name, GUESS) for name in found if name not in rota)
    load = [always] * turns(rota)
    for name, (turn, of) in rota.items():
        for commit in range(turn, len(load), of):
            load[commit] += took.get(name, GUESS)
    return load


def rule(name):
    return next((of for pattern, of in RULES if re.fullmatch(pattern, name)), None)


def update(build):
    found = tests(build)
    if "simulator" in found:
        sys.exit("there is no toolkit of CUDA, and so only some of the tests")
    write_fixed({line[0] for line in lines("fixed.txt") if line[0] in found} | {name for name in found if re.fullmatch(ALWAYS, name)})
    write_seconds({name: value for name, value in seconds().items() if name in found})
    give_turns(found)


def give_turns(found):
    """Each test gets the turn that has had least to do, the long ones first."""
    took = seconds()
    rota = {name: turn for name, turn in rota_lines().items() if name in found and rule(name) == turn[1]}
    cycle = math.lcm(*(of for _, of in RULES))
    load = [0.0] * cycle
    for name, (turn, of) in rota.items():
        for commit in range(turn, cycle, of):
            load[commit] += took.get(name, GUESS)
    together = [turn for name, turn in rota.items() if re.fullmatch(TOGETHER, name)]
    for name in sorted((name for name in found if rule(name) and name not in rota), key=lambda name: (-took.get(name, GUESS), name)):
        of = rule(name)
        turn = min(range(of), key=lambda turn: (max(load[turn::of]), sum(load[turn::of])))
        if re.fullmatch(TOGETHER, name):
            turn = together[0][0] if together else turn
            together.append((turn, of))
        rota[name] = (turn, of)
        for commit in range(turn, cycle, of):
            load[commit] += took.get(name, GUESS)
    write("rota.txt", ["NAME TURN/OF: the test runs at the commits whose number leaves TURN as the remainder by OF. Made by sets.py update."],
          [f"{name} {turn}/{of}" for name, (turn, of) in sorted(rota.items())])
    load = loads(found, rota)
    print(f"{len(rota)} tests of {len(found)} take turns; a commit runs {min(load):.0f} to {max(load):.0f} s")


def kinds(found):
    return {name.partition(".")[0] for name in found}


def check(build):
    found, took, rota, fixed = tests(build), seconds(), rota_lines(), [line[0] for line in lines("fixed.txt")]
    if "simulator" in found:  # that there is no toolkit of CUDA, and so no device
        took, rota = ({name: value for name, value in table.items() if not name.startswith("simulator.")} for table in (took, rota))
        fixed = [re.sub(r"^simulator\..*", "simulator", name) for name in fixed]
    wrong = [f"{listed}: there is no test {name}" for listed, names in (("seconds.txt", took), ("rota.txt", rota), ("fixed.txt", fixed))
             for name in names if name not in found]
    wrong += [f"rota.txt: {name} {turn}/{of}: not below {of}" for name, (turn, of) in rota.items() if turn >= of]
    if len({turn for name, turn in rota.items() if re.fullmatch(TOGETHER, name)}) > 1:
        wrong.append("rota.txt: golden.sanitized and fuzz.bytes have one turn")
    fixed = [name for name in fixed if name in found]
    wrong += [f"fixed.txt has no test of {kind}" for kind in sorted(kinds(found) - kinds(fixed))]
    whole = sum(took.get(name, GUESS) for name in {*fixed, *fixtures(found, fixed)})
    if whole > BOUND_FIXED:
        wrong.append(f"fixed.txt: {whole:.0f} s of a processor, more than {BOUND_FIXED}")
    load = loads(found, {name: turn for name, turn in rota.items() if name in found})
    if max(load) > BOUND_TURN:
        wrong.append(f"rota.txt: turn {load.index(max(load))} has {max(load):.0f} s of a processor, more than {BOUND_TURN}: see RULES in sets.py")
    if wrong:
        sys.exit("\n".join([*wrong, "FAILED"]))
    print(f"{len(found)} tests; fixed: {len(fixed)}, {whole:.0f} s; {len(rota)} take turns, a commit runs {min(load):.0f} to {max(load):.0f} s")


def write_seconds(took):
    write("seconds.txt", ["NAME SECONDS: what a test takes of a processor; sets.py seconds takes them from measurements, others are estimates."],
          [f"{name} {max(round(value, 1), 0.1):g}" for name, value in sorted(took.items())])


def write_fixed(names):
    write("fixed.txt", ["The fixed set, which ./bootstrap test runs. Made by sets.py choose and update."], sorted(names))


def take_seconds(path):
    took = seconds()
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, value, status = line.split()
        if status == "0":  # what fails or is skipped ends early
            took[name] = float(value)
    write_seconds(took)


def record(build, mikgen, folder, pattern=".*"):
    """What of the generator has run, by test: the numbers of its counters. Programs that it emits are not compiled (MIKGEN_GENERATE_ONLY)."""
    found, folder, seen = tests(build), Path(folder).resolve(), {}
    folder.mkdir(parents=True, exist_ok=True)
    own = str(Path(build).resolve() / "mikgen")
    for name, test in found.items():
        out = folder / f"{name}.counters"
        if not re.search(pattern, name) or ".engine." in name or not test["command"] or own not in test["command"] or out.exists():
            continue
        command = [str(Path(mikgen).resolve()) if word == own else word for word in test["command"]]
        words = [word for word in command[1:] if not word.startswith(str(Path(build).resolve()))]
        options = [entry for entry in test.get("ENVIRONMENT", []) if entry.startswith("MIKGEN_OPTIONS")]
        key = (command[0], *(word for word in words if word not in ("gcc", "clang") and not word.startswith("--tuples")), *options)
        if "oracle.sh" in command[0] and key in seen:
            out.write_bytes(seen[key].read_bytes())
            continue
        raw = folder / "raw"
        subprocess.run(["rm", "-rf", raw], check=True)
        environment = dict(os.environ, LLVM_PROFILE_FILE=f"{raw}/%4m.profraw", MIKGEN_GENERATE_ONLY="1",
                           **dict(entry.split("=", 1) for entry in test.get("ENVIRONMENT", [])))
        with (folder / "log").open("w", encoding="utf-8") as log:
            done = subprocess.run(command, env=environment, stdout=log, stderr=log, cwd=test.get("WORKING_DIRECTORY", build), check=False)
        if done.returncode not in (0, 77) or not list(raw.glob("*.profraw")):
            print(f"{name}: status {done.returncode}", flush=True)
            continue
        merged = folder / "merged.profdata"
        subprocess.run(["llvm-profdata-19", "merge", "-sparse", "-o", merged, *raw.glob("*.profraw")], check=True)
        shown = subprocess.run(["llvm-profdata-19", "show", "--all-functions", "--counts", merged], capture_output=True, text=True, check=True).stdout
        out.write_text("\n".join(counted(shown)), encoding="utf-8")
        seen[key] = out


def counted(shown):
    """The counters that are not zero, as FUNCTION:NUMBER, of what llvm-profdata shows."""
    function = ""
    for line in shown.splitlines():
        if line.startswith("  ") and line[2] != " " and line.endswith(":"):
            function = line.strip()[:-1]
        match = re.match(r"\s+Function count: (\d+)", line)
        if match and int(match[1]):
            yield f"{function}:f"
        match = re.match(r"\s+Block counts: \[(.*)\]", line)
        if match:
            yield from (f"{function}:{i}" for i, count in enumerate(match[1].split(", ")) if count not in ("", "0"))


def recorded(folder, found):
    numbers, table = {}, {}
    for path in Path(folder).glob("*.counters"):
        if path.stem in found:
            words = path.read_text(encoding="utf-8").split("\n")
            table[path.stem] = {numbers.setdefault(word, len(numbers)) for word in words}
    return table


def noticing():
    """The tests that notice mutations: those that passes/mutations.txt names, and those of the specs in oracle/mutations.txt."""
    names = set()
    for folder in ("passes", "oracle"):
        text = re.sub(r"^#.*\n", "", (HERE / folder / "mutations.txt").read_text(encoding="utf-8"), flags=re.M)
        for entry in re.split(r"\n\n+", text.strip()):
            word = entry.split("\n")[0].split()[1]
            names.add(f"oracle.{Path(word).stem}.gcc" if word.endswith(".spec") else word)
    return names


def choose(build, folder):
    found, took = tests(build), seconds()
    table = recorded(folder, found)

    def cost(name):
        return took.get(name, GUESS) + 0.2

    same = [name for name, test in found.items() if "turns" not in test.get("LABELS", [])]
    chosen = {name for name in same if re.fullmatch(ALWAYS, name)}
    for pattern in ONE_EACH:
        chosen.add(min((name for name in same if re.fullmatch(pattern, name)), key=cost))
    chosen |= {name for name in noticing() & set(same) if cost(name) < LONG}
    chosen |= fixtures(found, chosen)
    left = BOUND_FIXED * 0.95 - sum(cost(name) for name in chosen)
    have = set().union(*(table[name] for name in chosen if name in table))
    # Tests of the simulated device take long, and are skipped where there is no toolkit: those of ONE_EACH do.
    rest = {name for name in same if name in table and name not in chosen and not name.startswith("simulator.")}
    while rest:
        best = max(rest, key=lambda name: len(table[name] - have) / cost(name))
        new = table[best] - have
        if not new:
            break
        rest.remove(best)
        price = cost(best) + sum(cost(name) for name in fixtures(found, [best]) - chosen)
        if price > left:
            continue
        left -= price
        chosen |= {best, *fixtures(found, [best])}
        have |= new
    write_fixed(chosen)
    compare(build, folder)


def compare(build, folder):
    found = tests(build)
    table = recorded(folder, found)
    fixed = [line[0] for line in lines("fixed.txt")]
    whole = set().union(*table.values())
    part = set().union(*(table[name] for name in fixed if name in table))
    took = seconds()
    print(f"fixed: {len(fixed)} tests, {sum(took.get(name, GUESS) for name in fixed):.0f} s, "
          f"{len(part)} of {len(whole)} counters ({100 * len(part) / len(whole):.1f} %) that {len(table)} tests reach")
    print(dict(collections.Counter(name.partition(".")[0] for name in fixed)))


def main():
    commands = {"check": check, "update": update, "seconds": take_seconds, "record": record, "choose": choose, "compare": compare}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
