r"""A JSON document of log entries over many lines (`gcloud logging read`, `aws logs get-log-events`, a store's download).

Each entry becomes one line, with the number of its longest physical line: that is where its message stands.

Sample:

    [
      {
        "insertId": "a", → {"insertId": "a", "textPayload": "[2026-01-12 02:47:08 TP0] Load weight begin."}
        "textPayload": "[2026-01-12 02:47:08 TP0] Load weight begin."
      },
      {
        "insertId": "b", → {"insertId": "b", "textPayload": "[2026-01-12 02:47:09 TP0] Load weight end."}
        "textPayload": "[2026-01-12 02:47:09 TP0] Load weight end."
      }
    ]
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._inner import written
from logscope.wrappers._json import encoded
from logscope.wrappers._lines import Lines, lines_of, no_lines
from logscope.wrappers._pieces import whole

NAME = "json_document"
WHOLE = True  # an entry is several lines

_OPEN = re.compile(rb'([ \t]{0,200})(?:"[^"]{1,100}" ?: ?\[)?\[?\{$')
_MEMBER = re.compile(r'[ \t]+"(?:[^"\\]|\\.)*" ?: ?\S')
_MESSAGE = re.compile(rb'[ \t]*"(?:log|message|@message|msg|MESSAGE|line|textPayload|body|content|text)" ?: ["[]')
_LONGEST = 16 << 20


def detect(lines: Sequence[str]) -> Detection | None:
    """By a bracket or a brace on the first line and members on most others, a message among them."""
    sample = written(lines)
    if not sample or sample[0].strip() not in ("[", "{", "[{"):
        return None
    members = sum(1 for line in sample if _MEMBER.match(line))
    messages = sum(1 for line in sample if _MESSAGE.match(line.encode(errors="replace")))
    if not messages or members < 0.4 * len(sample):
        return None
    return Detection("certain", f"{members} of {len(sample)} lines are members of a JSON document")


class _Entries:
    """Collects the lines of an entry, from its opening brace to the closing one with the same indent."""

    def __init__(self) -> None:
        self._held: Lines | None = None
        self._close = b""
        self._has_message = False

    def feed(self, block: Block) -> Block:
        given, out = lines_of(block), no_lines(block.path)
        for place, text in enumerate(given.texts):
            opening = _OPEN.match(text)
            if opening and not self._has_message:
                # Without a message so far, what is open is the frame around the entries.
                self._held, self._close = no_lines(block.path), opening[1] + b"}"
            if self._held is None:
                self._outside(given, place, out)
                continue
            self._held.add(given, place, text)
            self._has_message = self._has_message or _MESSAGE.match(text) is not None
            if text.startswith(self._close) or sum(map(len, self._held.texts[-1:])) > _LONGEST:
                self._release(out)
        return out.block()

    def _outside(self, given: Lines, place: int, out: Lines) -> None:
        if given.texts[place].strip(b" []{},") and not _MEMBER.match(given.texts[place].decode(errors="replace")):
            out.add(given, place, given.texts[place])

    def _release(self, out: Lines) -> None:
        held, self._held, self._has_message = self._held, None, False
        if held is None:
            return
        text = b" ".join(line.strip() for line in held.texts).strip(b" [,")
        try:
            value = json.loads(text.decode(errors="surrogateescape"))
        except (ValueError, RecursionError):
            for place, line in enumerate(held.texts):
                out.add(held, place, line)
            return
        longest = max(range(len(held.texts)), key=lambda place: len(held.texts[place]))
        out.add(held, longest, encoded(json.dumps(value, ensure_ascii=False)))

    def finish(self) -> Block | None:
        out = no_lines(self._held.path if self._held else "")
        self._release(out)
        return out.block() if out.texts else None


def unwrapper(_: Sequence[str] = ()) -> Unwrapper:
    """Collects entries across blocks."""
    return _Entries()


def unwrap(block: Block) -> Block:
    """One whole document, an entry a line."""
    return whole(unwrapper(), block)
