"""The window of usable static fractions: its floor is set by the weights, its ceiling by what lives outside the pool.

Below the floor 1 − A/T the start is refused (A free after the weights, T before them); above the ceiling 1 − H/T
what is not in the static budget does not fit: the request table, the graphs, workspaces and the activations of a
forward pass. On MLX the fraction multiplies memory that is free after the weights, so there is no floor, and the
private buffers of the running requests are the largest part of H. Empty window: no fraction works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from logscope.errors import FactMissing
from logscope.quantity import Interval, Quantity

Facts = Mapping[str, Quantity]

CHUNK_GIB = 1.5 / 1024
"""What SGLang itself reserves for the activations of one token of a prefill chunk (releases 0.5.3 and later)."""
FIXED_GIB = 0.5
"""What SGLang itself reserves before anything else (releases 0.5.3 and later)."""
OUTSIDE = ("request_table", "graph_memory", "private_buffers", "draft_weights", "draft_pool")
STEP = 0.01
"""A window narrower than the step that people set fractions in counts as empty."""


@dataclass(frozen=True, slots=True)
class Window:
    """The least and the greatest usable fraction, each as far as it is known, and why.

    `floor` and `ceiling` are intervals; an end that no fact bounds is 0 or 1, and `known` does not name it.
    """

    floor: Interval
    ceiling: Interval
    known: frozenset[str]
    why: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Whether the ceiling lies within a step above the floor at most."""
        return self.ceiling.hi - self.floor.lo < STEP * (1 + 1e-9)

    @property
    def range(self) -> dict[str, Any]:
        """The `fraction_range` of a report: `lo`, `hi` where they are known, `why`."""
        ends: dict[str, Any] = {}
        if "floor" in self.known:
            ends["lo"] = self.floor.hi
        if "ceiling" in self.known:
            ends["hi"] = self.ceiling.lo
        text = "; ".join(self.why)
        return {**ends, "why": f"no fraction works: {text}" if self.empty else text}


def fraction_window(facts: Facts) -> Window:
    """The window from the facts of a launch; raises FactMissing when neither end is known.

    Read where present: `avail_before_load`, `avail_after_load`, `cell_size` and `wanted_tokens`, `request_table`,
    `graph_memory`, `chunked_prefill_size`, `mem_fraction_static` with `failed_allocation` and `avail_at_failure`; on
    MLX `sys_available` and `private_buffers`; of other starts `refused_fraction` and `exhausted_fraction` (which bound
    the window) and `served_fraction` (which the explanation names).
    """
    floors = [*_floor_of_weights(facts), *_floor_of_refusal(facts)]
    ceilings = [*_ceiling_of_needs(facts), *_ceiling_of_failure(facts), *_ceiling_of_exhaustion(facts)]
    if not floors and not ceilings:
        raise FactMissing(_lacking(facts))
    floor, ceiling, known = Interval.exact(0), Interval.exact(1), set()
    if floors:
        floor = Interval(max(end.lo for end, _ in floors), max(end.hi for end, _ in floors))
        known.add("floor")
    if ceilings:
        ceiling = Interval(min(end.lo for end, _ in ceilings), min(end.hi for end, _ in ceilings))
        known.add("ceiling")
    served = [f"a start with {facts['served_fraction'].value:g} served"] if "served_fraction" in facts else []
    return Window(floor, ceiling, frozenset(known), (*(why for _, why in [*floors, *ceilings]), *served))


def _lacking(facts: Facts) -> str:
    """What a window would need that these facts do not tell."""
    if {"avail_before_load", "avail_after_load"} <= set(facts) and "sys_available" not in facts:
        return (
            f"free memory prints as {facts['avail_before_load'].value:g} GiB before the weights and as "
            f"{facts['avail_after_load'].value:g} after them, so every fraction holds them, "
            "and no line tells what else needs memory"
        )
    return "the log prints no free memory before and after the weights, and nothing that failed"


Ends = list[tuple[Interval, str]]


def _floor_of_weights(facts: Facts) -> Ends:
    if "avail_before_load" not in facts or "avail_after_load" not in facts or "sys_available" in facts:
        return []
    before, after = facts["avail_before_load"], facts["avail_after_load"]
    floor = 1 - after.interval / before.interval
    if floor.lo <= 0 and "wanted_tokens" not in facts:
        return []  # the rounding of two readings that print alike bounds nothing
    equation = f"floor {max(floor.mid, 0.0):.4f} = 1 − {after.value:g} / {before.value:g}"
    text = f"{equation}: below it the weights exceed the budget"
    if "wanted_tokens" not in facts or "cell_size" not in facts:
        return [(floor, text)]
    tokens, cell = facts["wanted_tokens"], facts["cell_size"]
    pool = tokens.interval * cell.interval / 2.0**30
    wanted = floor + pool / before.interval
    return [(wanted, f"{text}; {wanted.mid:.4f} holds {tokens.value:,.0f} tokens")]


def _floor_of_refusal(facts: Facts) -> Ends:
    if "refused_fraction" not in facts:
        return []
    refused = facts["refused_fraction"]
    return [(refused.interval, f"a start with {refused.value:g} was refused for lack of a KV budget")]


def _ceiling_of_needs(facts: Facts) -> Ends:
    base = facts.get("sys_available") or facts.get("avail_before_load")
    needs = {name: facts[name].interval for name in OUTSIDE if name in facts and facts[name].interval.hi > 0}
    if base is None or not needs:
        return []
    needs["fixed reserve"] = Interval.exact(FIXED_GIB)
    outside = sum(needs.values(), start=Interval.exact(0))
    ceiling = 1 - outside / base.interval
    parts = ", ".join(f"{name.replace('_', ' ')} {need.mid:.2f}" for name, need in needs.items())
    formula = f"ceiling {ceiling.mid:.3f} = 1 − {outside.mid:.2f} / {base.value:g}"
    return [(ceiling, f"{formula}: outside the pool {parts} GiB{_comfort(facts, outside, base)}")]


def _comfort(facts: Facts, outside: Interval, base: Quantity) -> str:
    """What SGLang's own reserve for the activations of a chunk would leave: a custom, not a bound."""
    if "chunked_prefill_size" not in facts or "sys_available" in facts:
        return ""
    chunk = facts["chunked_prefill_size"]
    activations = chunk.interval.at_least(2048) * CHUNK_GIB
    fraction = (1 - (outside + activations) / base.interval).mid
    kept = f"the {activations.mid:.1f} GiB that SGLang keeps for a chunk of {chunk.value:,.0f} tokens"
    return f"; {fraction:.3f} with {kept}"


def _ceiling_of_failure(facts: Facts) -> Ends:
    names = ("mem_fraction_static", "failed_allocation", "avail_at_failure")
    base = facts.get("sys_available") or facts.get("avail_before_load")
    if base is None or any(name not in facts for name in names):
        return []
    fraction, tried, free = (facts[name] for name in names)
    ceiling = fraction.interval - (tried.interval - free.interval).at_least(0) / base.interval
    why = f"ceiling {ceiling.mid:.3f}: {tried.value:g} GiB were asked for and {free.value:g} free at {fraction.value:g}"
    return [(ceiling, why)]


def _ceiling_of_exhaustion(facts: Facts) -> Ends:
    found: Ends = []
    if "exhausted_fraction" in facts:
        exhausted = facts["exhausted_fraction"]
        found.append((exhausted.interval, f"a start with {exhausted.value:g} ran out of device memory"))
    return found
