"""The server arguments of a dump as Python values: the constructor form, the dict form, and what a cut line still
holds.

Source: SGLang `entrypoints/engine.py` (`server_args=ServerArgs(…)` up to 0.5.18, a dict of resolved values from
0.5.19).
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Mapping
from typing import Any


@functools.lru_cache(maxsize=64)
def arguments_of(text: str) -> Mapping[str, Any]:
    """Arguments by name. Values that are no literals (enums, objects) stay text; a cut value at the end is left out."""
    body = text.partition("server_args=")[2] or text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # Python's, about a garbled literal
        parsed = _parsed(body)
        return parsed if parsed is not None else _scanned(body)


def complete(text: str) -> bool:
    """Whether the dump ends as it should: absence of a name is evidence only then."""
    return text.rstrip().endswith((")", "}"))


def _parsed(body: str) -> dict[str, Any] | None:
    try:
        node = ast.parse(body.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(node, ast.Call):
        return {k.arg: _value(k.value) for k in node.keywords if k.arg}
    if isinstance(node, ast.Dict):
        names = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
        return {str(n): _value(v) for n, v in zip(names, node.values, strict=True) if n is not None}
    return None


def _value(node: ast.expr) -> Any:
    try:
        return _settable(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return ast.unparse(node)


def _settable(value: Any) -> Any:
    """The value, or its text where it is a whole number that no setting can have: what computes would overflow."""
    return str(value) if isinstance(value, int) and abs(value) >= 1 << 63 else value


def _scanned(body: str) -> dict[str, Any]:
    """What a tolerant scan finds: `name=value` up to the comma that no bracket or quote encloses."""
    found: dict[str, Any] = {}
    place = body.find("(") + 1 if not body.lstrip().startswith("{") else body.find("{") + 1
    while place < len(body):
        head = re.compile(r"\s*,?\s*(?:'(\w+)': |(\w+)=)").match(body, place)
        if head is None:
            break
        end = _end(body, head.end())
        if end is None:
            break
        found[head[1] or head[2]] = _literal(body[head.end() : end])
        place = end
    return found


def _end(body: str, place: int) -> int | None:
    depth, quote = 0, ""
    while place < len(body):
        mark = body[place]
        if quote:
            if mark == "\\":
                place += 1
            elif mark == quote:
                quote = ""
        elif mark in "'\"":
            quote = mark
        elif mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            if depth == 0:
                return place
            depth -= 1
        elif mark == "," and depth == 0:
            return place
        place += 1
    return None


def _literal(text: str) -> Any:
    try:
        return _settable(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError):
        return text.strip()
