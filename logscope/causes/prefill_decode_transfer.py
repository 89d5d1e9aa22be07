"""Prefill–decode disaggregation: the pair met, the KV did not arrive.

What it is
    A transfer was agreed on and did not happen, or is so slow that requests pile up.

How to tell
    State `WaitingForInput` (the prefill side never sent) or `Transferring` (the network); transfer errors; hundreds of
    requests in transfer at a few MB a second; a transport library that dies in a copy; a prefill instance whose
    heartbeat is lost while it owes requests.

Not to be taken for
    `prefill_decode_handshake`: state `Bootstrapping`. A prefill pool that is too small: it is held by what was not sent.

What to do
    Look at the prefill side's log for the same room first; then at the transport's own counters and devices.

Source
    `disaggregation/*/conn.py`; Mooncake `transfer_engine.cpp`, NIXL and UCX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from logscope.case import Case
from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.transfers import Broken, broken, lost, of, rooms
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef
from logscope.wording import several

WAY: Way = "leave"
TITLE = "The KV of a request did not arrive"
_TRANSPORT = re.compile(r"\buct_|\bucp_|\bnixl|\bmooncake|ibv_|\bmori\b", re.IGNORECASE)
_BROKE = re.compile(r"REMOTE_DISCONNECT|transfer|KVTransferError|post(?:Xfer|_xfer)", re.IGNORECASE)
_PILE = 50  # requests in transfer on one rank


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """Hand-overs that failed after the handshake, a pile of them, or a transport that died."""
    found = of(broken(case.launch), "transfer")
    gone = lost(case.launch)
    if gone:
        yield _vanished(gone, found)
    elif found:
        number = rooms(found)
        side = (
            "the prefill side never sent"
            if any("WaitingForInput" in one.text for one in found)
            else "the transfer did not finish"
        )
        told = f"the pair had met, and {side} for {number} request{'s' if number > 1 else ''}"
        timed = [one.ref for one in found if "KVPoll" in one.text or "timed out" in one.text]
        quoted = tuple(dict.fromkeys((*timed[:2], *(one.ref for one in found[:3]))))
        yield _made(0.86, told, quoted, tuple(_known(case, found)))
    for row in (
        [*case.launch.rows("stack_dump"), *case.launch.rows("fatal_signal")] if case.launch.has("fatal_signal") else ()
    ):
        lines = str(row.get("text", "")).split("\n")
        hits = [place for place, line in enumerate(lines) if _TRANSPORT.search(line)]
        if (hits and case.launch.has("bootstrap_access", "disaggregation", "transfer_engine")) or len(hits) >= 2:
            named = [row.line_of_text(place) for place in hits]
            signals = [signal.ref for signal in case.launch.rows("fatal_signal")[:1]]
            yield _made(0.9, "the transport library died in a copy", (*signals, *named[-3:], *named[:2]))
            break
    yield from _raised(case)
    yield from _pile(case)


def _vanished(gone: list[Row], found: list[Broken]) -> Hypothesis:
    """The prefill instance that the decode side lost, with what it owed."""
    owed = sum(int(row["requests"]) for row in gone)
    named = " and ".join(str(row.get("address", "?")) for row in gone[:2])
    told = f"the prefill instance {named} stopped answering its heartbeat while it owed {several(owed, 'request')}"
    lines = tuple(dict.fromkeys((*(row.ref for row in gone[:2]), *(one.ref for one in found[:3]))))
    made = _made(0.86, told, lines)
    action = Action(
        do=f"Look at the log and the container of the prefill instance {named} for the seconds before this line.",
        why="The decode side only tells that it no longer answers /health: it died, restarted, or the network is gone.",
        verify="The same address answers /health, and requests in transfer go to zero between bursts.",
    )
    return replace(made, missing=(f"the log of the prefill instance {named}",), actions=(action,))


def _raised(case: Case) -> Iterator[Hypothesis]:
    """The transport's own exception in the code of the hand-over."""
    root = case.root
    if root is None or root.root is None or not root.in_frames("disaggregation/"):
        return
    said = f"{root.root.type}: {root.root.message}"
    if _TRANSPORT.search(said) or _BROKE.search(said):
        yield _made(0.8, f"the transport raised {said[:160]}", tuple(dict.fromkeys((root.decisive, root.ref))))


def _known(case: Case, found: list[Broken]) -> Iterator[Mapping[str, str]]:
    """Defects of the transfer backends that print exactly this."""
    said = " ".join(one.text for one in found)
    nixl = case.launch.arguments.get("disaggregation_transfer_backend") == "nixl" or "nixl" in said.lower()
    if nixl and "WaitingForInput" in said:
        yield {
            "reference": "sgl-project/sglang#36033",
            "why": "with NIXL a failed send on the prefill side is not told to the decode side, which waits for the whole timeout",
        }
    if nixl and case.launch.release.releases == ("0.5.12",):
        yield {
            "reference": "sgl-project/sglang#25698",
            "why": "NIXL with a dense model hangs in exactly this release; #25699 mends it",
        }
    if "KVPoll.Transferring" in said:
        yield {
            "reference": "sgl-project/sglang#31800",
            "why": "a receiver in the state Transferring may wait without a limit",
        }


def _pile(case: Case) -> Iterator[Hypothesis]:
    """Requests in transfer pile up while the transport prints how little it moves."""
    for table, column in (("prefill_batch", "inflight_requests"), ("decode_batch", "transfer_requests")):
        try:
            waiting = batches.column(case.launch, table, column)
        except NotChecked:
            continue
        most = int(np.nanmax(waiting))
        if most < _PILE:
            continue
        place = int(np.nanargmax(waiting))
        engine = case.launch.rows("transfer_engine")
        rates = [(row["throughput_mb_s"], row.ref) for row in engine if row.get("throughput_mb_s") is not None]
        slowest = min(rates, default=None)
        told = f"{most} requests of one rank are in transfer" + (f" at {slowest[0]:g} MB/s" if slowest else "")
        lines = (
            batches.ref(case.launch, table, place),
            *((slowest[1],) if slowest else ()),
            *(batches.ref(case.launch, table, p) for p in range(min(3, len(waiting)))),
        )
        yield _made(0.7 if slowest else 0.5, told, tuple(dict.fromkeys(lines)))


def _made(
    weight: float, told: str, lines: tuple[LineRef, ...], known: tuple[Mapping[str, str], ...] = ()
) -> Hypothesis:
    return Hypothesis(
        cause="prefill_decode_transfer",
        weight=weight,
        sentence=f"The KV of a request did not arrive: {told}.",
        evidence=lines,
        confidence="likely",
        fraction=WAY,
        chain=((lines[0], told),),
        missing=("the log of the other side of the pair for the same bootstrap_room",),
        actions=(
            Action(
                do="Read the prefill side's log for the same bootstrap_room, then the transport's counters (devices, MB/s).",
                why="A failed send on the prefill side is not always told to the decode side.",
                verify="Requests in transfer go to zero between bursts.",
            ),
        ),
        upstream=known,
        at=lines[0],
    )
