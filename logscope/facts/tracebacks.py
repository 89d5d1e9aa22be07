"""A traceback as text → its exceptions and frames.

A record may hold a chain ("the direct cause of the following exception"): the first exception is what went wrong, the
last what was seen of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FRAME = re.compile(r'^ *(?:\| *)?File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$')
_RAISED = re.compile(
    r"^(?P<type>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Exit|Interrupt|Iteration|Timeout|Expired|Failure|Warning|OutOfMemory"
    r"|Died|Fault|Cancelled)(?:\(\w+\))?|Exception|(?:[a-z_]\w*\.)+[A-Z]\w+)(?:: (?P<message>.*))?$"
)
_HEAD = "Traceback (most"  # terminals and log stores cut the rest


@dataclass(frozen=True, slots=True)
class Frame:
    """One call: the file as printed, its line, the function."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Raised:
    """One exception of a chain: its class, its message with all its lines, its frames, the innermost last."""

    type: str
    message: str
    frames: tuple[Frame, ...]
    offset: int  # lines between the head of the record and the line that names the exception


def chain_of(text: str) -> tuple[Raised, ...]:
    """The exceptions of a record in the order in which they are printed; empty when it holds none."""
    found: list[Raised] = []
    frames: list[Frame] = []
    message: list[str] = []
    name, offset, inside = "", 0, False
    for place, line in enumerate(text.split("\n")):
        if _HEAD in line:
            if name:
                found.append(_raised(name, message, frames, offset))
            frames, message, name, inside = [], [], "", True
        elif inside and not name and (frame := _FRAME.match(line)):
            frames.append(Frame(frame["file"], int(frame["line"]), frame["function"]))
        elif inside and not name and line[:1].strip() and (raised := _RAISED.match(line)):
            name, message, offset = raised["type"], [raised["message"] or ""], place
        elif name and not line.startswith(("The above exception", "During handling")):
            message.append(line)
    if name:
        found.append(_raised(name, message, frames, offset))
    return tuple(found) or _indented(text)


def _indented(text: str) -> tuple[Raised, ...]:
    """The exceptions of a record that somebody shortened to its indented last lines."""
    found: list[Raised] = []
    for place, line in enumerate(text.split("\n")):
        raised = _RAISED.match(line.strip())
        if raised and not _FRAME.match(line):
            found.append(_raised(raised["type"], [raised["message"] or ""], [], place))
    return tuple(found)


def _raised(name: str, message: list[str], frames: list[Frame], offset: int) -> Raised:
    return Raised(name, "\n".join(message).strip(), tuple(frames), offset)


def places_of(text: str, raised: Raised) -> list[int]:
    """The lines of a record that hold an exception and its message, counted from 0, without empty ones. Where the
    class stands alone, the message begins below it.
    """
    lines = text.split("\n")
    alone = lines[raised.offset].rstrip().endswith(":")
    end = raised.offset + alone + len(raised.message.split("\n"))
    return [place for place in range(raised.offset, min(end, len(lines))) if lines[place].strip()]
