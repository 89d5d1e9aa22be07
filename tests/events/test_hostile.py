"""No pattern of a family needs more than about linear time, whatever a line holds."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import regex

from logscope.discover import units
from logscope.family import Shape

FAMILIES = {name: module.FAMILY for name, module in units("logscope.events").items() if not module.FAMILY.last}
FILLERS = (" ", "a", "1", ", ", "1, ", "a=1, ", ": ", "(", "] [", "'", ". ", "#a: 1, ", "|", "x y ", "=", "/", "1 GB, ")
LENGTH = 8000
SECONDS = 1.0  # a quadratic pattern needs 1.5 s and more at this length


def lines(shape: Shape, filler: str) -> Iterator[str]:
    body = filler * (LENGTH // len(filler))
    for literal in shape.starts[:1] or (shape.contains,):
        yield f"{literal}{body}\x03"
        if not shape.starts:
            yield f"{body}{literal}{body}\x03"


@pytest.mark.parametrize("name", FAMILIES)
def test_a_hostile_line_is_refused_at_once(name: str) -> None:
    for shape in FAMILIES[name].shapes:
        pattern = regex.compile(shape.pattern)
        for filler in FILLERS:
            for line in lines(shape, filler):
                began = time.process_time()
                try:
                    if shape.scope == "line":
                        pattern.search(line, timeout=4 * SECONDS)
                    else:
                        pattern.fullmatch(line, timeout=4 * SECONDS)
                except TimeoutError:
                    pytest.fail(f"{shape.pattern} on {filler!r}")
                assert time.process_time() - began < SECONDS, (shape.pattern, filler)
