# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of bench/scaling.sh, from what bench/nests.sh has left in FOLDER/1 and FOLDER/THREADS."""
import csv
import sys
from pathlib import Path

import report


def read(path):
    """Milliseconds by case and candidate."""
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["case"], row["candidate"]): float(row["ms"]) for row in csv.DictReader(file)}


def limit(times, case):
    return max((times[case, name] for name in report.LIMITS if (case, name) in times), default=None)


def rows(one, many, threads):
    for case, candidate in one:
        if candidate != report.OWN or (case, candidate) not in many:
            continue
        alone, together, least = one[case, candidate], many[case, candidate], limit(many, case)
        cores = one[case, report.RATE] / many[case, report.RATE]
        possible = min(threads, alone / least) if least else None
        yield [case, *map(report.number, (alone, together, alone / together, least, possible, cores))]


def main():
    folder, threads = Path(sys.argv[1]), int(sys.argv[2])
    one, many = (read(folder / str(n) / "times.csv") for n in (1, threads))
    print(f"# bench/scaling.sh; CPU: {report.machine()}; milliseconds, one thread and {threads}")
    print(f"{'operator':18} {'one':>8} {'all':>8} {'ratio':>7} {'limit':>8} {'possible':>8} {'cores':>6}")
    for name, alone, together, ratio, least, possible, cores in rows(one, many, threads):
        print(f"{name:18} {alone:>8} {together:>8} {ratio:>7} {least:>8} {possible:>8} {cores:>6}")


main()
