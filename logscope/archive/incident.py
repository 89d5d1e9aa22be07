"""Some logs → the incidents in them: the launches that several of them tell together, with the reason."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from logscope.archive import rows, schema
from logscope.archive.outcome import log_of, sources_behind
from logscope.archive.task import Settings
from logscope.errors import LogscopeError
from logscope.log import Log
from logscope.report import gist


def incidents_of(paths: Sequence[tuple[str, str]], runs: Mapping[str, str], settings: Settings) -> list[dict[str, Any]]:
    """The incidents in these logs (path and source of each): a row for each launch of several logs, with the reason.

    This is what a worker does; a log that is gone meanwhile leaves nothing to join.
    """
    try:
        sources = sources_behind(paths, settings)
        log = log_of(sources, settings)
    except LogscopeError:
        return []
    groups = _connected(log)
    if not groups:
        return []
    if len(groups) == 1 and len(groups[0][0]) == len(paths):
        return [_row(groups[0], log, runs)]
    found = []
    for joined, why in groups:
        part = log_of([one for one in sources if one.path in joined], settings)
        found.append(_row((joined, why), part, runs))
    return found


def _connected(log: Log) -> list[tuple[list[str], str]]:
    """The sets of inputs that launches join, each with all reasons; sets that share an input are one."""
    sets: list[tuple[set[str], list[str]]] = []
    for launch in log.launches:
        paths, why = {piece.path for piece in launch.pieces}, [launch.joined_because]
        if len(paths) < 2 or not launch.joined_because:
            continue
        for other in [one for one in sets if one[0] & paths]:
            sets.remove(other)
            paths, why = other[0] | paths, [*other[1], *why]
        sets.append((paths, why))
    return [(sorted(paths), "; ".join(dict.fromkeys(why))) for paths, why in sets]


def _row(joined: tuple[list[str], str], log: Log, runs: Mapping[str, str]) -> dict[str, Any]:
    paths, why = joined
    told = gist(log).data
    row = rows.run_row(log, told)
    evidence = told["verdict"]["evidence"][:1]
    return {
        **{name: row[name] for name in schema.INCIDENTS.names if name in row},
        "incident": hashlib.sha256("\0".join(runs[path] for path in paths).encode()).hexdigest()[:20],
        "run": runs[paths[0]],
        "paths": paths,
        "runs": [runs[path] for path in paths],
        "why": why,
        "evidence_path": evidence[0]["path"] if evidence else None,
    }
