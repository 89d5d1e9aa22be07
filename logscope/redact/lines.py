"""Many lines without prompts, outputs and secrets: what one line began, the lines that continue it do not reveal.

Releases up to 0.4.0 print prompts raw, with their line breaks; terminals and collectors cut a long record into several
lines. The lines after one whose record stays open, as far as no process framed them, are read together with it.
"""

from __future__ import annotations

import re
from collections import Counter

from logscope.line import bare
from logscope.redact.mask import mask_line
from logscope.redact.record import record_start

HELD_MAX = 1 << 16  # characters of an open record that are read again with each further line

_OUTER = re.compile(r"[\w./-]{1,100} +\| ")  # what a collector puts before a line: a label with a bar
_FRAMED = re.compile(
    r"\s*(?:\[\d{2,4}[-:]\d\d[-:]\d\d|\d{4}-\d\d-\d\d[ T]\d\d:|\{\"|(?:Receive|Finish)\b[ \w]{0,20}: obj="
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b|Traceback \(|Exception\b)"
)
_OPEN = re.compile(r"['\"]?<(?:prompt|output|header): \d+ (?:characters|items) masked\.*>['\"]?$")
_END_OF_MARK = re.compile(r">(?=['\"]?$)")
_ANSWER = ", out={"


class Masker:
    """Masks line after line and remembers an open record; `masked` counts what was replaced, by kind."""

    def __init__(self, masked: Counter[str] | None = None) -> None:
        self.masked: Counter[str] = Counter() if masked is None else masked
        self._held = ""  # the open record as it was printed, its lines joined by line feeds
        self._shown = ""  # what that is masked
        self._found: Counter[str] = Counter()

    def line(self, text: str) -> str:
        """The line (without its line end) masked."""
        if self._held:
            outer = _OUTER.match(text)
            head, body = (outer[0], text[outer.end() :]) if outer else ("", text)
            if not body.strip():
                return text
            if not self._framed(body):
                indent = body[: len(body) - len(body.lstrip())]  # by which readers know that a line goes on
                shown = self._continued(body) if record_start(self._held) else self._raw(body)
                return head + indent + shown.removeprefix(indent)
        shown, found = mask_line(text)
        self.masked.update(found)
        self._hold(text, shown, found)
        return self._as_wide(text, shown)

    def _framed(self, body: str) -> bool:
        """Whether the line is none of the open record's: inside of an open quote, only a stamp tells that."""
        if _OPEN.search(self._shown) and not self._held.startswith("{"):
            return not bare(body.lstrip())
        return _FRAMED.match(body) is not None

    def _hold(self, text: str, shown: str, found: Counter[str]) -> None:
        """Keep the record when it must go on."""
        is_record = record_start(text) is not None
        goes_on = _OPEN.search(shown) is not None or (is_record and _unfinished(shown))
        self._held, self._shown, self._found = (text, shown, found) if goes_on else ("", "", Counter())

    def _continued(self, body: str) -> str:
        """What the line adds to the masked record; a part of a value that began before shows as a mark."""
        if len(self._held) + len(body) > HELD_MAX:
            return self.hidden(body)
        shown, found = mask_line(f"{self._held}\n{body}")
        if shown.startswith(f"{self._shown}\n"):
            added = shown[len(self._shown) + 1 :]
        else:
            begun = _OPEN.search(self._shown)
            before = self._shown[: begun.start()] if begun else self._shown
            if not shown.startswith(before):
                return self.hidden(body)
            added = shown[len(before) :]
        self.masked.update(found - self._found)
        self._hold(f"{self._held}\n{body}", shown, found)
        return self._as_wide(body, added.replace("\n", " "))

    def _as_wide(self, text: str, shown: str) -> str:
        """A line that goes on keeps its width where it can: by the width a reader sees that somebody broke it."""
        if not self._held or len(shown) >= len(text) or not _OPEN.search(shown):
            return shown
        return _END_OF_MARK.sub("." * (len(text) - len(shown)) + ">", shown)

    def hidden(self, body: str) -> str:
        """A line of which nothing shows, counted."""
        shown = masked_prompt(body)
        self.masked["prompt"] += shown != body
        return shown

    def _raw(self, body: str) -> str:
        """A line inside a raw prompt: nothing of it shows but the numbers behind `, out=`."""
        before, comma, after = body.partition(_ANSWER)
        if not comma:
            return self.hidden(body)
        rest, found = mask_line("in=x, out={" + after)
        self.masked.update(found - Counter(prompt=1))
        shown = self.hidden(before) + rest[rest.index(_ANSWER) :]
        self._hold("in=", shown, found)
        return shown


def _unfinished(record: str) -> bool:
    """Whether a record must go on: it ends without its bracket, or is an answer's without the answer."""
    return not record.rstrip().endswith((")", "}", "]", '"')) or ("Finish" in record and ", out=" not in record)


def masked_prompt(text: str) -> str:
    """A line of which nothing but its length shows; a blank one stays."""
    return f"<prompt: {len(text)} characters masked>" if text.strip() else text
