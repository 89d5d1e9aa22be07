"""The verdict as the report shows it: the sentence, its lines, the chain, what to do and the command line for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from logscope.command_line import command_line, taken
from logscope.diagnose import Diagnosis
from logscope.discover import units
from logscope.effects import effects
from logscope.errors import NotChecked
from logscope.finding import Action, Finding, Hypothesis
from logscope.last_good import Chain, links
from logscope.launch import Launch
from logscope.log import Log
from logscope.plain import line_of, plain
from logscope.quantity import LineRef

_ACTIONS_AT_MOST = 5


def quoted(log: Log, refs: Iterable[LineRef]) -> list[dict[str, Any]]:
    """Physical lines as evidence, each once, masked unless prompts are asked for."""
    found: dict[LineRef, dict[str, Any]] = {}
    for parts in map(log.whole, refs):
        for ref, text in zip(parts, log.shown(parts), strict=True):
            found.setdefault(ref, {"path": ref.path, "line": ref.line, "text": text})
    return list(found.values())


def verdict_data(log: Log, chosen: Diagnosis, findings: Sequence[Finding]) -> dict[str, Any]:
    """All of the verdict: what happened, and what to do, which is computed."""
    best = chosen.best
    launch = next(one for one in log.launches if one.id == chosen.launch)
    return verdict_gist(log, chosen) | plain(
        {
            "chain": _chain((*best.chain, *links(log.launches, launch)), chosen.launch, findings),
            "ruled_out": [{"cause": cause, "why": why} for cause, why in best.ruled_out],
            "missing": list(best.missing),
            "command": _command(launch, best),
            "actions": list(_actions(log, launch, best, _answered(findings, best.cause, launch.id))),
            "upstream": [dict(item) for item in best.upstream],
        }
    )


def verdict_gist(log: Log, chosen: Diagnosis) -> dict[str, Any]:
    """What happened, and the lines that prove it."""
    best = chosen.best
    return plain(
        {
            "launch": chosen.launch,
            "cause": best.cause,
            "title": getattr(units("logscope.causes")[best.cause], "TITLE", None),
            "confidence": best.confidence,
            "sentence": best.sentence,
            "fraction": best.fraction,
            "fraction_range": dict(best.fraction_range) if best.fraction_range else None,
            "evidence": quoted(log, best.evidence),
        }
    )


def _command(launch: Launch, best: Hypothesis) -> str | None:
    try:
        return command_line(launch, best.actions)
    except NotChecked:
        return None


def _chain(steps: Chain, launch: int, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """The causal chain, root first; a step whose line a finding quotes points at that finding."""
    chain = []
    for ref, says in steps:
        match = next((n for n, f in enumerate(findings) if ref in f.evidence and launch in f.launches), None)
        chain.append(plain({"finding": match, "says": says, "line": line_of(ref) if ref else None}))
    return chain


def _answered(findings: Sequence[Finding], cause: str, launch: int) -> int | None:
    """The finding that the actions of a cause answer: that of the cause itself, else the first root of the launch."""
    own = [number for number, one in enumerate(findings) if launch in one.launches]
    named = [number for number in own if findings[number].rule == cause]
    roots = [number for number in own if findings[number].role == "root"]
    return next(iter((*named, *roots)), None)


def _actions(log: Log, launch: Launch, best: Hypothesis, answered: int | None) -> Iterator[dict[str, Any]]:
    shown, done = best.actions[:_ACTIONS_AT_MOST], taken(launch, best.actions)
    for action, said in zip(shown, effects(log, launch, shown), strict=True):
        yield _action(action, said, answered, other=action.alternative and action not in done)


def _action(action: Action, effect: str, answered: int | None, *, other: bool) -> dict[str, Any]:
    return plain(
        {
            "do": action.do,
            "why": action.why,
            "finding": answered,
            "effect": effect or None,
            "verify": action.verify or None,
            "risk": action.risk or None,
            "set": dict(action.set) if action.set else None,
            "alternative": other or None,
        }
    )


def no_verdict() -> dict[str, Any]:
    return {
        "launch": 0,
        "cause": "not_enough_evidence",
        "confidence": "certain",
        "sentence": "No line of the input is one that an SGLang server prints, so nothing can be said about one.",
        "fraction": "leave",
        "evidence": [],
        "chain": [],
        "ruled_out": [],
        "missing": ["the log of an SGLang server: its standard error and standard output in one file"],
        "actions": [],
        "upstream": [],
    }
