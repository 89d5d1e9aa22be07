"""What container runtimes put around a line: its stream, and whether more of the same line follows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from logscope.redact.mask import mask_line

_CRI = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?P<stream>stdout|stderr) (?P<tag>[FP])(?::\S*)?(?: |$)")
_DOCKER_KEYS = {"log", "stream", "time", "attrs"}
_DOCKER_PIECE = 16 * 1024


class Inner(NamedTuple):
    """The text inside of a physical line; `around` puts what was around it around another text."""

    stream: str
    text: str
    more: bool
    around: Callable[[str], str]


class Outer:
    """Takes physical lines apart; remembers whether Docker's entries end their lines with a newline, as they should."""

    def __init__(self) -> None:
        self._ends_lines = False

    def inner(self, line: str) -> Inner:
        """What the line holds; a line with nothing around it is a stream of its own."""
        cri = _CRI.match(line)
        if cri:
            return Inner(cri["stream"], line[cri.end() :], cri["tag"] == "P", lambda text: cri[0] + text)
        entry = _docker_entry(line)
        if entry is None:
            return Inner("", line, False, lambda text: text)
        log = entry["log"]
        ended = log.endswith("\n")
        self._ends_lines = self._ends_lines or ended
        more = not ended and (self._ends_lines or len(log.encode(errors="surrogatepass")) >= _DOCKER_PIECE)

        def around(text: str) -> str:
            return line if text == log.removesuffix("\n") else _docker_line(line, entry, text + "\n" * ended)

        return Inner(str(entry.get("stream", "")), log.removesuffix("\n"), more, around)


def _docker_entry(line: str) -> dict[str, Any] | None:
    if not line.startswith("{") or '"log"' not in line:
        return None
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(entry, dict) and isinstance(entry.get("log"), str) and set(entry) <= _DOCKER_KEYS
    return entry if fits and len(entry) > 1 else None


def _docker_line(line: str, entry: dict[str, Any], log: str) -> str:
    separators = (",", ":") if re.match(r'\{"\w+":"', line) else (", ", ": ")
    return json.dumps({**entry, "log": log}, ensure_ascii=line.isascii(), separators=separators)


def mask_around(line: str) -> str:
    """The line without the secrets that may stand beside its text, in Docker's attributes."""
    return mask_line(line)[0] if '"attrs"' in line else line
