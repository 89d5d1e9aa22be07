"""Patterns that find literals in lines: which lines need a closer look, and which literals may go over a line end."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

# A line that is more than one segment, or whose ends may hold other white space than blanks
_UNEVEN = (r"\r", r".\[(?:\d{4}-\d\d-\d\d |\d\d-\d\d )?\d\d:\d\d:\d\d", r"^\s*[^ -~\s]", r"[^ -~\s]\s*$", r"\v")


def evidence(literals: set[str], breaks: Iterable[tuple[str, str]]) -> str:
    """A pattern (RE2) of lines that hold a literal, or may hold a part of one that goes over a line end."""
    found = {re.escape(literal) for literal in literals if not any(o != literal and o in literal for o in literals)}
    for end, begin in breaks:
        if begin:
            found.add(rf"^\s*{re.escape(begin.rstrip())}" + (r"(?:\s|$)" if begin.endswith(" ") else ""))
        else:
            found.add((r"(?:^|\s)" if end.startswith(" ") else "") + rf"{re.escape(end.lstrip())}\s*$")
    return "|".join((*sorted(found), *_UNEVEN, r"^\s*$"))


def breaks_of(literals: set[str]) -> set[tuple[str, str]]:
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
    branches: dict[str, set[str]] = {}
    for literal in literals:
        branches.setdefault(literal[0], set()).add(literal[1:])
    parts = [re.escape(head) + ("" if "" in rest else any_of(rest)) for head, rest in sorted(branches.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
