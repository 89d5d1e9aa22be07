"""A scan on Dask workers: real processes of a local cluster, one of which is killed in the middle."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None, reason="distributed is not installed (extra cluster)"
    ),
]

SCRIPT = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import Client, LocalCluster

def main():
    with LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        def kill_one():
            client = Client(cluster.scheduler_address, set_as_default=False)
            while not any(client.processing().values()):
                time.sleep(0.05)
            victim = next(worker for worker, tasks in client.processing().items() if tasks)
            pid = client.run(os.getpid, workers=[victim])[victim]
            os.kill(pid, signal.SIGKILL)
            print("killed", file=sys.stderr)
            client.close()
        killer = threading.Thread(target=kill_one)
        killer.start()
        from logscope.cli import logscope
        from logscope.cli._failure import guarded
        code = guarded(logscope, ["scan", sys.argv[1], "-o", sys.argv[2], "--format", "jsonl", "--cluster", cluster.scheduler_address])
        killer.join()
    sys.exit(code)

if __name__ == "__main__":
    main()
"""


def run(*command: object) -> tuple[int, str, str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, timeout=300
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_a_cluster_that_loses_a_worker_gives_the_rows_of_a_local_scan_each_once(archive: Path, tmp_path: Path) -> None:
    for number in range(8):
        for log in sorted(archive.glob("node?/*.log")):
            (archive / f"{log.stem}-{number}.log").write_bytes(log.read_bytes() + b"\n" * number)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    there, here = tmp_path / "there", tmp_path / "here"
    code, out, err = run(script, archive, there)
    assert "killed" in err
    local = run("-m", "logscope", "scan", archive, "-o", here, "--format", "jsonl")
    assert (code, out) == local[:2]
    assert len({json.loads(line)["path"] for line in out.splitlines()}) == len(out.splitlines()) == 27
    for name in ("runs", "launches", "findings", "facts", "decode_batch", "retraction"):
        # The keys are made of the rule set, which is the checkout's.
        sql = f"select * exclude (run{', analysis' * (name == 'runs')}) from {name} order by all"
        found = [run("-m", "logscope", "query", sql, store, "-f", "json") for store in (there, here)]
        assert found[0] == found[1], name


def test_a_scheduler_that_does_not_answer_is_a_usage_error(archive: Path) -> None:
    code, _, err = run(
        "-c",
        "import logscope.archive.cluster as c, sys; c._ANSWER_S = 1; from logscope.cli import main; main(sys.argv[1:])",
        "scan",
        archive,
        "--cluster",
        "tcp://127.0.0.1:9",
    )
    assert code == 2
    assert "no Dask scheduler answers" in err
