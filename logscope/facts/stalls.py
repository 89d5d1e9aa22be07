"""Watchdogs and collective timeouts of a launch: who fired, together or alone, and the pool snapshot beside them.

Source: `utils/watchdog.py` (0.5.7 and later), `Scheduler.watchdog_thread` before; torch `ProcessGroupNCCL.cpp`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from logscope.errors import FactMissing
from logscope.facts.failures import ends_server
from logscope.facts.phases import time_of
from logscope.facts.states import last_batch_at
from logscope.launch import Launch, Rank, Row
from logscope.quantity import LineRef
from logscope.wording import several

_TOGETHER_S = 1.5

_COMPILES = re.compile(r"\bJIT\b.{0,40}[Cc]ompil|\bpre-?compil|[Cc]ompiling (?:kernel|the model|graph)", re.IGNORECASE)
_MANY_NOTICES = 20_000


@dataclass(frozen=True, slots=True)
class Stall:
    """The first watchdog line of each rank, in order of time, and what the snapshots say."""

    rows: list[Row]
    limit_s: float
    together: bool  # more than one rank, all within a second
    snapshot: Row | None
    snapshot_lines: tuple[LineRef, ...]
    debug_lines: tuple[LineRef, ...]
    told: str

    @property
    def evictable_share(self) -> float | None:
        """Evictable ÷ (free + evictable) of the snapshot; None without one."""
        if (
            self.snapshot is None
            or self.snapshot.get("available_tokens") is None
            or self.snapshot.get("evictable_tokens") is None
        ):
            return None
        had = self.snapshot["available_tokens"] + self.snapshot["evictable_tokens"]
        return float(self.snapshot["evictable_tokens"]) / had if had > 0 else None


def stalled(launch: Launch) -> Stall:
    """The watchdogs that fired on a silent rank; raises FactMissing when none did."""
    rows = [row for row in _of_schedulers(launch) if not ran_on(launch.rank(row.rank), row)]
    if not rows:
        raise FactMissing("no scheduler watchdog fired on a silent rank")
    firsts: dict[str, Row] = {}
    for row in rows:
        firsts.setdefault(row.rank, row)
    ordered = sorted(firsts.values(), key=lambda row: (time_of(row) or 0.0, row.ref))
    near = [row for row in ordered if (time_of(row) or 0.0) - (time_of(ordered[0]) or 0.0) <= _TOGETHER_S]
    expected = launch.arguments.get("tp_size")
    together = len(near) > 1 and (not isinstance(expected, int) or len(near) >= expected // 2)
    pools = snapshots(launch)
    snapshot = pools[0] if pools else None
    return Stall(
        ordered if not together else near,
        float(ordered[0].get("timeout_s", 0.0)),
        together,
        snapshot,
        tuple(row.ref for row in pools[:2]),
        debug_lines(launch),
        _told(launch, snapshot),
    )


def false_alarms(launch: Launch) -> list[Row]:
    """The watchdogs that ended a server although their own rank ran batches; none where another one was right."""
    rows = _of_schedulers(launch)
    return rows if all(ran_on(launch.rank(row.rank), row) for row in rows) else []


def _of_schedulers(launch: Launch) -> list[Row]:
    return [
        row
        for row in launch.rows("watchdog")
        if row.get("kind") == "timeout"
        and "cheduler" in str(row.get("watched", "Scheduler"))
        and ends_server(launch, row)
    ]


def ran_on(subject: Rank | Launch, row: Row) -> bool:
    """Whether batches ran inside the time in which a watchdog saw nothing: then it looked at the wrong thing."""
    limit, fired = row.get("timeout_s"), time_of(row)
    if limit is None or fired is None:
        return False
    try:
        return bool(fired - last_batch_at(subject, fired) < limit / 2)
    except FactMissing:
        return False


def snapshots(launch: Launch) -> list[Row]:
    """Pool numbers beside the watchdogs, wherever a release prints them."""
    names = ("watchdog", "memory_check", "pool_leak", "pool_exhausted")
    rows = [row for name in names for row in launch.rows(name)]
    full = [row for row in rows if row.get("available_tokens") is not None and row.get("evictable_tokens") is not None]
    one = [row for row in rows if row.get("evictable_tokens") is not None]
    return sorted(full or one, key=lambda row: row.ref)


def debug_lines(launch: Launch) -> tuple[LineRef, ...]:
    """The lines that tell which requests a stalled batch held."""
    debug = [row.ref for row in launch.rows("watchdog") if row.get("kind") == "debug"]
    return tuple(debug[:2])


def stack_lines(launch: Launch) -> tuple[LineRef, ...]:
    """The innermost frames of the main thread in the first stack dump."""
    for row in launch.rows("stack_dump"):
        if row.get("kind") == "thread" and "MainThread" in str(row.get("name", row.get("text", ""))):
            return tuple(row.line_of_text(place) for place in range(3))
    return ()


def compile_lines(launch: Launch) -> list[LineRef]:
    """Lines that tell of a kernel being compiled, tuned or loaded, and warm-up bars that do not end."""
    found = [row.ref for row in launch.rows("kernel_compile")]
    for name in ("progress", "progress_bar"):
        for row in launch.rows(name) if launch.table(name).num_rows < 20_000 else ():
            label = str(row.get("label", "")).lower()
            unfinished = (row.get("percent") or 0) < 100
            if unfinished and any(word in label for word in ("warm", "compil", "autotun", "jit")):
                found.append(row.ref)
    return sorted(found)


def compile_notices(launch: Launch) -> list[LineRef]:
    """The server's own words that it compiles kernels, before the bar that shows how far it is."""
    rows = launch.rows("notice") if launch.table("notice").num_rows < _MANY_NOTICES else []
    said = ((row, " ".join(str(value) for value in row.values() if isinstance(value, str))) for row in rows)
    return [row.ref for row, text in said if _COMPILES.search(text)]


def _told(launch: Launch, snapshot: Row | None) -> str:
    running = [row["batch_requests"] for row in launch.rows("watchdog") if row.get("batch_requests") is not None]
    told = f", with {several(running[0], 'request')} in its batch" if running else ""
    if snapshot is not None and snapshot.get("available_tokens") is not None:
        free = snapshot["available_tokens"] + snapshot.get("evictable_tokens", 0)
        told += f"; {free:,} tokens of the pool were free or evictable, so the pool is not the reason"
    return told


def collective_timeouts(launch: Launch) -> list[Row]:
    """Collectives that a watchdog of torch timed out, the earliest first."""
    return [row for row in launch.rows("collective_failure") if row.get("kind") == "collective_timeout"]
