"""Every noise unit takes the lines of its own docstring, and nothing that a family reads is noise."""

from __future__ import annotations

import inspect
import re

import pytest

from logscope.discover import units
from logscope.line import Clock, segments
from logscope.parse import Reader
from logscope.shapes import index
from logscope.source import Block

UNITS = units("logscope.noise")
FAMILIES = units("logscope.events")
MARKS = str.maketrans({"␠": " ", "␍": "\r", "␛": "\x1b"})


def samples(doc: str | None) -> list[str]:
    """The indented lines below `Sample`, without that indent and without the marks of releases."""
    lines = inspect.cleandoc(doc or "").split("\n")
    start = lines.index("Sample") + 1
    end = next((n for n in range(start, len(lines)) if lines[n][:1].strip()), len(lines))
    return [line[4:].translate(MARKS) for line in lines[start:end] if line.strip() and not line[4:].startswith("#@")]


NOISE_LINES = [(name, line) for name, module in UNITS.items() for line in samples(module.__doc__)]
FAMILY_LINES = [(name, line) for name, module in FAMILIES.items() for line in samples(module.__doc__)]


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_names_its_program_and_its_reason(name: str) -> None:
    assert UNITS[name].NOISE
    for unit in UNITS[name].NOISE:
        assert unit.program
        assert unit.reason
        assert unit.starts or unit.contains, "a unit needs a literal to be found by"
        assert unit.pattern.endswith("$"), "a unit says where its line ends"


@pytest.mark.parametrize(("name", "line"), NOISE_LINES)
def test_a_unit_takes_every_line_of_its_sample(name: str, line: str) -> None:
    assert index().noise(line) in UNITS[name].NOISE


@pytest.mark.parametrize(("name", "line"), NOISE_LINES)
def test_a_line_of_noise_is_counted_as_noise_and_gives_no_row(name: str, line: str) -> None:
    reader = Reader()
    reader.feed(Block("noise.log", 1, f"{line}\n".encode()))
    reader.finish()
    assert dict(reader.coverage.counts) == {"noise": 1}
    assert not reader.rows


@pytest.mark.parametrize(("name", "line"), FAMILY_LINES)
def test_no_line_that_a_family_reads_is_noise(name: str, line: str) -> None:
    for segment in segments(line, 1, Clock()):
        assert index().noise(segment.message) is None


@pytest.mark.parametrize("name", UNITS)
def test_every_unit_of_a_file_has_a_sample(name: str) -> None:
    lines = samples(UNITS[name].__doc__)
    for unit in UNITS[name].NOISE:
        assert any(index().noise(line) is unit for line in lines), unit.pattern


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        "Killed",
        "See https://docs.example for more",
        " - leaked",
        "Downloading the model failed",
        "== something is wrong == and more",
        "Collecting",
        "To disable",
        "nvidia-container-cli: initialization error: driver error: failed to process request",
        "WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.",
        "remote: Permission denied",
    ],
)
def test_a_line_that_only_looks_like_noise_is_not_passed_over(line: str) -> None:
    assert index().noise(line) is None


def test_patterns_are_anchored_at_both_ends() -> None:
    for module in UNITS.values():
        for unit in module.NOISE:
            assert not re.match(unit.pattern, "x" + "\n")
