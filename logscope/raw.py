"""Raw streams that are written as one `read`: what else buffers and decompressors ask of them follows from it."""

from __future__ import annotations

import hashlib
import io


class ReadOnly(io.RawIOBase):
    """A readable stream; a subclass says what `read` gives."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        data = self.read(len(buffer)) or b""
        buffer[: len(data)] = data
        return len(data)


class Hashed(ReadOnly):
    """A raw stream that hashes and counts what is read from it."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self.raw = raw
        self.hash = hashlib.sha256()
        self.count = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self.raw.read(size) or b""
        self.hash.update(data)
        self.count += len(data)
        return data

    def tell(self) -> int:
        return self.count

    def close(self) -> None:
        self.raw.close()
        super().close()
