"""The report and the tables of one log → the rows that a store keeps of it."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from logscope import tables
from logscope.archive import schema
from logscope.archive.fingerprint import fingerprint
from logscope.log import Log
from logscope.redact.columns import masked_table

CALM = ("healthy", "slow_by_design", "stopped_on_request")
_HOST = re.compile(
    r"(?:^|[._-])((?:node|host|pod|rank|worker|gpu|srv)[._-]?\d[\w-]*|i-[0-9a-f]{8,}|ip-\d+-\d+-\d+-\d+)", re.IGNORECASE
)
# Arguments that every node of a server must be given alike.
_OF_ALL_NODES = ("model_path", "nnodes", "dist_init_addr", "tp_size", "dp_size", "pp_size", "disaggregation_mode")
_TEXT_MOST = 2000  # characters of a quoted line; the log has the rest


def run_row(log: Log, report: Mapping[str, Any]) -> dict[str, Any]:
    """What `runs` keeps of one log, without what the plan knows (source, analysis)."""
    verdict, launches, coverage = report["verdict"], report["launches"], report["coverage"]
    about = launches[verdict["launch"]] if launches and coverage["recognised"] else {}
    state = about.get("state", "unknown")
    found = next((one for one in log.launches if one.id == verdict.get("launch")), None)
    mark, signature = fingerprint(found if about else None, verdict, state)
    evidence = verdict["evidence"][0] if verdict["evidence"] else {}
    counts = _severities(report)
    return {
        "sha256": report["inputs"][0]["sha256"],
        "lines": coverage["lines"],
        "recognised": coverage["recognised"],
        "unread": coverage["unread"],
        "complete": report["inputs"][0]["complete"],
        "damage": report["inputs"][0].get("damage"),
        "launches": len(launches) if coverage["recognised"] else 0,
        "release_lo": about.get("release", {}).get("lo"),
        "release_hi": about.get("release", {}).get("hi"),
        "state": state,
        "cause": verdict["cause"],
        "confidence": verdict["confidence"],
        "sentence": verdict["sentence"],
        "fraction": verdict["fraction"],
        "healthy": verdict["cause"] in CALM,
        "fingerprint": mark,
        "signature": signature,
        "start": _moment(about.get("start")),
        "end": _moment(about.get("end")),
        "ready_s": about.get("seconds", {}).get("ready"),
        "model": about.get("model"),
        **counts,
        "server_key": _server_key(report),
        "has_arguments": any(one["arguments"] for one in launches),
        "evidence_line": evidence.get("line"),
        "evidence": _clipped(evidence.get("text")),
    }


def _server_key(report: Mapping[str, Any]) -> str | None:
    """A key of the arguments of a server on several nodes, the same on each of them; none for a server on one."""
    for one in report["launches"]:
        arguments = one["arguments"]
        if isinstance(arguments.get("nnodes"), int) and arguments["nnodes"] > 1:
            shared = {name: value for name, value in arguments.items() if name in _OF_ALL_NODES}
            return hashlib.sha256(json.dumps(shared, sort_keys=True, default=str).encode()).hexdigest()[:16]
    return None


def _severities(report: Mapping[str, Any]) -> dict[str, int]:
    found = [finding["severity"] for finding in report["findings"]]
    return {f"{name}s": found.count(name) for name in ("error", "warning", "note")}


def host_of(path: str) -> str | None:
    """The part of a path that names a machine: a folder before the file's name, the innermost first; none if no part
    does.
    """
    parts = path.replace("!/", "/").split("/")
    for part in [*parts[-2::-1], parts[-1]]:
        found = _HOST.search(part)
        if found:
            return part if part is not parts[-1] else found[1].partition(".")[0]
    return None


def launch_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a launch."""
    for one in report["launches"] if report["coverage"]["recognised"] else ():
        fraction = one["arguments"].get("mem_fraction_static")
        yield {
            "launch": one["id"],
            "release_lo": one["release"].get("lo"),
            "release_hi": one["release"].get("hi"),
            "state": one["state"],
            "cause": one.get("cause"),
            "sentence": one.get("sentence"),
            "start": _moment(one.get("start")),
            "end": _moment(one.get("end")),
            "ready_s": one.get("seconds", {}).get("ready"),
            "end_s": one.get("seconds", {}).get("end"),
            "model": one.get("model"),
            "parallelism": one.get("parallelism"),
            "hardware": one.get("hardware"),
            "ranks": len(one["ranks"]),
            "first_line": one["lines"]["first"]["line"],
            "last_line": one["lines"]["last"]["line"],
            "mem_fraction_static": fraction if isinstance(fraction, float) else None,
            "arguments": json.dumps(one["arguments"], ensure_ascii=True, default=str) if one["arguments"] else None,
        }


def finding_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a finding and launch."""
    for one in report["findings"]:
        evidence = one["evidence"][0] if one["evidence"] else {}
        for launch in one["launches"] or [None]:
            yield {
                **{key: one.get(key) for key in ("rule", "kind", "severity", "role", "rank", "title", "message")},
                "launch": launch,
                "finding": one["id"],
                "line": evidence.get("line"),
                "text": _clipped(evidence.get("text")),
            }


def fact_rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a fact that some line of a rank tells."""
    for launch in report["launches"]:
        for one in launch["facts"]:
            yield {
                **{key: one.get(key) for key in ("rank", "name", "value", "lo", "hi", "unit")},
                "launch": launch["id"],
                "origin": one.get("from"),
                "line": one.get("line", {}).get("line"),
            }


def family_table(log: Log, name: str, most: int | None) -> pa.Table:
    """The rows of one event family; of each launch and rank at most `most`, evenly spaced, the first and the last too.

    `stands_for_lines` adds up to the number of printed lines: a kept row stands for itself and those left out behind
    it.
    """
    raw = log.raw.get(name)
    if raw is None or not raw.num_rows:
        return schema.of_family(name).empty_table()
    found = masked_table(tables.public(raw))
    kept, stands = _spaced(found, most)
    found = found.take(pa.array(kept))
    found = found.append_column("stands_for_lines", pa.array(stands, pa.int64()))
    return schema.fitted(found, schema.of_family(name))


def _spaced(found: pa.Table, most: int | None) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    groups = _groups(found)
    places, stands = [], []
    for number in np.unique(groups):
        inside = np.flatnonzero(groups == number)
        picked = np.arange(len(inside))
        if most is not None and len(inside) > most:
            picked = np.unique(np.linspace(0, len(inside) - 1, most).round().astype(np.int64))
        places.append(inside[picked])
        stands.append(np.diff(np.append(picked, len(inside))))
    order = np.argsort(np.concatenate(places), kind="stable")
    return np.concatenate(places)[order], np.concatenate(stands)[order]


def _groups(found: pa.Table) -> np.ndarray[Any, Any]:
    """A number for each launch and rank, a row."""
    launch = found["launch"].to_numpy().astype(np.int64)
    ranks = pc.dictionary_encode(found["rank"].cast(pa.string())).combine_chunks().indices
    codes = pc.fill_null(ranks, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    groups: np.ndarray[Any, Any] = launch * 100_000 + codes + 1
    return groups


def _moment(printed: str | None) -> datetime.datetime | None:
    return datetime.datetime.fromisoformat(printed).replace(tzinfo=None) if printed else None


def _clipped(text: str | None) -> str | None:
    if text is None:
        return None
    return text[:_TEXT_MOST]
