# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of forms."""
import math
import re

ENOUGH = 0.9  # of the best form's speed


def plain(remark):
    return re.sub(r"\b(line|lines) [\d, ]+", "line", re.sub(r"\w+_f\d\d", "", remark))


def reason(form, best):
    """The first remark that the best form does not have."""
    known = {plain(text) for text in best.remarks}
    told = [text for text in form.remarks if text.startswith(("missed", "note")) and plain(text) not in known]
    return told[0] if told else "-"


def rows_of(operator, forms):
    timed = [form for form in forms if form.time]
    best = min(timed, key=lambda form: form.time)
    rows = []
    for form in forms:
        speed = best.time / form.time if form.time else 0.0
        same = "same" if form.plan == best.plan else "other"
        slow = form.time and (speed < ENOUGH or same == "other")
        rows.append((speed, operator, form.name, form.time, same if form.time else "-", form.fault or (reason(form, best) if slow else ""), bool(form.fault)))
    return rows


def summary(rows):
    speeds = sorted(row[0] for row in rows if row[3])
    if not speeds:
        return "no form ran"
    geomean = math.exp(sum(map(math.log, speeds)) / len(speeds))
    enough = sum(speed >= ENOUGH for speed in speeds) / len(speeds)
    same = sum(row[4] == "same" for row in rows if row[3]) / len(speeds)
    return (f"{len(rows)} forms: geometric mean {geomean:.3f}, 5th percentile {speeds[len(speeds) // 20]:.3f}, least {speeds[0]:.3f}, "
            f"{100 * enough:.1f}% at {ENOUGH} or above, {100 * same:.1f}% of the same plan, {sum(row[6] for row in rows)} faults")


def progress(operator, rows):
    return f"{operator}: {summary(rows)}"


def print_all(given, rows):
    print(f"# bench/forms.sh, {given.cc}, {given.mikgen_flags}; microseconds, one thread, by turns, the best of {given.rounds}; worst first")
    print("# speed: the time of the operator's best form over this form's; plan: as that form's?; a remark that the best form has not")
    print(summary(rows))
    print(f"\n{'operator':18}{'form':38}{'us':>9}{'speed':>7}  {'plan':6} remark")
    for speed, operator, name, seconds, same, why, fault in sorted(rows, key=lambda row: (not row[6], row[0])):
        print(f"{operator:18}{name:38}{1e6 * (seconds or 0):9.1f}{speed:7.3f}  {same:6} {'FAULT ' if fault else ''}{why}".rstrip())
