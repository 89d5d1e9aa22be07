"""An archive of real logs, and a scan in this process: no pool, so that a test is quick and its failure readable."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from logscope.archive.plan import with_analysis
from logscope.archive.scan import Scan
from logscope.archive.selection import Filter, select
from logscope.archive.store import opened
from logscope.archive.task import Settings


class InThisProcess(Executor):
    """An executor that does the work when it is asked."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  as a pool does
            future.set_exception(error)
        return future


@pytest.fixture
def archive(tmp_path: Path, logs: Path) -> Path:
    """Three real logs in two folders."""
    root = tmp_path / "fleet"
    for folder, name in (
        ("node0", "0.5.23-cpu-forward-out-of-memory.log"),
        ("node1", "story-1-third-start-at-04.log"),
        ("node1", "story-2-booted-alone.log"),
    ):
        (root / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(logs / name, root / folder / name)
    return root


@pytest.fixture
def scanned() -> Callable[..., list[dict[str, Any]]]:
    """Scan paths, into a store if one is given; the rows of `runs` in the order of the inputs."""

    def _scanned(
        *paths: object, store: Path | None = None, verify: bool = False, **reading: Any
    ) -> list[dict[str, Any]]:
        settings = with_analysis(Settings(analysis="", **reading))
        found = select([str(path) for path in paths], Filter(exclude=settings.exclude))
        if store is None:
            scan = Scan(settings, None, InThisProcess, 2)
            return [dict(row) for rows in scan.rows(found) for row in rows]
        with opened(store) as kept:
            scan = Scan(settings, kept, InThisProcess, 2, verify=verify)
            rows = [dict(row) for rows in scan.rows(found) for row in rows]
            _scanned.counts = scan.counts  # type: ignore[attr-defined]
            return rows

    return _scanned


@pytest.fixture
def here() -> Callable[[], Executor]:
    """A maker of executors that work in this process."""
    return InThisProcess
