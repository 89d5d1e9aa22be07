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
from collections.abc import Iterator
from typing import BinaryIO, cast

from logscope import compression
from logscope.archive import tar
from logscope.archive.member import Budget, Caps, Member, checked, expanded, in_hand, plain
from logscope.archive.selection import Refused, kind_of
from logscope.errors import LogRefused, LogscopeError, LogUnreadable
from logscope.inputs import Opener

# What the readers of bundles raise for bytes that are damaged, or packed in a way that they do not know.
DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError)


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
        head = next(expanded(opener, packed, path, caps), b"")
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


def _zip(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    stream: io.IOBase = _in_memory(opener, packed, path, budget.caps) if packed else opener()
    if not packed and not stream.seekable():
        stream = _in_memory(opener, packed, path, budget.caps)
    with stream, zipfile.ZipFile(cast("BinaryIO", stream)) as bundle:
        for entry in bundle.infolist():
            name = checked(entry.filename, path)
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
    for piece in expanded(opener, packed, path, caps) if packed else plain(opener):
        if held.tell() + len(piece) > caps.held_bytes:
            raise LogRefused(f"{path}: a bundle inside a bundle is read in memory, up to {caps.held_bytes} bytes")
        held.write(piece)
    held.seek(0)
    return held


def _seven_zip(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    from logscope.archive.seven_zip import contents

    stream: io.IOBase = _in_memory(opener, packed, path, budget.caps) if packed else opener()
    try:
        for entry, data in contents(cast("BinaryIO", stream), path, budget):
            name = checked(entry, path)
            yield name if isinstance(name, Refused) else Member(name, len(data), in_hand(data))
    except LogscopeError:
        raise
    except Exception as error:  # py7zr lets errors of its decoders through
        raise LogUnreadable(f"{path}: is a damaged 7z bundle: {error}") from error


_READERS = {"tar": tar.contents, "zip": _zip, "7z": _seven_zip}
