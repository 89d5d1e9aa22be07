"""One finding as Markdown: what was observed and computed, from which lines, and what would reconcile them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logscope.render import _wording as words
from logscope.render._markup_md import code, escape, fence, quoted, table


def finding_section(finding: Mapping[str, Any]) -> str:
    """A heading, the message, the numbers, the conflict and its solutions, the quoted lines."""
    kinds = ", ".join(str(finding.get(key, "")) for key in ("severity", "kind", "role"))
    rank = f" on {words.prose(finding['rank'])}" if finding.get("rank") else ""
    launches = ", ".join(str(one) for one in finding.get("launches", ()))
    where = f" in launch {launches}" if launches else ""
    title = words.clip(words.prose(finding.get("title", "")), 200)
    parts = [
        f"**{escape(finding.get('rule', ''))}: {escape(title)}** ({escape(kinds + rank + where)})\n",
        f"{escape(words.clip(words.prose(finding.get('message', '')), 2000))}\n",
        _numbers(finding),
        _conflict(finding),
        _solutions(finding),
        fence(quoted((finding.get("evidence") or ())[:6], most=500)) if finding.get("evidence") else "",
    ]
    return "\n".join(part for part in parts if part)


def _numbers(finding: Mapping[str, Any]) -> str:
    rows = []
    for key in ("observed", "computed"):
        quantity = finding.get(key)
        if quantity:
            source = words.place(quantity.get("line")) or words.prose(quantity.get("equation", ""))
            value = words.with_unit(quantity.get("value", ""), quantity.get("unit"))
            rows.append((key, escape(quantity.get("name", "")), escape(value), code(source)))
    gap = finding.get("gap")
    if gap:
        explained = f"rounding explains {words.number(gap.get('rounding_explains', 0))}"
        rows.append(("gap", "", escape(words.with_unit(gap.get("value", ""), gap.get("unit"))), explained))
    return table(("", "Quantity", "Value", "From"), rows) if rows else ""


def _conflict(finding: Mapping[str, Any]) -> str:
    rows = [
        (
            escape(fact.get("name", "")),
            escape(fact.get("rank", "")),
            escape(words.with_unit(fact.get("value", ""), fact.get("unit"))),
            escape(words.span(fact.get("lo"), fact.get("hi"))),
            code(words.place(fact.get("line")) or words.prose(fact.get("equation", ""))),
        )
        for fact in (finding.get("conflict") or ())[:20]
    ]
    return table(("Cannot hold together", "Rank", "Value", "Interval", "From"), rows) if rows else ""


def _solutions(finding: Mapping[str, Any]) -> str:
    rows = []
    for solution in (finding.get("solutions") or ())[:20]:
        quantities = solution.get("quantities", ())
        needed = ", ".join(f"{q.get('name')} {words.span(q.get('lo'), q.get('hi'))}" for q in quantities)
        stated = ", ".join(words.number(q["stated"]) for q in quantities if q.get("stated") is not None)
        why = words.clip(words.prose(solution.get("why", "")), 500)
        rows.append((escape(needed), escape(stated), escape(solution.get("status", "")), escape(why)))
    return table(("Would reconcile them", "Stated", "Status", "Why"), rows) if rows else ""
