"""A prediction and a comparison as text: one screen each, the answer first."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from logscope.cli._output import to_stdout, write_file
from logscope.render._numbers import amount

Data = Mapping[str, Any]
BAR = 40


def written(data: Data, *, form: str, text: Callable[[Data], str], output: Path | None) -> None:
    """The data as JSON or as text, to a file or to stdout."""
    content = json.dumps(data, ensure_ascii=False, indent=1) + "\n" if form == "json" else text(data)
    if output is None:
        to_stdout(content)
    else:
        write_file(output, content)


def prediction_text(data: Data) -> str:
    """What is predicted, what it rests on, and the answers to a sweep and a condition."""
    return "\n".join([*_predicted(data), *_solved(data), *_swept(data), *_reproduced(data)]) + "\n"


def _predicted(data: Data) -> Iterator[str]:
    flags = ", ".join(f"{name} = {value}" for name, value in data["set"].items()) or "nothing changed"
    yield f"{data['launch']} with {flags}: {_outcome(data)}"
    yield from _table([(row["name"], between(row), row.get("unit", "")) for row in data["predicted"]])
    if "automatic_fraction" in data:
        automatic = data["automatic_fraction"]
        yield f"had the fraction been left automatic, it would be {between(automatic)}: set it, to predict with it"
    window = data.get("fraction_range", {})
    if "why" in window:
        ends = _ends(window)
        yield (
            f"usable fraction {ends}: {window['why']}" if ends else f"no bound of the fraction follows: {window['why']}"
        )


def _outcome(data: Data) -> str:
    refusal = {"yes": "would be refused: the weights exceed the budget", "possible": "may be refused"}
    exhaustion = {
        "yes": "would run out of device memory: the pools and the graphs exceed what is free",
        "possible": "may run out of device memory",
    }
    return refusal.get(data["refusal"]) or exhaustion.get(data["exhaustion"], "starts")


def _ends(window: Data) -> str:
    ends = [f"{word} {window[key]:.4g}" for key, word in (("lo", "above"), ("hi", "up to")) if key in window]
    return " ".join(ends)


def _solved(data: Data) -> Iterator[str]:
    if "solved" in data:
        yield ""
        yield data["solved"]["why"]


def _swept(data: Data) -> Iterator[str]:
    rows = data.get("sweep", [])
    if not rows:
        return
    yield ""
    found = [{row["name"]: row for row in one["predicted"]} for one in rows]
    name = _shown(found)
    yield f"{name}:"
    most = max((one[name]["value"] for one in found if name in one), default=0)
    for one, row in zip(found, rows, strict=True):
        flag, value = next(iter(row["set"].items()))
        shown = one.get(name)
        bar = "█" * round(BAR * max(0.0, shown["value"]) / most) if shown and most > 0 else ""
        said = f"{between(shown)} {shown.get('unit', '')}" if shown and row["refusal"] != "yes" else "refused"
        exceeds = "out of memory" if row["exhaustion"] == "yes" else ""
        yield f"  {flag} {value:<8g} {said:<28} {bar} {exceeds}".rstrip()


def _shown(found: Sequence[Mapping[str, Data]]) -> str:
    """The quantity that a sweep draws: the first that the flag moves, in the order of what people ask for."""
    names = dict.fromkeys([*_ASKED, *(name for one in found for name in one)])
    known = [name for name in names if any(name in one for one in found)]
    moved = (name for name in known if len({one[name]["value"] for one in found if name in one}) > 1)
    return next(moved, known[0])


_ASKED = ("max_total_num_tokens", "kv_pool", "kv_budget", "rest_memory", "headroom", "full_context_requests")


def _reproduced(data: Data) -> Iterator[str]:
    told = data["reproduced"]
    yield ""
    yield "the log is reproduced" if told["agrees"] else "the log is NOT reproduced:"
    for row in told["quantities"]:
        if isinstance(row["printed"], Mapping) and (row["apart"] or not told["agrees"]):
            printed = amount(row["printed"]["value"], row["unit"])
            yield f"  {row['name']}: printed {printed}, computed {between(row)} {row['unit']}"
    yield from (f"  {note}" for note in told["notes"])


def between(row: Data) -> str:
    """One number where both ends read alike, else both, with no more decimals than tell them apart."""
    width = row["hi"] - row["lo"]
    decimals = max(0, 1 - math.floor(math.log10(width))) if 0 < width < math.inf else 12
    lo, hi = (amount(round(row[end], decimals)) for end in ("lo", "hi"))
    return lo if lo == hi else f"{lo} … {hi}"


def comparison_text(data: Data) -> str:
    """Where the change of the pool comes from, then all quantities, then the arguments."""
    parts = [*_attributed(data), "", *_quantities(data), *_arguments(data), *_parted(data)]
    return "\n".join(parts) + "\n"


def _attributed(data: Data) -> Iterator[str]:
    a, b = data["launches"]
    yield f"{a} → {b}"
    if a == b:
        yield "both are the same start, so nothing differs"
        return
    rest = data["remainder"]
    if _alike(data):
        yield "nothing differs: every quantity and every argument is the same"
        return
    pools = next((row for row in data["quantities"] if row["name"] == "max_total_num_tokens"), None)
    if pools is not None and not _moved(pools) and not data["attribution"]:
        yield f"the pool is the same, {amount(pools['a']['value'])} tokens"
        return
    if "why" in rest:
        yield f"the change of the pool is not attributed: {rest['why']}"
        if not data["attribution"]:
            return
    if "observed" in rest:
        yield f"the pool changes by {_signed(rest['observed'])} tokens, of which come from"
    rows = [(row["name"], _signed(row["contribution"]), between(row)) for row in data["attribution"]]
    if "value" in rest:
        known = "rounding explains it" if rest["within_rounding"] else "unexplained"
        rows.append(("remainder", _signed(rest["value"]), known))
    yield from _table(rows)


def _alike(data: Data) -> bool:
    """Whether the two starts have the same quantities, arguments and course."""
    moved = (row for row in data["quantities"] if _moved(row))
    return not (data["arguments"] or any(moved) or "first_divergence" in data)


def _moved(row: Data) -> bool:
    return "a" not in row or "b" not in row or row["a"]["value"] != row["b"]["value"]


def _signed(value: float) -> str:
    return ("+" if value > 0 else "") + amount(value)


def _quantities(data: Data) -> Iterator[str]:
    rows = [("", *(name.rsplit("/", 1)[-1] for name in data["launches"]), "change", "")]
    for row in data["quantities"]:
        sides = [amount(row[side]["value"]) if side in row else "–" for side in ("a", "b")]
        delta = _signed(row["delta"]["value"]) if "delta" in row else ""
        unit = next((row[side].get("unit", "") for side in ("a", "b") if side in row), "")
        rows.append((row["name"], *sides, delta, unit))
    yield from _table(rows)


def _arguments(data: Data) -> Iterator[str]:
    if data["arguments"]:
        yield ""
        silent = dict.fromkeys(data["changed_without_effect"], "no effect on the pool")
        silent |= dict.fromkeys(data.get("not_attributed", ()), "not attributed")
        rows = [
            (row["name"], *(_argument(row, side) for side in ("a", "b")), silent.get(row["name"], ""))
            for row in data["arguments"]
        ]
        yield from _table([("argument", "a", "b", ""), *rows])


def _argument(row: Data, side: str) -> str:
    """`0.85 (given)`, `1024 (rewritten from 8192)`: the value, and who set it where that is known."""
    before = f" from {row[f'{side}_before']}" if f"{side}_before" in row else ""
    origin = f" ({row[f'{side}_origin']}{before})" if f"{side}_origin" in row else ""
    return str(row.get(side, "–"))[:60] + origin


def _parted(data: Data) -> Iterator[str]:
    told = data.get("first_divergence")
    if told:
        yield ""
        sides = [f"{key}: {told[key]['event']}{_where(told[key])}" for key in ("a", "b")]
        yield f"the courses part after {told.get('after', 'the start')}: {'; '.join(sides)}"


def _where(side: Data) -> str:
    return f" ({side['line']['path']}:{side['line']['line']})" if "line" in side else ""


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))] if rows else []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        yield f"  {'  '.join([row[0].ljust(widths[0]), *cells[1:]])}".rstrip()
