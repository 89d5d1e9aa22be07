"""A bundle → its members, read in place: tar, zip and 7z, compressed and nested; nothing is extracted to disk.

A member's path is `bundle.zip!/node0.log`. A member of a stream that cannot be positioned (`.tar.gz`) is held in memory
up to `Caps.held_bytes` and read again from the beginning of the stream above it.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from logscope import compression
from logscope.archive.selection import Refused, kind_of
from logscope.compression import Limits
from logscope.errors import LogRefused, LogscopeError, LogUnreadable

Opener = Callable[[], io.RawIOBase]
SEPARATOR = "!/"
# What the readers of bundles raise for bytes that are damaged, or packed in a way that they do not know.
DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError)


@dataclass(frozen=True, slots=True)
class Caps:
    """How far a bundle may go before it is refused. `ratio` counts once `ratio_from_bytes` are expanded."""

    members: int = 100_000
    expanded_bytes: int = 256 << 30
    ratio: float = 500.0
    ratio_from_bytes: int = 64 << 20
    nesting: int = 4
    held_bytes: int = 64 << 20

    @property
    def limits(self) -> Limits:
        """The same caps for one compressed stream."""
        return Limits(expanded_bytes=self.expanded_bytes)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a bundle: its stored bytes can be opened anew each time."""

    path: str
    size: int
    opener: Opener


class Budget:
    """What the members of one bundle, nested ones included, have used of its caps."""

    def __init__(self, caps: Caps, path: str, stored_bytes: int) -> None:
        self.caps, self.path, self.stored = caps, path, max(stored_bytes, 1)
        self.members = 0
        self.expanded = 0

    def member(self, size: int) -> None:
        """Count one member; raises LogRefused when a cap is passed."""
        self.members += 1
        self.expanded += size
        caps = self.caps
        if self.members > caps.members:
            raise LogRefused(f"{self.path}: holds more than {caps.members} members; raise --max-members for logs")
        if self.expanded > caps.expanded_bytes:
            raise LogRefused(f"{self.path}: expands beyond {caps.expanded_bytes} bytes; raise --max-expanded for logs")
        if self.expanded > caps.ratio_from_bytes and self.expanded > caps.ratio * self.stored:
            raise LogRefused(
                f"{self.path}: expands more than {caps.ratio:g} times ({self.stored} → {self.expanded} bytes), like a "
                "decompression bomb; raise --max-ratio if these are logs"
            )


def kind(head: bytes) -> str:
    """The kind of bundle that a file's first bytes announce: "zip", "7z", "tar", "" for none."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"7z\xbc\xaf\x27\x1c"):
        return "7z"
    return "tar" if head[257:262] == b"ustar" else ""


def peek(opener: Opener, path: str, caps: Caps) -> tuple[str, str]:
    """The kind of bundle behind an opener ("" for none) and the compression around it ("" for none)."""
    with opener() as stream:
        head = stream.read(1 << 10) or b""
    packed = compression.compression_of(head)
    if packed:
        head = next(_expanded(opener, packed, path, caps), b"")
    return kind(head), packed


def members(opener: Opener, path: str, budget: Budget, *, depth: int = 1) -> Iterator[Member | Refused]:
    """The files of a bundle in its own order, those of nested bundles in their place.

    Raises LogRefused when a cap is passed (what came before stays), LogUnreadable when it is damaged.
    """
    form, packed = peek(opener, path, budget.caps)
    if depth > budget.caps.nesting:
        yield Refused(path, "nesting", f"{path}: is nested deeper than {budget.caps.nesting}; raise --max-nesting")
        return
    try:
        for found in _READERS[form](opener, packed, path, budget):
            yield from _nested(found, budget, depth) if isinstance(found, Member) else (found,)
    except DAMAGED as error:
        raise LogUnreadable(f"{path}: is a damaged or locked {form} bundle: {error}") from error


def _nested(member: Member, budget: Budget, depth: int) -> Iterator[Member | Refused]:
    try:
        form, _ = peek(member.opener, member.path, budget.caps)
        if form:
            yield from members(member.opener, member.path, budget, depth=depth + 1)
        else:
            yield member
    except LogUnreadable as error:
        yield Refused(member.path, "unreadable", str(error))
    except DAMAGED as error:
        yield Refused(member.path, "unreadable", f"{member.path}: is damaged: {error}")


def _checked(name: str, path: str) -> str | Refused:
    """The path of a member, or the refusal of a name that leaves the bundle."""
    whole = f"{path}{SEPARATOR}{name.removeprefix('./')}"
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or name.startswith(("/", "\\")) or "\0" in name:
        return Refused(whole, "path_out", f"{whole}: its name leaves the bundle")
    return whole


def _expanded(opener: Opener, packed: str, path: str, caps: Caps) -> Iterator[bytes]:
    with opener() as stored, compression.buffered(stored) as stream:
        yield from compression.expand(stream, packed, path=path, limits=caps.limits, note=lambda _: None)


class _Pieces(io.RawIOBase):
    """A stream over pieces of bytes, read once from front to back."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._left = pieces, b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """As many bytes as asked for, fewer only at the end: what tarfile expects of a stream."""
        held, length = [], 0
        while size < 0 or length < size:
            piece = self._left or next(self._pieces, b"")
            if not piece:
                self._left = b""
                break
            keep = len(piece) if size < 0 else min(len(piece), size - length)
            held.append(piece[:keep])
            self._left, length = piece[keep:], length + keep
        return b"".join(held)

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _tar(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    for number, entry, read in _tar_entries(opener, packed, path, budget.caps):
        name = _checked(entry.name, path)
        refused = name if isinstance(name, Refused) else _tar_refusal(entry, name)
        if refused is not None:
            yield refused
            continue
        if not entry.isfile() or isinstance(name, Refused):
            continue
        budget.member(entry.size)
        if entry.size <= budget.caps.held_bytes:
            yield Member(name, entry.size, _held(read()))
        else:
            yield Member(name, entry.size, lambda at=number: _tar_again(opener, packed, path, budget.caps, at))  # type: ignore[misc]


def _tar_entries(
    opener: Opener, packed: str, path: str, caps: Caps
) -> Iterator[tuple[int, tarfile.TarInfo, Callable[[], bytes]]]:
    pieces = _expanded(opener, packed, path, caps) if packed else _plain(opener)
    with tarfile.open(fileobj=_Pieces(pieces), mode="r|") as tar:
        for number, entry in enumerate(tar):
            tar.members = []  # type: ignore[attr-defined]  # or every header is kept
            yield number, entry, lambda entry=entry: _bytes_of(tar, entry)  # type: ignore[misc]


def _plain(opener: Opener) -> Iterator[bytes]:
    with opener() as stored:
        while piece := stored.read(1 << 18):
            yield piece


def _bytes_of(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(entry)
    assert stream is not None
    with stream:
        return stream.read()


def _tar_again(opener: Opener, packed: str, path: str, caps: Caps, number: int) -> io.RawIOBase:
    """The member at this place, from a second reading of the bundle."""

    def pieces() -> Iterator[bytes]:
        source = _expanded(opener, packed, path, caps) if packed else _plain(opener)
        with tarfile.open(fileobj=_Pieces(source), mode="r|") as tar:
            for at, entry in enumerate(tar):
                tar.members = []  # type: ignore[attr-defined]
                if at == number:
                    stream = tar.extractfile(entry)
                    assert stream is not None
                    while piece := stream.read(1 << 18):
                        yield piece
                    return

    return _Pieces(pieces())


def _tar_refusal(entry: tarfile.TarInfo, name: str) -> Refused | None:
    if entry.isdev():
        return Refused(name, "device", f"{name}: is a device or a pipe, not a file")
    if entry.issym() or entry.islnk():
        target = entry.linkname.split("/")
        depth = 0 if entry.islnk() else len(entry.name.split("/")) - 1
        ups = target.count("..")
        if entry.linkname.startswith("/") or ups > depth:
            return Refused(name, "symlink_out", f"{name}: is a link out of the bundle, to {entry.linkname}")
    return None


def _zip(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    stream: io.IOBase = _in_memory(opener, packed, path, budget.caps) if packed else opener()
    if not packed and not stream.seekable():
        stream = _in_memory(opener, packed, path, budget.caps)
    with stream, zipfile.ZipFile(cast("BinaryIO", stream)) as bundle:
        for entry in bundle.infolist():
            name = _checked(entry.filename, path)
            refused = name if isinstance(name, Refused) else _zip_refusal(entry, name)
            if refused is not None:
                yield refused
            elif not entry.is_dir() and isinstance(name, str):
                budget.member(entry.file_size)
                yield Member(name, entry.file_size, lambda entry=entry: cast("io.RawIOBase", bundle.open(entry)))  # type: ignore[misc]


def _zip_refusal(entry: zipfile.ZipInfo, name: str) -> Refused | None:
    mode = entry.external_attr >> 16
    if stat.S_ISLNK(mode):
        return Refused(name, "symlink_out", f"{name}: is a symbolic link, which is not followed")
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return Refused(name, "device", f"{name}: is a {kind_of(mode)}, not a file")
    if entry.flag_bits & 1:
        return Refused(name, "unreadable", f"{name}: is encrypted")
    return None


def _in_memory(opener: Opener, packed: str, path: str, caps: Caps) -> io.BytesIO:
    held = io.BytesIO()
    for piece in _expanded(opener, packed, path, caps) if packed else _plain(opener):
        if held.tell() + len(piece) > caps.held_bytes:
            raise LogRefused(f"{path}: a bundle inside a bundle is read in memory, up to {caps.held_bytes} bytes")
        held.write(piece)
    held.seek(0)
    return held


def _held(data: bytes) -> Opener:
    return lambda: cast("io.RawIOBase", io.BytesIO(data))


def _seven_zip(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    from logscope.archive.seven_zip import contents

    stream: io.IOBase = _in_memory(opener, packed, path, budget.caps) if packed else opener()
    try:
        for entry, data in contents(cast("BinaryIO", stream), path, budget):
            name = _checked(entry, path)
            yield name if isinstance(name, Refused) else Member(name, len(data), _held(data))
    except LogscopeError:
        raise
    except Exception as error:  # py7zr lets errors of its decoders through
        raise LogUnreadable(f"{path}: is a damaged 7z bundle: {error}") from error


_READERS = {"tar": _tar, "zip": _zip, "7z": _seven_zip}
