"""What failed in a launch, in the order of events: who originated it, and who only followed.

A crash prints its cause once and its consequences on every rank and process. A failure is a record (a traceback, a
signal, an exit code, a watchdog, a refusal) with all evidence sentences that stand inside it.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa
import pyarrow.compute as pc

from logscope import tables
from logscope.facts.handled import of_front_end, of_request
from logscope.facts.phases import phase_of, time_of
from logscope.facts.sequence import by_time
from logscope.facts.tracebacks import Frame, Raised, chain_of, places_of
from logscope.launch import Launch, Row
from logscope.quantity import LineRef

# Families whose rows are evidence of a failure by themselves, wherever they stand.
EVIDENCE = (
    "allocator_failure",
    "budget_refused",
    "pool_exhausted",
    "request_slots_exhausted",
    "pool_leak",
    "device_fault",
    "collective_failure",
    "fatal_signal",
    "watchdog",
    "kernel_oom",
    "argparse_error",
    "host_pool_refused",
    "imbalance",
    "import_failure",
    "uvicorn",
)
# Families whose records hold the lines that continue them, with evidence sentences inside.
RECORDS = ("failure", "fatal_signal")
# Families that only a server prints that still serves or still comes up.
_ALIVE = ("ready", "capacity", "prefill_batch", "decode_batch")
_ALIVE_S = 10.0  # behind a record, in another input: ranks print what they had begun
# Families that tell of an end and are followers when something came before.
ENDS = ("signal", "process_exit", "shell")
_ENDED = {
    "signal": "a signal tells that a child failed, not why",
    "process_exit": "an exit code tells that a process ended, not why",
    "shell": "the shell tells that a process was ended, not why",
}
_KEPT = "failures"  # they are asked for by every cause, and reading tracebacks takes time

_CLIENT = re.compile(
    r"(?:openai|requests\.exceptions|httpx|httpcore|aiohttp|urllib3)\b.*(?:Timeout|Connect|Disconnected|Protocol)",
    re.IGNORECASE,
)
_ABORTED = re.compile(r"\bAborted\b|SIGABRT|DistBackendError")
_SIGNAL = re.compile(r"in sigquit_handler|[Rr]eceived sigquit|SIGQUIT received")
_FOLLOWS = re.compile(
    r"Connection closed by peer|Connection reset by peer|Broken ?pipe|BrokenPipeError|another rank"
    r"|remote worker (?:hanging|crashing)|EOFError|Initialization failed\. Please see the error"
    r"|died during initialization|failed due to an unknown reason|peer (?:has )?(?:closed|disconnected)"
    r"|failed to start within|before reporting ready|not (?:become )?ready within|process exited with code"
    r"|other ranks that didn't finish loading|actor (?:died|is dead)|ActorDiedError|RayActorError|WorkerCrashedError"
    r"|remote process exited or there was a network error|CancelledError|KeyboardInterrupt"
    r"|Connection refused by peer|connection was closed",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """One failing record.

    `kind` is the family of its first line; `marks` the evidence rows inside it, by family. `follows` says why it is
    only a follower, "" for an originator. `time` is in seconds since 1970-01-01 or None.
    """

    kind: str
    row: Row
    rank: str
    time: float | None
    phase: str
    chain: tuple[Raised, ...] = ()
    marks: Mapping[str, Row] = field(default_factory=dict)
    follows: str = ""
    survived: bool = False  # a handler printed it and the server went on

    @property
    def ref(self) -> LineRef:
        return self.row.ref

    @property
    def text(self) -> str:
        """The record's text as far as the log has it."""
        return str(self.row.get("text", ""))

    @property
    def root(self) -> Raised | None:
        """The exception that began the chain."""
        return self.chain[0] if self.chain else None

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Frames of the exception that began the chain, the innermost last."""
        return self.chain[0].frames if self.chain else ()

    @property
    def decisive(self) -> LineRef:
        """The line that names what went wrong: an evidence sentence, else the exception, else the head."""
        for row in self.marks.values():
            return row.ref
        if self.chain:
            return self.row.line_of_text(self.chain[0].offset)
        lines = self.text.split("\n")
        told = [place for place, line in enumerate(lines) if _SIGNAL.search(line)]
        return self.row.line_of_text(told[-1]) if told else self.ref

    @property
    def message_lines(self) -> tuple[LineRef, ...]:
        """The lines of the exception's message, where it is broken over several: at most four."""
        if not self.chain:
            return (self.decisive,)
        return self.lines_of(self.chain[0])[:4]

    def lines_of(self, raised: Raised) -> tuple[LineRef, ...]:
        """The lines of an exception of the chain and of its message, without empty ones."""
        return tuple(self.row.line_of_text(place) for place in places_of(self.text, raised))

    def in_frames(self, *names: str) -> bool:
        """Whether any frame's function or file holds one of these words."""
        return any(name in frame.function or name in frame.file for frame in self.frames for name in names)


def failures(launch: Launch) -> list[Failure]:
    """All failures of a launch, by event time where clocks allow, else by line."""
    return list(launch.kept(_KEPT, lambda: _ordered(launch)))


def _ordered(launch: Launch) -> list[Failure]:
    found = _mended(launch, list(_failures(launch)))
    several = len({failure.ref.path for failure in found}) > 1
    # Lines of two inputs in the same second have no order: a process fails before its parent says so.
    return by_time(launch, found, lambda f: (f.ref, f.time), last=lambda f: several and f.kind in ENDS)


def _mended(launch: Launch, found: list[Failure]) -> list[Failure]:
    """The same with a traceback that a rotation cut put together: its head ends one input, the rest begins the next."""
    pieces = list(launch.pieces)
    for piece, following in itertools.pairwise(pieces):
        heads = [f for f in found if f.ref.path == piece.path and f.row.last_line >= piece.last and not f.chain]
        heads = [f for f in heads if "Traceback" in f.text]
        tails = [f for f in found if f.ref.path == following.path and f.ref.line <= following.first + 2]
        if heads and tails and not tails[0].row.get("process"):
            head, tail = heads[-1], tails[0]
            whole = replace(tail, rank=head.rank, time=head.time, phase=head.phase, survived=head.survived)
            found = [whole if f is tail else f for f in found if f is not head]
    return found


def _failures(launch: Launch) -> Iterator[Failure]:
    evidence = [(name, row) for name in EVIDENCE for row in launch.rows(name) if _tells(name, row)]
    placed = sorted(evidence, key=lambda pair: pair[1].ref)
    inside: set[LineRef] = set()
    for kind in RECORDS:
        for row in launch.rows(kind):
            marks = {kind: row} if kind in EVIDENCE else {}
            chain = chain_of(str(row.get("text", "")))
            raised = {row.line_of_text(one.offset) for one in chain}
            for name, mark in _inside(placed, row):
                if _within(mark, row):
                    # A source line of a frame can hold the words too: what is raised says it.
                    if name not in marks or (mark.ref in raised and marks[name].ref not in raised):
                        marks[name] = mark
                    inside.add(mark.ref)
            yield _failure(launch, kind, row, chain, marks)
    alone: dict[LineRef, dict[str, Row]] = {}
    for name, row in evidence:
        if row.ref not in inside:
            alone.setdefault(row.ref, {}).setdefault(name, row)
    for marks in alone.values():
        kind, row = next(iter(marks.items()))
        yield _failure(launch, kind, row, (), marks)
    for name in ENDS:
        for row in launch.rows(name):
            if name != "shell" or row.get("signal") is not None:
                yield _failure(launch, name, row, (), {})


def _inside(placed: Sequence[tuple[str, Row]], record: Row) -> Sequence[tuple[str, Row]]:
    """The evidence rows between the first and the last line of a record, in the order of families."""
    begin = bisect_left(placed, record.ref, key=lambda pair: pair[1].ref)
    end = bisect_left(placed, LineRef(record.ref.path, record.last_line + 1), key=lambda pair: pair[1].ref)
    return sorted(placed[begin:end], key=lambda pair: EVIDENCE.index(pair[0]))


def _tells(name: str, row: Row) -> bool:
    """Whether a row of an evidence family tells of a failure: some of them also take dumps and notices."""
    if name == "watchdog":
        return bool(row.get("kind") == "timeout")
    if name == "collective_failure":
        return row.get("kind") not in ("message", "watchdog_state")
    if name == "uvicorn":
        return row.get("event") in ("bind_failed", "startup_failed")
    if name == "kernel_oom":
        return row.get("kind") not in ("reaped", "invoked")
    return True


def _within(mark: Row, record: Row) -> bool:
    """Whether an evidence line stands inside a record (of the same rank, where both have one)."""
    same = mark.rank in (record.rank, "main") or record.rank == "main"
    return same and mark.ref.path == record.ref.path and record.ref.line <= mark.ref.line <= record.last_line


def _failure(launch: Launch, kind: str, row: Row, chain: tuple[Raised, ...], marks: Mapping[str, Row]) -> Failure:
    text = f"{row.get('context', '')}\n{row.get('text', '')}"
    phase = phase_of(launch, row.rank, (row.ref, time_of(row)), text)
    follows = _follows(kind, row, chain, marks)
    if kind == "watchdog":
        survived = not ends_server(launch, row)
    else:
        survived = kind == "failure" and not row.get("process") and _survived(launch, row, chain)
    return Failure(kind, row, row.rank, time_of(row), phase, chain, marks, follows, survived)


def ends_server(launch: Launch, watchdog: Row) -> bool:
    """Whether a watchdog ends the server: not a soft one, nor one beside schedulers that run batches on."""
    if str(watchdog.get("soft")) == "True":
        return False
    if "cheduler" in str(watchdog.get("watched", "Scheduler")):
        return True
    return watchdog.last_line >= _last_line(launch, watchdog.ref.path, _ALIVE)


def _survived(launch: Launch, row: Row, chain: tuple[Raised, ...]) -> bool:
    """Whether the server went on after a record: it belongs to one request, or batches and answers follow it."""
    return (
        of_request(row, chain)
        or _shows_life(launch, row, _ALIVE)
        or (of_front_end(row, chain) and _shows_life(launch, row, ("http_access",)))
    )


def _shows_life(launch: Launch, row: Row, names: tuple[str, ...]) -> bool:
    return row.last_line < _last_line(launch, row.ref.path, names) or _went_on_elsewhere(launch, row, names)


def _went_on_elsewhere(launch: Launch, row: Row, names: tuple[str, ...]) -> bool:
    """Whether another input of the launch shows it alive well after a record."""
    if row.get("time") is None or len({piece.path for piece in launch.pieces}) < 2:
        return False
    for table in (launch.table(name) for name in names if launch.has(name)):
        others = table.filter(pc.not_equal(table["path"].cast(pa.string()), row.ref.path))
        last = pc.max(others["time"].cast(pa.int64())).as_py() if others.num_rows else None
        if last is not None and last / 1000 > row.time + _ALIVE_S:
            return True
    return False


def _last_line(launch: Launch, path: str, names: tuple[str, ...]) -> int:
    """The last line of an input at which the launch still served or came up, as these families tell."""
    return launch.kept(f"life:{path}:{names}", lambda: max((_last_of(launch, path, name) for name in names), default=0))


def _last_of(launch: Launch, path: str, name: str) -> int:
    table = launch.table(name)
    if not table.num_rows:
        return 0
    inside = tables.of_path(table, path)
    if name == "http_access":
        inside = inside.filter(pc.less(inside["status"], 400))
    return int(pc.max(inside["line"]).as_py() or 0)


def _follows(kind: str, row: Row, chain: tuple[Raised, ...], marks: Mapping[str, Row]) -> str:
    if kind == "failure" and chain and not chain[-1].frames and _CLIENT.match(chain[-1].type):
        return "a client's own exception: it tells that no answer came, not why"
    if kind in _ENDED:
        return _ENDED[kind]
    ended = marks.get("fatal_signal")
    if ended is not None and set(marks) == {"fatal_signal"} and not chain and _ABORTED.search(_words(ended)):
        return "the process aborted itself; what made it do so is printed elsewhere"
    collective = marks.get("collective_failure")
    if collective is not None and collective.get("kind") in ("peer_closed", "peer_lost", "store_lost"):
        return "a connection to another rank was closed from there: that process ended first"
    if set(marks) - {"collective_failure"}:
        return ""
    if not chain and "sigquit_handler" in str(row.get("text", "")):
        return "the handler of the signal that a child's end sent"
    said = f"{chain[0].type}: {chain[0].message}" if chain else str(row.get("text", "") or row.get("message", ""))
    found = _FOLLOWS.search(said)
    return f"{found[0]!r}: another process ended first" if found else ""


def _words(row: Row) -> str:
    return " ".join(str(value) for value in row.values() if isinstance(value, str))
