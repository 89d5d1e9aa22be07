"""The report itself, in the order of its schema; the same report gives the same bytes."""

from __future__ import annotations

import json as encoder
import math
import re
from collections.abc import Mapping
from typing import Any

SUFFIX = ".json"
WIDTH = 120
ORDER = (
    *("schema", "logscope", "title", "inputs", "coverage", "launches", "verdict", "findings"),
    *("held", "not_checked", "tables", "excerpts", "redaction"),
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def json(report: Mapping[str, Any]) -> str:
    """One JSON object: two spaces a level, short lists and objects on one line, no NaN, no lone surrogate.

    A number that is not finite is unknown, and what is unknown is absent.
    """
    first = {name: report[name] for name in ORDER if name in report}
    known = _finite({**first, **{name: value for name, value in report.items() if name not in first}})
    return _SURROGATE.sub(_escaped, _written(known, "")) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _finite(member) for name, member in value.items() if not _endless(member)}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value if not _endless(item)]
    return value


def _endless(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _written(value: Any, indent: str) -> str:
    """JSON of a value; a container goes on one line when it fits, lists of numbers always."""
    if not isinstance(value, (dict, list)) or not value:
        return encoder.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and all(isinstance(item, (int, float)) for item in value):
        return encoder.dumps(value, separators=(", ", ": "))
    if not _nested(value):
        flat = encoder.dumps(value, ensure_ascii=False)
        if len(indent) + len(flat) <= WIDTH:
            return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [
            f"{encoder.dumps(name, ensure_ascii=False)}: {_written(member, deeper)}" for name, member in value.items()
        ]
        return "{\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _written(item, deeper) for item in value) + f"\n{indent}]"


def _nested(value: dict[str, Any] | list[Any]) -> bool:
    """Whether a container holds containers of containers: those never go on one line."""
    members = value.values() if isinstance(value, dict) else value
    return any(isinstance(inner, (dict, list)) for m in members if isinstance(m, (dict, list)) for inner in _of(m))


def _of(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\\\u{code:04x}"
