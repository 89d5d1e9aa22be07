"""Plain data (a report) masked as a whole, and on request with pseudonyms, with a summary of what was replaced."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from logscope.redact.mask import MASKED, mask_argument

if TYPE_CHECKING:
    from logscope.redact.pseudonym import Redactor

_MARK = re.compile(rf"<(prompt|output|header): \d+ \w+ masked\.*>|{re.escape(MASKED)}")


def mask_report(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report with every text in it masked, also where a sentence quotes a log, and with its `redaction`.

    Masking twice is masking once, so what was masked line by line stays as it is.
    """
    shown = {name: mask_argument(name, value) for name, value in report.items() if name != "redaction"}
    # Written out at once: a report holds thousands of texts, and few of them a mark.
    kinds = Counter(match[1] or "secret" for match in _MARK.finditer(str(shown)))
    return {**shown, "redaction": {"masked": sum(kinds.values()), "kinds": dict(sorted(kinds.items()))}}


def redact_report(report: Mapping[str, Any], redactor: Redactor | None = None) -> dict[str, Any]:
    """The same report with pseudonyms for names, and their number added to its `redaction`."""
    if redactor is None:
        from logscope.redact.pseudonym import Redactor

        redactor = Redactor()
    redactor.learn_data(report)
    shown = {name: redactor.data(value) for name, value in report.items()}
    known = report.get("redaction") or {"masked": 0, "kinds": {}}
    kinds = {**known.get("kinds", {}), **dict(sorted(redactor.replaced.items()))}
    total = known.get("masked", 0) + sum(redactor.replaced.values())
    return {**shown, "redaction": {**known, "masked": total, "kinds": kinds}}
