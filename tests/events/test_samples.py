"""Every family takes the lines of its own docstring, and none takes another's."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from logscope.discover import units
from logscope.line import Clock, segments
from logscope.parse import Reader
from logscope.releases import ReleaseRange
from logscope.shapes import index, read
from logscope.source import Block

FAMILIES = units("logscope.events")
MARKS = str.maketrans({"␠": " ", "␍": "\r", "␛": "\x1b"})
HEAD = re.compile(r"#@!? ?(?:(?P<first>[\w.]+)\.\.(?P<last>[\w.]*)|(?P<note>.*))$")


def section(module: ModuleType, heading: str) -> list[str]:
    """The indented lines below a heading of the module's docstring, without that indent."""
    lines = inspect.cleandoc(module.__doc__ or "").split("\n")
    start = lines.index(heading) + 1
    end = next((n for n in range(start, len(lines)) if lines[n][:1].strip()), len(lines))
    return [line[4:] for line in lines[start:end]]


def groups(module: ModuleType) -> Iterator[tuple[str, list[str]]]:
    """The sample groups: the range of releases as written, and the lines."""
    title, found = "", list[str]()
    for line in section(module, "Sample"):
        if HEAD.match(line):
            if found:
                yield title, found
            title, found = line, []
        elif line.strip():
            found.append(line.translate(MARKS))
    if found:
        yield title, found


SAMPLES = [(name, title, lines) for name, module in FAMILIES.items() for title, lines in groups(module)]
IDS = [f"{name} {title[3:]}" for name, title, _ in SAMPLES]


def taken(lines: list[str]) -> Reader:
    return _taken(tuple(lines))


@functools.cache
def _taken(lines: tuple[str, ...]) -> Reader:
    reader = Reader()
    reader.feed(Block("sample.log", 1, "\n".join([*lines, ""]).encode()))
    reader.finish()
    return reader


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_documents_sample_meaning_and_source_in_this_order(name: str) -> None:
    doc = inspect.cleandoc(FAMILIES[name].__doc__ or "").split("\n")
    places = [doc.index(heading) for heading in ("Sample", "Meaning", "Source")]
    assert places == sorted(places)
    assert doc[0].endswith((".", ":"))
    assert all(any(section(FAMILIES[name], heading)) for heading in ("Sample", "Meaning", "Source"))


@pytest.mark.parametrize("name", FAMILIES)
def test_a_sample_group_says_which_releases_print_it(name: str) -> None:
    for title, lines in groups(FAMILIES[name]):
        assert HEAD.match(title), lines


@pytest.mark.parametrize(("name", "title", "lines"), SAMPLES, ids=IDS)
def test_every_sample_line_is_taken_by_its_own_family_alone(name: str, title: str, lines: list[str]) -> None:
    reader = taken(lines)
    assert not reader.coverage.counts["unread"], reader.coverage.templates
    assert not reader.coverage.counts["noise"], reader.coverage.programs
    # An exception without its traceback is also the end of a failure whose beginning was cut away.
    assert set(reader.rows) - {"failure"} == {name} - {"failure"}
    assert reader.rows[name]


@pytest.mark.parametrize(("name", "title", "lines"), SAMPLES, ids=IDS)
def test_no_key_of_a_sample_is_unknown(name: str, title: str, lines: list[str]) -> None:
    assert not taken(lines).coverage.unknown_keys


@pytest.mark.parametrize(("name", "title", "lines"), SAMPLES, ids=IDS)
def test_the_shape_that_takes_a_sample_is_printed_by_the_releases_of_its_group(
    name: str, title: str, lines: list[str]
) -> None:
    head = HEAD.match(title)
    if head is None or not head["first"]:
        pytest.skip("lines of another program have no release")
    own = ReleaseRange(head["first"], head["last"])
    for row in taken(lines).rows[name]:
        shape = FAMILIES[name].FAMILY.shapes[row.shape]
        if shape.since or shape.until:
            wider = ReleaseRange(shape.since, shape.until)
            assert not wider.meet(own).empty, shape


def _ways(message: str) -> list[tuple[int, str]]:
    """How long the literal beginning is by which a family takes the message as a head (0: a literal inside it)."""
    found = []
    for entry in index().heads(message):
        if entry.shape.scope == "head" and not entry.family.last and read(entry, message) is not None:
            literals = [literal for literal in entry.shape.starts if message.startswith(literal)]
            found.append((max(map(len, literals), default=0), entry.name))
    return found


@pytest.mark.parametrize(("name", "title", "lines"), SAMPLES, ids=IDS)
def test_no_other_family_takes_a_head_by_a_literal_as_long(name: str, title: str, lines: list[str]) -> None:
    clock = Clock()
    for line in lines:
        for segment in segments(line, 1, clock, ""):
            ways = _ways(segment.message)
            longest = max((size for size, _ in ways), default=0)
            assert len({taker for size, taker in ways if size == longest}) <= 1, segment.message


@pytest.mark.parametrize("name", FAMILIES)
def test_every_group_of_a_pattern_and_every_constant_is_a_column(name: str) -> None:
    family = FAMILIES[name].FAMILY
    columns = {column.name for column in family.columns}
    for shape in family.shapes:
        assert set(re.findall(r"\(\?P<(\w+)>", shape.pattern)) - {"fields"} <= columns
        assert set(shape.sets) <= columns
        assert shape.starts or shape.contains, "a shape needs a literal to be found by"


@pytest.mark.parametrize("name", FAMILIES)
def test_every_shape_of_some_releases_only_has_a_sample(name: str) -> None:
    used = {row.shape for _, lines in groups(FAMILIES[name]) for row in taken(lines).rows.get(name, ())}
    shapes = FAMILIES[name].FAMILY.shapes
    missing = [s.pattern for number, s in enumerate(shapes) if number not in used and (s.since or s.until)]
    if FAMILIES[name].FAMILY.last:
        pytest.skip("its shapes are templates of the releases, read from a table")
    assert not missing
