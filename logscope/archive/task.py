"""What a scan asks of a worker, and what it gets: plain data that loads nothing of the analysis.

The process that plans and stores knows only this; a second scan, which has nothing to read, does not load the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from logscope.archive.member import Caps
from logscope.archive.selection import Found
from logscope.version import VERSION

if TYPE_CHECKING:
    import pyarrow as pa

    from logscope.log import Window

# What another run may answer differently: such a failure is tried again by the next scan.
PASSING = ("timeout", "memory", "worker_lost")


@dataclass(frozen=True, slots=True)
class Settings:
    """How every log of a scan is read. `sampled_rows`: rows kept of each launch and rank, None for all of them."""

    analysis: str
    window: Window | None = None
    timezone: str = "unstated"
    caps: Caps = field(default_factory=Caps)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    timeout_s: float | None = None
    sampled_rows: int | None = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one input: rows of `runs` as dicts, and the other datasets as tables."""

    path: str
    runs: tuple[Mapping[str, Any], ...]
    tables: Mapping[str, pa.Table]
    passed: Mapping[str, Any] | None = None  # what is known of a file that holds no log


def outcome_of(found: Found, settings: Settings) -> Outcome:
    """Read one file, or every log of one bundle."""
    from logscope.archive import outcome

    return outcome.outcome_of(found, settings)


def run_of(path: str, sha256: str, analysis: str) -> str:
    """The key of a run: the same content at the same path, read in the same way, has the same key."""
    return hashlib.sha256(f"{path}\0{sha256}\0{analysis}".encode("utf-8", "surrogateescape")).hexdigest()[:20]


def failed(found: Found, settings: Settings, kind: str, why: str) -> Outcome:
    """The outcome of an input that could not be read at all."""
    return Outcome(found.path, (failure(found.path, kind, why, settings) | origin_of(found, settings),), {})


def origin_of(found: Found, settings: Settings) -> dict[str, Any]:
    """By what an input is known again."""
    return {
        "source": found.path,
        "source_bytes": found.size,
        "source_mtime_ns": found.mtime_ns,
        "analysis": settings.analysis,
        "logscope": VERSION,
    }


def failure(path: str, kind: str, why: str, settings: Settings) -> dict[str, Any]:
    key = run_of(path, kind, settings.analysis)
    return {"run": key, "path": path, "launches": 0, "healthy": False, "error_kind": kind, "error": why}
