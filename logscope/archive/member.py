"""What all bundles share: their caps, their members, and how a name is checked."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from logscope import compression
from logscope.archive.selection import Refused
from logscope.compression import Limits
from logscope.errors import LogRefused
from logscope.inputs import Opener

SEPARATOR = "!/"


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


def checked(name: str, path: str) -> str | Refused:
    """The path of a member, or the refusal of a name that leaves the bundle."""
    whole = f"{path}{SEPARATOR}{name.removeprefix('./')}"
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or name.startswith(("/", "\\")) or "\0" in name:
        return Refused(whole, "path_out", f"{whole}: its name leaves the bundle")
    return whole


def expanded(opener: Opener, packed: str, path: str, caps: Caps) -> Iterator[bytes]:
    with opener() as stored, compression.buffered(stored) as stream:
        yield from compression.expand(stream, packed, path=path, limits=caps.limits, note=lambda _: None)


def plain(opener: Opener) -> Iterator[bytes]:
    with opener() as stored:
        while piece := stored.read(1 << 18):
            yield piece


def in_hand(data: bytes) -> Opener:
    return lambda: cast("io.RawIOBase", io.BytesIO(data))
