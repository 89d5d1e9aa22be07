"""The report as JSON inside the page: data that no parser of HTML can take for markup."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

_UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


def embedded(report: Mapping[str, Any]) -> Markup:
    """One line of ASCII JSON with `<`, `>`, `&` escaped; U+2028, U+2029 and lone surrogates are escapes already."""
    dumped = json.dumps(
        without_infinities(report), ensure_ascii=True, separators=(",", ":"), allow_nan=False, default=str
    )
    return Markup(dumped.translate(_UNSAFE))  # noqa: S704


def without_infinities(value: Any) -> Any:
    """The value without what JSON cannot hold: an open end of an interval is absent from its mapping."""
    if isinstance(value, Mapping):
        return {str(key): without_infinities(item) for key, item in value.items() if not _infinite(item)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [None if _infinite(item) else without_infinities(item) for item in value]
    return value


def _infinite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
