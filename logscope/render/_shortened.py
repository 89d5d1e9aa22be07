"""A quoted line that is too long for its rows, without what tells the least: numbers of requests, then what the verdict
does not speak of."""

from __future__ import annotations

import re

_IDENTIFIER = re.compile(r"(?<![\w.])(?:[0-9a-f]{16,}|\d{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w.])")
_WORD = re.compile(r"[\w.]*\d[\w.]*\w|\d|[A-Za-z_]{5,}")


def shortened(line: str, sentence: str, room: int) -> str:
    """The line in about so many characters. Its beginning stays, and of the rest what the sentence names most of."""
    if len(line) <= room:
        return line
    line = _IDENTIFIER.sub("…", line)
    told = set(_words(sentence))
    head = line[: room // 3].rsplit(" ", 1)[0]
    width = room - len(head) - 4
    starts = [match.start() for match in _WORD.finditer(line, len(head)) if match[0].lower() in told]
    if len(line) <= room or not starts or width <= 0:
        return line
    begin = max(starts, key=lambda start: (len(told & set(_words(line[start : start + width]))), -start))
    named = told & set(_words(f"{head} {line[begin : begin + width]}"))
    if len(named) <= len(told & set(_words(line[:room]))):
        return line
    begin = max(min(begin, len(line) - width), len(head))
    begin = line.find(" ", begin) + 1 or begin if line[begin - 1] != " " and begin not in starts else begin
    return f"{head} … {line[begin:]}"


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
