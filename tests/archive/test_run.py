"""What happens to a scan when a log, a worker or its patience ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest

import logscope
from logscope.archive import plan, run
from logscope.archive.plan import windows
from logscope.archive.selection import Found
from logscope.archive.task import Settings, outcome_of

ROOT = Path(__file__).resolve().parents[2]


def found(*sizes: int) -> list[Found]:
    return [Found(f"{place}.log", size, 0, named=True) for place, size in enumerate(sizes)]


def test_a_window_begins_with_its_largest_input_and_large_ones_come_before_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "WINDOW", 3)
    monkeypatch.setattr(plan, "LARGE_BYTES", 100)
    assert windows(found(1, 5, 3, 200, 2, 9, 100)) == [[3, 6], [1, 2, 0], [5, 4]]


def test_at_most_two_windows_are_open_and_every_input_is_answered_once(
    monkeypatch: pytest.MonkeyPatch, here: Callable[[], Executor]
) -> None:
    inputs = found(*range(1, 40))
    batches = [list(range(at, min(at + 4, 39))) for at in range(0, 39, 4)]
    monkeypatch.setattr(run, "outcome_of", lambda one, settings: one)
    seen = [place for place, _ in run.outcomes(inputs, Settings(""), batches, executor=here, workers=2)]
    assert sorted(seen) == list(range(39))
    course = run._Course(batches)
    begun = []
    while (place := course.next()) is not None:
        begun.append(place)
    assert len(begun) == 8


def test_a_log_that_takes_too_long_is_a_failure_that_is_tried_again(logs: Path) -> None:
    log = next(logs.glob("*forward-out*"))
    outcome = outcome_of(Found(str(log), 1, 1, named=True), Settings("", timeout_s=0.001))
    assert [row["error_kind"] for row in outcome.runs] == ["timeout"]
    assert "--timeout-per-log" in outcome.runs[0]["error"]


SCRIPT = """
import json, os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from logscope.archive import run
from logscope.archive.task import Settings, outcome_of
from logscope.archive.selection import Found

def deadly(found, settings):
    name, pills = Path(found.path).name, Path(sys.argv[1]) / "pills"
    if name == "always.log":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "once.log" and not pills.exists():
        pills.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "large.log":
        held = b"x" * (900 << 20)
        time.sleep(60)
    return outcome_of(found, settings)

if __name__ == "__main__":
    run.outcome_of = deadly
    paths = sorted(Path(sys.argv[1]).glob("*.log"))
    found = [Found(str(p), p.stat().st_size, 0, True) for p in paths]
    batches = [list(range(len(found)))]
    made = run.outcomes(found, Settings(""), batches, executor=run.processes(2, 700 << 20), workers=2)
    print(json.dumps(sorted((Path(o.path).name, o.runs[0].get("error_kind")) for _, o in made)))
"""


def test_a_worker_that_is_killed_or_too_large_costs_only_the_log_that_ends_it_twice(logs: Path, tmp_path: Path) -> None:
    data = next(logs.glob("*booted-alone*")).read_bytes()
    for name in ("a", "always", "b", "c", "large", "once", "z"):
        (tmp_path / f"{name}.log").write_bytes(data)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, env=environment, timeout=120
    )
    assert dict(json.loads(ran.stdout)) == {
        "a.log": None,
        "always.log": "worker_lost",
        "b.log": None,
        "c.log": None,
        "large.log": "worker_lost",
        "once.log": None,
        "z.log": None,
    }, ran.stderr


def started(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "logscope", "scan", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_ctrl_c_keeps_what_is_done_and_says_130(archive: Path, tmp_path: Path) -> None:
    logs = list(archive.rglob("*.log"))
    for number in range(100):
        for log in logs:
            (archive / f"{log.stem}-{number}.log").write_bytes(log.read_bytes() + b"\n" * number)
    with started(archive, "-o", tmp_path / "store", "--format", "jsonl") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = [running.stdout.readline() for _ in range(5)]
        os.killpg(running.pid, signal.SIGINT)
        # To the end before waiting, for a full pipe holds its writer; communicate would lose what readline has buffered.
        out, err = running.stdout.read(), running.stderr.read()
        code = running.wait(timeout=60)
    assert code == 130, err
    assert "Traceback" not in err
    from logscope.archive.store import dataset

    kept = dataset(tmp_path / "store", "runs").to_table()
    assert {json.loads(line)["path"] for line in [*first, *out.splitlines()]} <= set(kept["path"].to_pylist())
    assert 5 <= kept.num_rows < 303


@pytest.mark.parametrize("moment_s", [1.2, 2.0])
@pytest.mark.parametrize("ended", [os.killpg, os.kill], ids=["group", "parent"])
def test_ctrl_c_while_the_workers_load_is_one_line(
    archive: Path, tmp_path: Path, moment_s: float, ended: Callable[[int, int], None]
) -> None:
    with started(archive, "-o", tmp_path / "store", "-j", "4") as running:
        time.sleep(moment_s)
        ended(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=60)
    done = "; kept in " in err  # all was told before, on a machine that is quick enough
    assert done or (running.returncode, err.strip()) == (130, "logscope: interrupted")


def test_a_memory_limit_below_what_a_worker_needs_is_a_usage_error(archive: Path) -> None:
    running = started(archive, "--max-memory", "60M")
    assert "256M" in running.communicate(timeout=60)[1]
    assert running.returncode == 2


def test_every_worker_is_gone_when_a_scan_ends(archive: Path) -> None:
    running = started(archive, "-j", "2")
    running.communicate(timeout=60)
    end = time.monotonic() + 20
    while left := [path for path in Path("/proc").glob("[0-9]*/stat") if _group(path) == running.pid]:
        assert time.monotonic() < end, left
        time.sleep(0.1)


def _group(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[2])
    except OSError:
        return -1


def outcomes_equal(a: Any, b: Any) -> bool:
    return bool(
        a.runs == b.runs
        and {n: t.to_pylist() for n, t in a.tables.items()} == {n: t.to_pylist() for n, t in b.tables.items()}
    )


def test_the_same_log_gives_the_same_outcome_in_every_process(logs: Path) -> None:
    log = next(logs.glob("*forward-out*"))
    one = Found(str(log), log.stat().st_size, 5, named=True)
    pool = run.processes(1, None)()
    try:
        assert outcomes_equal(pool.submit(outcome_of, one, Settings("")).result(), outcome_of(one, Settings("")))
    finally:
        run.stop(pool)


def test_the_library_scans_like_the_command_line(archive: Path, tmp_path: Path) -> None:
    out = started(archive, "--format", "jsonl").communicate(timeout=120)[0]
    rows = list(logscope.scan(archive, store=tmp_path / "store", jobs=1))
    assert rows == [json.loads(line) for line in out.splitlines()]
    assert list(logscope.scan([archive], store=tmp_path / "store")) == rows
