"""What identifies people and machines taken out: masking that is always on, and pseudonyms on request."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from logscope.redact.documents import mask_report, redact_report
from logscope.redact.lines import masked_prompt
from logscope.redact.mask import mask_arguments, mask_line
from logscope.redact.streams import Streams, mask_lines, redacted

if TYPE_CHECKING:
    from logscope.redact.pseudonym import DEFAULT_KINDS, KINDS, Redactor

__all__ = [
    "DEFAULT_KINDS",
    "KINDS",
    "Redactor",
    "Streams",
    "mask_arguments",
    "mask_line",
    "mask_lines",
    "mask_report",
    "masked_prompt",
    "redact_report",
    "redacted",
]


def __getattr__(name: str) -> object:
    """Pseudonyms are imported when they are asked for: their patterns cost more than masking a small report."""
    if name in ("DEFAULT_KINDS", "KINDS", "Redactor"):
        return getattr(importlib.import_module("logscope.redact.pseudonym"), name)
    raise AttributeError(f"module 'logscope.redact' has no attribute {name!r}")
