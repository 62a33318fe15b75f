# SPDX-License-Identifier: GPL-3.0-or-later
"""Is what is said of calls what they launch?

    explain_trace.py calls         draws calls, a line each
    explain_trace.py check TOLD    what explain_trace.cu prints of them
"""
import random
import re
import sys

SHAPES = [(3136, 64, 576), (64, 3136, 64), (300, 200, 100), (1, 64, 64), (64, 1, 300), (5, 700, 33), (2, 2, 2), (513, 96, 65), (96, 513, 257),
          (4, 2000, 400), (1, 3000, 500), (130, 130, 3), (1500, 1500, 90), (2048, 1024, 64), (1200, 900, 700)]
NAMES = ("plain", "wide", "turned", "biased", "bytes", "batched", "repeated")


def calls():
    draw = random.Random(5)
    for name in NAMES:
        for shape in SHAPES + [tuple(int(2 ** draw.uniform(0, 11)) for _ in range(3)) for _ in range(40)]:
            print(name, *shape)


def plan_of(text, word):
    """A plan's head and parts, as text has them: (head, ((kernel, blocks), ...))."""
    found = re.search(r"^  %s: (pattern .*)\n((?:    .*\n)*)" % word, text, re.M)
    if not found:
        return None
    parts = []
    for line in found.group(2).splitlines():
        kernel, tiles, steps = re.match(r" *(?:all|rows .*|columns .*): (\S+), (\d+) tiles of (\d+) steps", line).groups()
        blocks = re.search(r", (\d+) blocks of \d+ steps", line)
        parts.append((kernel, int(blocks.group(1) if blocks else tiles)))
    return found.group(1), tuple(parts)


def check(block):
    head, rest = block.split("\n", 1)
    name = head.split()[0]
    text, rest = rest.split("end\n", 1)
    lines = rest.strip().split("\n")

    def fail(what):
        sys.exit("FAILED: %s: %s\n%s%s" % (head, what, text, rest))

    lines[-1] == "status 0" or fail("the call fails")
    launches = [(kernel, int(blocks)) for _, kernel, blocks in (line.split() for line in lines[:-1])]
    text.count("\n  plan: ") == 1 or fail("one product runs")
    choice, following = plan_of(text, "plan"), plan_of(text, "next")
    choice and choice[1] or fail("no plan")
    if following:
        following != choice or fail("the runner-up is the choice")
        cost, other = (float(re.search(r", ([\d.]+) us", plan[0]).group(1)) for plan in (choice, following))
        other >= cost or fail("the runner-up is better")
    elif "  next: none is known\n" not in text:
        fail("nothing is said of a runner-up")
    times = re.search(r"^  repeated: (\d+) times, by loops around it; cost of all: ([\d.]+) us$", text, re.M)
    bool(times) == (name == "repeated") or fail("repeated or not")
    count = int(times.group(1)) if times else 1
    if times:
        cost = float(re.search(r", ([\d.]+) us", choice[0]).group(1))
        abs(float(times.group(2)) - count * cost) <= 0.06 * count or fail("the cost of all")
    if "in one launch" in choice[0]:
        kernels = [[kernel for kernel, _ in choice[1]]]
        grids = [sum(blocks for _, blocks in choice[1])]
    else:
        kernels, grids = [[kernel] for kernel, _ in choice[1]], [blocks for _, blocks in choice[1]]
    grids * count == [blocks for _, blocks in launches] or fail("launches of %s blocks are said" % (grids * count))
    for said, (kernel, _) in zip(kernels * count, launches):
        all(each.split("_sm")[0] in kernel for each in said) or fail("%s is said to run" % said)
    return "%s%s" % (choice[0].split(",")[0], ", shared" if " blocks of " in text.split("  next")[0] else "")


def check_all(path):
    seen = {}
    with open(path, encoding="utf-8") as f:
        for block in re.split("^call ", f.read(), flags=re.M)[1:]:
            kind = check(block)
            seen[kind] = seen.get(kind, 0) + 1
    seen.get("pattern I") and len(seen) > 1 or sys.exit("FAILED: one kind of plan: %s" % seen)
    print(seen)


if sys.argv[1] == "calls":
    calls()
else:
    check_all(sys.argv[2])
