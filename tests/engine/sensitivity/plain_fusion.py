"""The fusion written out once more with whole numbers and fractions and nothing else, and random lists to run it on."""

import itertools
from fractions import Fraction
from heapq import nsmallest
from math import lcm

import numpy as np

from engine.fusion.rrf import rrf_units
from engine.fusion.units import Units, ranks_of
from engine.types import Ranking

KINDS = ("rrf", "decimals", "coarse", "matches")
NAMES = ("bm25", "dense", "summary")


def random_lists(rng, sources, longest):
    """One list of ids per source: overlap from none to full, lengths from none, sometimes equal or reversed."""
    numbers = rng.sample(range(10_000), 4 * longest + 1)
    ids = [f"c{number:04d}" for number in numbers]
    shared, own = ids[:longest], ids[longest:]
    overlap = rng.choice([0.0, 1.0, rng.random(), rng.random()])
    lists = {}
    for index, source in enumerate(NAMES[:sources]):
        length = rng.choice([longest, rng.randint(0, longest), rng.randint(0, longest)])
        common = round(overlap * length)
        mine = rng.sample(shared, common) + own[index * longest : index * longest + length - common]
        rng.shuffle(mine)
        lists[source] = mine
    kind = rng.random()
    if kind < 0.06:
        lists = dict.fromkeys(lists, lists["bm25"])
    elif kind < 0.12:
        lists["dense"] = lists["bm25"][::-1]
    elif kind < 0.15:
        lists["dense"] = []
    return lists


def rankings_of(lists):
    return {name: Ranking.of(name, ids, [float(-row) for row in range(len(ids))]) for name, ids in lists.items()}


def random_weight(rng):
    return rng.choice([0.0, 1.0, 1.0, round(rng.random(), 1), round(rng.uniform(0, 10), 2), rng.uniform(0, 2)])


def random_case(rng, sources, longest):
    """Units of a random kind, with what each source adds to each id at weight 1 as plain fractions."""
    lists = random_lists(rng, sources, longest)
    kind = rng.choice(KINDS)
    if kind == "rrf":
        k = rng.choice([1.0, 60.0, 0.5, 17.3, 2.0])
        units = rrf_units(rankings_of(lists), k)
        constant = Fraction(str(k))
        values = {name: {i: 1 / (constant + rank) for rank, i in enumerate(ids, 1)} for name, ids in lists.items()}
        return units, lists, values, False
    digits = {"decimals": 6, "coarse": 1, "matches": rng.choice([1, 3])}[kind]
    lowest = rng.choice([0.0, 0.0, -1.0])
    ids, ranks = ranks_of(rankings_of(lists))
    absent = rng.choice([0.0, lowest])
    table = np.round(
        np.array([[rng.uniform(lowest, 1) for _ in lists] for _ in ids]).reshape(len(ids), len(lists)), digits
    )
    table = np.where(ranks > 0, table, absent)
    units = Units(ids, tuple(lists), table, ranks, by_matches=kind == "matches")
    values = {
        name: {i: Fraction(str(float(table[row, column]))) for row, i in enumerate(ids)}
        for column, name in enumerate(lists)
    }
    return units, lists, values, kind == "matches"


class PlainFusion:
    """The fused order at any exact weights."""

    def __init__(self, lists, values, by_matches=False):
        self.lists = {name: set(ids) for name, ids in lists.items()}
        self.by_matches = by_matches
        self.ids = sorted(set().union(*lists.values()))
        unit = lcm(*(value.denominator for of_id in values.values() for value in of_id.values()))
        self.whole = {name: {i: int(values[name].get(i, Fraction(0)) * unit) for i in self.ids} for name in lists}

    def order(self, weights):
        unit = lcm(*(weight.denominator for weight in weights.values()))
        used = {name: int(weight * unit) for name, weight in weights.items() if weight > 0}
        scores = {}
        for i in self.ids:
            matches = sum(i in self.lists[name] for name in used)
            if matches:
                total = sum(weight * self.whole[name][i] for name, weight in used.items())
                scores[i] = total * matches if self.by_matches else total
        return sorted(scores, key=lambda i: (-scores[i], i))


def plain_rrf(lists, weights, k, n):
    """The first n at an exact k, by sorting fractions."""
    scores = {}
    for name, ids in lists.items():
        for rank, i in enumerate(ids, start=1) if weights[name] > 0 else ():
            part = weights[name] / (k + rank)
            scores[i] = scores[i] + part if i in scores else part
    return nsmallest(n, scores, key=lambda i: (-scores[i], i))


def around(values, low, high):
    """The values, points between each two, and points close by on both sides; all within low and high."""
    ends = sorted({low, high, *values})
    points = set(ends)
    for one, other in itertools.pairwise(ends):
        points |= {(one + other) / 2, one + (other - one) / 1000, other - (other - one) / 1000}
    return sorted(points)


def as_fractions(weights):
    return {name: Fraction(repr(float(weight))) for name, weight in weights.items()}
