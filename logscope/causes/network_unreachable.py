"""Hosts cannot reach each other.

What it is
    A connection between processes is refused or times out, or their addresses belong to different families or subnets.

How to tell
    Connect errors of the process group or the rendezvous before any rank served.

Not to be taken for
    `peer_lost`: a connection that had been there was closed. `prefill_decode_handshake`: the bootstrap of a pair.

What to do
    Check the address that each side uses (interface, family, firewall) before any setting of the server.

Source
    torch c10d (Gloo, TCPStore), NCCL `socket.cc`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from logscope.case import Case
from logscope.facts.lacking import taken
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.quantity import LineRef

WAY: Way = "leave"
TITLE = "Hosts cannot reach each other"
_SAYS = re.compile(
    r"connectFullMesh failed|connection refused|no route to host|network is unreachable|could not connect"
    r"|connect(?:ion)? (?:timed out|timeout)|socketStartConnect|failed to connect|Connection timed out"
    r"|Got completion from peer|clients joined|NET/IB : .{0,80}(?:error|fail)",
    re.IGNORECASE,
)

_LIBRARIES = ("mooncake", "nixl", "mori", "hf3fs", "transfer_engine")


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The first evidence is a connection that could not be made."""
    if case.root is not None and taken(case.root):
        return
    rows = [row for name in ("collective_failure", "nccl") for row in case.launch.rows(name) if _tells(row)]
    rows += _of_storage(case)
    rooted = [f for f in case.originators if f.root is not None and not f.marks and _SAYS.search(f.root.message)]
    lines: list[LineRef] = [row.ref for row in rows[:3]] + [f.decisive for f in rooted[:2]]
    if not lines:
        return
    first = min(lines)
    earlier = [
        f for f in case.originators if f.decisive < first and f not in rooted and "collective_failure" not in f.marks
    ]
    weight = 0.5 if earlier else 0.8 if rows else 0.75
    yield Hypothesis(
        cause="network_unreachable",
        weight=weight,
        sentence="A connection between two processes could not be made: the hosts cannot reach each other at the address they use.",
        evidence=tuple(dict.fromkeys(lines)),
        confidence="likely",
        fraction=WAY,
        chain=((first, "a connection cannot be made"), *((f.decisive, f.follows) for f in case.lasting if f.follows)),
        missing=("the logs of all hosts, and the addresses that each of them prints",),
        actions=(
            Action(
                do="Compare the addresses of both sides (family, subnet, interface: GLOO_SOCKET_IFNAME, NCCL_SOCKET_IFNAME) and test the port between the hosts.",
                why="The process group needs every pair of hosts to connect.",
                verify="`Init torch distributed ends` appears on every rank.",
            ),
        ),
        at=first,
    )


def _of_storage(case: Case) -> list[Row]:
    """What a transfer or store library said of its server, above the exception that ended the start for it."""
    root = case.root
    if root is None or root.root is None or root.phase == "serving" or not root.in_frames(*_LIBRARIES):
        return []
    rows = (row for row in case.launch.rows("transfer_engine") if row.ref < root.decisive)
    return [row for row in rows if str(row.get("level", "")).startswith(("E", "F")) and _tells(row)]


def _tells(row: Row) -> bool:
    return row.get("kind") in ("connect_failed", "network", "timed_out") or bool(
        _SAYS.search(str(row.get("text", ""))) and row.get("kind") not in ("peer_closed", "peer_lost")
    )
