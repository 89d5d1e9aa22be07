"""Inputs and stores in object storage: a real server process over HTTP that errs and dawdles."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = {"runs": ", analysis", "incidents": ", runs, incident"}  # made of the rule set, which is the checkout's
MISSING = [name for name in ("s3fs", "moto", "werkzeug") if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (extra test)"),
]


@pytest.fixture(scope="module")
def storage() -> Iterator[dict[str, str]]:
    """The environment in which the server is found, with an empty bucket `fleet`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "object_storage.py"), str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    environment = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "PYTHONPATH": str(ROOT),
    }
    try:
        end = time.monotonic() + 60
        while True:
            try:
                counts(environment)
                break
            except OSError:
                assert time.monotonic() < end, "the server does not start"
                time.sleep(0.2)
        yield environment
    finally:
        server.terminate()
        server.wait(10)


def counts(environment: dict[str, str]) -> dict[str, int]:
    with urllib.request.urlopen(f"{environment['AWS_ENDPOINT_URL']}/-/counts", timeout=5) as answer:
        found: dict[str, int] = json.load(answer)
        return found


def python(storage: dict[str, str], code: str, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **storage},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def logscope(storage: dict[str, str], *arguments: object) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "logscope", *map(str, arguments)]
    ran = subprocess.run(command, env={**os.environ, **storage}, capture_output=True, text=True, timeout=300, cwd=ROOT)
    return ran.returncode, ran.stdout, ran.stderr


FILL = """
import sys, s3fs
from pathlib import Path
system = s3fs.S3FileSystem()
bucket, folder = sys.argv[1:3]
if not system.exists(bucket):
    system.mkdir(bucket)
for path in Path(folder).rglob("*"):
    if path.is_file():
        system.pipe_file(f"{bucket}/{path.relative_to(folder)}", path.read_bytes())
"""


def rows(out: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in out.splitlines()]
    for row in found:
        row["path"] = Path(row["path"]).name
    return found


@pytest.fixture
def fleet(storage: dict[str, str], archive: Path, tmp_path: Path) -> str:
    bucket = f"fleet-{abs(hash(str(tmp_path))) % 10**8}"
    python(storage, FILL, bucket, str(archive))
    return f"s3://{bucket}"


def test_a_bucket_is_scanned_like_the_directory_it_was_filled_from(
    storage: dict[str, str], fleet: str, archive: Path
) -> None:
    code, out, err = logscope(storage, "scan", fleet, "--format", "jsonl")
    assert code == 1, err
    assert rows(out) == rows(logscope(storage, "scan", archive, "--format", "jsonl")[1])
    one, glob = f"{fleet}/node1/story-2-booted-alone.log", f"{fleet}/node1/*.log"
    assert len(rows(logscope(storage, "scan", one, "--format", "jsonl")[1])) == 1
    assert len(rows(logscope(storage, "scan", glob, "--format", "jsonl")[1])) == 2
    assert logscope(storage, "scan", f"{fleet}/nothing")[0] == 3


def test_a_store_in_a_bucket_is_the_local_one_row_for_row_in_spite_of_errors_and_delays(
    storage: dict[str, str], fleet: str, tmp_path: Path
) -> None:
    remote, local = f"{fleet}-store/results", tmp_path / "store"
    python(storage, "import s3fs, sys; s3fs.S3FileSystem().mkdir(sys.argv[1])", f"{fleet}-store")
    before = counts(storage)
    first = logscope(storage, "scan", fleet, "-o", remote, "--format", "jsonl")
    assert logscope(storage, "scan", fleet, "-o", local, "--format", "jsonl")[1] == first[1]
    again = logscope(storage, "scan", fleet, "-o", remote, "--format", "jsonl")
    assert again[1] == first[1]
    assert "3 inputs known" in again[2]
    for name in ("runs", "launches", "findings", "facts", "decode_batch", "retraction", "incidents"):
        sql = f"select * exclude (run{COLUMNS.get(name, '')}) from {name} order by all"
        there, here = (logscope(storage, "query", sql, where, "-f", "json") for where in (remote, local))
        assert there == here, name
    after = counts(storage)
    assert after["refused"] > before["refused"]
    assert after["delayed"] > before["delayed"]


CRASH = """
import sys
from pathlib import Path
from logscope.archive import mirror
from logscope.archive.mirror import working_copy
stop = int(sys.argv[2])
seen = [0]
def dying(original):
    def call(*arguments):
        seen[0] += 1
        if seen[0] == stop:
            import os
            os._exit(9)
        return original(*arguments)
    return call
with working_copy(sys.argv[1]) as (path, push):
    for name in ("put", "delete"):
        setattr(mirror._Mirror, f"_{name}", dying(getattr(mirror._Mirror, f"_{name}")))
    for name in ("runs", "facts"):
        (path / name / "date=d" / "part-1.parquet").unlink()
        (path / name / "date=d" / "part-2.parquet").write_text("new")
    push()
print("whole")
"""
BEGIN = """
import sys, s3fs
system = s3fs.S3FileSystem()
bucket = sys.argv[1].removeprefix("s3://").split("/")[0]
if not system.exists(bucket):
    system.mkdir(bucket)
for name in ("runs", "facts"):
    system.pipe_file(f"{sys.argv[1]}/{name}/date=d/part-1.parquet", b"old")
"""
LOOK = """
import sys, json
from logscope.archive.mirror import local_copy, working_copy
from pathlib import Path
def held(path):
    return {p.relative_to(path).as_posix(): p.read_text() for p in sorted(Path(path).rglob("*.parquet"))}
with local_copy(sys.argv[1]) as path:
    reader = held(path)
with working_copy(sys.argv[1]) as (path, _):
    writer = held(path)
print(json.dumps([reader, writer]))
"""


def test_a_push_that_dies_is_whole_or_absent_for_readers_and_for_the_next_writer(storage: dict[str, str]) -> None:
    old = {f"{name}/date=d/part-1.parquet": "old" for name in ("facts", "runs")}
    new = {f"{name}/date=d/part-2.parquet": "new" for name in ("facts", "runs")}
    seen = []
    for stop in (2, 3, 4, 5, 6):
        address = f"s3://crash/{stop}"
        python(storage, BEGIN, address)
        subprocess.run([sys.executable, "-c", CRASH, address, str(stop)], env={**os.environ, **storage}, timeout=120)
        reader, writer = json.loads(python(storage, LOOK, address))
        assert reader == writer
        assert reader in (old, new)
        seen.append(reader == new)
    assert seen == sorted(seen)
    assert set(seen) == {True, False}
