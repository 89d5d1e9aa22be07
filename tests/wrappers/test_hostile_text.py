"""No text makes a wrapper fail, lose a line of a bare log, or take long."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logscope.discover import units
from logscope.source import Block
from logscope.wrappers import run, stack, unwrapper

WRAPPERS = units("logscope.wrappers")
FRAGMENTS = st.sampled_from(
    [
        "[2026-01-12 02:47:08 TP0] ", "2026-01-12T02:47:08.123456789Z ", "stderr F ", "stdout P ", "sglang-1  | ", "3: ",
        "[pod/a-0/b] ", "(Engine pid=7) ", "[rank3]: ", "> ", "    ", "12\t", "<14>1 ", "Jan 12 02:47:08 ", "gpu-1 a[7]: ",
        '{"log":"', '\\n","stream":"stderr"}', '{"message":"', '"}', "{", "}", "[", "]", ",", "\x1b[31m", "\x1b]0;", "\x1b",
        "\0", "\r", "==> a <==", " [repeated 7x across cluster]", "1779264164797\t", "Apr 25, 2026 @ 19:52:13.225    ",
        "2026-01-12 02:47:08,123 - a - INFO - ", "0000-00-00T99:99:99Z ", "9999-99-99 00:00:00 ", "Prefill batch", "word ",
        "\ud800", "\udcff", "内存", "\u2028", "  File \"a\", line 1",
    ]
)  # fmt: skip
LINE = st.lists(FRAGMENTS | st.text(max_size=5).map(lambda text: text.replace("\n", "")), max_size=8).map("".join)


@given(st.lists(LINE, max_size=12))
def test_any_lines_can_be_sampled_and_unwrapped(lines: list[str]) -> None:
    sample = [line.encode(errors="replace").decode() for line in lines]
    found = stack(sample)
    data = "".join(line + "\n" for line in sample).encode()
    out = run([Block("a.log", 1, data)], [unwrapper(name, sample) for name, _ in found[:1]])
    for block in out:
        count = block.data.count(b"\n")
        for column in (block.numbers, block.labels, block.outer_times, block.repeats):
            assert column is None or len(column) == count


@pytest.mark.parametrize("name", WRAPPERS)
@settings(max_examples=40)
@given(lines=st.lists(LINE, min_size=1, max_size=6), size=st.integers(1, 3))
def test_every_wrapper_bears_any_lines_in_any_blocks(name: str, lines: list[str], size: int) -> None:
    texts = [(line + "\n").encode(errors="surrogatepass") for line in lines]
    blocks = [Block("a.log", 1 + at, b"".join(texts[at : at + size])) for at in range(0, len(texts), size)]
    whole = run([Block("a.log", 1, b"".join(texts))], [unwrapper(name, lines)])
    pieces = run(blocks, [unwrapper(name, lines)])
    assert b"".join(block.data for block in whole) == b"".join(block.data for block in pieces)


STARTS = ("", "2026-01-12T02:47:08.123456+00:00 ", "2026-01-12 02:47:08,123 ", "(", "[", '{"a":"')
FILLERS = ("a", " ", "1", "[", "{", "a.", "a ", ": ", "\\", '"', "\x1b]", "> ", "[repeated ")


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_long_line_takes_time_in_proportion_to_its_length(name: str) -> None:
    for start, filler in itertools.product(STARTS, FILLERS):
        line = start + filler * (60_000 // len(filler))
        began = time.process_time()
        WRAPPERS[name].detect([line] * 3)
        for _ in run([Block("a.log", 1, f"{line}\n".encode())], [unwrapper(name, [line])]):
            pass
        assert time.process_time() - began < 1.0, (start, filler)
