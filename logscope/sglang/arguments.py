"""Server arguments by release: which fields a dump prints, their defaults, their flags, and who may have set them.

The facts stand in `arguments.json`, release by release as what each changed; `python -m tools.conformance.arguments`
rewrites it from the wheels (the class ServerArgs; from 0.5.20 on its namespaces in `arg_groups/fields`).
"""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from logscope.errors import FactMissing
from logscope.sglang.releases import LAST, RELEASES, ReleaseRange, between

Origin = Literal["given", "default", "automatic", "unknown"]
REDACTED = "<redacted>"  # what dumps from 0.5.22 on print for the arguments that hold keys

_UNABRIDGED = 12  # so many neighbouring fields in the release's own order are no selection made by a person


@dataclass(frozen=True, slots=True)
class Field:
    """One field of ServerArgs in one release.

    `default` is the literal default; `has_default` is False when the field is required or its default is computed.
    `flags` holds its command-line flags, the release's own name first; empty when it has none. `resolved` says that
    the release itself may set the field after parsing. `typed` is the default of the command line where it is another.
    """

    name: str
    default: object
    has_default: bool
    flags: tuple[str, ...]
    resolved: bool
    typed: object = None

    def is_default(self, value: object) -> bool:
        """Whether a start without the flag, or without the keyword, has this value."""
        return (self.has_default and _same(value, self.default)) or (
            self.typed is not None and _same(value, self.typed)
        )


@functools.cache
def _changes() -> dict[str, Any]:
    text = Path(__file__).with_name("arguments.json").read_text()
    told: dict[str, Any] = json.loads(text)
    return told


def _put(names: list[str], changed: Mapping[str, Any]) -> list[str]:
    out = set(changed.get("out", ()))
    runs: Mapping[str, list[str]] = changed.get("put", {})
    now = list(runs.get("", ()))
    for name in names:
        if name not in out:
            now.append(name)
            now += runs.get(name, ())
    return now


@functools.cache
def _history() -> dict[str, dict[str, Field]]:
    told: dict[str, dict[str, Field]] = {}
    names: list[str] = []
    facts: dict[str, Field] = {}
    for release in RELEASES:
        changed = _changes().get(release)
        if changed is not None:
            names = _put(names, changed)
            for name, fact in changed.get("facts", {}).items():
                flags = tuple(dict.fromkeys(fact.get("flags", ())))
                resolved, typed = bool(fact.get("set")), fact.get("typed")
                facts[name] = Field(name, fact.get("default"), "default" in fact, flags, resolved, typed)
            told[release] = {name: facts[name] for name in names}
        else:
            told[release] = told[RELEASES[RELEASES.index(release) - 1]]
    return told


def _listed(release: str) -> str:
    """The listed release whose arguments stand for this one: itself, or the last one before it."""
    known = between("", release)
    return known[-1] if known else RELEASES[0]


def fields(release: str) -> dict[str, Field]:
    """The fields of a release in the order in which its dump prints them."""
    return _history()[_listed(release)]


@functools.cache
def _spans() -> dict[str, int]:
    """The releases that have a field of this name: bit n stands for the n-th of RELEASES."""
    spans: dict[str, int] = {}
    for place, told in enumerate(_history().values()):
        for name in told:
            spans[name] = spans.get(name, 0) | 1 << place
    return spans


def known() -> frozenset[str]:
    """Every field name of any release."""
    return frozenset(_spans())


def field(name: str, release: str = LAST) -> Field:
    """One field; raises FactMissing when the release has none of that name."""
    try:
        return fields(release)[name]
    except KeyError:
        raise FactMissing(f"SGLang {release} has no server argument {name!r}") from None


def default(name: str, release: str) -> object:
    """The default of a field; raises FactMissing when it is required or computed from the machine."""
    found = field(name, release)
    if not found.has_default:
        raise FactMissing(f"the server argument {name!r} of SGLang {release} has no literal default")
    return found.default


def flag(name: str, release: str = "") -> str:
    """The command-line flag that sets a field, `--mem-fraction-static`.

    Without a release: of the last one that has the field. Raises FactMissing when no flag sets it.
    """
    candidates = [release] if release else [r for r in reversed(RELEASES) if name in fields(r)][:1]
    for candidate in candidates:
        found = fields(candidate).get(name)
        if found is not None and found.flags:
            plain = "--" + name.replace("_", "-")
            return plain if plain in found.flags else found.flags[0]
    raise FactMissing(f"no flag sets the server argument {name!r}" + (f" in SGLang {release}" if release else ""))


@functools.cache
def _flags() -> dict[str, str]:
    told: dict[str, str] = {}
    for release in RELEASES:
        for name, found in fields(release).items():
            told |= dict.fromkeys(found.flags, name)
    return told


def of_flag(flag: str) -> str:
    """The field that a command-line flag sets, in the last release that has it; raises FactMissing if none has."""
    bare = flag.split("=", 1)[0]
    try:
        return _flags()[bare]
    except KeyError:
        raise FactMissing(f"no release of SGLang has a flag {bare!r}") from None


def origin(name: str, value: object, releases: ReleaseRange, computed: Sequence[object] = ()) -> tuple[Origin, str]:
    """Who set the value that a dump prints, and why that follows.

    `computed` holds what the release's own formula gives for this launch, where one is known. Without it a value
    that the release may have resolved is "unknown": a dump prints both alike.
    """
    if value == REDACTED:
        return "unknown", "the server prints this in place of any value, also where none was given"
    found = [fields(release)[name] for release in releases.releases if name in fields(release)]
    if not found:
        return "unknown", f"no release in {releases} has this argument"
    if all(f.is_default(value) for f in found):
        return "default", f"the default of {releases}"
    if any(_same(value, c) for c in computed):
        return "automatic", "what the server computes for this launch"
    if computed or not any(f.resolved for f in found):
        if any(not f.has_default or f.is_default(value) for f in found):
            return "unknown", f"perhaps the default of some release in {releases}"
        return "given", "differs from the default, and the server does not set it to this"
    return "unknown", "given on the command line, or resolved by the server: the dump prints both alike"


def _same(a: object, b: object) -> bool:
    if isinstance(a, bool) != isinstance(b, bool):
        return False
    left, right = (list(x) if isinstance(x, tuple) else x for x in (a, b))
    return left == right


def release_range(names: Iterable[str], *, complete: bool = False) -> ReleaseRange:
    """The releases whose dump may print these field names (in printed order).

    A printed name needs a release that has it; names of no release (a fork, a newer one) are passed over. That a name
    is absent counts only when the names stand without a break in a release's own order, for people shorten dumps;
    `complete` says that the dump was printed to its end. Open where nothing is known.
    """
    printed = list(dict.fromkeys(names))
    ours = [name for name in printed if name in _spans()]
    if not ours:
        return ReleaseRange()
    spans = [_spans()[name] for name in ours]
    shared = functools.reduce(operator.and_, spans)
    if shared:
        best, fitting = len(ours), [release for n, release in enumerate(RELEASES) if shared >> n & 1]
    else:
        hits = [sum(span >> n & 1 for span in spans) for n in range(len(RELEASES))]
        best = max(hits)
        fitting = [release for release, count in zip(RELEASES, hits, strict=True) if count == best]
    if best == len(ours):
        fitting = _unbroken(ours, fitting, complete) or fitting
    newer = len(ours) < len(printed)
    told = f"{best} of {len(printed)} printed server arguments" if best < len(printed) else "names of server arguments"
    hi = "" if fitting[-1] == LAST and (newer or fitting[0] != LAST or not complete) else fitting[-1]
    lo = "" if fitting[0] == RELEASES[0] else fitting[0]
    return ReleaseRange(lo, hi, told) if lo or hi else ReleaseRange()


def _unbroken(ours: list[str], candidates: list[str], complete: bool) -> list[str]:
    """The candidates in whose order the names stand side by side; those with no further field if the dump is whole."""
    if len(ours) < _UNABRIDGED:
        return []
    found = []
    for release in candidates:
        order = list(fields(release))
        start = order.index(ours[0])
        if order[start : start + len(ours)] == ours:
            found.append(release)
    whole = [release for release in found if len(fields(release)) == len(ours)] if complete else []
    return whole or found
