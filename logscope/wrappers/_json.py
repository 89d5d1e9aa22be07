"""JSON objects, one a line, with bytes that are not UTF-8 carried through."""

from __future__ import annotations

import json


def parsed(text: bytes) -> dict[str, object] | None:
    """The object on a line, also as an element of an array; None for anything else."""
    if text[:1] not in b"{[, " or b"{" not in text[:8]:
        return None
    inside = text.strip()
    if not inside.endswith(b"}") or not inside.startswith(b"{"):
        inside = inside.lstrip(b"[, ").rstrip(b"], ")
    try:
        value = json.loads(inside.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def one_line(text: str, line: str) -> str:
    """The text without its line end; the line that held it where it is empty or more than one."""
    text = text.strip("\r\n")
    return text if text and "\n" not in text else line


def encoded(text: str) -> bytes:
    """A string of such an object as bytes: undecodable bytes come back, half a surrogate pair becomes a question mark."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="replace")
