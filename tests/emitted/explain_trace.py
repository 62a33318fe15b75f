# SPDX-License-Identifier: GPL-3.0-or-later
"""Is what is said of calls what they run?

    explain_trace.py calls            draws calls, a line each
    explain_trace.py check TOLD       what explain_trace.c prints of them
    explain_trace.py same TOLD FILE.json FILE.svg   the same of one call that mikgen --explain tells of
"""
import json
import random
import re
import sys

SHAPES = [(3136, 64, 576), (64, 3136, 64), (300, 200, 100), (1, 64, 64), (64, 1, 300), (5, 700, 33), (2, 2, 2), (20, 20, 20), (8, 48, 300),
          (513, 96, 65), (96, 513, 257), (4, 2000, 400), (1, 3000, 500), (130, 130, 3), (500, 500, 90)]
NAMES = ("plain", "wide", "turned", "biased", "bytes", "batched", "repeated")


def calls():
    draw = random.Random(5)
    shapes = SHAPES + [tuple(int(2 ** draw.uniform(0, 9)) for _ in range(3)) for _ in range(60)]
    for name in NAMES:
        for shape in shapes if name not in ("batched", "repeated") else shapes[1:]:
            for threads in (1, draw.choice((2, 3, 4, 7))):
                print(name, threads, *shape)


class Call:
    """What is said, and the events of one call."""

    def __init__(self, block):
        head, rest = block.split("\n", 1)
        self.name, *numbers = head.split()
        self.threads, self.m, self.n, self.k = map(int, numbers)
        self.text, rest = rest.split("end\n", 1)
        lines = rest.strip().split("\n")
        assert lines[-1] == "status 0", (head, lines[-1])
        events = [line.split("|") for line in lines[:-1]]
        self.products = sum(e[0] == "product" for e in events)
        self.regions = [(e[1], int(e[2])) + tuple(map(int, e[3:])) for e in events if e[0] == "region"]
        self.head = head

    def fail(self, what):
        sys.exit("FAILED: %s: %s\n%s%s" % (self.head, what, self.text, "\n".join(map(str, sorted(set(self.regions))))))

    def line(self, word):
        found = re.search("^%s: (.*)" % word, self.text, re.M)
        return found.group(1) if found else ""


def kernels_of(call):
    """The kernels that ran, as explanations call them."""
    found = set()
    for kernel, *_ in call.regions:
        tile = re.match(r"mik_\w+?_(\d+x\d+)_", kernel)
        found.add(tile.group(1) if tile else re.sub(r"^\w+ \w+ ", "", kernel))
    return found


WORDS = {"inner products along k": "inner products", "few steps, rows of B in registers": "few steps", "row after row of B": "row after row of B"}


def check(call):
    ran, plan = kernels_of(call), call.line("plan")
    if not call.regions:
        "not for these extents" in call.text or call.fail("nothing of it runs")
        return "loops"
    if plan.startswith("at once"):
        ran == {"at once"} or call.fail("it does not run at once")
        return "at once"
    if plan in WORDS:
        ran == {WORDS[plan]} or call.fail("it runs otherwise")
        return WORDS[plan]
    named = set(re.findall(r"\d+x\d+", plan.split("(")[0]))
    if "sweeps" in plan:
        named & ran or call.fail("another sweep runs")
        return "sweep"
    tiles = set(re.findall(r"a tile of (\d+x\d+) takes", call.text))
    tiles == ran or call.fail("said %s, ran %s" % (tiles, ran))
    named <= tiles or call.fail("the plan has kernels that no region has")
    transposed = "transposed" in call.text
    sizes = set()
    for region in re.split("^region: ", call.text, flags=re.M)[1:]:
        m0, m1, n0, n1 = map(int, re.match(r"rows (\d+) to (\d+), columns (\d+) to (\d+)", region).groups())
        own = set(re.findall(r"tasks of (\d+)x(\d+)", region))
        sizes |= {tuple(map(int, size)) for size in own} or {(m1 - m0, n1 - n0)}
        for m, text in re.findall(r"(?:tasks of (\d+)x\d+: )?column panels:.*? row tiles:(.*?) a tile", region):
            height = sum(int(count) * int(each) for count, each in re.findall(r"(\d+) of (\d+)", text))
            height in ({int(m)} if m else {int(size[0]) for size in own} or {m1 - m0}) or call.fail("row tiles add up to %d" % height)
    split = "each a part of k" in call.text
    seen = {(n, m) if transposed else (m, n) for _, _, _, m, n in call.regions}
    seen == sizes or call.fail("parts of %s are said, of %s run" % (sorted(sizes), sorted(seen)))
    workers = int(re.search(r"workers: (\d+)", call.text).group(1))
    len({region[1] for region in call.regions}) <= workers or call.fail("more workers")
    other = re.search(r"^cost: (\d+) ns.*; runner-up (.*) with (\d+)$", call.text, re.M)
    if other:
        int(other.group(3)) >= int(other.group(1)) or call.fail("the runner-up is better")
    elif "; no runner-up" not in call.text:
        call.fail("nothing is said of a runner-up")
    return "k in parts" if split else "tasks" if workers > 1 else "tiles"


def read(path):
    with open(path, encoding="utf-8") as f:
        return [Call(block) for block in re.split("^call ", f.read(), flags=re.M)[1:]]


def check_all(path):
    seen, twins = {}, 0
    for call in read(path):
        kind = check(call)
        seen[kind] = seen.get(kind, 0) + 1
        other = re.search(r"^plan: (.*)\n[\s\S]*^cost: (\d+) ns.*; runner-up (.*) with (\d+)$", call.text, re.M)
        twins += bool(other) and other.group(1) == other.group(3) and other.group(2) == other.group(4)
        times = re.search(r"^repeated: (\d+) times.*cost of all: (\d+) ns", call.text, re.M)
        if call.name == "repeated" and call.regions:
            times and int(times.group(1)) == call.products == 12 or call.fail("repeated %d times" % call.products)
            cost = int(re.search(r"^cost: (\d+)", call.text, re.M).group(1))
            abs(int(times.group(2)) - 12 * cost) <= 12 or call.fail("the cost of all")
        elif times:
            call.fail("it is repeated")
    twins == 0 or sys.exit("FAILED: %d runners-up are the choice, by name and cost" % twins)
    for kind in ("at once", "tiles", "tasks", "inner products", "few steps"):
        seen.get(kind) or sys.exit("FAILED: no call runs by %s: %s" % (kind, seen))
    print(seen)


def check_same(path, data, picture):
    (call,) = read(path)
    with open(data, encoding="utf-8") as f:
        (drawn,) = [c for c in json.load(f)["calls"] if c["operator"] == call.name]
    with open(picture, encoding="utf-8") as f:
        words = re.sub("<[^>]*>", "\n", f.read())
    strip = lambda text: re.sub(r"^advice: .*\n", "", text, flags=re.M)
    strip(drawn["text"]) == strip(call.text) or call.fail("mikgen says: " + drawn["text"])
    (product,) = drawn["products"]
    if "way" in product:
        "at once" in product["way"] and kernels_of(call) == {"at once"} or call.fail(product["way"])
        product["way"] in words or call.fail("the picture does not say " + product["way"])
        return
    plan = product["plan"]
    plan["summary"] == call.line("plan") or call.fail(plan["summary"])
    kernels = {part["kernel"] for part in plan["tasks"] or plan["regions"] if "kernel" in part}
    kernels and kernels != kernels_of(call) and call.fail("data: %s" % kernels)
    "chosen: " + plan["summary"] in words or call.fail("the picture has another plan")
    if "runner_up" in product:
        (product["runner_up"]["summary"], product["runner_up"]["cost_ns"]) != (plan["summary"], plan["cost_ns"]) or call.fail("twins")
    (product.get("times") == call.products) if call.name == "repeated" else "times" not in product or call.fail("times")


if sys.argv[1] == "calls":
    calls()
elif sys.argv[1] == "check":
    check_all(sys.argv[2])
else:
    check_same(*sys.argv[2:])
