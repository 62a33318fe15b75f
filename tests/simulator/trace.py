# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a Chrome trace with a device's times can be true: trace.py TRACE.json

Each launch that was not captured is on a device once, with the same kernel, behind an arrow from the call; those of a stream follow one
another. The simulated device runs a launch while it is enqueued: on the host's clock both are at the same time.
"""
import json
import sys

SLACK = 500  # microseconds in which the program may be interrupted between two looks at a clock


def fail(message):
    sys.exit("FAILED: " + message)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        trace = json.load(f)
    events = trace["traceEvents"]
    launches = [e for e in events if e.get("cat") == "launch" and e["ph"] == "X"]
    told = {e["args"]["launch"]: e for e in launches}
    ran = {e["args"]["launch"]: e for e in events if e.get("cat") == "device"}
    captured = {n for n, e in told.items() if e["args"].get("captured")}
    if trace["otherData"] != {"dropped": "0", "captured": str(len(captured))} or not captured:
        fail("other data is %s, %d launches are captured" % (trace["otherData"], len(captured)))
    if len(told) != len(launches) or set(ran) != set(told) - captured:
        fail("%d launches, %d captured, %d on a device" % (len(launches), len(captured), len(ran)))
    for n, e in ran.items():
        by = told[n]
        if (e["name"], e["args"]) != (by["name"], by["args"]):
            fail("launch %d is %s %s, and on the device %s %s" % (n, by["name"], by["args"], e["name"], e["args"]))
        if e["ts"] > by["ts"] + SLACK or e["ts"] + e["dur"] < by["ts"] + by["dur"] - SLACK:
            fail("launch %d is enqueued from %g for %g, and runs from %g for %g us" % (n, by["ts"], by["dur"], e["ts"], e["dur"]))
        if e["dur"] > by["dur"] + SLACK:
            fail("launch %d runs for %g us, and was enqueued for %g" % (n, e["dur"], by["dur"]))
        arrow = {a["ph"]: a for a in events if a.get("id") == n}
        if set(arrow) != {"s", "f"} or arrow["s"]["ts"] > arrow["f"]["ts"] or arrow["f"]["ts"] != e["ts"]:
            fail("launch %d has no arrow" % n)
    tracks = {(e["pid"], e["tid"]) for e in ran.values()}
    for track in tracks:
        there = sorted((e["ts"], e["ts"] + e["dur"]) for e in ran.values() if (e["pid"], e["tid"]) == track)
        if any(b[0] < a[1] - 0.0015 for a, b in zip(there, there[1:])):
            fail("launches of track %s overlap" % (track,))
    named = {(e["pid"], e["tid"]) for e in events if e.get("name") == "thread_name" and e["pid"] > 1}
    # Three streams of each device; and two more of the first one's in the second round, whose default stream is the same.
    if named != tracks or sorted(p for p, _ in tracks) != [2] * 5 + [3] * 3:
        fail("tracks %s, and names for %s" % (sorted(tracks), sorted(named)))
    print("%d launches, %d captured, on %d streams" % (len(launches), len(captured), len(tracks)))


main()
