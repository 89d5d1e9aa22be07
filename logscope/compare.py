"""Two starts side by side, and the change of the pool attributed exactly to its causes.

The pool is a function of the free memory, the weights, the fraction, the bytes of a token, the page and the cap.
Its change from one start to the other is divided among them by their Shapley values: the mean, over all orders in
which the inputs can change one after the other, of what each adds when its turn comes. They add up to the change of
the function; what the printed pools differ by beyond that is the remainder.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from logscope.differing_arguments import NEVER_POOL, by_whom, without_effect
from logscope.errors import FactMissing
from logscope.plain import plain, quantity_of
from logscope.quantity import Interval, Quantity
from logscope.relations import Setting, relations_of
from logscope.relations.mlx_budget import FLOOR_TOKENS
from logscope.solve import propagate
from logscope.whatif import baseline

Facts = Mapping[str, Quantity]
Point = Mapping[str, float]
Sizing = Callable[[Point], float]

GIB = 2.0**30


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two starts: its name (`crash.log#1`), its quantities, its setting, its arguments as printed.

    `rewritten` are the arguments that the server changed, each with the value before, "" where no line tells it.
    """

    name: str
    facts: Facts
    setting: Setting
    arguments: Mapping[str, Any]
    rewritten: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Share:
    """What one cause adds to the change: its Shapley value, and how far rounding can move it (to first order)."""

    name: str
    contribution: float
    lo: float
    hi: float
    unit: str


def shapley(sizing: Sizing, a: Point, b: Point) -> dict[str, float]:
    """The contribution of each input to `sizing(b) − sizing(a)`; they add up to it. Inputs that are equal get 0."""
    moved = [name for name in a if a[name] != b[name]]
    values: dict[frozenset[str], float] = {}
    for size in range(len(moved) + 1):
        for some in itertools.combinations(moved, size):
            values[frozenset(some)] = sizing({name: b[name] if name in some else a[name] for name in a})
    count = len(moved)
    shares = dict.fromkeys(a, 0.0)
    for name in moved:
        for chosen, value in values.items():
            if name not in chosen:
                after = math.factorial(count - len(chosen) - 1)
                weight = math.factorial(len(chosen)) * after / math.factorial(count)
                shares[name] += weight * (values[chosen | {name}] - value)
    return shares


def pool_of_budget(point: Point) -> float:
    """The tokens of the static budget: ⌊min((f · T − W − reserved) / (c · (1 + b)) + extra, cap) / p⌋ · p."""
    rest = point["mem_fraction_static"] * point["avail_before_load"] - point["weights"] - point["reserved"]
    profiled = math.floor(rest * GIB / (point["cell_size"] * (1 + point["beside_share"])))
    tokens = min(profiled + point["speculative_tokens"], point["max_total_tokens"])
    return max(0.0, tokens // point["page_size"] * point["page_size"])


def pool_of_mlx(point: Point) -> float:
    """The tokens of the MLX budget; a cap replaces them."""
    limit = max(point["mem_fraction_static"] * point["mlx_limit"] - point["mlx_used"], 0.0)
    budget = min(limit, point["mem_fraction_static"] * point["sys_available"])
    if math.isfinite(point["max_total_tokens"]):
        return point["max_total_tokens"]
    return float(max(math.floor(budget * GIB / point["cell_size"]), FLOOR_TOKENS))


BESIDE = ("reserved", "beside_share", "speculative_tokens")
"""What else a budget may hold, or a pool beyond its budget."""
MODELS: Mapping[bool, tuple[Sizing, tuple[str, ...]]] = {
    False: (pool_of_budget, ("avail_before_load", "weights", "mem_fraction_static", "cell_size")),
    True: (pool_of_mlx, ("sys_available", "mlx_limit", "mlx_used", "mem_fraction_static", "cell_size")),
}
WITHOUT = {
    "page_size": 1.0,
    "max_total_tokens": math.inf,
    **dict.fromkeys((*BESIDE, "mlx_used"), 0.0),
    "mlx_limit": math.inf,
}
"""What an input is when no line tells it and the formula does without."""


OF_READINGS = {"weights": ("avail_before_load", "avail_after_load")}
"""The readings that an input is the difference of: where both starts print them alike it is one value."""


def inputs_of(side: Side) -> dict[str, Interval]:
    """The inputs of the sizing, as narrow as all lines of the start make them; raises FactMissing without them."""
    found = dict(baseline(side.facts, side.setting).inputs)
    known = {name: quantity.interval for name, quantity in found.items()}
    if "avail_before_load" in known and "avail_after_load" in known:
        known["weights"] = known["avail_before_load"] - known["avail_after_load"]
    parts = [known[name] for name in ("state_pool", "multimodal_reserve") if name in known]
    known["reserved"] = sum(parts, start=Interval.exact(0))
    _, needed = MODELS[side.setting.mlx]
    for name in needed:
        if name not in known and name not in WITHOUT:
            raise FactMissing(f"{side.name} tells no {name}, so its pool cannot be computed")
    if "kv_pool" in side.facts and side.facts["kv_pool"].interval.lo <= 0 and known["cell_size"].width > 0:
        raise FactMissing(f"{side.name} prints the size of its pool as nothing, so the bytes of a token are not known")
    names = (*needed, "page_size", "max_total_tokens", *(() if side.setting.mlx else BESIDE))
    return {name: known[name] if name in known else Interval.exact(WITHOUT[name]) for name in names}


def attribution(a: Side, b: Side) -> tuple[list[Share], dict[str, Any]]:
    """The shares of all causes in the change of the pool, in tokens, largest first; and the remainder.

    Raises FactMissing where a pool or an input is not known, or where the two backends size by different rules.
    """
    if a.setting.mlx != b.setting.mlx:
        raise FactMissing(f"{a.name} and {b.name} size their pools by different rules")
    sizing, _ = MODELS[a.setting.mlx]
    first, second = _aligned(a, b)
    at = [{name: interval.mid for name, interval in side.items()} for side in (first, second)]
    shares = shapley(sizing, at[0], at[1])
    spread = _spread(sizing, (first, second), at=at, shares=shares)
    found = [Share(n, c, c - spread[n], c + spread[n], "tokens") for n, c in shares.items() if at[0][n] != at[1][n]]
    found.sort(key=lambda share: (-abs(share.contribution), share.name))
    return found, _remainder(a, b, explained=sum(shares.values()), rounding=sum(spread.values()))


def _aligned(a: Side, b: Side) -> tuple[dict[str, Interval], dict[str, Interval]]:
    """The inputs of both starts; what both print alike is one value, and so are bytes of a token that may be equal."""
    first, second = inputs_of(a), inputs_of(b)
    for name in first:
        common = first[name].meet(second[name])
        read = OF_READINGS.get(name, (name,))
        alike = all(one in a.facts and one in b.facts and a.facts[one].value == b.facts[one].value for one in read)
        if alike and common.empty:
            # Two pools pull one reading apart: that is no cause, and goes to the remainder.
            printed = [a.facts[one].interval for one in read]
            common = printed[0] - printed[1] if len(printed) == 2 else printed[0]
        if not common.empty and (alike or name == "cell_size"):
            first[name] = second[name] = common
    return first, second


def _spread(
    sizing: Sizing, sides: Sequence[Mapping[str, Interval]], *, at: Sequence[Point], shares: Point
) -> dict[str, float]:
    """How far each share moves when one input of one start moves to the ends of its interval, added over all inputs."""
    moved = dict.fromkeys(shares, 0.0)
    for place, side in enumerate(sides):
        for name, interval in side.items():
            if interval.width == 0 or not interval.finite:
                continue
            for end in (interval.lo, interval.hi):
                points = [dict(point) for point in at]
                points[place][name] = end
                for other, share in shapley(sizing, points[0], points[1]).items():
                    moved[other] += abs(share - shares[other]) / 2
    return moved


def _remainder(a: Side, b: Side, *, explained: float, rounding: float) -> dict[str, Any]:
    if "max_total_num_tokens" not in a.facts or "max_total_num_tokens" not in b.facts:
        missing = a.name if "max_total_num_tokens" not in a.facts else b.name
        return {"why": f"{missing} printed no pool, so the change is that of the formula alone"}
    observed = b.facts["max_total_num_tokens"].interval - a.facts["max_total_num_tokens"].interval
    rest = observed - round(explained, 6)
    within = abs(rest.mid) <= rounding + 2
    return {
        "name": "remainder",
        "value": rest.mid,
        "lo": rest.lo - rounding,
        "hi": rest.hi + rounding,
        "unit": "tokens",
        "observed": observed.mid,
        "within_rounding": within,
    }


def comparison(a: Side, b: Side) -> dict[str, Any]:
    """`logscope.comparison/1`: quantities side by side, the change of the pool attributed, arguments that differ."""
    try:
        shares, remainder = attribution(a, b)
        why = ""
    except FactMissing as reason:
        shares, remainder, why = [], {}, str(reason)
    differing = by_whom(
        a.arguments,
        b.arguments,
        releases=(a.setting.release, b.setting.release),
        rewritten=(a.rewritten, b.rewritten),
    )
    silent = without_effect(differing, {share.name for share in shares if share.contribution})
    unknown = [name for name in silent if why and name not in NEVER_POOL]
    result = {
        "schema": "logscope.comparison/1",
        "launches": [a.name, b.name],
        "quantities": side_by_side(a, b),
        "attribution": [
            {"name": s.name, "contribution": s.contribution, "lo": s.lo, "hi": s.hi, "unit": s.unit} for s in shares
        ],
        "remainder": {**remainder, **({"why": why} if why else {})},
        "arguments": differing,
        "changed_without_effect": [name for name in silent if name not in unknown],
    }
    return dict(plain(result | {"not_attributed": unknown} if unknown else result))


def side_by_side(a: Side, b: Side) -> list[dict[str, Any]]:
    """Every quantity that either start tells or implies, with the difference where both do."""
    left, right = _known(a), _known(b)
    rows = []
    for name in sorted(name for name in {**left, **right} if _apart(name, left) or _apart(name, right)):
        row: dict[str, Any] = {"name": name}
        for key, side in (("a", left), ("b", right)):
            if name in side:
                row[key] = {k: v for k, v in quantity_of(side[name]).items() if k not in ("name",)}
        if name in left and name in right and left[name].interval.finite and right[name].interval.finite:
            delta = right[name].interval - left[name].interval
            row["delta"] = {"value": right[name].value - left[name].value, "lo": delta.lo, "hi": delta.hi}
        rows.append(row)
    return rows


def _apart(name: str, known: Facts) -> bool:
    """Whether a name says more than another one: a rank's own reading does where it is not the least of its group."""
    least = known.get(name.removeprefix("own_"))
    return not name.startswith("own_") or (least is not None and name in known and known[name].value != least.value)


def _known(side: Side) -> dict[str, Quantity]:
    relations = relations_of(side.setting, ("static_budget", "pool_tokens", "request_table", "mlx_budget")).relations
    solved = propagate(side.facts, relations).values
    implied = {name: quantity for name, quantity in solved.items() if quantity.interval.finite}
    if "rest_memory" in implied and implied["rest_memory"].interval.hi <= 0:
        # A start that is refused has no pool, not a negative one.
        implied = {
            name: quantity for name, quantity in implied.items() if quantity.interval.hi > 0 or name == "rest_memory"
        }
    return {**implied, **{name: replace(fact, equation=None) for name, fact in side.facts.items()}}
