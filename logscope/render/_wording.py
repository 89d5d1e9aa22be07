"""How the outputs that people read say a report: numbers, lines, states and directions in words.

Log text is hostile: `printable` shows what a terminal, a browser or a chat would act upon as code points instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, TypeGuard

from logscope.render._visible import visible

FLAG = "--mem-fraction-static"
NO_FAULT = ("healthy", "slow_by_design", "stopped_on_request")

_STATES = {
    "starting": "still starting when the log ends",
    "failed_startup": "failed to start",
    "ready": "up and serving when the log ends",
    "ready_then_crashed": "crashed while serving",
    "hung": "hung",
    "stopped": "stopped in an orderly way",
    "unknown": "unknown: the log does not show how it ended",
}
_HEADLINES = {
    "healthy": "nothing is wrong in this log",
    "slow_by_design": "slow, and by design",
    "stopped_on_request": "stopped on request",
    "not_enough_evidence": "not enough evidence",
    "recorded_values_inconsistent": "recorded values are inconsistent",
}
_WAYS = {"raise": "RAISE", "lower": "LOWER", "leave": "LEAVE", "depends": "DEPENDS"}


def printable(text: object) -> str:
    """The text on one line, with every character that cannot be seen shown as its code point; tabs stay."""
    return visible(str(text)).replace("\n", "⟨U+000A⟩")


def prose(text: object) -> str:
    """Running text on one line: line breaks become spaces, the rest as in `printable`."""
    return printable(" ".join(str(text).split()))


def clip(text: str, width: int) -> str:
    """The text cut to `width` characters, with an ellipsis where something was cut."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def clip_path(path: object, width: int) -> str:
    """A path cut from its beginning: the end of it is what tells files apart."""
    shown = printable(path)
    return shown if len(shown) <= width else f"…{shown[len(shown) - width + 1 :]}"


def number(value: object) -> str:
    """A number as people write it: grouped thousands, no digits that a float only pretends to have."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return prose(value)
    if math.isnan(value):
        return "unknown"
    if abs(value) >= 1e15:
        return "∞" if value > 1e300 else "−∞" if value < -1e300 else f"{value:.3g}"
    shown = f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 10_000 else f"{value:.6g}"
    return shown.replace("-", "−")


def with_unit(value: object, unit: object) -> str:
    """A number and its unit; a share is a plain number."""
    return number(value) if unit in ("", None, "share") else f"{number(value)} {prose(unit)}"


def span(lo: object, hi: object) -> str:
    """An interval in words: `0.07 to 0.6`, `at least 0.77`, `at most 0.83`."""
    match _finite(lo), _finite(hi):
        case True, True:
            return number(lo) if lo == hi else f"{number(lo)} to {number(hi)}"
        case True, False:
            return f"at least {number(lo)}"
        case False, True:
            return f"at most {number(hi)}"
        case _:
            return "not computable"


def usable(known: Mapping[str, Any]) -> str:
    """A range of the static fraction as somebody types it: three decimals, rounded into the range, never out of it."""
    lo, hi = known.get("lo"), known.get("hi")
    if not (_finite(lo) or _finite(hi)):
        return ""
    for decimals in (3, 4, 6):
        scale = 10**decimals
        low = math.ceil(lo * scale - 1e-9) / scale if _finite(lo) else lo
        high = math.floor(hi * scale + 1e-9) / scale if _finite(hi) else hi
        if not (_finite(low) and _finite(high)) or low <= high:
            return span(low, high)
    return span(lo, hi)


def _finite(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and abs(value) < 1e300


def place(line: Mapping[str, Any] | None) -> str:
    """`server.log:424`, `line 424` where one file needs no name, or nothing for what no line printed."""
    if not line:
        return ""
    path = printable(line.get("path", "-"))
    return f"{path}:{line.get('line', '?')}" if path else f"line {line.get('line', '?')}"


def subject(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """The launch that the verdict is about; an empty mapping when there is none."""
    wanted = report.get("verdict", {}).get("launch")
    for launch in report.get("launches", ()):
        if launch.get("id") == wanted:
            return dict(launch)
    return {}


def state(launch: Mapping[str, Any]) -> str:
    """How the launch ended, in words."""
    name = launch.get("state", "unknown")
    return _STATES.get(name, prose(name))


def headline(report: Mapping[str, Any]) -> str:
    """A few words for a heading: the end of the server, or the verdict where that says more."""
    verdict = report.get("verdict", {})
    cause = verdict.get("cause", "not_enough_evidence")
    launch = subject(report)
    if cause in _HEADLINES:
        return _HEADLINES[cause]
    if launch.get("state") in ("ready", "starting", "unknown", None):
        return "a fault is in this log"
    return state(launch) if launch.get("state") != "stopped" else "stopped, with a fault before"


def cause_title(verdict: Mapping[str, Any]) -> str:
    """The cause as words: the title where the report has one, else its id without underscores."""
    return prose(verdict.get("title") or str(verdict.get("cause", "")).replace("_", " "))


def way(verdict: Mapping[str, Any]) -> str:
    """LOWER, RAISE, LEAVE or DEPENDS."""
    return _WAYS.get(verdict.get("fraction", "leave"), "LEAVE")


def direction(report: Mapping[str, Any]) -> str:
    """What to do with the static fraction, with its range and today's value where they are known."""
    verdict = report.get("verdict", {})
    now = stated_fraction(report)
    known = verdict.get("fraction_range") or {}
    aim, knob = usable(known), known.get("knob")
    match verdict.get("fraction", "leave"):
        case "leave" if verdict.get("cause") == "not_enough_evidence":
            return f"leave {FLAG}{f' at {now}' if now else ''}: nothing in this log speaks for a change"
        case "leave":
            return f"leave {FLAG}{f' at {now}' if now else ''}: it is not the knob"
        case "depends":
            stated = f" ({now} is stated)" if now else ""
            return f"{FLAG} depends on the case: {aim or 'no range follows from this log'}{stated}"
        case verb if knob:
            acts = f" helps only below {number(known['hi'])}" if "hi" in known else " does not act"
            return f"{verb} {prose(knob)}: {FLAG}{f', now {now},' if now else ''}{acts}"
        case verb:
            bounded = f", usable {aim}" if " to " in aim else f" to {aim}"
            return f"{verb} {FLAG}{f' from {now}' if now else ''}{bounded if aim else ''}"


def stated_fraction(report: Mapping[str, Any]) -> str:
    """The static fraction in force, as far as the report tells; empty when it does not."""
    for action in report.get("verdict", {}).get("actions", ()):
        change = action.get("set") or {}
        if change.get("flag") == FLAG and change.get("from") is not None:
            return number(change["from"])
    value = subject(report).get("arguments", {}).get("mem_fraction_static")
    return number(value) if isinstance(value, (int, float)) else ""


def release(launch: Mapping[str, Any]) -> str:
    """`0.5.22 to 0.5.23`, `0.5.9`, `0.5.4 or later`, `(release unknown)`."""
    known = launch.get("release") or {}
    lo, hi = known.get("lo"), known.get("hi")
    if lo and hi:
        return prose(lo) if lo == hi else f"{prose(lo)} to {prose(hi)}"
    return f"{prose(lo)} or later" if lo else f"up to {prose(hi)}" if hi else "(release unknown)"


def server(launch: Mapping[str, Any]) -> str:
    """`SGLang 0.5.9`, or whose lines these are instead."""
    program = prose(launch.get("program", "SGLang"))
    return f"SGLang {release(launch)}" if program == "SGLang" else program.removeprefix("a ")


def coverage(report: Mapping[str, Any]) -> str:
    """The four counts in one sentence."""
    counts = report.get("coverage", {})
    unread = counts.get("unread", 0)
    total = counts.get("lines", 0)
    share = f" ({100 * unread / total:.1f} %)" if total and unread else ""
    return (
        f"{number(total)} lines: {number(counts.get('recognised', 0))} recognised, "
        f"{number(counts.get('continuation', 0))} continuation, {number(counts.get('noise', 0))} noise, "
        f"{number(unread)} unread{share}"
    )


def end_of(report: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """What an input lacks at its end, when it lacks anything and its lines are a server's."""
    if one.get("complete", True):
        return ""
    if not one.get("lines", 1):
        return "is empty"
    return "ends while the server runs, or is cut" if report.get("coverage", {}).get("recognised") else ""


def numbers_of(finding: Mapping[str, Any]) -> str:
    """`observed 10.42 GiB, computed −20.59 GiB, gap 31.01 GiB (rounding explains 0.0123)`; empty without numbers."""
    parts = []
    for key in ("observed", "computed"):
        quantity = finding.get(key)
        if quantity and "value" in quantity:
            parts.append(f"{key} {with_unit(quantity['value'], quantity.get('unit'))}")
    gap = finding.get("gap")
    if gap and "value" in gap:
        rounding = gap.get("rounding_explains")
        explained = f" (rounding explains {float(rounding):.2g})" if isinstance(rounding, (int, float)) else ""
        parts.append(f"gap {with_unit(gap['value'], gap.get('unit'))}{explained}")
    return ", ".join(parts)


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


def not_checked(report: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Rule, reason and how often, with reasons that differ only in a number (the rank, the line) taken together."""
    counted: dict[tuple[str, str], list[str]] = {}
    for entry in report.get("not_checked", ()):
        rule, why = prose(entry.get("rule", "")), prose(entry.get("why", ""))
        counted.setdefault((rule, re.sub(r"\d+", "#", why)), []).append(why)
    return [(rule, reasons[0], len(reasons)) for (rule, _), reasons in counted.items()]


def masked(report: Mapping[str, Any]) -> str:
    """`masked: 10 prompt, 2 api key`, or nothing."""
    known = report.get("redaction") or {}
    count = known.get("masked", 0)
    kinds = ", ".join(f"{number(n)} {prose(kind).replace('_', ' ')}" for kind, n in known.get("kinds", {}).items())
    return f"masked: {kinds or number(count)}" if count else ""
