"""The files of a tar, read from front to back, whatever compresses it."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator

from logscope.archive.member import Budget, Caps, Member, checked, expanded, in_hand, plain
from logscope.archive.selection import Refused
from logscope.inputs import Opener
from logscope.raw import ReadOnly

_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_HEADER_BYTES = 1 << 20


def contents(opener: Opener, packed: str, path: str, budget: Budget) -> Iterator[Member | Refused]:
    for number, entry, read in _tar_entries(opener, packed, path, budget.caps):
        name = checked(entry.name, path)
        refused = name if isinstance(name, Refused) else _tar_refusal(entry, name)
        if refused is not None:
            yield refused
            continue
        if not entry.isfile() or isinstance(name, Refused):
            continue
        budget.member(entry.size)
        if entry.size <= budget.caps.held_bytes:
            yield Member(name, entry.size, in_hand(read()))
        else:
            yield Member(name, entry.size, lambda at=number: _tar_again(opener, packed, path, budget.caps, at))  # type: ignore[misc]


def _tar_entries(
    opener: Opener, packed: str, path: str, caps: Caps
) -> Iterator[tuple[int, tarfile.TarInfo, Callable[[], bytes]]]:
    pieces = expanded(opener, packed, path, caps) if packed else plain(opener)
    with tarfile.open(fileobj=_Pieces(pieces), mode="r|", tarinfo=_Entry) as tar:
        for number, entry in enumerate(tar):
            tar.members = []  # type: ignore[attr-defined]  # or every header is kept
            yield number, entry, lambda entry=entry: _bytes_of(tar, entry)  # type: ignore[misc]


def _bytes_of(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(entry)
    assert stream is not None
    with stream:
        return stream.read()


def _tar_again(opener: Opener, packed: str, path: str, caps: Caps, number: int) -> io.RawIOBase:
    """The member at this place, from a second reading of the bundle."""

    def pieces() -> Iterator[bytes]:
        source = expanded(opener, packed, path, caps) if packed else plain(opener)
        with tarfile.open(fileobj=_Pieces(source), mode="r|", tarinfo=_Entry) as tar:
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


class _Entry(tarfile.TarInfo):
    """An entry whose long name or extended header is not read into memory when it is larger than any real one."""

    def _proc_member(self, tar: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _HEADERS and self.size > _HEADER_BYTES:
            raise tarfile.ReadError(f"a header of {self.size} bytes")
        found: tarfile.TarInfo = super()._proc_member(tar)  # type: ignore[misc]
        return found


class _Pieces(ReadOnly):
    """A stream over pieces of bytes, read once from front to back."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._left = pieces, b""

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
