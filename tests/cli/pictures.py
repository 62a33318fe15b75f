#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what mikgen --explain says as data and draws.

  pictures.py json FILE.json       plans cover their outputs once, and what their costs are made of adds up to them
  pictures.py has FILE.answers FILE.json      what answers hold that were recorded once, the data have still
  pictures.py svg FILE.svg...      well-formed, nothing from outside, texts within the picture, none on another
"""
import json
import math
import sys
import xml.etree.ElementTree as xml

S = "{http://www.w3.org/2000/svg}"
SIZES = {"h": 16, "s": 11, "m": 11}
CHARACTER = 0.602  # how wide one is, of its size


def area(part):
    assert part["m0"] < part["m1"] and part["n0"] < part["n1"], part
    return (part["m1"] - part["m0"]) * (part["n1"] - part["n0"])


def meet(a, b):
    return (a["m0"] < b["m1"] and b["m0"] < a["m1"] and a["n0"] < b["n1"] and b["n0"] < a["n1"] and
            a.get("batch", 0) == b.get("batch", 0))


def check_cover(parts, outputs, what):
    assert sum(map(area, parts)) == outputs, f"{what}: {sum(map(area, parts))} outputs instead of {outputs}"
    if len(parts) < 200:
        assert not any(meet(a, b) for i, a in enumerate(parts) for b in parts[:i]), f"{what} overlap"


def near(a, b, what):
    assert math.isclose(a, b, rel_tol=1e-3, abs_tol=2), f"{what}: {a} is not {b}"


def check_plan(product, plan):
    transposed = product["transposed"]
    m, n, batch = product["n" if transposed else "m"], product["m" if transposed else "n"], product["batch"]
    check_cover(plan["regions"], area({"m0": 0, "m1": m, "n0": 0, "n1": n}), "regions")
    if plan["tasks"]:
        check_cover(plan["tasks"], m * n * batch, "tasks")
    for region in plan["regions"]:
        for key, side in (("row_tiles", ("m0", "m1")), ("column_panels", ("n0", "n1"))) if "tile" in region else ():
            size = region[side[1]] - region[side[0]]
            covered = sum(count * each for count, each in region[key])
            assert size <= covered < size + (64 if key == "column_panels" else 1), f"{key}: {covered} of {size}"
    loads = plan["loads_ns"]
    assert len(loads) == plan["workers"], plan["summary"]
    near(max(loads) + plan["start_ns"] + plan["adding_ns"], plan["cost_ns"], "the longest load and the cost")
    if "terms_ns" in plan and plan["splits"] == 1:
        near(sum(plan["terms_ns"].values()), sum(loads), "terms and loads")


def check_device_plan(product, plan):
    check_cover(plan["regions"], product["m"] * product["n"], "regions")
    for region in plan["regions"]:
        m, n = region["m1"] - region["m0"], region["n1"] - region["n0"]
        tiles = product["batch"] * -(-m // region["tile"][0]) * -(-n // region["tile"][1])
        assert region["tiles"] == tiles and region["steps"] == max(1, -(-product["k"] // region["step"])), region
        assert region["blocks"] * region["share"] >= tiles * region["steps"], f"blocks lack steps: {region}"
        assert region["waves"] == -(-region["blocks"] // region["slots"]), region
    t = plan["terms_ns"]
    if len(plan["regions"]) == 1 or plan["launches"] == 1:
        apart = t["launch"] + max(t["work"], t["memory"], t["reading"]) + t["reduction"]
        behind = t["launch"] + max(t["work"] + t["copies"], t["memory"]) + t["reduction"]
        near(plan["cost_ns"], behind if math.isclose(behind, plan["cost_ns"], rel_tol=1e-3) else apart + t["copies"], "terms and cost")


def check_device_nest(nest):
    """All indices have a thread, where each has one."""
    if nest.get("form") == "a thread for each index":
        threads = sum(math.prod(l["grid"]) * math.prod(l["block"]) for l in nest["launched"])
        assert nest["launches"] > len(nest["launched"]) or threads >= math.prod(nest["extents"]), nest


def check_nest(nest):
    if not nest.get("pieces"):
        return
    counts = nest["counts"] + [1]
    iterations = sum((end - begin) * ((last - first) if len(nest["counts"]) > 1 else 1) for begin, end, first, last in nest["pieces"])
    assert iterations in (counts[0] * counts[1], counts[0]), f"{nest['stem']}: {iterations} iterations of {counts}"


def check_json(path):
    plans = 0
    for call in json.load(open(path))["calls"]:
        on_device = call["target"] == "cuda"
        assert call["status"] == 0 and call["text"], call
        for product in call["products"]:
            assert product["line"] > 0 and product["what"].startswith("contraction: "), product
            for name in ("plan", "runner_up"):
                if name in product:
                    (check_device_plan if on_device else check_plan)(product, product[name])
                    plans += 1
            if "runner_up" in product:
                chosen, other = product["plan"], product["runner_up"]
                assert chosen["cost_ns"] <= other["cost_ns"] * 1.011, f"the runner-up is better: {other['cost_ns']} < {chosen['cost_ns']}"
                assert chosen != other, "the runner-up is what was chosen"
        for nest in call["nests"]:
            assert nest["loops"] and all(loop["line"] > 0 and loop["text"] for loop in nest["loops"]), nest
            (check_device_nest if on_device else check_nest)(nest)
        for average in (a for batch in call["ragged"] for a in batch["averages"]):
            assert average["varies"] and all(average[name] >= 0 for name in ("count", "m", "n", "k")), average
        print(call["operator"], len(call["products"]), "products,", plans, "plans,", len(call["nests"]), "nests")


def members(value, path=""):
    """The names of members, with those around them."""
    if isinstance(value, list):
        return set().union(*(members(item, path + "[]") for item in value))
    if isinstance(value, dict):
        return set().union(*({f"{path}.{name}"} | members(item, f"{path}.{name}") for name, item in value.items()))
    return set()


def check_has(answers, path):
    lacks = set().union(*(members(json.loads(line)) for line in open(answers))) - set().union(*map(members, json.load(open(path))["calls"]))
    assert not lacks, f"{path} lacks {sorted(lacks)}, which {answers} has"


def box(element):
    style = element.get("class")
    size = SIZES.get(style, 12)
    width = len("".join(element.itertext())) * size * CHARACTER
    x, y = float(element.get("x")), float(element.get("y"))
    x -= width / 2 if style == "m" else 0
    return x, y - size * .8, x + width, y + size * .2


def check_svg(path):
    root = xml.parse(path).getroot()
    width, height = map(float, root.get("viewBox").split()[2:])
    texts = [(box(t), "".join(t.itertext())) for t in root.iter(S + "text")]
    assert texts, f"{path}: no words"
    for i, (a, said) in enumerate(texts):
        assert a[0] >= 0 and a[1] >= 0 and a[2] <= width and a[3] <= height, f"{path}: '{said}' leaves the picture"
        for b, other in texts[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], f"{path}: '{said}' is on '{other}'"
    for element in root.iter():
        assert element.tag not in (S + "script", S + "image", S + "a", S + "use"), element.tag
        assert all(float(element.get(name)) >= 0 for name in ("width", "height") if element.get(name)), element.attrib
        assert all("href" not in name for name in element.keys())


def main(kind, *paths):
    if kind == "has":
        return check_has(*paths)
    for path in paths:
        (check_json if kind == "json" else check_svg)(path)


main(*sys.argv[1:])
