"""Blocks → rows and coverage: records, continuations, torn and broken text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logscope.parse import Reader
from logscope.source import Block

TRACE = """[2026-01-01 10:00:00 TP0] Scheduler hit an exception: Traceback (most recent call last):
  File "/srv/sglang/srt/managers/scheduler.py", line 10, in run_scheduler_process
    scheduler.event_loop_normal()
ValueError: bad
"""
DECODE = "[2026-01-01 10:00:01 TP1] Decode batch, #running-req: 1, #token: 10, token usage: 0.01, cuda graph: True, gen throughput (token/s): 5.00, #queue-req: 0\n"


def read(text: str | bytes, size: int | None = None) -> Reader:
    data = text.encode() if isinstance(text, str) else text
    reader = Reader()
    lines = data.splitlines(keepends=True)
    first = 1
    for group in itertools.batched(lines, size) if hasattr(itertools, "batched") and size else [lines]:
        reader.feed(Block("a.log", first, b"".join(group)))
        first += len(group)
    reader.finish()
    return reader


def test_a_traceback_belongs_to_its_rank_although_another_rank_prints_inside_it() -> None:
    lines = TRACE.splitlines(keepends=True)
    reader = read("".join([*lines[:2], DECODE, *lines[2:]]))
    (failure,) = reader.rows["failure"]
    assert (failure.rank, failure.line, failure.last_line) == ("TP0", 1, 5)
    assert failure.numbers == (1, 2, 4, 5)
    assert str(failure.values.values["text"]).endswith("ValueError: bad")


def test_the_four_counts_add_up_and_nothing_is_lost() -> None:
    reader = read(TRACE + DECODE + "what is this?\n\nand this\n")
    assert sum(reader.coverage.counts.values()) == 8
    assert reader.coverage.counts["unread"] == 2


def test_a_traceback_without_its_head_is_still_a_failure() -> None:
    text = '  File "/a/modules.py", line 978, in gen\n    assert not x, "fp8"\nAssertionError: fp8 is not supported\n'
    (failure,) = read(text).rows["failure"]
    assert failure.numbers[-1] == 3


def test_a_sentence_that_somebody_broke_over_lines_is_read() -> None:
    text = (
        "ValueError: Loaded weights leave no GPU memory for the KV cache under\n"
        "--mem-fraction-static=0.8. Raise --mem-fraction-static above 0.9\n"
    )
    assert read(text).rows["budget_refused"]


def test_bad_bytes_are_kept_and_counted() -> None:
    reader = read(b"[2026-01-01 10:00:00] \xff\xfe what\n")
    assert reader.coverage.undecodable_bytes == 2


@pytest.mark.parametrize("rank", ["", " TP3", " DP1 TP3"])
def test_a_scheduler_line_without_a_token_is_tp0(rank: str) -> None:
    reader = read(f"[2026-01-01 10:00:00{rank}] Memory pool end. avail mem=6.26 GB\n")
    (row,) = reader.rows["memory_pool_end"]
    assert row.rank == (rank.strip() or "TP0")


LINES = [
    *TRACE.splitlines(),
    DECODE.strip(),
    "Killed",
    "",
    "x" * 50,
    "[2026-01-01 10:00:00] SIGQUIT received. signum=None, frame=None. It usually means one child failed.",
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=30), st.integers(1, 7))
def test_any_block_size_gives_the_same_rows(lines: list[str], size: int) -> None:
    text = "\n".join(lines) + "\n"
    whole, pieces = read(text), Reader()
    for place in range(0, len(lines), size):
        part = lines[place : place + size]
        pieces.feed(Block("a.log", place + 1, ("\n".join(part) + "\n").encode()))
    pieces.finish()
    assert whole.coverage.counts == pieces.coverage.counts
    shown = [
        {k: [(r.line, r.last_line, r.rank) for r in v] for k, v in reader.rows.items()} for reader in (whole, pieces)
    ]
    assert shown[0] == shown[1]


_OF_RANK = (
    "[2026-01-01 10:00:00{rank}] Load weight begin. avail mem=23.10 GB\n",
    "[2026-01-01 10:00:00{rank}] Memory pool end. avail mem=6.26 GB\n",
    DECODE.replace(" TP1", "{rank}"),
    "[2026-01-01 10:00:00{rank}] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.7 -> 0.9\n",
    "[2026-01-01 10:00:00{rank}] what nobody knows\n",
)


def _rows_by_rank(text: str) -> dict[str, list[tuple[str, list[str]]]]:
    """The records of each rank in their order, wherever they stand."""
    rows = [(row.line, row.rank, name, row.values.values) for name, of in read(text).rows.items() for row in of]
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for _, rank, name, values in sorted(rows, key=lambda row: (row[1], row[0], row[2])):
        found.setdefault(rank, []).append((name, sorted(map(str, values.items()))))
    return found


@settings(max_examples=80, deadline=None)
@given(st.data(), st.lists(st.lists(st.sampled_from((*_OF_RANK, TRACE)), max_size=8), min_size=2, max_size=4))
def test_any_interleaving_of_ranks_gives_each_rank_the_same_rows(data: st.DataObject, streams: list[list[str]]) -> None:
    """Lines of other ranks may stand inside a traceback; two tracebacks line by line could not be told apart."""
    queues = []
    for number, items in enumerate(streams):
        lines = "".join(items if number == 0 else [item for item in items if item != TRACE])
        queues.append(lines.format(rank=f" TP{number}").splitlines(keepends=True))
    apart = "".join("".join(queue) for queue in queues)
    mixed = []
    while any(queues):
        mixed.append(data.draw(st.sampled_from([queue for queue in queues if queue])).pop(0))
    assert _rows_by_rank("".join(mixed)) == _rows_by_rank(apart)


@pytest.mark.parametrize(
    ("head", "first"),
    [
        ("[2026-01-01 10:00:00] server_args=ServerArgs(model_path='m', tp_size=1)\n", 2),
        ("[2026-01-01 10:00:00 TP0] Load weight begin. avail mem=23.10 GB\n", 2),
        ("[2026-01-01 10:00:00 TP0] Failed to load the adapter\n", 1),  # who says so prints the exception with it
    ],
)
def test_a_traceback_behind_a_line_that_only_informs_is_another_s(head: str, first: int) -> None:
    trace = "Traceback (most recent call last):\n" + "".join(TRACE.splitlines(keepends=True)[1:])
    (failure,) = read(head + trace).rows["failure"]
    assert (failure.line, failure.last_line) == (first, 5)


def test_unread_lines_beyond_many_kinds_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("logscope.coverage.MOST_TEMPLATES", 2)
    words = ["apples", "pears", "plums", "quinces", "pears"]
    coverage = read("".join(f"[2026-01-01 10:00:00] {word} are not known\n" for word in words)).coverage
    assert {text: count for text, (count, _) in coverage.templates.items()} == {
        "apples are not known": 1,
        "pears are not known": 2,
        "…": 2,
    }


def test_a_line_of_another_service_belongs_to_no_record_of_this_one() -> None:
    lines = TRACE.splitlines(keepends=True)
    texts = [*lines[:2], "  caller=main.go:1 level=info\n", "caller=main.go:2 level=info\n", *lines[2:]]
    labels = ("sglang", "sglang", "prometheus", "prometheus", *("sglang" for _ in lines[2:]))
    reader = Reader()
    reader.feed(Block("a.log", 1, "".join(texts).encode(), labels=labels))
    reader.finish()
    (failure,) = reader.rows["failure"]
    assert failure.numbers == (1, 2, 5, 6)
    assert "caller" not in str(failure.values.values["text"])
