"""What a rule says of a log, and what a cause claims: plain data, rendered nowhere here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from logscope.quantity import LineRef, Quantity

Kind = Literal["impossible", "mismatch", "smell", "signature"]
Severity = Literal["error", "warning", "note"]
Role = Literal["root", "cascade", "noise", "context"]
Confidence = Literal["certain", "likely", "possible"]
Way = Literal["raise", "lower", "leave", "depends"]


@dataclass(frozen=True, slots=True)
class Gap:
    """How far observed and computed lie apart, and how much of that rounding can explain."""

    value: float
    rounding_explains: float
    unit: str


@dataclass(frozen=True, slots=True)
class Solution:
    """One way to make a conflict vanish: a quantity (or a pair) and the interval that reconciles it with all others."""

    quantities: tuple[Mapping[str, Any], ...]  # name, lo, hi, stated (as in the report schema)
    status: Literal["possible", "excluded"]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule found on one subject. A rule fills `message`, numbers and lines; `check` adds the rest."""

    message: str
    evidence: tuple[LineRef, ...] = ()
    observed: Quantity | None = None
    computed: Quantity | None = None
    gap: Gap | None = None
    conflict: tuple[Quantity, ...] = ()
    solutions: tuple[Solution, ...] = ()
    role: Role | None = None  # context when absent
    launches: tuple[int, ...] = ()
    rank: str | None = None
    rule: str = ""
    title: str = ""
    kind: Kind = "smell"
    severity: Severity = "note"
    way: Way | None = None  # the direction for the static fraction that this finding alone supports
    data: Mapping[str, Any] = field(default_factory=dict)  # what causes want to reuse; JSON-ready values


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing to do: what, why, how to verify it in the next log, and what it risks."""

    do: str
    why: str
    verify: str = ""
    risk: str = ""
    set: Mapping[str, Any] | None = None  # flag, from, lo, hi
    alternative: bool = False  # another way than those before it: the command does not take both


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """What one cause claims about one launch.

    `weight` orders hypotheses about the same event: 1.0 is a decisive line or relation with no rival, 0.5 fits with
    rivals, 0.1 is a guess. `at` is the line at which the cause becomes visible: the earliest root wins a tie.
    """

    cause: str
    weight: float
    sentence: str
    evidence: tuple[LineRef, ...]
    confidence: Confidence = "likely"
    fraction: Way = "leave"
    fraction_range: Mapping[str, Any] | None = None  # lo, hi, why
    chain: tuple[tuple[LineRef | None, str], ...] = ()  # root first
    ruled_out: tuple[tuple[str, str], ...] = ()  # cause, why
    missing: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    upstream: tuple[Mapping[str, Any], ...] = ()
    at: LineRef | None = None
