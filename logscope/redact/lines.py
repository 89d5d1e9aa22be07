"""Many lines without prompts, outputs and secrets: what one line began, the lines that continue it do not reveal.

Releases up to 0.4.0 print prompts raw, with their line breaks; terminals and collectors cut a long record into several
lines. After a line whose record stays open, the lines that no process framed belong to it and are masked as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from logscope.redact.mask import mask_line, record_start
from logscope.redact.pseudonym import Redactor

# What a collector puts before a line: CRI's time and stream, a label with a bar.
_OUTER = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) std(?:out|err) [PF] |[\w./-]{1,100} +\| ")
_FRAMED = re.compile(
    r"\s*(?:\[\d{2,4}[-:]\d\d[-:]\d\d|\d{4}-\d\d-\d\d[ T]\d\d:|\{\"|(?:Receive|Finish)\b[ \w]{0,20}: obj="
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b|Traceback \(|Exception\b)"
)
_OPEN = re.compile(r"<(?:prompt|output|header): \d+ (?:characters|items) masked>['\"]?$")
_ANSWER = ", out={"


class Masker:
    """Masks line after line and remembers an open record; `masked` counts what was replaced, by kind."""

    def __init__(self) -> None:
        self.masked: Counter[str] = Counter()
        self._open = False

    def line(self, text: str) -> str:
        """The line (without its line end) masked."""
        if self._open:
            outer = _OUTER.match(text)
            head, body = (outer[0], text[outer.end() :]) if outer else ("", text)
            if not _FRAMED.match(body):
                return head + self._continued(body)
        shown, found = mask_line(text)
        self.masked.update(found)
        self._open = _OPEN.search(shown) is not None or (record_start(text) is not None and _unfinished(shown))
        return shown

    def _continued(self, body: str) -> str:
        """A line inside an open record: nothing of it shows but the numbers behind `, out=`."""
        before, comma, after = body.partition(_ANSWER)
        shown = f"<prompt: {len(before)} characters masked>" if before.strip() else before
        self.masked["prompt"] += bool(before.strip())
        if not comma:
            return shown
        rest, found = mask_line("in=x, out={" + after)
        self.masked.update(found - Counter(prompt=1))
        self._open = _OPEN.search(rest) is not None or _unfinished(rest)
        return shown + rest[rest.index(_ANSWER) :]


def _unfinished(record: str) -> bool:
    """Whether a record must go on: it ends without its bracket, or is an answer's without the answer."""
    return not record.rstrip().endswith((")", "}", "]", '"')) or ("Finish" in record and ", out=" not in record)


def mask_lines(texts: Iterable[str]) -> list[str]:
    """Consecutive lines masked together, for quotes of more than one line."""
    masker = Masker()
    return [masker.line(text) for text in texts]


def redacted(pieces: Iterable[str], redactor: Redactor, masker: Masker) -> Iterator[str]:
    """Pieces of whole lines, each masked and with its names replaced; line ends stay as they are."""
    for piece in pieces:
        shown = "\n".join(
            masker.line(text[:-1]) + "\r" if text.endswith("\r") else masker.line(text) for text in piece.split("\n")
        )
        yield redactor.text(shown)
