"""Starts of one model in one log, compared with each other: which are alike, and in what they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from logscope.errors import FactMissing, NotChecked
from logscope.facts import budget
from logscope.launch import Launch
from logscope.quantity import Quantity

SHAPING = (
    "model_path",
    "tp_size",
    "pp_size",
    "dp_size",
    "dtype",
    "quantization",
    "kv_cache_dtype",
    "attention_backend",
    "speculative_algorithm",
    "page_size",
    "max_total_tokens",
    "enable_dp_attention",
)


def alike(a: Launch, b: Launch, *, apart_from: str = "") -> bool:
    """Whether two starts load the same model in the same way."""
    names = [name for name in SHAPING if name != apart_from]
    return bool(a.arguments) and all(a.arguments.get(name) == b.arguments.get(name) for name in names)


def pairs(launches: Sequence[Launch], *, apart_from: str = "") -> Iterator[tuple[Launch, Launch]]:
    """Every two starts that are alike, in the order of the log; raises FactMissing when there are none."""
    found = [(a, b) for a, b in combinations(launches, 2) if alike(a, b, apart_from=apart_from)]
    if not found:
        raise FactMissing("no two starts of one model with their arguments are in the log")
    yield from found


def fraction_of(launch: Launch) -> Quantity:
    """The fraction as the arguments or the refusal state it; raises NotChecked."""
    return budget.stated_fraction(launch)


def refused(launch: Launch) -> bool:
    """Whether the start was refused for its budget."""
    try:
        budget.refusal(launch)
    except NotChecked:
        return False
    return True
