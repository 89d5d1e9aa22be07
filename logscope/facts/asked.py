"""Who ended a server from outside, where their own line is in the log: a batch system, an orchestrator, systemd.

A batch system also cancels what is left of a step whose task failed: only a limit of its own, or a preemption, shows
that nothing failed. An orchestrator's events bear no time of their own: they never tell what came first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logscope.launch import Launch, Row
from logscope.quantity import LineRef

_LIMIT = re.compile(r"due to (?:time limit|preemption)", re.IGNORECASE)
_CANCELLED = re.compile(r"cancelled(?: at \S+)?\s*(?:\*+|$)", re.IGNORECASE)
_PROBE = re.compile(r"failed (?P<probe>liveness|startup) probe, will be restarted", re.IGNORECASE)
_KILLING = re.compile(r"^Stopping container|low on resource", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of somebody who ended the server. `kind`: limit, cancel, probe, orchestrator, systemd."""

    kind: str
    who: str
    row: Row

    @property
    def ref(self) -> LineRef:
        return self.row.ref


def asked(launch: Launch) -> list[Asked]:
    """All of them: what tells a reason first."""
    order = ("limit", "probe", "orchestrator", "systemd", "cancel")
    return sorted(_asked(launch), key=lambda one: (order.index(one.kind), one.ref))


def limits(launch: Launch) -> list[Row]:
    """The lines of a batch system that ended the server for a limit of its own."""
    return [one.row for one in _asked(launch) if one.kind == "limit"]


def _asked(launch: Launch) -> Iterator[Asked]:
    for row in launch.rows("launcher_exit"):
        said = str(row.get("text", ""))
        if found := _LIMIT.search(said):
            yield Asked("limit", f"the batch system ({found[0].lower()})", row)
        elif _CANCELLED.search(said):
            yield Asked("cancel", "the batch system (cancelled)", row)
    for row in launch.rows("pod_status"):
        said = str(row.get("text", "")).strip()
        if _PROBE.search(said) or _KILLING.search(said):
            yield Asked("probe" if _PROBE.search(said) else "orchestrator", f"the orchestrator ({said})", row)
    for row in launch.rows("systemd_unit"):
        if str(row.get("text", "")).startswith(("Stopping", "State 'stop-")):
            yield Asked("systemd", "systemd", row)
