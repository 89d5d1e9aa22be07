"""Rules × subjects → verdicts: contradicted (a finding), holds, or not checked and why.

One broken rule never hides another: its error becomes a verdict about logscope, and the next rule is asked.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from logscope.discover import units
from logscope.errors import NotChecked
from logscope.facts.origin import is_own
from logscope.finding import Finding
from logscope.launch import Launch, Rank

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Held:
    rule: str
    launch: int
    rank: str


@dataclass(frozen=True, slots=True)
class NotJudged:
    rule: str
    launch: int
    rank: str
    why: str


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What all rules said of a log."""

    findings: tuple[Finding, ...]
    held: tuple[Held, ...]
    not_checked: tuple[NotJudged, ...]


def code_of(name: str) -> str:
    """`mem101_pool_exceeds_budget` → `MEM101`."""
    return name.partition("_")[0].upper()


def title_of(module: ModuleType) -> str:
    """The first line of the rule's documentation."""
    return (module.__doc__ or "").strip().split("\n")[0].rstrip(".")


def check(launches: Sequence[Launch]) -> Verdicts:
    """Ask every rule about every rank, launch or the whole log, in the order of the rules' codes."""
    findings: list[Finding] = []
    held: list[Held] = []
    not_checked: list[NotJudged] = []
    own = [launch for launch in launches if is_own(launch)]
    others = [launch for launch in launches if launch not in own]
    for name, module in units("logscope.rules").items():
        code = code_of(name)
        not_checked.extend(NotJudged(code, launch.id, "", "these lines are another program's") for launch in others)
        for launch, rank, subject in _subjects(module, own):
            try:
                found = module.check(subject)
            except NotChecked as why:
                not_checked.append(NotJudged(code, launch, rank, str(why)))
                continue
            except Exception as bug:
                bug.add_note(f"while checking {code} on launch {launch} {rank}")
                logger.exception("rule %s failed", code)
                not_checked.append(
                    NotJudged(
                        code, launch, rank, f"logscope failed here ({type(bug).__name__}: {bug}): please report it"
                    )
                )
                continue
            made = [found] if isinstance(found, Finding) else list(found or ())
            if not made:
                held.append(Held(code, launch, rank))
            findings.extend(_completed(f, module, code, launch, rank) for f in made)
    return Verdicts(tuple(findings), tuple(held), tuple(not_checked))


def _subjects(
    module: ModuleType, launches: Sequence[Launch]
) -> Iterator[tuple[int, str, Launch | Rank | Sequence[Launch]]]:
    """Whom a rule judges: the name of its parameter says it."""
    subject = module.check.__code__.co_varnames[0]  # `inspect.signature` takes longer than most rules
    if subject == "launches":
        if launches:
            yield launches[-1].id, "", launches
        return
    for launch in launches:
        if subject == "launch":
            yield launch.id, "", launch
        else:
            for rank in launch.ranks:
                if rank != "main":
                    yield launch.id, rank, launch.rank(rank)


def _completed(found: Finding, module: ModuleType, code: str, launch: int, rank: str) -> Finding:
    return replace(
        found,
        rule=code,
        title=found.title or title_of(module),
        kind=found.kind if found.kind != "smell" else module.KIND,
        severity=found.severity if found.severity != "note" else module.SEVERITY,
        launches=found.launches or (launch,),
        rank=found.rank or rank or None,
    )
