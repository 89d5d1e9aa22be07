"""Logs of one deployment → one incident: the files of its nodes and ranks, the pieces of a rotated log.

Whether logs belong together is decided by `joining` from what they say; here is only found which ones are worth asking
about, so that ten thousand logs are not compared with each other. Logs of several nodes print the same arguments but
for the node; logs of single ranks, and later pieces of a rotated log, have no start of their own and lie beside one
that has, at the same time.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pyarrow as pa

from logscope.archive import journal, schema
from logscope.archive.run import stop
from logscope.archive.store import Store, dataset, date_of_run, write_part
from logscope.archive.task import Settings

Row = Mapping[str, Any]
_MOST_LOGS = 64  # of one incident
_MOST_BYTES = 2 << 30  # stored bytes that are read again to ask about one incident
_NEAR = datetime.timedelta(seconds=180)
COLUMNS = ("run", "path", "source", "source_bytes", "server_key", "has_arguments", "start", "end", "launches")


def candidates(runs: Iterable[Row]) -> list[list[Row]]:
    """Sets of logs that may be one incident: by the arguments of several nodes, then by what lies side by side."""
    by_server: dict[str, list[Row]] = {}
    by_folder: dict[str, list[Row]] = {}
    for row in runs:
        if row["launches"]:
            if row["server_key"]:
                by_server.setdefault(row["server_key"], []).append(row)
            by_folder.setdefault(row["path"].rpartition("/")[0], []).append(row)
    found = [_by_path(held) for held in by_server.values() if len(held) > 1]
    taken = {row["run"] for held in found for row in held}
    for held in by_folder.values():
        rest = [row for row in held if row["run"] not in taken]
        if any(not row["has_arguments"] for row in rest):
            found.extend(_by_path(near) for near in _near(rest) if len(near) > 1)
    return [held for held in found if _bearable(held)]


def _bearable(held: Sequence[Row]) -> bool:
    return len(held) <= _MOST_LOGS and sum(row["source_bytes"] for row in held) <= _MOST_BYTES


def _by_path(held: Iterable[Row]) -> list[Row]:
    return sorted(held, key=lambda row: row["path"])


def _near(held: Sequence[Row]) -> Iterator[list[Row]]:
    """The logs of one folder in runs that follow each other within minutes; undated ones are one run."""
    dated = sorted((row for row in held if row["start"]), key=lambda row: (row["start"], row["path"]))
    group: list[Row] = []
    for row in dated:
        if group and row["start"] > max(one["end"] or one["start"] for one in group[-_MOST_LOGS:]) + _NEAR:
            yield group
            group = []
        group.append(row)
    yield group
    yield [row for row in held if not row["start"]]


def _asked_of_one(
    paths: Sequence[tuple[str, str]], runs: Mapping[str, str], settings: Settings
) -> list[dict[str, Any]]:
    from logscope.archive.incident import incidents_of

    return incidents_of(paths, runs, settings)


def regroup(store: Store, settings: Settings, executor: Callable[[], Executor]) -> int:
    """Find the incidents of a whole store anew; returns how many there are. Unchanged candidates are not read again."""
    held = list(_candidates(store))
    mark = hashlib.sha256(json.dumps([[row["run"] for row in one] for one in held]).encode()).hexdigest()[:20]
    remembered = store.path / "_incidents"
    if remembered.is_file() and remembered.read_text() == mark:
        return int(dataset(store.path, "incidents").count_rows())
    found = list(_asked(held, settings, executor))
    _replace(store.path, found)
    remembered.write_text(mark)
    return len(found)


def _candidates(store: Store) -> list[list[Row]]:
    table = dataset(store.path, "runs").to_table(columns=list(COLUMNS))
    table = table.filter(pa.compute.fill_null(pa.compute.greater(table["launches"], 0), False))
    whole = table.filter(pa.compute.and_(table["has_arguments"], pa.compute.is_null(table["server_key"])))
    rest = table.filter(
        pa.compute.or_(pa.compute.invert(table["has_arguments"]), pa.compute.is_valid(table["server_key"]))
    )
    folders = {path.rpartition("/")[0] for path in rest["path"].to_pylist()}
    # Most logs have a start of their own: only those beside one that has none are looked at.
    beside = [row for row in whole.to_pylist() if row["path"].rpartition("/")[0] in folders] if folders else []
    return candidates(sorted([*rest.to_pylist(), *beside], key=lambda row: str(row["path"])))


def _asked(
    held: Sequence[Sequence[Row]], settings: Settings, executor: Callable[[], Executor]
) -> Iterator[dict[str, Any]]:
    if not held:
        return
    pool = executor()
    try:
        futures = [
            pool.submit(
                _asked_of_one,
                [(row["path"], row["source"]) for row in one],
                {row["path"]: row["run"] for row in one},
                settings,
            )
            for one in held
        ]
        for future in futures:
            yield from future.result()
    finally:
        stop(pool)


def _replace(store: Path, found: Sequence[Mapping[str, Any]]) -> None:
    old = [part.relative_to(store).as_posix() for part in sorted(store.glob("incidents/date=*/part-*.parquet"))]
    number = 1 + max((int(p.stem.split("-")[1]) for p in store.glob("*/date=*/part-*.parquet")), default=0)
    change = f"{number:08d}"
    by_date: dict[str, list[Mapping[str, Any]]] = {}
    for row in found:
        by_date.setdefault(date_of_run(row), []).append(row)
    places = []
    for date, of_date in sorted(by_date.items()):
        places.append(f"incidents/date={date}/part-{change}.parquet")
        write_part(schema.table(of_date, schema.INCIDENTS), journal.staged(store, change, places[-1]))
    if old or places:
        journal.commit(store, journal.Change(change, places, old))
