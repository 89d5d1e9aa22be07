"""Patterns that find literals in lines: which lines need a closer look, and which literals may go over a line end."""

from __future__ import annotations

import itertools
import re

# Lines (RE2) of more than one segment, or whose ends may hold other white space than blanks
UNEVEN = r"\r|.\[(?:\d{4}-\d\d-\d\d |\d\d-\d\d )?\d\d:\d\d:\d\d|^\s*[^ -~\s]|[^ -~\s]\s*$|\v"


def one_of(literals: set[str]) -> str:
    """A pattern (RE2) of lines that hold one of the literals."""
    text = "\n".join(literals)
    inner = [one for one in literals if text.count(one) > 1]  # they stand in another, which needs no branch of its own
    shortest = (one for one in literals if not any(other != one and other in one for other in inner))
    return "|".join(sorted(map(re.escape, shortest)))


class Breaks:
    """Where literals may go over a line end: at each of their blanks, a bit for each pair of words around one."""

    def __init__(self, literals: set[str]) -> None:
        self._ends: dict[str, list[tuple[int, str]]] = {}
        self._begins: dict[str, list[tuple[int, str]]] = {}
        for number, (end, begin) in enumerate(sorted(_pairs(literals))):
            self._ends.setdefault(end[-2:], []).append((1 << number, end))
            self._begins.setdefault(begin[:2], []).append((1 << number, begin))
        # Of two blanks, one side is no word: it fits every line.
        self._any_end, self._any_begin = (sum(bit for bit, _ in by.pop("", [])) for by in (self._ends, self._begins))

    def behind(self, line: str) -> int:
        """The breaks whose words before may end a stripped line: what goes on behind it."""
        text, found = f" {line}", self._any_end
        for key in (text[-1:], text[-2:]):
            for bit, end in self._ends.get(key, ()):
                found |= bit if text.endswith(end) else 0
        return found

    def before(self, line: str) -> int:
        """The breaks whose words behind may begin a stripped line: what has begun before it."""
        text, found = f"{line} ", self._any_begin
        for key in (text[:1], text[:2]):
            for bit, begin in self._begins.get(key, ()):
                found |= bit if text.startswith(begin) else 0
        return found


def _pairs(literals: set[str]) -> set[tuple[str, str]]:
    """The words before and behind each blank of a literal: what ends a line and begins the next where it goes over."""
    found = set()
    for literal in literals:
        words = literal.split(" ")
        for place, (end, begin) in enumerate(itertools.pairwise(words)):
            found.add((f" {end}" if place else end, f"{begin} " if place + 2 < len(words) else begin))
    return {pair for pair in found if pair[0].strip() or pair[1].strip()}


def any_of(literals: set[str]) -> str:
    """A pattern that finds any of the literals in one pass: a tree by their characters, so that most places fail at
    once.
    """
    if len(literals) == 1:
        return re.escape(*literals)
    branches: dict[str, set[str]] = {}
    for literal in literals:
        branches.setdefault(literal[0], set()).add(literal[1:])
    parts = [re.escape(head) + ("" if "" in rest else any_of(rest)) for head, rest in sorted(branches.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
