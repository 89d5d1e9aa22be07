"""The files of a 7z archive, held in memory within the caps of the bundle; needs the extra `7z` (py7zr)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from logscope.errors import LogRefused, LogUnreadable

if TYPE_CHECKING:
    from logscope.archive.member import Budget


def contents(stream: BinaryIO, path: str, budget: Budget) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file, in the order of the archive.

    A 7z archive is one solid stream, so that its files are expanded together: raises LogRefused before the first one
    when they pass `Caps.held_bytes`, or when py7zr is not installed.
    """
    try:
        import py7zr
        from py7zr.io import BytesIOFactory
    except ImportError as missing:
        raise LogRefused(f"{path}: is a 7z archive; install logscope[7z] to read it") from missing
    with py7zr.SevenZipFile(stream, "r") as archive:
        if archive.needs_password():
            raise LogUnreadable(f"{path}: is encrypted")
        entries: list[Any] = [entry for entry in archive.list() if not entry.is_directory]
        for entry in entries:
            budget.member(entry.uncompressed)
        whole = sum(entry.uncompressed for entry in entries)
        if whole > budget.caps.held_bytes:
            raise LogRefused(
                f"{path}: a 7z archive is expanded in memory, and {whole} bytes are more than {budget.caps.held_bytes}"
            )
        factory = BytesIOFactory(budget.caps.held_bytes)
        archive.extract(targets=[entry.filename for entry in entries], factory=factory)
        for entry in entries:
            held = factory.products.get(entry.filename)
            if held is not None:
                held.seek(0)
                yield entry.filename, held.read()
