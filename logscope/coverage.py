"""What became of every line of one input, and the text of its bytes."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field

from logscope.line import template
from logscope.redact.mask import mask_line

MOST_TEMPLATES = 1 << 16  # of unread lines; those beyond are counted together
OTHERS = "…"
_MOST_SHOWN = 400  # characters of an unread line
_NO_DIGITS = str.maketrans("123456789", "000000000")


@functools.lru_cache(maxsize=1 << 14)
def _template(message: str) -> str:
    """A message with its values masked; its digits are zeros already, for a template has none of them."""
    return template(mask_line(message)[0])


@dataclass(slots=True)
class Coverage:
    """What became of every line of one input."""

    counts: Counter[str] = field(default_factory=Counter)
    undecodable_bytes: int = 0
    torn: int = 0  # lines that a cut left without their end
    templates: dict[str, list[int]] = field(default_factory=dict)  # template → [count, first line]
    unknown_keys: Counter[tuple[str, str]] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)  # noise, by program

    def count_unread(self, message: str, line: int) -> None:
        """Count an unread line by what it shows of itself."""
        template = _template(message[:_MOST_SHOWN].translate(_NO_DIGITS))
        if len(self.templates) >= MOST_TEMPLATES and template not in self.templates:
            template = OTHERS
        seen = self.templates.setdefault(template, [0, line])
        seen[0] += 1


def texts_of(data: bytes, coverage: Coverage) -> list[str]:
    """The text of every line of a block; bytes that are not UTF-8 are kept as `\\xNN`."""
    if not data:
        return []
    whole = data.removesuffix(b"\n")
    try:
        return [text.rstrip("\r") for text in whole.decode().split("\n")]
    except UnicodeDecodeError:
        return [text_of(raw, coverage) for raw in whole.split(b"\n")]


def text_of(raw: bytes, coverage: Coverage) -> str:
    try:
        return raw.decode().rstrip("\r")
    except UnicodeDecodeError:
        coverage.undecodable_bytes += raw.decode(errors="replace").count("\ufffd")
        return raw.decode(errors="backslashreplace").rstrip("\r")
