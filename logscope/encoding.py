"""The encoding of a text by its first bytes, and the refusal of what is no text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from logscope.compression import compression_of
from logscope.errors import LogRefused

# A log that was cut under its writer goes on behind a run of NULs; after a loss of power a file may end with one.
_ZEROS = re.compile(rb"\A\0++|(?<=\n)\0++|(?<!\0)\0++\Z")
HEAD_BYTES = 1 << 16
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\b\t\n\f\r\x1b")
_ARCHIVES = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar"}


def head_of(pieces: Iterable[bytes]) -> bytes:
    """The first bytes of an input, or those behind the NULs with which a file begins that was cut under its writer."""
    head, zeros = bytearray(), b""
    for piece in pieces:
        zeros = zeros or piece[:1]
        begun = piece.lstrip(b"\0")
        alone = len(piece) - len(begun) == 1  # the upper half of the first character of UTF-16
        head += piece if head or alone else begun
        if len(head) >= HEAD_BYTES:
            break
    return bytes(head[:HEAD_BYTES]) or zeros


def encoding_of(head: bytes, path: str) -> str:
    """The encoding of a text by its head: "utf-8", "utf-8-sig", "utf-16", "utf-16-le" or "utf-16-be".

    Raises LogRefused for what is no text.
    """
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            raise LogRefused(f"{path}: is a {name} archive, not a log; name the log inside it")
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if compression_of(head):
        raise LogRefused(f"{path}: is compressed twice; expand it once")
    nuls = head.count(0)
    if len(head) >= 8 and nuls < 0.6 * len(head):  # characters of ASCII have a NUL behind or before each
        for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[first::2].count(0) > 0.9 * len(head) / 2:
                return name
    text = _ZEROS.sub(b"", head) if nuls else head
    if not text and head:
        raise LogRefused(f"{path}: holds only NUL bytes, it is no log")
    _refuse_binary(text, path)
    return "utf-8"


def _refuse_binary(text: bytes, path: str) -> None:
    controls = len(text) - len(text.translate(None, _CONTROLS))
    undecodable = text.decode(errors="replace").count("\N{REPLACEMENT CHARACTER}")
    if controls > 4 + 0.05 * len(text) or undecodable > 0.3 * len(text):
        raise LogRefused(
            f"{path}: is binary: {controls} control and {undecodable} undecodable bytes in the first {len(text)}; "
            "expected a text log"
        )


def without_mark(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes without the UTF-8 byte order mark at their beginning."""
    held = b""
    for piece in pieces:
        held += piece
        if len(held) >= len(codecs.BOM_UTF8):
            break
    yield held.removeprefix(codecs.BOM_UTF8)
    yield from pieces


def transcoded(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """The same text in UTF-8; what cannot be decoded becomes the replacement character."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for piece in pieces:
        yield decoder.decode(piece).encode(errors="replace")
    yield decoder.decode(b"", final=True).encode(errors="replace")


def storable(text: str) -> str:
    """A text that can be written as UTF-8: the bytes of a file name that is none become `\\udcXX`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
