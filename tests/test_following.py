"""Files that really grow: written by another thread, cut at any byte, rotated, truncated, deleted, and pipes."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from logscope.errors import LogNotFound, LogRefused, UsageError
from logscope.following import Following
from logscope.tail import Pipe, Tail

LINES = [f"[2026-11-29 12:00:{n:02d}] line {n}\n".encode() for n in range(60)]


def read(tail: Tail) -> bytes:
    return b"".join(piece.data for piece in tail.poll())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "server.log"
    path.write_bytes(b"".join(LINES[:3]))
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as opened:
        opened.write(data)


def test_a_line_comes_when_its_end_is_written(log: Path) -> None:
    tail = Tail(str(log))
    assert read(tail) == b"".join(LINES[:3])
    append(log, LINES[3][:10])
    assert read(tail) == b""
    assert tail.partial == LINES[3][:10]
    append(log, LINES[3][10:])
    assert read(tail) == LINES[3]
    assert tail.partial == b""


@pytest.mark.parametrize("seed", range(5))
def test_a_log_cut_at_any_byte_while_it_is_written_comes_whole(tmp_path: Path, logs: Path, seed: int) -> None:
    data = (logs / "0.5.9-x-scheduler-exception-injected.log").read_bytes()
    random_ = random.Random(seed)
    cuts = sorted(random_.sample(range(len(data)), 60))
    path = tmp_path / "growing.log"
    path.touch()

    def write() -> None:
        with path.open("ab", buffering=0) as opened:
            for first, last in zip([0, *cuts], [*cuts, len(data)], strict=True):
                opened.write(data[first:last])
                time.sleep(random_.random() / 1000)

    writer = threading.Thread(target=write)
    tail, got = Tail(str(path)), b""
    writer.start()
    while writer.is_alive():
        got += read(tail)
    writer.join()
    got += read(tail) + b"".join(piece.data for piece in tail.finish())
    assert got == data.rstrip(b"\n") + b"\n"


def test_what_is_written_to_a_renamed_file_is_read_before_its_successor(log: Path) -> None:
    tail = Tail(str(log))
    with log.open("ab", buffering=0) as writer:
        read(tail)
        log.rename(log.with_suffix(".log.1"))
        writer.write(LINES[3])
        log.write_bytes(LINES[4])
        assert read(tail) == LINES[3]
        writer.write(LINES[5][:-1])
        assert read(tail) == b""
    pieces = [piece for _ in range(3) for piece in tail.poll()]
    assert [(piece.data, piece.fresh) for piece in pieces] == [(LINES[5], False), (LINES[4], True)]


def test_a_truncated_file_is_read_from_its_beginning(log: Path) -> None:
    tail = Tail(str(log))
    read(tail)
    log.write_bytes(LINES[7])
    assert [(piece.data, piece.fresh) for piece in tail.poll()] == [(LINES[7], True)]


def test_a_file_that_was_cut_and_is_longer_again_is_read_from_its_beginning(log: Path) -> None:
    tail = Tail(str(log))
    read(tail)
    with log.open("r+b") as opened:
        opened.truncate(0)
        opened.write(b"".join(LINES[10:20]))
    assert read(tail) == b"".join(LINES[10:20])


def test_nuls_before_the_lines_of_a_writer_that_goes_on_at_its_old_place_are_no_text(log: Path) -> None:
    tail = Tail(str(log))
    with log.open("r+b", buffering=0) as writer:
        writer.seek(0, os.SEEK_END)
        read(tail)
        os.truncate(log, 0)
        assert read(tail) == b""
        writer.write(LINES[5])
    assert log.read_bytes().startswith(b"\0\0")
    assert read(tail) == LINES[5]


def test_a_deleted_file_is_waited_for(log: Path) -> None:
    tail = Tail(str(log))
    read(tail)
    log.unlink()
    assert read(tail) == b""
    log.write_bytes(LINES[9])
    assert b"".join(read(tail) for _ in range(2)) == LINES[9]


def test_a_line_without_end_keeps_only_its_beginning(log: Path) -> None:
    tail = Tail(str(log))
    read(tail)
    for _ in range(3):
        append(log, b"x" * (1 << 20))
        assert read(tail) == b""
    assert len(tail.partial) == 1 << 20
    append(log, b"yyy\n" + LINES[3])
    assert read(tail) == b"x" * (1 << 20) + b"\n" + LINES[3]


def test_a_large_file_begins_with_its_last_launch(log: Path) -> None:
    start = b"[2026-11-29 12:01:00] server_args=ServerArgs(model_path='m')\n"
    log.write_bytes(b"".join(LINES) + start + LINES[0] + start + b"".join(LINES[1:5]))
    tail = Tail(str(log))
    tail.skip(100)
    assert tail.first_line == len(LINES) + 3
    assert read(tail) == start + b"".join(LINES[1:5])


def test_a_large_file_without_a_start_begins_near_its_end(log: Path) -> None:
    log.write_bytes(b"".join(LINES))
    tail = Tail(str(log))
    tail.skip(100)
    got = read(tail)
    assert got == b"".join(LINES[tail.first_line - 1 :])
    assert 60 <= len(got) <= 160


def following(*paths: Path) -> Following:
    return Following([str(path) for path in paths], rescan_s=0)


def polled(what: Following) -> list[tuple[str, bytes]]:
    return [(Path(piece.tail.path).name, piece.data) for piece in what.poll()]


def test_a_new_log_of_a_directory_is_followed_and_other_files_are_not(log: Path) -> None:
    what = following(log.parent)
    assert polled(what) == [("server.log", b"".join(LINES[:3]))]
    (log.parent / "node1.log").write_bytes(LINES[0])
    (log.parent / "old.log.gz").write_bytes(b"\x1f\x8b\x08\x00" + bytes(60))
    (log.parent / "notes.md").write_bytes(b"# 12:00:00\n")
    assert polled(what) == [("node1.log", LINES[0])]


def test_the_old_name_of_a_rotated_log_is_no_new_log(log: Path) -> None:
    what = following(log.parent)
    polled(what)
    log.rename(log.with_name("server.log.1"))
    log.write_bytes(LINES[5])
    assert [piece for _ in range(3) for piece in polled(what)] == [("server.log", LINES[5])]
    log.with_name("server.log.1").rename(log.with_name("server.log.2"))
    log.rename(log.with_name("server.log.1"))
    log.write_bytes(LINES[6])
    assert [piece for _ in range(3) for piece in polled(what)] == [("server.log", LINES[6])]


def test_the_copy_that_copytruncate_leaves_is_no_new_log(log: Path) -> None:
    what = following(log.parent)
    polled(what)
    log.with_name("server.log.1").write_bytes(log.read_bytes())
    os.truncate(log, 0)
    append(log, LINES[5])
    assert [piece for _ in range(3) for piece in polled(what)] == [("server.log", LINES[5])]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    os.close(ends[0])


def test_a_pipe_never_makes_wait_and_ends_with_its_writer(pipe: tuple[int, int]) -> None:
    tail = Pipe("-", pipe[0])
    assert read(tail) == b""
    os.write(pipe[1], LINES[0] + b"half")
    assert read(tail) == LINES[0]
    os.close(pipe[1])
    assert read(tail) == b"half\n"
    assert tail.ended


def test_what_cannot_grow_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogNotFound, match="no such file"):
        following(tmp_path / "absent.log")
    (tmp_path / "old.log.gz").write_bytes(b"\x1f\x8b\x08\x00" + bytes(60))
    with pytest.raises(LogRefused, match="compressed"):
        following(tmp_path / "old.log.gz")
    with pytest.raises(LogRefused, match="nothing to follow"):
        following(Path("/dev/null"))
    with pytest.raises(UsageError, match="more than once"):
        Following(["-", "-"])
