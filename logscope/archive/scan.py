"""An archive → its runs: selected, read by workers, stored, and given in the order of the inputs."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logscope.archive.plan import Step, steps, windows, with_analysis
from logscope.archive.run import cores, outcomes, processes
from logscope.archive.selection import Filter, Found, Refused, select
from logscope.archive.store import Store, opened
from logscope.archive.task import Outcome, Settings

Row = Mapping[str, Any]


@dataclass(slots=True)
class Counts:
    """How many inputs there are, and what became of them so far."""

    inputs: int = 0
    known: int = 0
    done: int = 0
    bytes: int = 0
    done_bytes: int = 0


@dataclass(slots=True)
class Scan:
    """One scan: what it reads, where it keeps it. `seen` is called after every input."""

    settings: Settings
    store: Store | None
    executor: Callable[[], Executor]
    workers: int
    verify: bool = False
    seen: Callable[[Counts], None] = lambda _: None
    counts: Counts = field(default_factory=Counts)
    first_of: dict[str, str] = field(default_factory=dict)  # content → path

    def rows(self, inputs: Iterable[Found | Refused]) -> Generator[list[Row], None, None]:
        """The rows of `runs` of each input, in the order of the inputs; those of known inputs come from the store.

        Whatever ends the iteration, the outcomes that are there are written first.
        """
        known = self.store.known if self.store is not None else {}
        plan = list(steps(inputs, known, self.settings.analysis))
        if self.verify:
            plan = list(self._verified(plan))
        unread = [step for step in plan if isinstance(step.input, Found) and not step.known]
        self.counts.inputs, self.counts.known = len(plan), sum(step.known for step in plan)
        self.counts.bytes = sum(step.input.size for step in unread if isinstance(step.input, Found))
        read, stored = self._read(unread), self._stored(plan)
        try:
            for step in plan:
                yield [self._marked(row) for row in _of_step(step, stored if step.known else read)]
        finally:
            read.close()

    def _marked(self, row: Row) -> Row:
        """The row with the first path of the same content, if it is another."""
        content = row.get("sha256")
        first = self.first_of.setdefault(content, row["path"]) if content else row["path"]
        return {**row, "same_content_as": first if first != row["path"] else None}

    def _stored(self, plan: Sequence[Step]) -> Iterator[Sequence[Row]]:
        """The rows of each known step in turn."""
        known = [step.input.path for step in plan if step.known]
        return iter(self.store.rows(known)) if self.store is not None and known else iter(())

    def _read(self, unread: Sequence[Step]) -> Generator[tuple[Row, ...], None, None]:
        """The rows of each unread input in turn; what comes early waits as rows, its tables are in the store."""
        found = [step.input for step in unread if isinstance(step.input, Found)]
        batches = windows(found)
        writer = _Writer(self.store, batches)
        waiting: dict[int, tuple[Row, ...]] = {}
        due = 0
        try:
            for place, outcome in (
                outcomes(found, self.settings, batches, executor=self.executor, workers=self.workers) if found else ()
            ):
                writer.take(place, outcome)
                self._count(found[place])
                waiting[place] = outcome.runs
                while due in waiting:
                    yield waiting.pop(due)
                    due += 1
        finally:
            writer.close()

    def _count(self, one: Found) -> None:
        self.counts.done += 1
        self.counts.done_bytes += one.size
        self.seen(self.counts)

    def _verified(self, plan: Sequence[Step]) -> Iterator[Step]:
        """The plan, in which a known input whose content is not what it was is to be read again."""
        stored = self._stored(plan)
        for step in plan:
            rows = next(stored) if step.known else ()
            plain = len(rows) == 1 and rows[0]["path"] == step.input.path and rows[0]["sha256"]
            same = not step.known or (plain and _sha256(step.input.path) == plain)
            yield step if same else Step(step.place, step.input)


def _of_step(step: Step, rows: Iterator[Sequence[Row]]) -> Sequence[Row]:
    if isinstance(step.input, Refused):
        return [{"path": step.input.path, "error_kind": step.input.kind, "error": step.input.why}]
    return next(rows)


class _Writer:
    """Writes each window as one change, in the order of the windows."""

    def __init__(self, store: Store | None, batches: Sequence[Sequence[int]]) -> None:
        self._store = store
        self._missing = [set(batch) for batch in batches]
        self._window_of = {place: number for number, batch in enumerate(batches) for place in batch}
        self._held: dict[int, dict[int, Outcome]] = {}
        self._next = 0

    def take(self, place: int, outcome: Outcome) -> None:
        if self._store is None:
            return
        window = self._window_of[place]
        self._held.setdefault(window, {})[place] = outcome
        self._missing[window].discard(place)
        while self._next < len(self._missing) and not self._missing[self._next]:
            self._write(self._next)
            self._next += 1

    def close(self) -> None:
        """Write what is there of unfinished windows."""
        for window in sorted(self._held):
            self._write(window)

    def _write(self, window: int) -> None:
        held = self._held.pop(window, {})
        if held and self._store is not None:
            self._store.write([held[place] for place in sorted(held)])


def _sha256(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def public_row(row: Row, *, seconds: float | None = None) -> dict[str, Any]:
    """One line of `--format jsonl`; what is not known is absent."""
    release = {key: row[f"release_{key}"] for key in ("lo", "hi") if row.get(f"release_{key}")}
    shown = {
        "path": row["path"],
        "launches": row.get("launches"),
        **{key: row.get(key) for key in ("cause", "confidence", "fraction")},
        "release": release or None,
        "lines": row.get("lines"),
        "error": row.get("error"),
        "damage": row.get("damage"),
        "same_content_as": row.get("same_content_as"),
        "seconds": seconds,
    }
    return {name: value for name, value in shown.items() if value is not None}


def scan(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    store: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
) -> Iterator[dict[str, Any]]:
    """One row a log of an archive, in the order of the inputs; with `store`, results are kept and known ones reused.

    The rows are those of `logscope scan --format jsonl`. Logs are read by `jobs` processes, one a core by default: a
    script that calls this needs `if __name__ == "__main__":`. Raises OutputError for a store that cannot be written; a
    log that cannot be read is a row with `error`.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    workers = jobs or cores()
    settings = with_analysis(Settings(""))
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(opened(Path(store))) if store is not None else None
        running = Scan(settings, kept, processes(workers, None), workers)
        found = select([os.fspath(path) for path in given], Filter())
        for rows in stack.enter_context(contextlib.closing(running.rows(found))):
            yield from (public_row(row) for row in rows)
