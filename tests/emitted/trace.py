# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a Chrome trace can be true: trace.py TRACE.json FILE_dyn.c THREADS

Events of a thread lie one behind the other or one in the other, and in a call; regions cover what their product computes, once; their
kernels are those of the file; and so many threads have parts. No time is compared with another one's length.
"""
import json
import re
import sys


def fail(message):
    sys.exit("FAILED: " + message)


def kernels_of(text):
    """What regions may be called: the variants of the file's tables."""
    names = set()
    for family, isa in re.findall(r"static const mik_(\w+?)_isa mik_\1_\w+ = \{\s*\"(\w+)\", \d+, \d+,", text):
        names.update(re.findall(r"\{(mik_%s_\d+x\d+_%s), \d+, \d+, \{" % (family, isa), text))
        for how in ("at once", "exact cover", "few steps", "inner products", "row after row of B"):
            names.add("%s %s %s" % (family, isa, how))
    return names


def nested(events):
    """Fails where two events of a thread overlap. Otherwise gives each the one around it, or None."""
    for tid in {e["tid"] for e in events}:
        around = []
        for e in [e for e in events if e["tid"] == tid]:
            e["end"] = e["ts"] + e["dur"]
            while around and around[-1]["end"] <= e["ts"]:
                around.pop()
            if around and e["end"] > around[-1]["end"] + 0.0005:
                fail("%s at %g is neither in %s nor behind it" % (e["name"], e["ts"], around[-1]["name"]))
            e["in"] = around[-1] if around else None
            around.append(e)


def size(e, kinds):
    n = 1
    for kind in kinds:
        n *= e["args"][kind][1] - e["args"][kind][0] if kind in e["args"] else 1
    return n


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        trace = json.load(f)
    with open(sys.argv[2], encoding="utf-8") as f:
        kernels = kernels_of(f.read())
    threads = int(sys.argv[3])
    if trace["otherData"]["dropped"] != "0":
        fail("events found no room")
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    named = {e["tid"] for e in trace["traceEvents"] if e.get("name") == "thread_name"}
    nested(events)
    calls = [e for e in events if e["cat"] == "call"]
    if not calls or any(e["in"] for e in calls):
        fail("%d calls" % len(calls))
    for e in events:
        if not any(c["ts"] <= e["ts"] and e["end"] <= c["end"] + 0.0005 for c in calls):
            fail("%s at %g is in no call" % (e["name"], e["ts"]))
        if e["tid"] not in named:
            fail("thread %d has no name" % e["tid"])
        if e["cat"] == "region" and not e["name"].replace(", sweeps", "") in kernels:
            fail("there is no kernel %s" % e["name"])
    for p in [e for e in events if e["cat"] == "product"]:
        inside = [e for e in events if e["cat"] == "region" and e["args"]["stage"] == p["args"]["stage"] and p["ts"] <= e["ts"] and
                  e["end"] <= p["end"] + 0.0005 and all(p["args"][x][0] <= e["args"][x][0] and e["args"][x][1] <= p["args"][x][1] for x in "bmn")]
        done = sum(size(e, "bmnk") for e in inside)
        if done != size(p, "bmnk"):
            fail("%s %s: regions of %d multiply-adds, not %d" % (p["name"], p["args"], done, size(p, "bmnk")))
    busy = {e["tid"] for e in events if e["cat"] in ("region", "loops")}
    if busy != set(range(threads)):
        fail("threads %s have parts, not %d" % (sorted(busy), threads))
    print("%d events, %s" % (len(events), ", ".join("%d %s" % (sum(e["cat"] == c for e in events), c) for c in sorted({e["cat"] for e in events}))))


main()
