"""Logs of one deployment become one incident by what they say, and others stay apart."""

from __future__ import annotations

import datetime
import shutil
import tarfile
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from logscope.archive.incidents import candidates, regroup
from logscope.archive.index import index_page
from logscope.archive.plan import with_analysis
from logscope.archive.store import dataset, opened
from logscope.archive.task import Settings

Scanned = Callable[..., list[dict[str, Any]]]
Here = Callable[[], Executor]


def grouped(store: Path, here: Here) -> list[dict[str, Any]]:
    with opened(store) as kept:
        regroup(kept, with_analysis(Settings("")), here)
    return dataset(store, "incidents").to_table().sort_by("why").to_pylist()


def names(row: dict[str, Any]) -> list[str]:
    return [Path(path).name for path in row["paths"]]


def test_nodes_and_pieces_are_joined_with_the_reason_and_other_servers_are_not(
    logs: Path, tmp_path: Path, scanned: Scanned, here: Here
) -> None:
    store = tmp_path / "store"
    rows = scanned(logs / "joined", store=store)
    found = {tuple(names(one)): one for one in grouped(store, here)}
    assert set(found) == {("node0.log", "node1.log"), ("current.log", "previous.log")}
    assert "node_rank 0 and 1 of nnodes 2" in found["node0.log", "node1.log"]["why"]
    assert "begins with the last 20 lines" in found["current.log", "previous.log"]["why"]
    assert {run for one in found.values() for run in one["runs"]} <= {row["run"] for row in rows}


def test_members_of_a_bundle_are_joined_like_files(logs: Path, tmp_path: Path, scanned: Scanned, here: Here) -> None:
    bundle, store = tmp_path / "bundle.tar.gz", tmp_path / "store"
    with tarfile.open(bundle, "w:gz") as tar:
        tar.add(logs / "joined/two-nodes", "two-nodes")
    scanned(bundle, store=store)
    (one,) = grouped(store, here)
    assert one["paths"] == [f"{bundle}!/two-nodes/node{number}.log" for number in range(2)]
    assert "Incidents of several logs" in index_page([], incidents=[one])


def test_incidents_follow_the_logs_when_one_of_them_changes(
    logs: Path, tmp_path: Path, scanned: Scanned, here: Here
) -> None:
    fleet, store = tmp_path / "fleet", tmp_path / "store"
    shutil.copytree(logs / "joined/two-nodes", fleet)
    scanned(fleet, store=store)
    first = grouped(store, here)
    assert grouped(store, here) == first
    (fleet / "node1.log").write_bytes((logs / "story-2-booted-alone.log").read_bytes())
    scanned(fleet, store=store)
    assert grouped(store, here) == []


def test_logs_that_each_hold_a_start_are_not_even_compared() -> None:
    start = datetime.datetime(2026, 11, 1)

    def row(number: int, **more: Any) -> dict[str, Any]:
        return {
            "run": str(number), "path": f"d/{number}.log", "source": f"d/{number}.log", "source_bytes": 1,
            "server_key": None, "has_arguments": True, "start": start, "end": start, "launches": 1, **more,
        }  # fmt: skip

    assert candidates([row(number) for number in range(1000)]) == []
    late = start + datetime.timedelta(hours=1)
    (near,) = candidates([row(1), row(2, has_arguments=False), row(3, start=late, end=late)])
    assert [one["run"] for one in near] == ["1", "2"]
    (nodes,) = candidates([row(1, server_key="k", path="a/x.log"), row(2, server_key="k", path="b/x.log"), row(3)])
    assert [one["run"] for one in nodes] == ["1", "2"]
