"""Actions whose flags move something: where a cap sets the pool, the cap is the knob and the fraction is none.

Asked of the same relations as a prediction, so that no report advises a change that a prediction shows to be none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from logscope.binding_cap import FLAG, BindingCap, binding_cap
from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts.shortfall import Shortfall, shortfall
from logscope.finding import Action, Hypothesis
from logscope.wording import count

_FRACTION = "--mem-fraction-static"
_HALF = 0.5


def effective(case: Case, hypothesis: Hypothesis) -> Hypothesis:
    """The same claim, with actions that change what the server computes."""
    if not any(_moves_fraction(action) for action in hypothesis.actions):
        return hypothesis
    try:
        found = binding_cap(case.launch)
    except NotChecked:
        return hypothesis
    lacked = _lacked(case)
    told, span = _told(found, hypothesis.fraction, lacked)
    lines = (*hypothesis.evidence, *((found.line,) if found.line and found.line not in hypothesis.evidence else ()))
    place = next(n for n, action in enumerate(hypothesis.actions) if _moves_fraction(action))
    kept = [action for action in hypothesis.actions if not _moves_fraction(action)]
    return replace(
        hypothesis,
        sentence=f"{hypothesis.sentence} {told}",
        evidence=lines,
        fraction="leave" if hypothesis.fraction == "raise" else hypothesis.fraction,
        fraction_range=span,
        actions=(*kept[:place], _of_cap(found, hypothesis.fraction, lacked), *kept[place:]),
    )


def _moves_fraction(action: Action) -> bool:
    return bool(action.set) and action.set.get("flag") == _FRACTION  # type: ignore[union-attr]


def _lacked(case: Case) -> Shortfall | None:
    """What the failed allocation lacked, where the log tells."""
    try:
        return shortfall(case.launch, case.lasting)
    except NotChecked:
        return None


def _told(found: BindingCap, way: str, lacked: Shortfall | None) -> tuple[str, Mapping[str, Any]]:
    """What the cap does to the fraction, in words and as a range."""
    capped = f"{FLAG} caps the pool at {count(found.tokens)} tokens"
    if way == "raise":
        return f"{capped}: a larger {_FRACTION} alone adds none.", {
            "why": f"{capped}, whatever a larger fraction allows"
        }
    end = _end(found)
    if end is None:
        return f"{capped}: the fraction is not the knob while the cap is the smaller of the two.", {
            "knob": FLAG,
            "why": capped,
        }
    told = f"{capped}, so lowering {_FRACTION} changes nothing until it is below {end:g}: the cap is the knob."
    enough = _end(found, lacked)
    if lacked is None or enough == end:
        return told, {"hi": end, "knob": FLAG, "why": f"{capped}; below this fraction the budget holds fewer"}
    why = f"{capped}; the budget holds fewer below {end:g}, and what was missing"
    if enough is None:
        return told, {"knob": FLAG, "why": f"{why} is more than any fraction frees"}
    return told, {"hi": enough, "knob": FLAG, "why": f"{why} fits up to {lacked.told(end)}"}


def _end(found: BindingCap, lacked: Shortfall | None = None) -> float | None:
    """The fraction that is told: rounded down, so that below it the cap surely does not bind and what lacked fits."""
    if found.stops_below is None:
        return None
    digits = 3 if found.stops_below.lo >= 0.001 else 4
    least = found.stops_below.lo - (lacked.share.hi if lacked else 0.0)
    end = math.floor(max(least, 0.0) * 10**digits) / 10**digits
    return end if end > 0 else None


def _of_cap(found: BindingCap, way: str, lacked: Shortfall | None) -> Action:
    """What to do with the cap in place of the fraction."""
    if way == "raise":
        return Action(
            do=f"Raise {FLAG} from {found.cap} or leave it out; raise {_FRACTION} only if the pool then stays small.",
            why=f"The cap sets the pool of {count(found.tokens)} tokens; the fraction bounds what the cap may take.",
            verify="max_total_num_tokens of the next start is larger.",
            risk="A larger pool leaves less for activations: watch free memory during the heaviest prefill.",
            set={"flag": FLAG, "from": found.cap, "lo": found.cap + 1},
        )
    end = _end(found, lacked)
    below = f", or set it below {end:g}" if end is not None else ""
    return Action(
        do=f"If the pool is to shrink, lower {FLAG} from {found.cap}; leave {_FRACTION}{below}.",
        why=f"The cap sets the pool of {count(found.tokens)} tokens: another fraction above that reserves the same.",
        verify="The next start prints a smaller max_total_num_tokens.",
        risk="A smaller pool holds fewer tokens: watch for `Retract requests`.",
        set={"flag": FLAG, "from": found.cap, "hi": max(1, int(found.cap * _HALF))},
        alternative=True,
    )
