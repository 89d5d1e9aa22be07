"""Rows of a terminal: sentences wrapped behind a label, quoted lines, a command that can be copied, colours."""

from __future__ import annotations

import functools
import io
import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence

from logscope.render import _wording as words

LABEL = 10
Row = tuple[str, str]  # style, text

# The prefix that SGLang prints is worth less than the words behind it when a line must be cut.
_PREFIX = re.compile(r"\[(?:\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d)[^\]]{0,60}\] (?:INFO:? +|WARNING:? +|ERROR:? +)?")
_STYLES = {
    "bad": "bold white on red",
    "good": "bold black on green",
    "doubt": "bold black on yellow",
    "strong": "bold",
    "way": "bold yellow",
    "label": "bold",
    "do": "bold cyan",
    "quote": "cyan",
    "dim": "dim",
    "plain": "",
}


def heading(label: str, total: int, shown: int) -> str:
    """`PROOF`, or `PROOF (2 of 6)` where something is left out."""
    return f"{label} ({shown} of {total})" if total > shown else label


def labelled(
    label: str, sentence: str, width: int, *, rows: int, style: str = "plain", tail: str = ""
) -> Iterator[Row]:
    """A sentence behind its label, in at most so many rows."""
    lines = wrapped(sentence, width - LABEL - len(tail), rows=rows)
    lines[-1] += tail
    for number, row in enumerate(lines):
        yield style, f"{label if number == 0 else '':<{LABEL}}{row}"


def listed(label: str, sentences: Sequence[str], *, shown: int, rows: int, width: int) -> Iterator[Row]:
    """Sentences below each other, the label before the first and the number of those left out behind the last."""
    more = len(sentences) - shown
    for number, sentence in enumerate(sentences[:shown]):
        tail = f" (+{more} more)" if more > 0 and number == shown - 1 else ""
        yield from labelled(label if number == 0 else "", sentence, width, rows=rows, tail=tail)


def wrapped(sentence: object, width: int, *, rows: int) -> list[str]:
    """At least one row; what does not fit into the last one is cut with an ellipsis."""
    shown = words.prose(str(sentence)[: width * (rows + 2)])
    lines = [*_wraps(shown, max(width, 10))] or [""]
    if len(lines) > rows:
        lines = [*lines[: rows - 1], words.clip(" ".join(lines[rows - 1 :]), max(width, 10))]
    if len(str(sentence)) > width * (rows + 2) and not lines[-1].endswith("…"):
        lines[-1] = words.clip(lines[-1] + " …", max(width, 10))
    return lines


@functools.lru_cache(maxsize=256)
def _wraps(shown: str, width: int) -> tuple[str, ...]:
    """Each trial of a longer report wraps the same sentences."""
    return tuple(textwrap.wrap(shown, width, break_on_hyphens=False))


def command_rows(command: str, width: int) -> list[str]:
    """A command over several rows that a shell reads as one; nothing when a word of it is wider than the screen."""
    try:
        parts = [shlex.quote(part) for part in shlex.split(words.prose(command))]
    except ValueError:
        return []
    rows: list[str] = []
    for part in parts:
        if rows and len(rows[-1]) + len(part) + 3 <= width:
            rows[-1] += f" {part}"
        else:
            rows.append(f"{'  ' if rows else ''}{part}")
    if any(len(row) + 2 > width for row in rows):
        return []
    return [*(f"{row} \\" for row in rows[:-1]), *rows[-1:]]


def quoted_line(line: object) -> str:
    """A log line without its date and ranks, which a narrow screen has no room for; the time of day stays."""
    return _PREFIX.sub(lambda match: f"{match[1]} ", str(line), count=1)


def clock(time: object) -> str:
    """The time of day of an ISO time; anything else unchanged."""
    day, _, rest = str(time).partition("T")
    return words.prose(rest.partition(".")[0] if rest else day)


def coloured(rows: Sequence[Row], width: int) -> str:
    """The rows with the escapes of a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=io.StringIO(), force_terminal=True, width=width, highlight=False, legacy_windows=False)
    for style, row in rows:
        console.print(Text(row.rstrip(), style=_STYLES[style]), soft_wrap=True)
    output = console.file.getvalue()  # type: ignore[attr-defined]
    return str(output)
