"""The fingerprint of a failure: the same for the same failure, whatever the clock, the host, the rank, the numbers.

It is made of structure only: the cause, the state of the launch, the class of the exception that began the chain and
the innermost functions that raised it. Texts are left out, for redaction and other machines change them; line numbers
are left out, for every release moves them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from logscope.facts.failures import Failure, failures
from logscope.launch import Launch

_FRAMES = 3
_GENERATED = re.compile(r"<[^>]*>|0x[0-9a-f]+|\d{3,}", re.IGNORECASE)


def fingerprint(launch: Launch | None, verdict: Mapping[str, Any], state: str) -> tuple[str, str]:
    """Twelve hexadecimal digits and the text behind them, for people: `cause · state · OutOfMemoryError · a ← b`."""
    parts = [str(verdict["cause"]), state, *(_structure(launch) if launch is not None else ())]
    text = " · ".join(parts)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12], text


def _structure(launch: Launch) -> Iterator[str]:
    found = failures(launch)
    origins = [one for one in found if not one.follows and not one.survived]
    if not origins:
        return
    first = origins[0]
    yield first.root.type.rpartition(".")[2] if first.root else first.kind
    frames = _functions(first)
    if frames:
        yield " ← ".join(frames)


def _functions(failure: Failure) -> list[str]:
    """The innermost functions with the file that holds them, the innermost first."""
    innermost = failure.frames[: -_FRAMES - 1 : -1]
    return [f"{_GENERATED.sub('#', frame.file.rpartition('/')[2])}:{frame.function}" for frame in innermost]
