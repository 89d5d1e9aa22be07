"""Every wrapper takes the decoration off the lines of its own docstring and finds itself in them."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from logscope.discover import units
from logscope.source import Block
from logscope.wrappers import run, unwrapper

WRAPPERS = units("logscope.wrappers")
ESCAPE = re.compile(r"\\x([0-9a-f]{2})")


def sample(module: ModuleType) -> tuple[list[str], list[str]]:
    """The wrapped lines, and the lines that shall come out of them; a line without an arrow gives none of its own."""
    block = (module.__doc__ or "").split("\nSample", 1)[1].split(":\n", 1)[1].strip("\n").split("\n\n")[0]
    text = ESCAPE.sub(lambda found: chr(int(found[1], 16)), block)
    pairs = [line[4:].partition(" →") for line in text.split("\n")]
    return [left for left, _, _ in pairs], [right.removeprefix(" ") for _, arrow, right in pairs if arrow]


@pytest.mark.parametrize("name", WRAPPERS)
def test_the_sample_is_unwrapped_as_it_says(name: str) -> None:
    wrapped, expected = sample(WRAPPERS[name])
    block = Block("a.log", 1, "".join(line + "\n" for line in wrapped).encode())
    found = b"".join(block.data for block in run([block], [unwrapper(name, wrapped)])).decode()
    assert found.split("\n")[:-1] == expected


@pytest.mark.parametrize("name", WRAPPERS)
def test_the_module_bears_its_own_name_and_says_why(name: str) -> None:
    assert name == WRAPPERS[name].NAME
    wrapped, _ = sample(WRAPPERS[name])
    detections = [WRAPPERS[name].detect(wrapped[:count]) for count in range(1, len(wrapped) + 1)]
    said = [detection for detection in detections if detection]
    assert said
    assert all(detection.why and detection.confidence in ("certain", "likely") for detection in said)
