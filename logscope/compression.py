"""Compressed streams, told by their first bytes, expanded piece by piece under caps.

gzip, zstd, xz, bzip2 and lz4 (frame format), each with any number of members. A stream that ends early or is damaged
gives what could be expanded and a note; one that expands beyond its caps is refused.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, cast

from logscope.errors import LogRefused, LogUnreadable
from logscope.zstd_frames import ZstdFrames

MAGIC = {
    "gzip": b"\x1f\x8b",
    "zstd": b"\x28\xb5\x2f\xfd",
    "xz": b"\xfd7zXZ\x00",
    "bzip2": b"BZh",
    "lz4": b"\x04\x22\x4d\x18",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an input may go before it is refused.

    `line_bytes`: a longer line is cut (and counted), not refused. `ratio` counts only once `ratio_from_bytes` are
    expanded: a short log of equal lines compresses beyond any ratio and harms nobody.
    """

    line_bytes: int = 64 << 20
    expanded_bytes: int = 256 << 30
    ratio: float = 2000.0
    ratio_from_bytes: int = 1 << 30
    window_bytes: int = 128 << 20
    directory_files: int = 10_000


class _Reader(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def compression_of(head: bytes) -> str:
    """The name of the compression that a stream's first bytes announce, "" for none."""
    if head.startswith(b"BZh") and head[4:10] != b"1AY&SY" and head[4:10] != b"\x17rE8P\x90":
        return ""  # a text that begins with the letters BZh
    return next((name for name, magic in MAGIC.items() if head.startswith(magic)), "")


def expand(
    stream: BinaryIO, compression: str, *, path: str, limits: Limits, note: Callable[[str], None]
) -> Iterator[bytes]:
    """The expanded bytes of a compressed stream, in pieces of at most 256 KiB.

    Raises LogRefused when a cap of `limits` is passed, LogUnreadable when nothing at all can be expanded. Damage after
    the first byte ends the stream and is told to `note`.
    """
    frames = ZstdFrames(stream) if compression == "zstd" else None
    reader, failures = _reader(stream if frames is None else cast("BinaryIO", frames), compression, limits)
    expanded = 0
    while True:
        try:
            piece = reader.read1(1 << 18)
        except failures as error:
            if not expanded:
                raise LogUnreadable(f"{path}: not a readable {compression} stream: {error}") from error
            note(f"{compression} stream is damaged or ends early after {expanded} expanded bytes: {error}")
            return
        if not piece:
            if frames is not None and frames.inside:
                note(f"zstd stream ends early after {expanded} expanded bytes, inside a frame")
            return
        expanded += len(piece)
        _check(path, expanded, stream.tell(), limits)
        yield piece


def _check(path: str, expanded: int, stored: int, limits: Limits) -> None:
    if expanded > limits.expanded_bytes:
        raise LogRefused(f"{path}: expands beyond {limits.expanded_bytes} bytes; raise Limits.expanded_bytes for a log")
    if expanded > limits.ratio_from_bytes and expanded > limits.ratio * max(stored, 1):
        raise LogRefused(
            f"{path}: expands more than {limits.ratio:g} times ({stored} → {expanded} bytes), like a decompression "
            "bomb; raise Limits.ratio if this is a log"
        )


def _reader(stream: BinaryIO, compression: str, limits: Limits) -> tuple[_Reader, tuple[type[Exception], ...]]:
    failures: tuple[type[Exception], ...] = (OSError, EOFError, ValueError)
    if compression == "gzip":
        return gzip.GzipFile(fileobj=stream), (*failures, zlib.error)
    if compression == "xz":
        return lzma.LZMAFile(stream), (*failures, lzma.LZMAError)
    if compression == "bzip2":
        return bz2.BZ2File(stream), failures
    if compression == "zstd":
        zstandard = importlib.import_module("zstandard")
        decompressor = zstandard.ZstdDecompressor(max_window_size=limits.window_bytes)
        opened = decompressor.stream_reader(stream, read_size=1 << 18, read_across_frames=True)
        return cast("_Reader", opened), (*failures, zstandard.ZstdError)
    return _Arrow(stream), failures


class _Unowned:
    """A stream that Arrow cannot close."""

    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self.read = stream.read

    def close(self) -> None:
        """Nothing: who opened the stream reads on behind the last frame."""


class _Arrow:
    """lz4 frames through Arrow, which is there anyway; what stands in the last 16 KiB before damage is lost."""

    def __init__(self, stream: BinaryIO) -> None:
        pyarrow = importlib.import_module("pyarrow")
        self._opened = pyarrow.CompressedInputStream(pyarrow.PythonFile(_Unowned(stream), mode="r"), "lz4")

    def read1(self, size: int, /) -> bytes:
        data: bytes = self._opened.read(min(size, 1 << 14))
        return data


def buffered(stream: io.RawIOBase) -> BinaryIO:
    """A raw stream read in pieces large enough to hash and decompress at speed."""
    return io.BufferedReader(stream, 1 << 18)
