"""What is asked of a prediction, read from text: a change `mem_fraction_static=0.8`, a sweep, `pool >= 400000`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from logscope.errors import UsageError
from logscope.quantity import Interval

SHORT = {
    "pool": "max_total_num_tokens",
    "tokens": "max_total_num_tokens",
    "budget": "rest_memory",
    "rest": "rest_memory",
    "concurrency": "full_context_requests",
    "fraction": "mem_fraction_static",
}
"""Words that people use for quantities of the relations."""

_NUMBER = r"[-+]?\d[\d_,]*(?:\.\d+)?(?:[eE][-+]?\d+)?\s*[kKmM]?"
_CONDITION = re.compile(rf"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<sense>>=|<=|≥|≤|>|<)\s*(?P<value>{_NUMBER})\s*")
_CHANGE = re.compile(r"\s*(?:--)?(?P<name>[A-Za-z][\w-]*)\s*=\s*(?P<value>\S+)\s*")
_FACTOR = {"k": 1e3, "m": 1e6}
NOTHING = ("none", "null", "off")


@dataclass(frozen=True, slots=True)
class Condition:
    """A quantity that is to be at least or at most a value."""

    name: str
    sense: str  # "≥" or "≤"
    value: float

    @property
    def interval(self) -> Interval:
        """All values that fulfil it."""
        return Interval(self.value, float("inf")) if self.sense == "≥" else Interval(float("-inf"), self.value)

    def certain(self, interval: Interval) -> bool:
        """Whether every value of an interval fulfils it."""
        return interval.lo >= self.value if self.sense == "≥" else interval.hi <= self.value

    def __str__(self) -> str:
        return f"{self.name} {self.sense} {self.value:,.10g}"


@dataclass(frozen=True, slots=True)
class Sweep:
    """A flag and the values that it takes in turn."""

    flag: str
    values: tuple[float, ...]


def condition(text: str) -> Condition:
    """`pool >= 400000` as a condition; raises UsageError for anything else."""
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no condition; write it like 'pool >= 400000'")
    name = SHORT.get(found["name"], found["name"])
    return Condition(name, "≥" if found["sense"] in (">=", "≥", ">") else "≤", number(found["value"]))


def changes(texts: Sequence[str]) -> dict[str, float | str | None]:
    """`flag=value` texts as a mapping; `none` takes a flag away. The spelling of the command line is understood too."""
    found: dict[str, float | str | None] = {}
    for text in texts:
        match = _CHANGE.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} is no change of a flag; write it like mem_fraction_static=0.8")
        name = match["name"].replace("-", "_")
        found[SHORT.get(name, name)] = _value(match["value"])
    return found


def sweep(text: str) -> Sweep:
    """`flag=first:last:step` as a flag and its values, both ends included; raises UsageError from 1001 values on."""
    match = _CHANGE.fullmatch(text)
    parts = match["value"].split(":") if match else []
    if match is None or len(parts) != 3:
        raise UsageError(f"{text!r} is no sweep; write it like mem_fraction_static=0.5:0.9:0.05")
    first, last, step = (number(part) for part in parts)
    if step <= 0 or last < first:
        raise UsageError(f"{text!r}: the step must be positive and the last value not below the first")
    count = int((last - first) / step + 1e-9) + 1
    if count > 1000:
        raise UsageError(f"{text!r} has {count:,} values; take a step that leaves 1000 or fewer")
    name = match["name"].replace("-", "_")
    return Sweep(SHORT.get(name, name), tuple(round(first + step * place, 12) for place in range(count)))


def number(text: str) -> float:
    """A number as people write it: 400000, 400_000, 400,000, 400k. Raises UsageError for anything else."""
    plain = text.strip().replace(",", "").replace("_", "")
    factor = _FACTOR.get(plain[-1:].lower(), 1.0)
    try:
        return float(plain[:-1] if factor != 1 else plain) * factor
    except ValueError:
        raise UsageError(f"{text!r} is no number") from None


def _value(text: str) -> float | str | None:
    if text.lower() in NOTHING:
        return None
    try:
        return number(text)
    except UsageError:
        return text
