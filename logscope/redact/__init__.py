"""What identifies people and machines taken out: masking that is always on, and pseudonyms on request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logscope.redact.lines import Masker, mask_lines, redacted
from logscope.redact.mask import mask_arguments, mask_line
from logscope.redact.pseudonym import DEFAULT_KINDS, KINDS, Redactor

__all__ = [
    "DEFAULT_KINDS",
    "KINDS",
    "Masker",
    "Redactor",
    "mask_arguments",
    "mask_line",
    "mask_lines",
    "redact_report",
    "redacted",
]


def redact_report(report: Mapping[str, Any], redactor: Redactor | None = None) -> dict[str, Any]:
    """The same report with pseudonyms for names, and their number added to its `redaction`."""
    redactor = redactor or Redactor()
    redactor.learn_data(report)
    shown = {name: redactor.data(value) for name, value in report.items()}
    known = report.get("redaction") or {"masked": 0, "kinds": {}}
    kinds = {**known.get("kinds", {}), **dict(sorted(redactor.replaced.items()))}
    total = known.get("masked", 0) + sum(redactor.replaced.values())
    return {**shown, "redaction": {**known, "masked": total, "kinds": kinds}}
