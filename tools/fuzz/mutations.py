"""Ways in which a log is damaged, between the server and whoever reads it or on purpose: bytes → bytes.

Each takes what is left of a log and a generator of random numbers, and gives something that may be no log any more.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[bytes, Random], bytes]

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_NUMBERS = (
    b"0",
    b"-1",
    b"",
    b"nan",
    b"inf",
    b"1e308",
    b"18446744073709551616",
    b"0.000000001",
    b"9" * 400,
    b"\xd9\xa3",
)
_PAIR = re.compile(rb"[#\w][\w .#/()-]*: [^,\n]+,?")
_STAMP = re.compile(rb"^\[[^\]\n]*\] ", re.M)
_HOSTILE = (
    b"</script><script>alert(1)</script>",
    b"{{ 7 * 7 }}",
    b"\x1b[31m",
    b"\x00",
    b"\r",
    b"\xe2\x80\xae",
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b"Traceback (most recent call last):",
    b"\n\n\n",
    b"%s%n",
    b"'\"`",
)


def cut(data: bytes, random: Random) -> bytes:
    """The beginning, the end, or a piece of the middle."""
    begin, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return random.choice((data[begin:], data[:end], data[:begin] + data[end:]))


def bytes_changed(data: bytes, random: Random) -> bytes:
    """Some bytes are others."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 40)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def inserted(data: bytes, random: Random) -> bytes:
    """Something that is no text of a log stands in the middle of it, once or often."""
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(data) + 1)
        data = data[:place] + random.choice(_HOSTILE) * random.choice((1, 1, 1, 500)) + data[place:]
    return data


def lines_moved(data: bytes, random: Random) -> bytes:
    """Lines are gone, doubled, in another order, or broken in two."""
    lines = data.split(b"\n")
    for _ in range(random.randint(1, 30)):
        place, other = random.randrange(len(lines)), random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0 and len(lines) > 1:
            del lines[place]
        elif kind == 1:
            lines.insert(other, lines[place])
        elif kind == 2:
            lines[place], lines[other] = lines[other], lines[place]
        else:
            at = random.randrange(len(lines[place]) + 1)
            lines[place : place + 1] = [lines[place][:at], lines[place][at:]]
    return b"\n".join(lines)


def numbers_changed(data: bytes, random: Random) -> bytes:
    """Numbers are beyond what was ever printed, or none."""
    share = random.choice((0.002, 0.02, 0.3))
    return _NUMBER.sub(lambda one: random.choice(_NUMBERS) if random.random() < share else one[0], data)


def pairs_moved(data: bytes, random: Random) -> bytes:
    """Keys and their values change places, are doubled, or are gone."""

    def changed(line: bytes) -> bytes:
        pairs = _PAIR.findall(line)
        if len(pairs) < 3 or random.random() < 0.7:
            return line
        one, other = random.sample(pairs, 2)
        return random.choice((line.replace(one, b""), line.replace(one, one + b" " + other), line.replace(one, other)))

    return b"\n".join(changed(line) for line in data.split(b"\n"))


def stamps_changed(data: bytes, random: Random) -> bytes:
    """Prefixes are gone, of another time, or of a rank that there is not."""
    others = (b"", b"[2026-13-45 99:99:99] ", b"[1970-01-01 00:00:00 TP999] ", b"[12:00:00 DP0 TP0 PP0 EP0] ", b"[] ")
    share = random.choice((0.01, 0.2, 1.0))
    return _STAMP.sub(lambda one: random.choice(others) if random.random() < share else one[0], data)


def wrapped(data: bytes, random: Random) -> bytes:
    """Something is before each line, as containers and terminals put it there, or lines end at a width."""
    kind = random.randrange(6)
    lines = data.split(b"\n")
    if kind == 0:
        return b"\n".join(b"2026-11-29T10:00:00.%09dZ stdout F " % n + line for n, line in enumerate(lines))
    if kind == 1:
        return b"\n".join(b"sglang-1  | " + line for line in lines)
    if kind == 2:
        return b"\n".join(b"> " + line for line in lines)
    if kind == 3:
        return b"\r\n".join(lines)
    if kind == 4:
        width = random.randint(20, 200)
        return b"\n".join(line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width))
    return b"\n".join(b" " * random.randint(1, 8) + line for line in lines)


def encoded(data: bytes, random: Random) -> bytes:
    """The text in another encoding, compressed, or compressed and cut."""
    kind = random.randrange(4)
    if kind == 0:
        return data.decode(errors="replace").encode("utf-16")
    if kind == 1:
        return b"\xef\xbb\xbf" + data
    packed = gzip.compress(data, 1, mtime=0)
    return packed if kind == 2 else packed[: random.randrange(10, len(packed) + 1)]


MUTATIONS: Sequence[Mutation] = (
    cut,
    bytes_changed,
    inserted,
    lines_moved,
    numbers_changed,
    pairs_moved,
    stamps_changed,
    wrapped,
    encoded,
)


def damaged(data: bytes, random: Random) -> bytes:
    """A log after one to four mishaps."""
    for mutation in random.choices(MUTATIONS, k=random.randint(1, 4)):
        data = mutation(data, random) if data else data
    return data
