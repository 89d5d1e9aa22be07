"""Markdown that hostile text cannot leave: escaped prose, code spans, fences sized to what they hold, tables, folds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from logscope.render import _wording as words

EVIDENCE_MAX = 1500  # characters of a quoted line

_SPECIAL = re.compile(r"[\\`*\[\]|~$<>&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<!\w)!(?=\[)")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
# A platform turns these into links and notifications after it has parsed the Markdown, so escapes do not stop it.
_MENTION = re.compile(r"@(?=\w)|[#!&%](?=\d)|\bGH-(?=\d)|:(?=//)|\bwww(?=\.)")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def escape(text: object) -> str:
    """Prose as it reads, on one line: of all markup only `code` between two backticks is left, which holds nothing."""
    parts = _CODE.split(words.prose(text))
    return "".join(code(part) if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    safe = _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), text)
    return _MENTION.sub(lambda match: f"{match[0]}<!-- -->", safe)


def code(text: object) -> str:
    """A code span whose fence is longer than any run of backticks within; a bar is written so that tables hold."""
    shown = words.prose(text)
    if not shown:
        return ""
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}".replace("|", "\\|")


def fence(text: str, language: str = "text") -> str:
    """A fenced block; the fence is longer than any run of backticks within."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{text}\n{ticks}\n"


def quoted(lines: Iterable[Mapping[str, Any]], *, most: int = EVIDENCE_MAX) -> str:
    """Log lines behind their places, invisible characters shown, each cut to `most` characters."""
    return "\n".join(f"{words.place(one)}: {words.clip(words.printable(one.get('text', '')), most)}" for one in lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are escaped already."""
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def details(title: str, body: str) -> str:
    """A folded part; the blank lines make the Markdown within it be read."""
    return f"<details><summary>{escape(title)}</summary>\n\n{body}\n</details>\n"


def folded(title: str, rows: Sequence[str], *, most: int = 40) -> str:
    """A folded list; nothing when there are no rows."""
    more = [f"\n{len(rows) - most} more like these are in the full report."] if len(rows) > most else []
    return details(title, "\n".join([*rows[:most], *more]) + "\n") if rows else ""


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
