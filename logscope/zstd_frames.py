"""Whether a zstd stream ended where a frame ends: the library gives what it could expand and says nothing.

Source: RFC 8878, sections 3.1.1 (frames and blocks) and 3.1.2 (skippable frames).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import BinaryIO

_SKIPPABLE = b"\x2a\x4d\x18"  # behind a byte 0x50 to 0x5f
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES = (0, 2, 4, 8)
_CHECKSUM, _SINGLE_SEGMENT = 0x04, 0x20
_RUN = 1  # a block of one byte, repeated


class ZstdFrames:
    """A stream of zstd frames; `inside` tells whether what was read ends inside one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._steps = _steps()
        self._skip, self._wanted, self._open = next(self._steps)
        self._held = b""

    @property
    def inside(self) -> bool:
        """Whether more must follow."""
        return self._open or self._skip > 0 or bool(self._held)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes of the stream, followed frame by frame."""
        data = self._stream.read(size)
        at = 0
        while at < len(data):
            skipped = min(self._skip, len(data) - at)
            self._skip -= skipped
            at += skipped
            taken = data[at : at + self._wanted - len(self._held)]
            self._held += taken
            at += len(taken)
            if len(self._held) == self._wanted:
                self._skip, self._wanted, self._open = self._steps.send(self._held)
                self._held = b""
        return data


def _steps() -> Generator[tuple[int, int, bool], bytes, None]:
    """What to pass over, how many bytes to read then, and whether a frame is open; it gets those bytes."""
    magic = yield 0, 4, False
    while True:
        if magic[0] >> 4 == 5 and magic[1:] == _SKIPPABLE:
            size = yield 0, 4, True
            magic = yield int.from_bytes(size, "little"), 4, False
            continue
        descriptor = (yield 0, 1, True)[0]
        single = bool(descriptor & _SINGLE_SEGMENT)
        skip = _DICTIONARY_BYTES[descriptor & 3] + (_CONTENT_SIZE_BYTES[descriptor >> 6] or single) + (not single)
        last = False
        while not last:
            block = int.from_bytes((yield skip, 3, True), "little")
            last = bool(block & 1)
            skip = 1 if block >> 1 & 3 == _RUN else block >> 3
        magic = yield skip + (4 if descriptor & _CHECKSUM else 0), 4, False
