"""What a cause gets to judge one launch: its failures in order, the rules' findings, its state, its neighbours."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field

from logscope.facts.failures import Failure, failures
from logscope.facts.origin import is_own
from logscope.facts.sequence import before
from logscope.facts.states import State, fatal, state_of, stop_row, where
from logscope.facts.waits import causes_first
from logscope.finding import Finding
from logscope.launch import Launch

_NEAR_LINES = 3


@dataclass(frozen=True, eq=False)
class Case:
    """One launch to diagnose. `launches` are all of the log, in order; `findings` those of this launch."""

    launch: Launch
    launches: Sequence[Launch] = field(default=())
    findings: Sequence[Finding] = field(default=())

    @functools.cached_property
    def state(self) -> State:
        return state_of(self.launch)

    @functools.cached_property
    def failures(self) -> list[Failure]:
        """All failures, in the order of events."""
        return failures(self.launch)

    @functools.cached_property
    def lasting(self) -> list[Failure]:
        """Failures that no handler survived, in the order of events."""
        return [failure for failure in self.failures if not failure.survived]

    @functools.cached_property
    def survived(self) -> list[Failure]:
        """Tracebacks that a handler printed while the server went on: of one request, most often."""
        return [failure for failure in self.failures if failure.survived]

    @functools.cached_property
    def originators(self) -> list[Failure]:
        """Failures that are no followers; the first one is where to look. What breaks after an orderly stop began
        follows from the stop.
        """
        stop = stop_row(self.launch) if self.state == "stopped" else None
        return causes_first(
            [
                failure
                for failure in self.lasting
                if not failure.follows
                and (stop is None or before(self.launch, (failure.ref, failure.time), where(stop)))
            ]
        )

    @property
    def root(self) -> Failure | None:
        """The first failure that does not follow from another; None when nothing failed or only followers are here."""
        if not self.originators:
            return None
        first = self.originators[0]
        if first.chain or first.marks or first.kind != "failure":
            return first
        # Its exception was cut away: the record right behind it, of the same second, may be the rest of it.
        near = (f for f in self.originators[1:] if f.ref.path == first.ref.path and f.time in (None, first.time))
        rest = next((f for f in near if f.chain or f.marks), None)
        return rest if rest is not None and rest.ref.line - first.row.last_line <= _NEAR_LINES else first

    @property
    def died(self) -> bool:
        """Whether something that ends a server failed, in whatever state the log leaves it."""
        if self.state == "unknown":
            return is_own(self.launch) and bool(fatal(self.launch))
        return self.state in ("failed_startup", "ready_then_crashed", "hung")

    def found(self, *rules: str) -> list[Finding]:
        """The findings of these rules."""
        return [finding for finding in self.findings if finding.rule in rules]
