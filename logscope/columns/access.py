"""Access lines of a block: the client cut out, the rest of the line looked up among the endings seen so far."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from logscope.columns.cells import Cells, narrow
from logscope.columns.stamps import Stamps
from logscope.columns.template import taken
from logscope.columns.words import Array, Places, Text, first_bytes, places_of, word_at

FAMILY = "http_access"
_INFO = np.uint64(int.from_bytes(b"INFO:   ", "little"))
_SPACES = np.uint64(0x2020)
_SHORT, _SHORT_MASK = np.uint64(int.from_bytes(b"INFO: ", "little")), np.uint64((1 << 48) - 1)
_CLIENT_WORDS = 3
# Clients are digits, dots and colons: `./0123456789:;<=` are the bytes 0x2e to 0x3d.
_SHIFT, _NIBBLE, _FOUR = (np.uint64(byte * 0x0101010101010101) for byte in (0x12, 0xF0, 0x40))
_CLIENTS = ("127.0.0.1:40262", "10.1.2.3:5", "0:0", "::1:65535", "255.255.255.255:65535")
_MOST_ENDINGS = 1024
_LONGEST_ENDING = 512
_DERIVED = {"method": "text", "target": "text", "protocol": "text", "status": "int", "phrase": "text", "_shape": "int"}


@dataclass(frozen=True, slots=True)
class Read:
    """The access lines of a block that could be read by column."""

    lines: Places
    seconds: Places
    ranks: Array
    columns: dict[str, Cells]


class Endings:
    """What stands behind the client, by its bytes: the same on many lines, so it is read once."""

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._values: dict[str, list[Any]] = {name: [] for name in _DERIVED}
        self._lock = threading.Lock()

    def read(self, text: Text, stamps: Stamps, chosen: Places) -> Read | None:
        """What can be read by column of these lines (indices into the stamps); the rest is left out."""
        begins, ends, fits = _clients(text, stamps, chosen)
        if not fits.all():
            chosen, begins, ends = chosen[fits], begins[fits], ends[fits]
        if not len(chosen):
            return None
        clients, endings = _strings(text, begins, ends, text.ends[stamps.lines[chosen]])
        coded = endings.dictionary_encode()
        codes = np.array([self._code(ending) for ending in coded.dictionary.to_pylist()], np.int64)
        codes = codes[coded.indices.to_numpy()]
        known = codes >= 0
        if not known.all():
            chosen, codes, clients = chosen[known], codes[known], clients.filter(pa.array(known))
        if not len(chosen):
            return None
        codes = narrow(codes)
        columns = {name: Cells(kind, codes, words=self._values[name]) for name, kind in _DERIVED.items()}  # type: ignore[arg-type]
        columns["client"] = Cells("text", clients)
        return Read(stamps.lines[chosen], stamps.seconds[chosen], stamps.ranks[chosen], columns)

    def _code(self, ending: bytes) -> int:
        code = self._codes.get(ending)
        if code is None:
            with self._lock:
                code = self._codes.get(ending)
                if code is None and len(self._codes) < _MOST_ENDINGS:
                    code = self._codes[ending] = self._learned(ending)
        return -1 if code is None else code

    def _learned(self, ending: bytes) -> int:
        """The code of an ending, after the line-by-line reader has read it behind several clients alike; else -1."""
        if len(ending) > _LONGEST_ENDING or not ending.isascii() or any(byte in ending for byte in b"\0\r["):
            return -1
        values: dict[str, Any] | None = None
        for head in ("INFO: ", "INFO:     "):
            for client in _CLIENTS:
                got = taken(f"{head}{client}{ending.decode()}")
                if got is None or got[0].name != FAMILY or got[1].values.get("client") != client:
                    return -1
                own = {name: value for name, value in got[1].values.items() if name != "client"}
                own["_shape"] = got[0].number
                if got[1].decimals or got[1].unknown or own.keys() - _DERIVED.keys() or (values and own != values):
                    return -1
                values = own
        for name, column in self._values.items():
            column.append((values or {}).get(name))
        return len(self._values["_shape"]) - 1


def is_access(first: Array) -> Array:
    """Which messages begin like an access line, by their first eight bytes."""
    access: Array = (first == _INFO) | (((first & _SHORT_MASK) == _SHORT) & (first != _INFO))
    return access


def _clients(text: Text, stamps: Stamps, chosen: Places) -> tuple[Places, Places, Array]:
    """Where each client begins and ends, and which of them are plain addresses."""
    messages = stamps.messages[chosen]
    held = text.spans(16, messages)
    long = word_at(held, 0) == _INFO
    begins = messages + np.where(long, 10, 6)
    fits = ~long | ((word_at(held, 8) & np.uint64(0xFFFF)) == _SPACES)
    held = text.spans(8 * _CLIENT_WORDS, begins)
    lengths = np.full(len(chosen), -1, np.int64)
    rest = np.arange(len(chosen))
    for number in range(_CLIENT_WORDS):
        word = word_at(held, 8 * number)[rest]
        before = places_of(word, 32)
        mask = first_bytes(before)
        fits[rest] &= (((word + _SHIFT) & _NIBBLE) & mask) == (_FOUR & mask)
        ended = before < 8
        lengths[rest[ended]] = before[ended] + 8 * number
        rest = rest[~ended]
        if not len(rest):
            break
    fits &= lengths > 0
    ends = begins + lengths
    fits &= ends < text.ends[stamps.lines[chosen]]
    return begins, ends, fits


def _strings(text: Text, begins: Places, ends: Places, stops: Places) -> tuple[pa.Array, pa.Array]:
    """The bytes from each begin to its end as text, and those from there to the stop."""
    count = len(begins)
    offsets = np.empty(3 * count, np.int32)
    offsets[0::3], offsets[1::3], offsets[2::3] = begins, ends, stops
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text.octets)]
    places = np.arange(0, 3 * count, 3, dtype=np.int32)
    clients = pa.Array.from_buffers(pa.string(), 3 * count - 1, buffers).take(pa.array(places))
    endings = pa.Array.from_buffers(pa.binary(), 3 * count - 1, buffers).take(pa.array(places + 1))
    return clients, endings
