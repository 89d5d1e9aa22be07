"""Raw streams that are written as one `read`: what else buffers and decompressors ask of them follows from it."""

from __future__ import annotations

import io


class ReadOnly(io.RawIOBase):
    """A readable stream; a subclass says what `read` gives."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        data = self.read(len(buffer)) or b""
        buffer[: len(data)] = data
        return len(data)
