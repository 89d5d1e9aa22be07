"""Any input gives the same numbered lines, in blocks of any size; what is no log is refused by name."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import socket
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from logscope.errors import LogNotFound, LogRefused, LogUnreadable, UsageError
from logscope.source import Limits, Source, sources

TEXT = b"".join(b"line %d %s\n" % (i, b"x" * (i * 37 % 400)) for i in range(1, 3001))
LINES = TEXT.split(b"\n")
WAYS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "lz4": lz4.frame.compress,
}


def source(path: Path, data: bytes, limits: Limits | None = None) -> Source:
    path.write_bytes(data)
    return sources([path], limits)[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [7, 4096, 1 << 20])
def test_every_compression_gives_the_same_lines_whatever_the_name(way: str, size: int, tmp_path: Path) -> None:
    stored = WAYS[way](TEXT)
    found = source(tmp_path / "a.log", stored)
    blocks = list(found.blocks(size))
    assert b"".join(block.data for block in blocks) == TEXT
    assert all(block.data.endswith(b"\n") for block in blocks)
    assert [block.first for block in blocks] == [
        1 + TEXT[: sum(len(b.data) for b in blocks[:i])].count(b"\n") for i in range(len(blocks))
    ]
    assert (found.lines, found.bytes, found.expanded_bytes) == (3000, len(stored), len(TEXT))
    assert found.sha256 == hashlib.sha256(stored).hexdigest()


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"plain"}))
def test_a_stream_of_several_members_is_read_to_its_end(way: str, tmp_path: Path) -> None:
    stored = WAYS[way](TEXT[:999]) + WAYS[way](TEXT[999:])
    assert b"".join(block.data for block in source(tmp_path / "a.gz", stored).blocks()) == TEXT


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("read_before", [True, False])
def test_lines_are_found_again_by_number(way: str, read_before: bool, tmp_path: Path) -> None:
    found = source(tmp_path / "a.log", WAYS[way](TEXT))
    if read_before:
        list(found.blocks(10_000))
    wanted = [3000, 1, 2, 1500, 1501, 2999, 0, -4, 3001, 10**9]
    assert found.lines_at(wanted) == {n: LINES[n - 1] for n in wanted if 0 < n <= 3000}
    assert found.lines_at([1500], longest_bytes=6) == {1500: LINES[1499][:6]}
    assert found.lines_at([]) == {}


@given(data=st.binary(max_size=300).map(lambda b: b.replace(b"\0", b"\n")), size=st.integers(1, 60))
def test_any_text_in_blocks_of_any_size_is_the_same_text(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, size: int
) -> None:
    text = b"\n \xc3\xa4 text of a log that is long enough to be taken for one; " * 20 + data
    found = source(tmp_path_factory.mktemp("blocks") / "a.log", text)
    blocks = list(found.blocks(size))
    assert b"".join(block.data for block in blocks) == text
    lines = text.split(b"\n")
    expected = lines if lines[-1] else lines[:-1]
    assert found.lines == len(expected)
    assert found.lines_at(range(1, len(lines) + 1)) == dict(enumerate(expected, 1))


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    found = source(tmp_path / "a.log", "a\rb\x0bc\x0cd\u2028e\r\nlast".encode())
    assert [(block.first, block.data[-4:]) for block in found.blocks()] == [(1, b"\xa8e\r\n"), (2, b"last")]
    assert found.lines == 2
    assert found.lines_at([1, 2]) == {1: "a\rb\x0bc\x0cd\u2028e\r".encode(), 2: b"last"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_other_encodings_of_unicode_are_read_as_utf8(encoding: str, tmp_path: Path) -> None:
    text = "erste Zeile: größer\nzweite 内存\n" * 50
    found = source(tmp_path / "a.log", text.encode(encoding))
    assert b"".join(block.data for block in found.blocks(64)) == text.encode()
    assert found.lines_at([2, 99]) == {2: "zweite 内存".encode(), 99: "erste Zeile: größer".encode()}


def test_an_empty_file_has_no_lines_and_no_blocks(tmp_path: Path) -> None:
    for name, data in (("a.log", b""), ("a.gz", gzip.compress(b""))):
        found = source(tmp_path / name, data)
        assert list(found.blocks()) == []
        assert found.lines == 0


def test_a_line_longer_than_a_block_comes_as_one(tmp_path: Path) -> None:
    text = b"a\n" + b"y" * 500_000 + b"\nb\n"
    blocks = list(source(tmp_path / "a.log", text).blocks(1000))
    assert max(len(block.data) for block in blocks) >= 500_001
    assert b"".join(block.data for block in blocks) == text


@pytest.mark.parametrize("tail", [b"\nb\nc", b"", b"\n"])
def test_a_line_beyond_the_cap_keeps_its_beginning_and_is_counted(tail: bytes, tmp_path: Path) -> None:
    text = b"a\n" + b"y" * 5000 + tail
    found = source(tmp_path / "a.log", text, Limits(line_bytes=1000))
    data = b"".join(block.data for block in found.blocks(64))
    assert data.split(b"\n")[1] == b"y" * len(data.split(b"\n")[1])
    assert 1000 <= len(data.split(b"\n")[1]) <= 1064
    assert found.cut_lines == 1
    assert "1 lines are longer" in found.notes[0]
    assert found.lines == text.count(b"\n") + (not text.endswith(b"\n"))
    if tail == b"\nb\nc":
        assert found.lines_at([3, 4]) == {3: b"b", 4: b"c"}


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"plain"}))
def test_a_stream_that_ends_early_gives_what_it_holds_and_a_note(way: str, tmp_path: Path) -> None:
    text = b"".join(os.urandom(40).hex().encode() + b"\n" for _ in range(20_000))
    stored = WAYS[way](text)
    found = source(tmp_path / "a.log", stored[: len(stored) * 2 // 3])
    data = b"".join(block.data for block in found.blocks())
    assert text.startswith(data)
    assert len(data) > 400_000
    assert found.notes
    assert "ends early" in found.notes[0]


def test_a_bomb_is_refused_by_ratio_and_by_size(tmp_path: Path) -> None:
    stored = gzip.compress(b"the same line again\n" * 500_000)
    for limits in (Limits(ratio=100, ratio_from_bytes=1 << 20), Limits(expanded_bytes=1 << 20)):
        found = source(tmp_path / "a.gz", stored, limits)
        with pytest.raises(LogRefused, match="Limits"):
            list(found.blocks())
    assert sum(len(block.data) for block in source(tmp_path / "a.gz", stored).blocks()) == 10_000_000


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    with gzip.open(path, "wb", 1) as stream:
        for _ in range(30):
            stream.write(TEXT * 2)
    tracemalloc.start()
    found = sources([path])[0]
    count = sum(len(block.data) for block in found.blocks(1 << 18))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 60 * len(TEXT)
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (bytes(range(256)) * 50, "is binary"),
        (os.urandom(5000), "is binary"),
        (b"\0" * 70_000, "only NUL"),
        (b"PK\x03\x04" + b"x" * 100, "zip archive"),
        (b"7z\xbc\xaf\x27\x1c" + b"x" * 100, "7z archive"),
        (b"\x7fELF\x02\x01\x01" + b"\0" * 900 + b"text", "is binary"),
        (gzip.compress(gzip.compress(b"a", mtime=0), mtime=0), "compressed twice"),
        (gzip.compress(os.urandom(9000)), "is binary"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    with pytest.raises(LogRefused, match=says):
        source(tmp_path / "a.log", data)


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 5000 + TEXT,
        b"\0" * 3_000_000 + TEXT,  # more than a piece, and than the longest line
        TEXT + b"\0" * 5000 + TEXT,
        TEXT + b"\0" * 5000,
        gzip.compress(b"\0" * 200_000 + TEXT),
    ],
)
def test_a_log_truncated_under_its_writer_is_still_a_log(data: bytes, tmp_path: Path) -> None:
    found = source(tmp_path / "a.log", data, Limits(line_bytes=100_000))
    text = b"".join(block.data for block in found.blocks(1 << 12))
    assert text == TEXT * (text.count(TEXT)) != b""
    assert found.lines_at([found.lines])[found.lines] == TEXT.splitlines()[-1]
    assert found.notes == [f"{found.expanded_bytes - len(text)} NUL bytes hold no text and were passed over"]


def test_a_damaged_stream_without_any_text_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(LogUnreadable, match=r"a\.gz: not a readable gzip stream"):
        source(tmp_path / "a.gz", b"\x1f\x8b" + b"\xff" * 50)


def test_missing_devices_sockets_and_forbidden_files_have_errors_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(LogNotFound, match="there is no such file"):
        sources([tmp_path / "none.log"])
    with pytest.raises(LogNotFound):
        sources([source(tmp_path / "a.log", b"a\n").path + "/b"])
    with pytest.raises(LogRefused, match="character device"):
        sources(["/dev/null"])
    with pytest.raises(LogUnreadable):
        sources(["a\0b"])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        with pytest.raises(LogRefused, match="socket"):
            sources([tmp_path / "s"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    found = source(tmp_path / "a.log", b"a\n")
    Path(found.path).chmod(0)
    with pytest.raises(LogUnreadable, match="Permission denied"):
        sources([found.path])


def test_stdin_is_spooled_and_can_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    (found,) = sources(["-"])
    assert found.path == "-"
    assert b"".join(block.data for block in found.blocks()) == TEXT
    assert b"".join(block.data for block in found.blocks(99)) == TEXT
    assert found.lines_at([7]) == {7: LINES[6]}
    with pytest.raises(UsageError, match="more than once"):
        sources(["-", "-"])


def test_a_named_pipe_is_read_like_stdin(tmp_path: Path) -> None:
    pipe = tmp_path / "p"
    os.mkfifo(pipe)
    if os.fork() == 0:  # pragma: no cover — the child writes and goes
        pipe.write_bytes(TEXT)
        os._exit(0)
    (found,) = sources([pipe])
    os.wait()
    assert b"".join(block.data for block in found.blocks()) == TEXT


def test_a_directory_gives_its_logs_in_natural_order(tmp_path: Path) -> None:
    line = b"[2026-01-12 02:47:08 TP0] Load weight begin. avail mem=138.20 GB\n"
    logs = ["node2.log", "node10.log", "pod/current.log", "pod/previous.log.1", "server", "z.log.gz"]
    others = ["case.toml", "README.md", ".hidden.log", "core.bin", "run.py", "report.json"]
    (tmp_path / "pod").mkdir()
    for name in logs:
        (tmp_path / name).write_bytes(gzip.compress(line) if name.endswith("gz") else line)
    for name in others:
        (tmp_path / name).write_bytes(b"\0\1\2" * 99 if name.endswith("bin") else line)
    (tmp_path / "outside.log").symlink_to("/etc/hosts")
    assert [Path(found.path).relative_to(tmp_path).as_posix() for found in sources([tmp_path])] == logs


def test_what_lies_beside_a_log_is_passed_over_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.log").write_bytes(TEXT)
    metrics = b"# HELP sglang:token_usage The token usage\n# TYPE sglang:token_usage gauge\nsglang:token_usage 0.9\n"
    (tmp_path / "a.metrics.txt").write_bytes(metrics)
    (tmp_path / "a.settings.txt").write_bytes(b'{\n  "port": 30000,\n  "host": "a"\n}\n')
    caplog.set_level("INFO")
    assert [Path(found.path).name for found in sources([tmp_path])] == ["a.log"]
    assert all(f"{name}: it does not look like a log" in caplog.text for name in ("a.metrics.txt", "a.settings.txt"))
    document = (
        b'{\n  "events": [\n    {\n      "message": "[2026-01-12 02:47:08 TP0] Load weight begin."\n    }\n  ]\n}\n'
    )
    (tmp_path / "a.settings.txt").write_bytes(document)
    assert len(sources([tmp_path])) == 2


def test_a_directory_without_logs_or_with_too_many_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogRefused, match="without a readable text log"):
        sources([tmp_path])
    for name in range(4):
        (tmp_path / f"{name}.log").write_bytes(b"a\n")
    with pytest.raises(LogRefused, match="more than 3 files"):
        sources([tmp_path], Limits(directory_files=3))
