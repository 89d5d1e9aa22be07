"""Prefill–decode disaggregation: hand-overs that failed, by stage and party, each room once.

The state in the text names the party: `Bootstrapping`, the peer never answered the handshake; `WaitingForInput`, the
prefill side never sent; `Transferring`, the network. `Aborted by AbortReq` is a follower.

Source: `disaggregation/prefill.py`, `decode.py`, `conn.py` of the transfer backends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logscope.facts.notices import filled
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_HANDSHAKE = re.compile(r"[Bb]ootstrap(?!ping\.)|handshake|Bootstrapping|parallel info", re.IGNORECASE)
_TRANSFER = re.compile(
    r"WaitingForInput|KVPoll\.Transferring|transfer done signal|[Tt]ransfer failed"
    r"|failed to (?:send|receive) KV|Failed to get kvcache",
    re.IGNORECASE,
)
# What the messages of the transfer code say of themselves, apart from the ids of rooms.
_MEETS = re.compile(
    r"bootstrap(?!_room)|parallel info|server info|dp_ranks?|dp_size|page size mismatch"
    r"|register (?:to|remote peer)|layout rejected|remote agent",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"transfer|memory registration|session .* failed|waiting_timeout|prefill down|checksum mismatch|transport error"
    r"|corruption|kvcache error",
    re.IGNORECASE,
)
_CODE = "srt/disaggregation/"
_MANY = 20_000
_PEER = re.compile(r"Abort(?:ed by )?(?:AbortReq|Req)")


@dataclass(frozen=True, slots=True)
class Broken:
    """One hand-over that failed: `stage` is handshake or transfer, `aborted` says that somebody gave up."""

    stage: str
    aborted: bool
    text: str
    row: Row

    @property
    def ref(self) -> LineRef:
        return self.row.ref


def broken(launch: Launch) -> list[Broken]:
    """All failed hand-overs in the order of the log."""
    return sorted(_broken(launch), key=lambda b: b.ref)


def lost(launch: Launch) -> list[Row]:
    """The lines that tell that a prefill instance stopped answering while it owed something, by address once each."""
    rows = [row for row in launch.rows("disaggregation") if row.get("kind") == "lost" and row.get("requests")]
    return list({row.get("address"): row for row in reversed(rows)}.values())[::-1]


def _broken(launch: Launch) -> Iterator[Broken]:
    for row in launch.rows("disaggregation"):
        kind, said = row.get("kind"), f"{row.get('stage', '')} {row.get('text', '')}"
        if kind in ("failed", "timeout", "error", "lost", "warmup_failed"):
            stage = _stage(said, str(row.get("stage", "")))
            if stage:
                yield Broken(stage, bool(_PEER.search(said)), said.strip(), row)
    yield from _told(launch)


def _told(launch: Launch) -> Iterator[Broken]:
    """Errors that the code of the hand-over logs in words of its own."""
    if launch.table("notice").num_rows > _MANY:
        return
    for row in launch.rows("notice"):
        if row.get("level") != "error" or not str(row.get("source", "")).startswith(_CODE):
            continue
        template = str(row.get("template", ""))
        stage = "handshake" if _MEETS.search(template) else "transfer" if _MOVES.search(template) else ""
        if stage:
            yield Broken(stage, False, filled(row), row)


def _stage(said: str, printed: str) -> str:
    if re.search(r"KVPoll\.Bootstrapping", said):
        return "handshake"
    if _TRANSFER.search(said):
        return "transfer"
    if "transfer" in printed.lower():
        return "transfer"
    return "handshake" if _HANDSHAKE.search(said) else ""


def of(found: list[Broken], stage: str) -> list[Broken]:
    """Those of one stage."""
    return [one for one in found if one.stage == stage]


def rooms(found: list[Broken]) -> int:
    """Distinct requests among them: every rank repeats the line."""
    return len({one.row.get("bootstrap_room") or one.row.get("rid") or one.ref for one in found})
