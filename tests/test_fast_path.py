"""Reading by column and reading line by line say the same of every log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logscope import tables
from logscope.collected import Collected
from logscope.columns.deferred import Deferred
from logscope.columns.hot import HotLines
from logscope.discover import units
from logscope.parse import Reader
from logscope.reading import BlockReader, in_threads
from logscope.source import Block, sources
from logscope.wrappers import unwrapping

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LOGSCOPE_SHARED", ROOT / "../shared"))
FIXTURES = sorted((ROOT / "tests/fixtures").rglob("*.log"))
REAL = sorted([*SHARED.glob("reallogs/**/*.log"), *SHARED.glob("cases/**/*.log"), *SHARED.glob("cases/**/*.txt")])
HOT = ("prefill_batch", "decode_batch", "http_access")


def line_by_line(blocks: Sequence[Block]) -> tuple[Reader, dict[str, pa.Table]]:
    reader = Reader()
    for block in blocks:
        reader.feed(block)
    reader.finish()
    return reader, tables.of_all(reader.rows, "log", show_prompts=True)


def by_column(
    blocks: Sequence[Block], *, hot: HotLines | None = None, most_bytes: int = 1 << 30, most_rows: int = 1 << 13
) -> tuple[BlockReader, dict[str, pa.Table]]:
    reader, collected = BlockReader(), Collected(most_bytes=most_bytes, small_rows=0)
    for block, found in in_threads(blocks, hot or HotLines()):
        collected.add(reader.take(block, found), "log")
        collected.add_rows(reader.ripe(most_rows), "log", show_prompts=True)
    reader.finish()
    collected.add_rows(reader.rows, "log", show_prompts=True)
    made = collected.of_input().items()
    return reader, {name: table.table() if isinstance(table, Deferred) else table for name, table in made}


def plain(table: pa.Table) -> dict[str, list[object]]:
    """Columns by name; a number that is none equals itself."""
    return {name: [repr(value) for value in table[name].to_pylist()] for name in table.column_names if name != "path"}


def assert_equal(blocks: Sequence[Block], **options: int) -> BlockReader:
    slow, slow_tables = line_by_line(blocks)
    fast, fast_tables = by_column(blocks, **options)  # type: ignore[arg-type]
    assert fast.coverage == slow.coverage
    assert list(fast.coverage.templates) == list(slow.coverage.templates)
    assert (fast.last_line, fast.joined, fast.clock) == (slow.last_line, slow.joined, slow.clock)
    assert sorted(fast_tables) == sorted(slow_tables)
    for name, table in slow_tables.items():
        assert fast_tables[name].schema.names == table.schema.names
        assert fast_tables[name].schema.types == table.schema.types
        assert plain(fast_tables[name]) == plain(table), name
    return fast


def blocks_of(data: bytes, size: int) -> list[Block]:
    """Whole lines in blocks of about a size."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else [line + b"\n" for line in data.split(b"\n")]
    if b"\r" in data:
        lines[-1] = lines[-1][:-1]
    blocks: list[Block] = []
    held: list[bytes] = []
    first = 1
    for line in lines:
        if line:
            held.append(line)
        if sum(map(len, held)) >= size:
            blocks.append(Block("log", first, b"".join(held)))
            first += len(held)
            held = []
    return [*blocks, Block("log", first, b"".join(held))] if held else blocks


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
@pytest.mark.parametrize("size", [1 << 9, 1 << 12, 1 << 20])
def test_fixtures_are_read_alike(path: Path, size: int) -> None:
    (source,) = sources([path])
    assert_equal(list(unwrapping(source, size)), most_bytes=size, most_rows=size >> 8)


@pytest.mark.skipif(not REAL, reason=f"no logs under {SHARED}")
@pytest.mark.parametrize("path", REAL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_real_logs_and_cases_are_read_alike(path: Path) -> None:
    (source,) = sources([path])
    assert_equal(list(unwrapping(source, 1 << 13)))


def samples(names: Sequence[str]) -> list[str]:
    """The sample lines of event families."""
    found = []
    for name in names:
        text = (units("logscope.events")[name].__doc__ or "").partition("Sample\n")[2].partition("\nMeaning")[0]
        lines = [line.strip().replace("␠", " ") for line in text.splitlines()]
        found += [line for line in lines if line and not line.startswith("#@")]
    return found


def repeated(line: str, *, times: int = 12) -> Iterator[str]:
    """A line again and again, with other digits where the numbers of its message stand."""
    at = line.find("] ") + 1
    for step in range(times):
        yield line[:at] + "".join(str((int(c) + step) % 10) if c.isdigit() else c for c in line[at:])


def test_every_sample_of_a_hot_family_is_read_alike_with_other_numbers() -> None:
    lines = [again for line in samples(HOT) for again in repeated(line)]
    assert_equal(blocks_of("\n".join(lines).encode(), 4000))


def test_most_lines_of_recent_releases_are_read_by_column() -> None:
    recent = [line for line in samples(HOT) if line.startswith("[202")]
    hot = HotLines()
    whole = [blocks_of("\n".join(repeated(line, times=40)).encode(), 1 << 20)[0] for line in recent]
    found = [hot.read(block) for block in whole]
    assert sum(one is not None and len(one.lines) == 40 for one in found) >= 0.7 * len(recent)


def test_what_is_kept_in_a_file_is_read_alike() -> None:
    lines = [again for line in samples(HOT) for again in repeated(line, times=30)]
    blocks = blocks_of("\n".join(lines).encode(), 2000)
    assert_equal(blocks, most_bytes=0)


DECODE = (
    "[2026-11-01 09:00:{second:02d}{rank}] Decode batch, #running-req: {a}, #token: {b}, token usage: 0.{c:02d}, "
    "cuda graph: {flag}, gen throughput (token/s): {d}.{c:02d}, #queue-req: {a}"
)
PREFILL = (
    "[2026-11-01 09:00:{second:02d}{rank}] Prefill batch, #new-seq: {a}, #new-token: {b}, #cached-token: {d}, "
    "token usage: 0.{c:02d}, #running-req: {a}, #queue-req: 0, cuda graph: {flag}, input throughput (token/s): {d}.{c:02d}"
)
ACCESS = '[2026-11-01 09:00:{second:02d}] INFO:     10.0.0.{a}:{b} - "POST /generate HTTP/1.1" 200 OK'
BARE = 'INFO:     10.0.0.{a}:{b} - "GET /health HTTP/1.1" 200 OK'
OTHERS = (
    (
        "[2026-11-01 09:00:{second:02d}{rank}] KV cache pool is full. Retract requests. #retracted_reqs: {a}, "
        "#new_tokens_gained: {b}, #new_token_ratio: 0.5420 -> 0.8731"
    ),
    "[2026-11-01 09:00:{second:02d}{rank}] Scheduler hit an exception: Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line {b}, in run_scheduler_process',
    "    scheduler.event_loop_overlap()",
    "           ^^^^^^^^^^^^^^^^^^^^^^",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {a}.00 GiB. GPU 0 has a total capacity of 79.11 GiB",
    "The above exception was the direct cause of the following exception:",
    "Traceback (most recent call last):",
    "ValueError: no [2026-11-01 09:00:00 TP0] here",
    "",
    "   ",
    "\tindented by a tab",
    "a line that nobody knows {a}",
    "[2026-11-01 09:00:{second:02d}{rank}] a message that nobody knows {a}",
    (
        "[09:00:{second:02d} TP0] Decode batch. #running-req: {a}, #token: {b}, token usage: 0.{c:02d}, "
        "gen throughput (token/s): {d}.{c:02d}, #queue-req: {a}"
    ),
    "[11-01 09:00:{second:02d}] INFO:     Started server process [{a}]",
    "{{'timestamp': {a}}}",
    "in=a prompt with",
    "100%|##########| {a}/{b} [00:01<00:00, 4.2it/s]\r100%|##########| {b}/{b} [00:02<00:00, 4.2it/s]",
)
numbers = st.integers(0, 2**31)
values = st.fixed_dictionaries(
    {
        "second": st.integers(0, 61),
        "rank": st.sampled_from(
            ["", " TP0", " TP1", " DP1 TP3 EP3", " DP0 TP10 EP10 PP0", " tp0", " TP0 TP0 TP0 TP0 TP0 TP0"]
        ),
        "a": st.integers(0, 300),
        "b": st.one_of(st.integers(0, 99_999), numbers),
        "c": st.integers(0, 99),
        "d": st.one_of(st.integers(0, 99_999), numbers),
        "flag": st.sampled_from(["True", "False", "true", "None", "Tru", "Truee"]),
    }
)


@st.composite
def hostile_lines(draw: st.DrawFn) -> str:
    """A line of a server, most often whole, else bent: fields moved, doubled, left out, invented, or cut anywhere."""
    form = draw(st.sampled_from([DECODE, DECODE, PREFILL, PREFILL, ACCESS, ACCESS, BARE, *OTHERS]))
    line = form.format(**draw(values))
    bent = draw(st.integers(0, 13))
    fields = line.split(", ")
    if bent == 0:
        return ", ".join(draw(st.permutations(fields)))
    if bent == 1:
        return ", ".join(field for field in fields if draw(st.booleans()))
    if bent == 2:
        extra = ["#new-key: 7", "new share: 0.5", "ratio: -1.25", "list: [1, 2]", "flag: True", "what: full=3, swa=4"]
        extra += [
            "#token: 12",
            "text: ab,cd",
            "speed: 1e3",
            "occupancy: nan%",
            "occupancy: 61.02%",
            "flag: 3",
            "#queue-req: -4",
        ]
        return ", ".join([*fields[:-1], draw(st.sampled_from(extra)), fields[-1]])
    if bent == 3:
        return line[: draw(st.integers(0, len(line)))]
    if bent == 4:
        return line[draw(st.integers(0, len(line))) :]
    if bent == 5:
        at = draw(st.integers(0, len(line)))
        junk = [
            "\r",
            "\0",
            "\x1b[0m",
            "é",
            "\N{CYCLONE}",
            ",",
            "[",
            "]",
            " ",
            ": ",
            "\t",
            "9",
            "x" * 5000,
            "[2026-11-01 09:00:00] ",
        ]
        return line[:at] + draw(st.sampled_from(junk)) + line[at:]
    if bent == 6:
        return line + draw(
            st.sampled_from(["\r", "\r\r", " ", ", ", ",", "[2026-11-01 09:00:01 TP0] Decode batch, #token: 3"])
        )
    return line


def bytes_of(lines: Sequence[str], broken: int) -> bytes:
    """The text; with one byte that is not UTF-8 where `broken` says."""
    data = "\n".join(lines).encode()
    return data if broken < 0 or not data else data[: broken % len(data)] + b"\xff" + data[broken % len(data) :]


@settings(max_examples=150, deadline=None)
@given(st.lists(hostile_lines(), min_size=1, max_size=60), st.sampled_from([300, 2000, 1 << 20]), st.integers(-3, 4000))
def test_hostile_mixtures_are_read_alike(lines: list[str], size: int, broken: int) -> None:
    blocks = blocks_of(bytes_of(lines, broken), size)
    assert_equal(blocks)
    assert_equal(blocks, most_bytes=0, most_rows=0)


@settings(max_examples=40, deadline=None)
@given(st.lists(hostile_lines(), min_size=5, max_size=40), st.data())
def test_labels_and_gaps_in_the_numbers_change_nothing(lines: list[str], data: st.DataObject) -> None:
    (block,) = blocks_of(bytes_of(lines, -1), 1 << 20)
    count = len(block.data.split(b"\n"))
    labels = tuple(data.draw(st.lists(st.sampled_from(["", "pod-a", "pod-b"]), min_size=count, max_size=count)))
    steps = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    repeats = np.array(data.draw(st.lists(st.sampled_from([0, 0, 0, 5]), min_size=count, max_size=count)), np.int64)
    numbers = np.cumsum(np.array(steps, np.int64)) + 1
    assert_equal([Block("log", 1, block.data, numbers, labels)])
    assert_equal([Block("log", 1, block.data, numbers, labels, repeats=repeats)])


def test_a_reader_that_has_learned_from_one_log_reads_the_next_alike() -> None:
    hot = HotLines()
    for line in samples(HOT):
        blocks = blocks_of("\n".join(repeated(line)).encode(), 1 << 20)
        _, fast = by_column(blocks, hot=hot)
        _, slow = line_by_line(blocks)
        assert {name: plain(table) for name, table in fast.items()} == {
            name: plain(table) for name, table in slow.items()
        }


def test_a_deferred_table_gives_what_its_table_gives() -> None:
    lines = [again for line in samples(HOT) for again in repeated(line, times=30)]
    collected, reader = Collected(small_rows=0), BlockReader()
    for block, found in in_threads(blocks_of("\n".join(lines).encode(), 4000), HotLines()):
        collected.add(reader.take(block, found), "log")
    for deferred in collected.of_input().values():
        assert isinstance(deferred, Deferred)
        table = deferred.table()
        assert deferred.num_rows == table.num_rows > 0
        assert deferred.column_names == table.column_names
        places = np.arange(0, table.num_rows, 7)
        assert plain(deferred.take(places).table()) == plain(table.take(pa.array(places)))
        assert plain(deferred.slice(3, 5).table()) == plain(table.slice(3, 5))
        assert deferred.slice(1, 1).to_pylist()[0].keys() == table.slice(1, 1).to_pylist()[0].keys()
        assert isinstance(deferred.take(places)["rank"], pa.ChunkedArray)
        for rank in table["rank"].unique().to_pylist():
            some, whole = deferred.take(places), table.take(pa.array(places))
            assert plain(tables.of_rank(some, rank).table()) == plain(tables.of_rank(whole, rank))
        mask = pc.greater(table["line"], 40)
        assert plain(deferred.filter(mask).table()) == plain(table.filter(mask))
        for rank in table["rank"].unique().to_pylist():
            assert plain(tables.of_rank(deferred, rank).table()) == plain(tables.of_rank(table, rank))
        for column in ("running_requests", "token_usage_share", "graph", "status"):
            if column in table.column_names:
                printed = table[column].cast(pa.float64()).to_numpy()
                assert np.array_equal(deferred.floats(column), printed, equal_nan=True)
                assert deferred.has(column) == (table[column].null_count < table.num_rows)
