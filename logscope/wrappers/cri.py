r"""The container runtime interface of Kubernetes (containerd, CRI-O): clock, stream, full or partial, text.

A line longer than 16 KiB is cut into partial pieces (`P`) that end with a full one (`F`); pieces of one stream are joined to
one line with the number of the first piece. Lines of the other stream between the pieces stand before the joined one.

Sample:

    2026-03-05T11:26:31.865166804+08:00 stderr F [2026-03-05 03:26:31 TP0] Load weight begin. → [2026-03-05 03:26:31 TP0] Load weight begin.
    2026-03-05T03:26:31.865Z stdout F   File "/srv/scheduler.py", line 2769, in run →   File "/srv/scheduler.py", line 2769, in run
    2026-03-05T03:26:31.865Z stdout F →
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._clock import ISO, moment_ms
from logscope.wrappers._pieces import Piece, Pieces, whole
from logscope.wrappers._prefix import Prefix, plain

NAME = "cri"

_PREFIX = Prefix(rf"(?P<time>{ISO}) (?P<stream>stdout|stderr) (?P<tags>[FP](?::[^ \n]*)?)(?: |$)")


def detect(lines: Sequence[str]) -> Detection | None:
    """By the stream and the tag behind a clock, which nothing else prints."""
    return plain(_PREFIX.hits(lines), "a clock, a stream and F or P")


def unwrapper(_: Sequence[str] = ()) -> Unwrapper:
    """Joins partial lines across blocks."""
    return Pieces(_taken_apart)


def _taken_apart(text: bytes) -> Piece | None:
    found = _PREFIX.raw.match(text)
    if found is None:
        return None
    return Piece(
        found["stream"].decode(), text[found.end() :], moment_ms(found["time"]), found["tags"].startswith(b"P")
    )


def unwrap(block: Block) -> Block:
    """One whole input without the prefix, partial lines joined."""
    return whole(unwrapper(), block)
